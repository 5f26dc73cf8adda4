// The AVX-512 version of the block machine: one lookup in a table of 128 bytes
// yields the class of each byte.

#include "validation_carries.h"

#if JSON_SCAN_HAS_AVX2

#include "vectors_avx512.h"

#define LANES 8
#include "validation_lanes.h"

enum { BLANK = 1, FEED = 2, OPEN = 4, CLOSE = 8, COMMA = 16, COLON = 32 };

// The class of a byte below 80 outside of strings; 0 for a byte of a scalar.
static const uint8_t class_of[128] __attribute__((aligned(64))) = {
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\n'] = FEED,
    ['['] = OPEN,  ['{'] = OPEN,   [']'] = CLOSE,  ['}'] = CLOSE,
    [','] = COMMA, [':'] = COLON,
};

#define HAS_CLASSES_OF
KERNEL_INLINE struct classes classes_of(const struct vectors *block,
                                        uint64_t candidates, bool is_lines) {
    __m512i bits = _mm512_permutex2var_epi8(
        _mm512_load_si512((const void *)class_of), block->part[0],
        _mm512_load_si512((const void *)(class_of + 64)));
    // Without bits_of_block: these masks are stored from mask registers directly.
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
#include "validation_blocks.h"

#endif
