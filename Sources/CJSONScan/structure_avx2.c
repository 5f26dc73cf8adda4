// AVX2 versions of the structure kernels and of the byte kernels.

#include "structure_kernels.h"

#if JSON_SCAN_HAS_AVX2

#include "vectors_avx2.h"

// Writes the bytes of `from` whose bits are set in the low 16 bits of `kept`.
// Writes up to 16 bytes, and returns the end of those that are kept.
KERNEL_INLINE uint8_t *put_kept_of_16(uint8_t *to, const uint8_t *from,
                                      uint64_t kept) {
    __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)from);
    uint64_t low = kept & 0xFF, high = kept >> 8 & 0xFF;
    // Both halves at once; the higher one uses the bytes from 8 on.
    __m128i order = _mm_set_epi64x(
        (long long)(json_compact_kept[high] | 0x0808080808080808),
        (long long)json_compact_kept[low]);
    __m128i moved = _mm_shuffle_epi8(sixteen, order);
    _mm_storel_epi64((__m128i *)(void *)to, moved);
    to += __builtin_popcountll(low);
    _mm_storel_epi64((__m128i *)(void *)to, _mm_unpackhi_epi64(moved, moved));
    return to + __builtin_popcountll(high);
}

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    for (size_t k = 0; k < 64; k += 16) {
        to = put_kept_of_16(to, from + k, kept >> k & 0xFFFF);
    }
    return to;
}

#include "structure_blocks.h"

#endif
