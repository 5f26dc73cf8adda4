// Private to this target: detects which versions of the kernels can run.

#ifndef JSON_KERNEL_LEVEL_H
#define JSON_KERNEL_LEVEL_H

// Clang for the MSVC ABI may not link the runtime that __builtin_cpu_supports
// needs, so that target has no x86 versions.
#if defined(__x86_64__) && !defined(_MSC_VER)
#define JSON_SCAN_HAS_AVX2 1
#else
#define JSON_SCAN_HAS_AVX2 0
#endif

// NEON is part of AArch64.
#if defined(__aarch64__) && !defined(__AARCH64EB__)
#define JSON_SCAN_HAS_NEON 1
#else
#define JSON_SCAN_HAS_NEON 0
#endif

// In ascending order: a level includes the lower ones. NEON is an exception,
// because it belongs to other processors than the levels after it.
enum json_kernel_level {
    JSON_KERNEL_PORTABLE,
    JSON_KERNEL_NEON,
    JSON_KERNEL_AVX2,
    JSON_KERNEL_AVX512,
};

// Returns the highest level of this processor, or a lower one that the
// environment variable JSONSIFT_KERNEL names: portable, neon, avx2, avx512. Any
// other value has no effect here; see json_validation_is_on. The result is not
// cached: callers store their choice.
enum json_kernel_level json_kernel_level(void);

#endif
