// Private to this target: declarations and helpers that the versions of the
// structure kernels share.

#ifndef JSON_STRUCTURE_KERNELS_H
#define JSON_STRUCTURE_KERNELS_H

#include "compact_kept.h"
#include "json_scan_structure.h"
#include "layout_writer.h"
#include "scan_kernels.h"
#include "tape_words_writer.h"

#include <string.h>

// Defined if the processors of the target may support them.
extern const struct json_scan_structure_version json_scan_structure_avx512,
    json_scan_structure_avx2, json_scan_structure_neon,
    json_scan_structure_portable;

__typeof__(json_scan_container_end) json_scan_container_end_portable;
__typeof__(json_scan_children) json_scan_children_portable;
__typeof__(json_scan_compact) json_scan_compact_portable;
__typeof__(json_scan_unescape) json_scan_unescape_portable;
__typeof__(json_scan_layout) json_scan_layout_portable;

// Compares a key without its opening quote, in `room` bytes that contain its
// closing quote, with the names. For a key that may have escapes. Returns the
// number of the name that it equals, the number of names if it may equal one, or
// one more.
size_t json_name_of_escaped_key(const uint8_t *key, size_t room,
                                const struct json_scan_names *names);

static inline bool json_is_blank(uint8_t byte) {
    return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09;
}

// Computes json_scan_literals_find from `start` on, offset by offset. For the
// few bytes that do not fill a vector.
size_t json_scan_literals_from(const uint8_t *bytes, size_t count, size_t start,
                               const struct json_scan_literals *literals,
                               size_t *which);

// Computes the same in a time that does not depend on the number of bytes that
// resemble a literal.
size_t json_scan_literals_linear(const uint8_t *bytes, size_t count,
                                 size_t start,
                                 const struct json_scan_literals *literals,
                                 size_t *which);

// Returns the number of bytes compared in vain after which a search continues
// with json_scan_literals_linear, if `searched` bytes have been searched.
static inline size_t json_literal_work_limit(size_t searched) {
    return 4 * searched + (1 << 16);
}

// Returns whether a literal of the given groups occurs at `offset`, and sets
// `*which` to its index. Bit g of `groups` selects the literals g, g + 8,
// g + 16... Adds the number of bytes compared in vain to `*work`.
static inline bool
json_literal_matches(const uint8_t *bytes, size_t count, size_t offset,
                     uint8_t groups, const struct json_scan_literals *literals,
                     size_t *which, size_t *work) {
    for (size_t i = 0; i < literals->count; i++) {
        if (!(groups >> (i & 7) & 1)) continue;
        size_t length = literals->starts[i + 1] - literals->starts[i];
        if (length > count - offset) continue;
        if (memcmp(bytes + offset, literals->bytes + literals->starts[i],
                   length) == 0) {
            *which = i;
            return true;
        }
        *work += length;
    }
    return false;
}

#endif
