// Private to this target: what the versions of the structure kernels share.

#ifndef JSON_STRUCTURE_KERNELS_H
#define JSON_STRUCTURE_KERNELS_H

#include "compact_kept.h"
#include "json_scan_structure.h"
#include "layout_writer.h"
#include "scan_kernels.h"
#include "words_writer.h"

#include <string.h>

extern const struct json_scan_structure_version json_scan_structure_portable;
#if JSON_SCAN_HAS_AVX2
extern const struct json_scan_structure_version json_scan_structure_avx2;
extern const struct json_scan_structure_version json_scan_structure_avx512;
#endif
#if JSON_SCAN_HAS_NEON
extern const struct json_scan_structure_version json_scan_structure_neon;
#endif

size_t json_scan_container_end_portable(const uint8_t *bytes, size_t count,
                                        struct json_scan_container *state);
enum json_scan_outcome
json_scan_children_portable(const uint8_t *bytes, size_t count,
                            struct json_scan_children *state,
                            struct json_scan_child *children, size_t capacity,
                            size_t *found);

enum json_scan_outcome
json_scan_members_portable(const uint8_t *bytes, size_t count,
                           struct json_scan_members *state,
                           const struct json_scan_names *names, size_t *used);

size_t json_scan_compact_portable(const uint8_t *bytes, size_t count,
                                  uint8_t *to,
                                  struct json_scan_compact *state);

size_t json_scan_layout_portable(const uint8_t *bytes, size_t count,
                                 const struct json_scan_style *style,
                                 struct json_scan_layout *state, uint8_t *to,
                                 size_t capacity);

enum {
    // What json_scan_brackets goes over at once, and the marks that this can need:
    // one for each byte, and one for a string that began before.
    JSON_BRACKET_BLOCK = 64,
    JSON_BRACKET_ROOM = JSON_BRACKET_BLOCK + 1,
    JSON_BRACKET_BYTES = 1 << 30,
};

// The result of json_scan_elements by the kernels of one instruction set.
size_t json_scan_elements_by(const struct json_scan_structure_version *kernels,
                             const uint8_t *bytes, size_t count,
                             const struct json_scan_tree *tree,
                             struct json_scan_value *values, size_t capacity,
                             struct json_scan_found *found);

// The same of json_scan_lines.
size_t json_scan_lines_by(const struct json_scan_structure_version *kernels,
                          const uint8_t *bytes, size_t count,
                          const struct json_scan_tree *tree,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_line *lines, size_t most,
                          struct json_scan_found *found);

// What a string at the place of a key is.
enum json_key {
    JSON_KEY_OTHER,
    JSON_KEY_WANTED,
    // Its end is not there.
    JSON_KEY_CUT,
};

// Looks at the key whose opening quote is at `place`; writes what `state` says
// of a key if it is wanted.
enum json_key json_key_at(const uint8_t *bytes, size_t count, size_t place,
                          const struct json_scan_names *names,
                          struct json_scan_members *state);

// Says that the scan stops at or behind the key whose opening quote is at
// `place`, where so many objects are open.
static inline enum json_scan_outcome
json_stop_at_key(struct json_scan_members *state, enum json_key key,
                 size_t place, int64_t objects, size_t *used) {
    bool is_found = key == JSON_KEY_WANTED && objects == 1;
    state->nest.depth = 1;
    state->nest.objects = objects;
    state->nest.in_string = false;
    state->nest.escaped = false;
    state->before = is_found ? '"' : ',';
    *used = is_found ? state->key_end + 1 : place;
    if (key == JSON_KEY_CUT) return JSON_SCAN_MORE;
    return is_found ? JSON_SCAN_STOPPED : JSON_SCAN_MALFORMED;
}

static inline bool json_is_blank(uint8_t byte) {
    return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09;
}

// The last byte before `place` that is no white space, or `before` if there is
// none.
static inline uint8_t json_byte_before(const uint8_t *bytes, size_t place,
                                       uint8_t before) {
    while (place > 0) {
        uint8_t byte = bytes[--place];
        if (!json_is_blank(byte)) return byte;
    }
    return before;
}

// The result of json_scan_needles_find from `start` on, one place after the
// other. For the few bytes that no vector covers.
size_t json_scan_needles_from(const uint8_t *bytes, size_t count, size_t start,
                              const struct json_scan_needles *needles,
                              size_t *which);

// The same, in time that does not depend on how much looks like a needle.
size_t json_scan_needles_linear(const uint8_t *bytes, size_t count,
                                size_t start,
                                const struct json_scan_needles *needles,
                                size_t *which);

// Bytes compared at places that were none, over which a search goes on with
// json_scan_needles_linear.
static inline size_t json_needle_patience(size_t searched) {
    return 4 * searched + (1 << 16);
}

// Whether one of the needles of some groups stands at `place`. Bit g of
// `groups` stands for the needles g, g + 8, g + 16...
static inline bool json_needle_stands(const uint8_t *bytes, size_t count,
                                      size_t place, uint8_t groups,
                                      const struct json_scan_needles *needles,
                                      size_t *which, size_t *work) {
    for (size_t i = 0; i < needles->count; i++) {
        if (!(groups >> (i & 7) & 1)) continue;
        size_t length = needles->starts[i + 1] - needles->starts[i];
        if (length > count - place) continue;
        if (memcmp(bytes + place, needles->bytes + needles->starts[i],
                   length) == 0) {
            *which = i;
            return true;
        }
        *work += length;
    }
    return false;
}

#endif
