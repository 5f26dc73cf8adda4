// Private to this target: the vectors of AVX2; see vector_blocks.h.

#include <immintrin.h>

// The attribute on each function lets a file compile without flags. The
// functions are called only on a processor that supports these features.
#define KERNEL __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))
#define VERSION(name) name##_avx2
#define VERSION_NAME "avx2"
#define VERSION_LEVEL JSON_KERNEL_AVX2

enum { VECTOR = 32, BITS_PER_OFFSET = 1 };

// Only the top bit of each byte of `marks` counts.
typedef __m256i vector, marks;

KERNEL_INLINE vector load(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

KERNEL_INLINE void store(uint8_t *bytes, vector v) {
    _mm256_storeu_si256((__m256i *)(void *)bytes, v);
}

KERNEL_INLINE vector splat(uint8_t byte) {
    return _mm256_set1_epi8((char)byte);
}

KERNEL_INLINE vector lookup(const uint8_t table[16], vector v) {
    return _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(
            _mm_loadu_si128((const __m128i *)(const void *)table)),
        v);
}

KERNEL_INLINE vector high_halves(vector v) {
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), splat(0x0F));
}

KERNEL_INLINE vector minus(vector v, uint8_t byte) {
    return _mm256_sub_epi8(v, splat(byte));
}

KERNEL_INLINE vector minus_or_0(vector v, uint8_t byte) {
    return _mm256_subs_epu8(v, splat(byte));
}

KERNEL_INLINE vector lower(vector a, vector b) { return _mm256_min_epu8(a, b); }

KERNEL_INLINE marks equal(vector a, vector b) {
    return _mm256_cmpeq_epi8(a, b);
}

KERNEL_INLINE marks at_most(vector v, uint8_t limit) {
    return equal(lower(v, splat(limit)), v);
}

KERNEL_INLINE marks nonzero(vector v) { return ~equal(v, splat(0)); }

KERNEL_INLINE marks have_high(vector v) { return v; }

KERNEL_INLINE marks have_bit_5(vector v) { return _mm256_slli_epi16(v, 2); }

KERNEL_INLINE bool has_nonzero(vector v) { return !_mm256_testz_si256(v, v); }

KERNEL_INLINE bool has_mark(marks m) { return _mm256_movemask_epi8(m) != 0; }

KERNEL_INLINE uint64_t bits_of(marks m) {
    return (uint32_t)_mm256_movemask_epi8(m);
}

KERNEL_INLINE uint64_t bits_of_block(const marks m[2]) {
    return bits_of(m[0]) | bits_of(m[1]) << 32;
}
