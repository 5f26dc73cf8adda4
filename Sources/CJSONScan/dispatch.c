// Chooses the kernel and forwards to it.

#include "scan_kernels.h"

#include <string.h>

#if JSON_SCAN_HAS_AVX2

#include <stdatomic.h>

static const struct json_scan_kernels kernels_portable = {
    .text = json_scan_text_portable,
    .string_end = json_scan_string_end_portable,
    .whitespace = json_scan_whitespace_portable,
    .count_newlines = json_scan_count_newlines_portable,
    .surrogate = json_scan_surrogate_portable,
    .name = "portable",
};

// Null until the first call. Threads that race all store the same pointer, and
// it points to constant data, so relaxed order is enough.
static _Atomic(const struct json_scan_kernels *) chosen_kernels;

static __attribute__((noinline)) const struct json_scan_kernels *
choose_kernels(void) {
    __builtin_cpu_init();
    // All that the AVX2 functions are compiled for. A virtual machine may hide
    // any one of them.
    bool has_avx2 = __builtin_cpu_supports("avx2") &&
                    __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("popcnt");
    const struct json_scan_kernels *kernels =
        has_avx2 ? &json_scan_kernels_avx2 : &kernels_portable;
    atomic_store_explicit(&chosen_kernels, kernels, memory_order_relaxed);
    return kernels;
}

static inline const struct json_scan_kernels *kernels(void) {
    const struct json_scan_kernels *chosen =
        atomic_load_explicit(&chosen_kernels, memory_order_relaxed);
    return chosen ? chosen : choose_kernels();
}

#elif JSON_SCAN_HAS_NEON

// NEON is part of AArch64: nothing to ask at run time.
static inline const struct json_scan_kernels *kernels(void) {
    return &json_scan_kernels_neon;
}

#else

static const struct json_scan_kernels kernels_portable = {
    .text = json_scan_text_portable,
    .string_end = json_scan_string_end_portable,
    .whitespace = json_scan_whitespace_portable,
    .count_newlines = json_scan_count_newlines_portable,
    .surrogate = json_scan_surrogate_portable,
    .name = "portable",
};

static inline const struct json_scan_kernels *kernels(void) {
    return &kernels_portable;
}

#endif

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
    // No whitespace, or one space after a colon or comma, is the common case.
    // It is not worth an indirect call.
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
    // memchr must not be given a null pointer, even for no bytes.
    if (count == 0) return 0;
    const uint8_t *found = memchr(bytes, 0x0A, count);
    return found ? (size_t)(found - bytes) : count;
}

const char *json_scan_kernel(void) { return kernels()->name; }
