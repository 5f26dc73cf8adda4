// The whole door to libyajl. One wrapper: Swift cannot call variadic functions.
#ifndef CYAJL_SHIM_H
#define CYAJL_SHIM_H

#if __has_include(<yajl/yajl_parse.h>) && !defined(CYAJL_OWN_DECLARATIONS)
#include <yajl/yajl_parse.h>
#else
#include "yajl_declarations.h"
#endif

/// The version of the library that is loaded: 10000 times the major number, 100 times the minor one, and the last one.
extern int yajl_version(void);

/// Switches one yajl option on or off. Returns 0 if libyajl does not know the option.
static inline int cyajl_set(yajl_handle handle, yajl_option option, int value) {
  return yajl_config(handle, option, value);
}

#endif
