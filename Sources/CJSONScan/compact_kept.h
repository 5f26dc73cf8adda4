// Private to this target: the table of shuffles that compact eight bytes.

#ifndef JSON_COMPACT_KEPT_H
#define JSON_COMPACT_KEPT_H

#include <stdint.h>

extern const uint64_t json_compact_kept[256];

#endif
