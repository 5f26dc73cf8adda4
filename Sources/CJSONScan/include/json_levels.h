// What a proof notes of each block of 64 bytes: how few containers are open
// somewhere in it. Who looks for the end of a container passes over the blocks
// in which it cannot stand, a byte of notes for 64 bytes of text.
//
// A note is a byte:
//
//     0            nothing is known
//     bits 0...6   one more than the least number of open containers, before
//                  the first byte and behind each byte of the block; 127 stands
//                  for all numbers that do not fit
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
    JSON_LEVELS_MOST = 127,
    JSON_LEVELS_IN_STRING = 128,
};

/// The notes of a text.
struct json_levels {
    /// NULL if there are none.
    const uint8_t *notes;
    size_t count;
};

#ifdef __cplusplus
}
#endif

#endif
