#include "kernel_level.h"

#include <stdlib.h>
#include <string.h>

static enum json_kernel_level of_processor(void) {
#if JSON_SCAN_HAS_AVX2
    __builtin_cpu_init();
    // All features that the functions are compiled for. A virtual machine may
    // hide any of them.
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
          __builtin_cpu_supports("pclmul"))) {
        return JSON_KERNEL_PORTABLE;
    }
    if (!(__builtin_cpu_supports("avx512f") &&
          __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512vl") &&
          __builtin_cpu_supports("avx512vbmi") &&
          __builtin_cpu_supports("avx512vbmi2"))) {
        return JSON_KERNEL_AVX2;
    }
    return JSON_KERNEL_AVX512;
#elif JSON_SCAN_HAS_NEON
    return JSON_KERNEL_NEON;
#else
    return JSON_KERNEL_PORTABLE;
#endif
}

enum json_kernel_level json_kernel_level(void) {
    static const struct {
        const char *name;
        enum json_kernel_level level;
    } names[] = {
        {"portable", JSON_KERNEL_PORTABLE},
        {"neon", JSON_KERNEL_NEON},
        {"avx2", JSON_KERNEL_AVX2},
        {"avx512", JSON_KERNEL_AVX512},
    };
    enum json_kernel_level level = of_processor();
    const char *wanted = getenv("JSONSIFT_KERNEL");
    if (!wanted) return level;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(wanted, names[i].name) == 0 && names[i].level < level) {
            return names[i].level;
        }
    }
    return level;
}
