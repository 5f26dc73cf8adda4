// The NEON version of the block machine.

#include "validation_carries.h"

#if JSON_SCAN_HAS_NEON

#include "vectors_neon.h"

#define LANES 4
#include "validation_lanes.h"

KERNEL_INLINE uint64_t lanes_top(lanes a) {
    uint64_t bits = 0;
    for (int k = 0; k < LANES; k++) bits |= a[k] >> 63 << k;
    return bits;
}

KERNEL_INLINE uint64_t lanes_set(lanes a) {
    uint64_t bits = 0;
    for (int k = 0; k < LANES; k++) bits |= (uint64_t)(a[k] != 0) << k;
    return bits;
}

KERNEL_INLINE lanes lanes_of(uint64_t bits) {
    lanes a;
    for (int k = 0; k < LANES; k++) a[k] = bits >> k & 1;
    return a;
}

KERNEL_INLINE lanes lanes_before(uint64_t first, lanes a) {
    lanes before = {first, a[0], a[1], a[2]};
    return before;
}

#define IS_EAGER 0
#include "validation_blocks.h"

#endif
