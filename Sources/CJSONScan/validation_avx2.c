// The AVX2 version of the block machine.

#if defined(__x86_64__)

#include "validation_carries.h"

#if JSON_SCAN_HAS_AVX2

#include <immintrin.h>

#define KERNEL __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))

struct vectors {
    __m256i low, high;
};

struct classes {
    uint64_t blanks, feeds, opens, closes, commas, colons;
};

KERNEL_INLINE __m256i splat(uint8_t byte) {
    return _mm256_set1_epi8((char)byte);
}

KERNEL_INLINE __m256i load(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

KERNEL_INLINE __m256i load_table(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

KERNEL_INLINE struct vectors vectors_of(const uint8_t *bytes) {
    struct vectors block = {load(bytes), load(bytes + 32)};
    return block;
}

// Returns the top bit of each byte.
KERNEL_INLINE uint64_t top_bits(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

// Applies a step to both halves of a block, and returns the top bits.
#define BOTH(step) top_bits(step(block->low), step(block->high))

KERNEL_INLINE uint64_t equals(const struct vectors *block, uint8_t byte) {
    return top_bits(_mm256_cmpeq_epi8(block->low, splat(byte)),
                    _mm256_cmpeq_epi8(block->high, splat(byte)));
}

// Returns FF for each byte that is at most `limit`, else 0.
KERNEL_INLINE __m256i at_most(__m256i bytes, uint8_t limit) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, splat(limit)), bytes);
}

KERNEL_INLINE uint64_t in_range(const struct vectors *block, uint8_t low,
                                uint8_t high) {
    uint8_t limit = (uint8_t)(high - low);
    return top_bits(
        at_most(_mm256_sub_epi8(block->low, splat(low)), limit),
        at_most(_mm256_sub_epi8(block->high, splat(low)), limit));
}

KERNEL_INLINE uint64_t controls(const struct vectors *block) {
    return top_bits(at_most(block->low, 0x1F), at_most(block->high, 0x1F));
}

KERNEL_INLINE uint64_t highs(const struct vectors *block) {
    return top_bits(block->low, block->high);
}

KERNEL_INLINE uint64_t digits(const struct vectors *block) {
    return in_range(block, '0', '9');
}

KERNEL_INLINE uint64_t hex_digits(const struct vectors *block) {
    struct vectors lower = {_mm256_or_si256(block->low, splat(0x20)),
                            _mm256_or_si256(block->high, splat(0x20))};
    return digits(block) | in_range(&lower, 'a', 'f');
}

KERNEL_INLINE __m256i by_low(const uint8_t table[16], __m256i bytes) {
    return _mm256_shuffle_epi8(load_table(table),
                               _mm256_and_si256(bytes, splat(0x0F)));
}

KERNEL_INLINE __m256i by_high(const uint8_t table[16], __m256i bytes) {
    return _mm256_shuffle_epi8(
        load_table(table),
        _mm256_and_si256(_mm256_srli_epi16(bytes, 4), splat(0x0F)));
}

KERNEL_INLINE __m256i is_escapable(__m256i bytes) {
    // The set for the low half of the byte must contain the bit of its high
    // half.
    __m256i bit = by_high(validation_bit_of_high, bytes);
    return _mm256_cmpeq_epi8(
        _mm256_and_si256(by_low(validation_escapable_by_low, bytes), bit), bit);
}

KERNEL_INLINE uint64_t escapable(const struct vectors *block) {
    // For a byte above 7F the bit is 0, which every set would contain.
    return BOTH(is_escapable) & ~highs(block);
}

KERNEL_INLINE __m256i is_blank(__m256i bytes) {
    // The shuffle yields 0 for a byte of 80 or more, which then does not match.
    return _mm256_cmpeq_epi8(
        _mm256_shuffle_epi8(load_table(json_whitespace_by_low), bytes), bytes);
}

KERNEL_INLINE struct classes classes_of(const struct vectors *block,
                                        uint64_t candidates, bool is_lines) {
    // Brackets and braces differ only in bit 5.
    struct vectors brace = {_mm256_or_si256(block->low, splat(0x20)),
                            _mm256_or_si256(block->high, splat(0x20))};
    struct classes k;
    k.feeds = is_lines ? equals(block, '\n') & candidates : 0;
    k.blanks = BOTH(is_blank) & candidates & ~k.feeds;
    k.opens = equals(&brace, '{') & candidates;
    k.closes = equals(&brace, '}') & candidates;
    k.commas = equals(block, ',') & candidates;
    k.colons = equals(block, ':') & candidates;
    return k;
}

KERNEL_INLINE uint64_t objects(const struct vectors *block) {
    // Bit 5 is set in braces and not in brackets. The shift by 2 makes it the
    // top bit of its byte.
    return top_bits(_mm256_slli_epi16(block->low, 2),
                    _mm256_slli_epi16(block->high, 2));
}

// Returns non-zero bytes where 32 bytes, with the 3 before them, violate UTF-8.
KERNEL_INLINE __m256i utf8_faults_of(const uint8_t *bytes, __m256i current) {
    __m256i back1 = load(bytes - 1);
    __m256i faults = _mm256_and_si256(
        _mm256_and_si256(by_high(json_utf8_earlier_high, back1),
                         by_low(json_utf8_earlier_low, back1)),
        by_high(json_utf8_later_high, current));
    // A third byte follows E0...FF by two, a fourth follows F0...FF by three.
    // These, and no others, must be the second of two continuations.
    __m256i third = _mm256_subs_epu8(load(bytes - 2), splat(0xE0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(load(bytes - 3), splat(0xF0 - 0x80));
    __m256i wanted_pair = _mm256_and_si256(_mm256_or_si256(third, fourth),
                                           splat(JSON_UTF8_PAIR));
    return _mm256_xor_si256(faults, wanted_pair);
}

KERNEL_INLINE uint64_t utf8_faults(const uint8_t *bytes,
                                   const struct vectors *block) {
    __m256i faults = _mm256_or_si256(utf8_faults_of(bytes, block->low),
                                     utf8_faults_of(bytes + 32, block->high));
    return (uint64_t)!_mm256_testz_si256(faults, faults);
}

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

const struct json_validation_version json_validation_avx2 = {"avx2", validate,
                                                       JSON_KERNEL_AVX2};

#endif
#endif
