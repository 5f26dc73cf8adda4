// The AVX2 version of the block machine.

#include "validation_carries.h"

#if JSON_SCAN_HAS_AVX2

#include "vectors_avx2.h"

#define LANES 4
#include "validation_lanes.h"

KERNEL_INLINE uint64_t lanes_top(lanes a) {
    return (uint64_t)_mm256_movemask_pd((__m256d)a);
}

KERNEL_INLINE uint64_t lanes_set(lanes a) {
    return lanes_top((lanes)_mm256_cmpeq_epi64((__m256i)a,
                                               _mm256_setzero_si256())) ^
           ALL_LANES;
}

KERNEL_INLINE lanes lanes_of(uint64_t bits) {
    __m256i bit = _mm256_set_epi64x(8, 4, 2, 1);
    __m256i all = _mm256_and_si256(_mm256_set1_epi64x((long long)bits), bit);
    return (lanes)_mm256_srli_epi64(_mm256_cmpeq_epi64(all, bit), 63);
}

KERNEL_INLINE lanes lanes_before(uint64_t first, lanes a) {
    __m256i up = _mm256_permute4x64_epi64((__m256i)a, 0x90);
    __m256i lowest = _mm256_set1_epi64x((long long)first);
    return (lanes)_mm256_blend_epi32(up, lowest, 3);
}

#define IS_EAGER 0
#include "validation_blocks.h"

#endif
