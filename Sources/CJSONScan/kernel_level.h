// Private to this target: which versions of the kernels may run here.

#ifndef JSON_KERNEL_LEVEL_H
#define JSON_KERNEL_LEVEL_H

// Clang for the MSVC ABI may not link the runtime that
// __builtin_cpu_supports needs, so the versions for x86 are left out there.
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

// In order: what one can run, the ones after it can run too, but for NEON, which
// has processors of its own.
enum json_kernel_level {
    JSON_KERNEL_PORTABLE,
    JSON_KERNEL_NEON,
    JSON_KERNEL_AVX2,
    JSON_KERNEL_AVX512,
    JSON_KERNEL_AVX512_VBMI,
};

// The highest level of this processor, or a lower one if the variable
// JSONSIFT_KERNEL of the environment names it: portable, neon, avx2, avx512. Any
// other text changes nothing here; see json_proof_is_on. Asks the system each time; callers keep what
// follows from it.
enum json_kernel_level json_kernel_level(void);

#endif
