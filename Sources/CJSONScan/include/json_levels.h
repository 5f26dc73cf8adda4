// Notes that a validation records for each block of 64 bytes: the minimum
// number of open containers in the block. A scan for the end of a container
// skips the blocks that cannot contain it: it reads one byte for 64 bytes of
// text.
//
// A note is a byte:
//
//     0            unknown
//     bits 0...6   one more than the minimum number of open containers, before
//                  the first byte and after each byte of the block; 127 means
//                  any number that does not fit
//     bit 7        the block begins inside of a string

#ifndef JSON_LEVELS_H
#define JSON_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    JSON_LEVELS_BLOCK = 64,
    JSON_LEVELS_MAX = 127,
    JSON_LEVELS_IN_STRING = 128,
};

/// The notes of a text.
struct json_levels {
    /// NULL if there are no notes.
    const uint8_t *notes;
    size_t count;
};

#ifdef __cplusplus
}
#endif

#endif
