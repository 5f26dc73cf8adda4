// Private to this target: the vectors of AVX-512; see vector_blocks.h. One
// comparison yields a mask of 64 bits.

#include <immintrin.h>

#define KERNEL                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,"             \
                          "avx512vbmi2,avx2,bmi,bmi2,popcnt,pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))
#define VERSION(name) name##_avx512
#define VERSION_NAME "avx512"
#define VERSION_LEVEL JSON_KERNEL_AVX512
#define IS_AVX512

enum { VECTOR = 64, BITS_PER_OFFSET = 1 };

typedef __m512i vector;
typedef __mmask64 marks;

KERNEL_INLINE vector load(const uint8_t *bytes) {
    return _mm512_loadu_si512((const void *)bytes);
}

KERNEL_INLINE void store(uint8_t *bytes, vector v) {
    _mm512_storeu_si512((void *)bytes, v);
}

KERNEL_INLINE vector splat(uint8_t byte) {
    return _mm512_set1_epi8((char)byte);
}

KERNEL_INLINE vector lookup(const uint8_t table[16], vector v) {
    return _mm512_shuffle_epi8(
        _mm512_broadcast_i32x4(
            _mm_loadu_si128((const __m128i *)(const void *)table)),
        v);
}

KERNEL_INLINE vector high_halves(vector v) {
    return _mm512_and_si512(_mm512_srli_epi16(v, 4), splat(0x0F));
}

KERNEL_INLINE vector minus(vector v, uint8_t byte) {
    return _mm512_sub_epi8(v, splat(byte));
}

KERNEL_INLINE vector minus_or_0(vector v, uint8_t byte) {
    return _mm512_subs_epu8(v, splat(byte));
}

KERNEL_INLINE vector lower(vector a, vector b) { return _mm512_min_epu8(a, b); }

KERNEL_INLINE marks equal(vector a, vector b) {
    return _mm512_cmpeq_epi8_mask(a, b);
}

KERNEL_INLINE marks at_most(vector v, uint8_t limit) {
    return _mm512_cmple_epu8_mask(v, splat(limit));
}

KERNEL_INLINE marks nonzero(vector v) { return _mm512_test_epi8_mask(v, v); }

KERNEL_INLINE marks have_high(vector v) { return _mm512_movepi8_mask(v); }

KERNEL_INLINE marks have_bit_5(vector v) {
    return _mm512_test_epi8_mask(v, splat(0x20));
}

KERNEL_INLINE bool has_nonzero(vector v) { return nonzero(v) != 0; }

KERNEL_INLINE bool has_mark(marks m) { return m != 0; }

KERNEL_INLINE uint64_t bits_of(marks m) { return m; }

// The assembly hides the origin of the bits from the compiler, which would
// otherwise use arithmetic in mask registers. That is slower, because few
// execution units support it.
KERNEL_INLINE uint64_t bits_of_block(const marks m[1]) {
    uint64_t bits = m[0];
    __asm__("" : "+r"(bits));
    return bits;
}
