// Private to this target: chooses among the versions of kernels.

#ifndef JSON_KERNEL_CHOICE_H
#define JSON_KERNEL_CHOICE_H

#include "kernel_level.h"

#include <stdatomic.h>
#include <stddef.h>

// Defines two functions for the array `versions`, which begins with the version
// of the highest level and ends with null: available() returns the entries that
// this processor can run, and `version_at` the one at an index of them.
//
// `chosen` is null until the first call. All threads store the same pointer,
// and it points to constant data, so relaxed order suffices.
#define JSON_KERNEL_CHOICE(version, version_at)                               \
    static _Atomic(const version *const *) chosen;                            \
                                                                              \
    static __attribute__((noinline)) const version *const *choose(void) {     \
        const int level = (int)json_kernel_level();                           \
        const version *const *best = versions;                                \
        while ((*best)->level > level) best++;                                \
        atomic_store_explicit(&chosen, best, memory_order_relaxed);           \
        return best;                                                          \
    }                                                                         \
                                                                              \
    static inline const version *const *available(void) {                     \
        const version *const *best =                                          \
            atomic_load_explicit(&chosen, memory_order_relaxed);              \
        return best ? best : choose();                                        \
    }                                                                         \
                                                                              \
    const version *version_at(size_t index) {                                 \
        const version *const *entry = available();                            \
        for (size_t i = 0; i < index && *entry; i++) entry++;                 \
        return *entry;                                                        \
    }

#endif
