// The whole door to zlib. Two wrappers, for macros that Swift cannot call.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/// Begins to read gzip data, and no other form. `stream` must stay where it is.
static inline int czlib_begin_gzip_inflate(z_streamp stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}

/// Begins to write gzip data. `stream` must stay where it is.
static inline int czlib_begin_gzip_deflate(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
