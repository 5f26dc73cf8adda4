// For each mask of eight bytes: the indices of the bytes that are set, from the
// lowest byte on. A shuffle with these indices makes the kept bytes contiguous.

#include "compact_kept.h"

// The index `k`, after the indices of the lower bits of `mask`; 0 if bit k of
// `mask` is not set.
#define INDEX(mask, k)                                                        \
    ((uint64_t)((mask) >> (k) & 1) * (k)                                      \
     << 8 * __builtin_popcount((mask) & ((1u << (k)) - 1)))
#define INDICES(mask)                                                         \
    (INDEX(mask, 1) | INDEX(mask, 2) | INDEX(mask, 3) | INDEX(mask, 4) |      \
     INDEX(mask, 5) | INDEX(mask, 6) | INDEX(mask, 7))
#define FOUR(mask)                                                            \
    INDICES(mask), INDICES(mask + 1u), INDICES(mask + 2u), INDICES(mask + 3u)
#define SIXTEEN(mask)                                                         \
    FOUR(mask), FOUR(mask + 4u), FOUR(mask + 8u), FOUR(mask + 12u)

const uint64_t json_compact_kept[256] = {
    SIXTEEN(0x00u), SIXTEEN(0x10u), SIXTEEN(0x20u), SIXTEEN(0x30u),
    SIXTEEN(0x40u), SIXTEEN(0x50u), SIXTEEN(0x60u), SIXTEEN(0x70u),
    SIXTEEN(0x80u), SIXTEEN(0x90u), SIXTEEN(0xA0u), SIXTEEN(0xB0u),
    SIXTEEN(0xC0u), SIXTEEN(0xD0u), SIXTEEN(0xE0u), SIXTEEN(0xF0u),
};
