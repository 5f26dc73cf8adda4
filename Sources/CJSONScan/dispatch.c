// Chooses the version of the byte kernels and calls it.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for memrchr
#endif

#include "scan_kernels.h"

#include <string.h>

#include <stdatomic.h>

static const struct json_scan_kernels portable = {
    .text = json_scan_text_portable,
    .string_end = json_scan_string_end_portable,
    .whitespace = json_scan_whitespace_portable,
    .count_newlines = json_scan_count_newlines_portable,
    .surrogate = json_scan_surrogate_portable,
    .name = "portable",
    .level = JSON_KERNEL_PORTABLE,
};

static const struct json_scan_kernels *const versions[] = {
#if JSON_SCAN_HAS_AVX2
    &json_scan_kernels_avx2,
#endif
#if JSON_SCAN_HAS_NEON
    &json_scan_kernels_neon,
#endif
    &portable,
};

// Null until the first call. All threads store the same pointer, and it points
// to constant data, so relaxed order suffices.
static _Atomic(const struct json_scan_kernels *) chosen;

static __attribute__((noinline)) const struct json_scan_kernels *choose(void) {
    enum json_kernel_level level = json_kernel_level();
    size_t best = 0;
    while (versions[best]->level > level) best++;
    atomic_store_explicit(&chosen, versions[best], memory_order_relaxed);
    return versions[best];
}

static inline const struct json_scan_kernels *kernels(void) {
    const struct json_scan_kernels *best =
        atomic_load_explicit(&chosen, memory_order_relaxed);
    return best ? best : choose();
}

size_t json_scan_text(const uint8_t *bytes, size_t count) {
    return kernels()->text(bytes, count);
}

size_t json_scan_string_end(const uint8_t *bytes, size_t count, bool *escaped) {
    return kernels()->string_end(bytes, count, escaped);
}

static inline bool is_whitespace(uint8_t byte) {
    return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09;
}

size_t json_scan_whitespace(const uint8_t *bytes, size_t count) {
    // Handles the common cases without an indirect call: no whitespace, or one
    // space after a colon or comma.
    if (count == 0 || !is_whitespace(bytes[0])) return 0;
    if (count == 1 || !is_whitespace(bytes[1])) return 1;
    return kernels()->whitespace(bytes, count);
}

size_t json_scan_count_newlines(const uint8_t *bytes, size_t count) {
    return kernels()->count_newlines(bytes, count);
}

size_t json_scan_surrogate(const uint8_t *bytes, size_t count) {
    return kernels()->surrogate(bytes, count);
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

const char *json_scan_kernel(void) { return kernels()->name; }
