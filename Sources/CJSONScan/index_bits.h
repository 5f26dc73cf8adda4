// Private to this target: writes the entries of an index (json_scan_index.h).
// A file that includes this includes vector_blocks.h first.

// Writes `start` plus the number of each bit that is set, and returns the
// address after them. Writes up to JSON_SCAN_INDEX_EXTRA numbers beyond it.
KERNEL_INLINE uint32_t *put_offsets(uint32_t *to, uint32_t start,
                                    uint64_t bits) {
    uint32_t *const end = to + __builtin_popcountll(bits);
#ifdef IS_AVX512
    static const uint8_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i first = _mm512_set1_epi32((int)start);
    const __m512i packed = _mm512_maskz_compress_epi8(
        _cvtu64_mask64(bits), _mm512_loadu_si512((const void *)numbers));
#define PUT_16(at)                                                            \
    _mm512_storeu_si512(                                                      \
        (void *)(to + 16 * (at)),                                             \
        _mm512_add_epi32(first, _mm512_cvtepu8_epi32(                         \
                                    _mm512_extracti32x4_epi32(packed, at))))
    PUT_16(0);
    if (__builtin_expect(end - to > 16, 0)) {
        PUT_16(1);
        PUT_16(2);
        PUT_16(3);
    }
#undef PUT_16
#else
    // Eight at a time: a branch for each bit costs more than a store.
    for (; to < end; to += 8) {
        for (size_t k = 0; k < 8; k++) {
            to[k] = start + (bits ? (uint32_t)__builtin_ctzll(bits) : 64);
            bits &= bits - 1;
        }
    }
#endif
    return end;
}

// Writes the numbers of the entries of line feeds. `bits` are the entries of the
// block, and `number` is the number of its first entry.
KERNEL_INLINE void put_rows(struct json_scan_index *index, uint32_t number,
                            uint64_t bits, uint64_t feeds) {
    for (; feeds; feeds &= feeds - 1) {
        const uint64_t before = bits & ((feeds & -feeds) - 1);
        index->rows[index->row_count++] =
            number + (uint32_t)__builtin_popcountll(before);
    }
}
