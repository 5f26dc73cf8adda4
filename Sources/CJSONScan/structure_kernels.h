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
    // The number of bytes that json_scan_brackets scans at once.
    JSON_BRACKET_BLOCK = 64,
    // The maximum number of marks for these: one for each byte, and one for a
    // string that began before them.
    JSON_BRACKET_MAX_MARKS = JSON_BRACKET_BLOCK + 1,
    // The maximum number of bytes that one call scans.
    JSON_BRACKET_MAX_BYTES = 1 << 30,
};

// The comparison of a key with the names.
enum json_key {
    JSON_KEY_OTHER,
    // The key equals a name, or may equal one.
    JSON_KEY_MATCHES,
    // The end of the key is not in the bytes.
    JSON_KEY_INCOMPLETE,
};

// Compares the key whose opening quote is at `quote` with the names. If it is
// wanted, writes its range and its name into `state`.
enum json_key json_key_at(const uint8_t *bytes, size_t count, size_t quote,
                          const struct json_scan_names *names,
                          struct json_scan_members *state);

// Sets the state in which the scan stops: after a wanted key, or before a key
// that is cut or that malformed brackets precede. The opening quote of the key
// is at `quote`, and `objects` is the number of objects that are open there.
// Returns the outcome.
static inline enum json_scan_outcome
json_stop_at_key(struct json_scan_members *state, enum json_key key,
                 size_t quote, int64_t objects, size_t *used) {
    bool is_found = key == JSON_KEY_MATCHES && objects == 1;
    state->container.depth = 1;
    state->container.objects = objects;
    state->container.in_string = false;
    state->container.escaped = false;
    state->before = is_found ? '"' : ',';
    *used = is_found ? state->key_end + 1 : quote;
    if (key == JSON_KEY_INCOMPLETE) return JSON_SCAN_MORE;
    return is_found ? JSON_SCAN_STOPPED : JSON_SCAN_MALFORMED;
}

static inline bool json_is_blank(uint8_t byte) {
    return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09;
}

// Returns whether this byte validly ends a number or literal.
static inline bool json_ends_scalar(uint8_t byte) {
    // The closing brackets differ in bit 5 only.
    if (byte > ',') return (byte | 0x20) == '}';
    return byte == ',' || json_is_blank(byte);
}

// Returns the last byte before `offset` that is not white space, or `before` if
// there is no such byte.
static inline uint8_t json_byte_before(const uint8_t *bytes, size_t offset,
                                       uint8_t before) {
    while (offset > 0) {
        uint8_t byte = bytes[--offset];
        if (!json_is_blank(byte)) return byte;
    }
    return before;
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
