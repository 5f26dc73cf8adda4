// The AVX-512 version of the block machine: one comparison yields a mask of 64
// bits, and one lookup in a table of 128 bytes yields the class of each byte.

#if defined(__x86_64__)

#include "validation_carries.h"

#if JSON_SCAN_HAS_AVX2

#include <immintrin.h>

#define KERNEL                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,"             \
                          "avx512vbmi2,avx2,bmi,bmi2,popcnt,pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))

struct vectors {
    __m512i all;
};

struct classes {
    uint64_t blanks, feeds, opens, closes, commas, colons;
};

KERNEL_INLINE __m512i splat(uint8_t byte) {
    return _mm512_set1_epi8((char)byte);
}

KERNEL_INLINE struct vectors vectors_of(const uint8_t *bytes) {
    struct vectors block = {_mm512_loadu_si512((const void *)bytes)};
    return block;
}

// Converts a mask to an integer. The assembly hides its origin from the
// compiler, which would otherwise use arithmetic in mask registers. That is
// slower, because few execution units support it.
KERNEL_INLINE uint64_t bits_of(__mmask64 mask) {
    uint64_t bits = _cvtmask64_u64(mask);
    __asm__("" : "+r"(bits));
    return bits;
}

KERNEL_INLINE uint64_t equals(const struct vectors *block, uint8_t byte) {
    return bits_of(_mm512_cmpeq_epi8_mask(block->all, splat(byte)));
}

KERNEL_INLINE uint64_t in_range(const struct vectors *block, uint8_t low,
                                uint8_t high) {
    return bits_of(
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(block->all, splat(low)),
                               splat((uint8_t)(high - low))));
}

KERNEL_INLINE uint64_t controls(const struct vectors *block) {
    return bits_of(_mm512_cmplt_epu8_mask(block->all, splat(0x20)));
}

KERNEL_INLINE uint64_t highs(const struct vectors *block) {
    return bits_of(_mm512_movepi8_mask(block->all));
}

KERNEL_INLINE uint64_t digits(const struct vectors *block) {
    return in_range(block, '0', '9');
}

KERNEL_INLINE uint64_t hex_digits(const struct vectors *block) {
    __m512i lower = _mm512_or_si512(block->all, splat(0x20));
    return digits(block) |
           bits_of(_mm512_cmple_epu8_mask(
               _mm512_sub_epi8(lower, splat('a')), splat(5)));
}

KERNEL_INLINE __m512i load_table(const uint8_t table[16]) {
    return _mm512_broadcast_i32x4(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

KERNEL_INLINE __m512i by_low(const uint8_t table[16], __m512i bytes) {
    return _mm512_shuffle_epi8(load_table(table),
                               _mm512_and_si512(bytes, splat(0x0F)));
}

KERNEL_INLINE __m512i by_high(const uint8_t table[16], __m512i bytes) {
    return _mm512_shuffle_epi8(
        load_table(table),
        _mm512_and_si512(_mm512_srli_epi16(bytes, 4), splat(0x0F)));
}

KERNEL_INLINE uint64_t escapable(const struct vectors *block) {
    return bits_of(
        _mm512_test_epi8_mask(by_low(validation_escapable_by_low, block->all),
                              by_high(validation_bit_of_high, block->all)));
}

enum { BLANK = 1, FEED = 2, OPEN = 4, CLOSE = 8, COMMA = 16, COLON = 32 };

// The class of a byte below 80 outside of strings; 0 for a byte of a scalar.
static const uint8_t class_of[128] __attribute__((aligned(64))) = {
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\n'] = FEED,
    ['['] = OPEN,  ['{'] = OPEN,   [']'] = CLOSE,  ['}'] = CLOSE,
    [','] = COMMA, [':'] = COLON,
};

KERNEL_INLINE struct classes classes_of(const struct vectors *block,
                                        uint64_t candidates, bool is_lines) {
    __m512i bits = _mm512_permutex2var_epi8(
        _mm512_load_si512((const void *)class_of), block->all,
        _mm512_load_si512((const void *)(class_of + 64)));
    // Without bits_of: these masks are stored from mask registers directly.
#define CLASS(bit) _mm512_mask_test_epi8_mask(candidates, bits, splat(bit))
    struct classes k;
    k.blanks = CLASS(is_lines ? BLANK : BLANK | FEED);
    k.feeds = is_lines ? CLASS(FEED) : 0;
    k.opens = CLASS(OPEN);
    k.closes = CLASS(CLOSE);
    k.commas = CLASS(COMMA);
    k.colons = CLASS(COLON);
#undef CLASS
    return k;
}

KERNEL_INLINE uint64_t objects(const struct vectors *block) {
    // Bit 5 is set in braces and not in brackets.
    return _mm512_test_epi8_mask(block->all, splat(0x20));
}

KERNEL_INLINE uint64_t utf8_faults(const uint8_t *bytes,
                                   const struct vectors *block) {
    __m512i back1 = vectors_of(bytes - 1).all;
    __m512i back2 = vectors_of(bytes - 2).all;
    __m512i back3 = vectors_of(bytes - 3).all;
    __m512i faults = _mm512_ternarylogic_epi32(
        by_high(json_utf8_earlier_high, back1),
        by_low(json_utf8_earlier_low, back1),
        by_high(json_utf8_later_high, block->all), 0x80);
    // A third byte follows E0...FF by two, a fourth follows F0...FF by three.
    // These, and no others, must be the second of two continuations.
    __m512i third = _mm512_subs_epu8(back2, splat(0xE0 - 0x80));
    __m512i fourth = _mm512_subs_epu8(back3, splat(0xF0 - 0x80));
    __m512i wanted_pair = _mm512_and_si512(_mm512_or_si512(third, fourth),
                                           splat(JSON_UTF8_PAIR));
    return bits_of(_mm512_cmpneq_epi8_mask(faults, wanted_pair));
}

#define LANES 8
#include "validation_lanes.h"

KERNEL_INLINE uint64_t lanes_top(lanes a) {
    return _mm512_cmplt_epi64_mask((__m512i)a, _mm512_setzero_si512());
}

KERNEL_INLINE uint64_t lanes_set(lanes a) {
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)a);
}

KERNEL_INLINE lanes lanes_of(uint64_t bits) {
    return (lanes)_mm512_maskz_set1_epi64((__mmask8)bits, 1);
}

KERNEL_INLINE lanes lanes_before(uint64_t first, lanes a) {
    __m512i lowest = _mm512_set1_epi64((long long)first);
    return (lanes)_mm512_alignr_epi64((__m512i)a, lowest, 7);
}

#define IS_EAGER 1
#define INDEX_COMPRESSES
#include "validation_blocks.h"

const struct json_validation_version json_validation_avx512 = {
    "avx512", validate, JSON_KERNEL_AVX512};

#endif
#endif
