// Chooses the version of the kernels and calls it.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for memrchr
#endif

#include "kernel_choice.h"
#include "structure_kernels.h"

static const struct json_scan_structure_version *const versions[] = {
#if JSON_SCAN_HAS_AVX2
    &json_scan_structure_avx512,
    &json_scan_structure_avx2,
#endif
#if JSON_SCAN_HAS_NEON
    &json_scan_structure_neon,
#endif
    &json_scan_structure_portable,
    NULL,
};

JSON_KERNEL_CHOICE(struct json_scan_structure_version,
                   json_scan_structure_version)

const char *json_scan_kernel(void) { return available()[0]->name; }

size_t json_scan_text(const uint8_t *bytes, size_t count) {
    return available()[0]->text(bytes, count);
}

size_t json_scan_string_end(const uint8_t *bytes, size_t count, bool *escaped) {
    return available()[0]->string_end(bytes, count, escaped);
}

size_t json_scan_whitespace(const uint8_t *bytes, size_t count) {
    // Handles the common cases without an indirect call: no whitespace, or one
    // space after a colon or comma.
    if (count == 0 || !json_is_blank(bytes[0])) return 0;
    if (count == 1 || !json_is_blank(bytes[1])) return 1;
    return available()[0]->whitespace(bytes, count);
}

size_t json_scan_count_newlines(const uint8_t *bytes, size_t count) {
    return available()[0]->count_newlines(bytes, count);
}

size_t json_scan_newline(const uint8_t *bytes, size_t count) {
    // A null pointer is not allowed for memchr, even with a count of 0.
    if (count == 0) return 0;
    const uint8_t *found = memchr(bytes, 0x0A, count);
    return found ? (size_t)(found - bytes) : count;
}

size_t json_scan_last_newline(const uint8_t *bytes, size_t count) {
    if (count == 0) return 0;
#if defined(__linux__)
    const uint8_t *found = memrchr(bytes, 0x0A, count);
    return found ? (size_t)(found - bytes) : count;
#else
    for (size_t i = count; i > 0; i--) {
        if (bytes[i - 1] == 0x0A) return i - 1;
    }
    return count;
#endif
}

size_t json_scan_container_end(const uint8_t *bytes, size_t count,
                               struct json_scan_container *state) {
    return available()[0]->container_end(bytes, count, state);
}

enum json_scan_outcome json_scan_children(const uint8_t *bytes, size_t count,
                                          struct json_scan_children *state,
                                          struct json_scan_child *children,
                                          size_t capacity, size_t *found) {
    return available()[0]->children(bytes, count, state, children, capacity,
                                    found);
}

void json_scan_index(const uint8_t *bytes, size_t count,
                     struct json_scan_index *index) {
    available()[0]->index(bytes, count, index);
}

bool json_scan_tape_words(const uint8_t *bytes, size_t count, uint64_t origin,
                          struct json_scan_tape_words *state, uint64_t *words,
                          size_t capacity) {
    return available()[0]->tape_words(bytes, count, origin, state, words,
                                      capacity);
}

size_t json_scan_compact(const uint8_t *bytes, size_t count, uint8_t *to,
                         struct json_scan_compact *state) {
    return available()[0]->compact(bytes, count, to, state);
}

size_t json_scan_unescape(const uint8_t *bytes, size_t count, uint8_t *to,
                          size_t *used) {
    return available()[0]->unescape(bytes, count, to, used);
}

size_t json_scan_layout(const uint8_t *bytes, size_t count,
                        const struct json_scan_style *style,
                        struct json_scan_layout *state, uint8_t *to,
                        size_t capacity) {
    return available()[0]->layout(bytes, count, style, state, to, capacity);
}

size_t json_scan_literals_find(const uint8_t *bytes, size_t count,
                               const struct json_scan_literals *literals,
                               size_t *which) {
    return available()[0]->literals_find(bytes, count, literals, which);
}
