// NEON versions of the structure kernels and of the byte kernels.

#include "structure_kernels.h"

#if JSON_SCAN_HAS_NEON

#include "vectors_neon.h"

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    for (size_t k = 0; k < 64; k += 8) {
        uint64_t eight = kept >> k & 0xFF;
        uint8x8_t order = vcreate_u8(json_compact_kept[eight]);
        vst1_u8(to, vtbl1_u8(vld1_u8(from + k), order));
        to += __builtin_popcountll(eight);
    }
    return to;
}

#include "structure_blocks.h"

#endif
