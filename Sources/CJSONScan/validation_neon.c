// The NEON version of the block machine.

#if defined(__aarch64__)

#include "validation_carries.h"

#if JSON_SCAN_HAS_NEON

#include <arm_neon.h>

#define KERNEL
#define KERNEL_INLINE static inline __attribute__((always_inline))

struct vectors {
    uint8x16_t part[4];
};

struct classes {
    uint64_t blanks, feeds, opens, closes, commas, colons;
};

KERNEL_INLINE struct vectors vectors_of(const uint8_t *bytes) {
    struct vectors block = {{vld1q_u8(bytes), vld1q_u8(bytes + 16),
                             vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
    return block;
}

// Returns a mask whose bit k is set if byte k of four vectors is FF, and not 0.
KERNEL_INLINE uint64_t match_bits(const struct vectors *matches) {
    static const uint8_t bit_values[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                           1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bit = vld1q_u8(bit_values);
    // Three pairwise additions gather eight bits in a byte.
    uint8x16_t ab = vpaddq_u8(vandq_u8(matches->part[0], bit),
                              vandq_u8(matches->part[1], bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(matches->part[2], bit),
                              vandq_u8(matches->part[3], bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

// Applies a step to each vector `bytes` of the block, and returns the mask.
#define MATCHES(step)                                                         \
    struct vectors matches;                                                   \
    for (int i = 0; i < 4; i++) {                                             \
        uint8x16_t bytes = block->part[i];                                    \
        matches.part[i] = (step);                                             \
    }                                                                         \
    return match_bits(&matches)

KERNEL_INLINE uint64_t equals(const struct vectors *block, uint8_t byte) {
    MATCHES(vceqq_u8(bytes, vdupq_n_u8(byte)));
}

KERNEL_INLINE uint64_t in_range(const struct vectors *block, uint8_t low,
                                uint8_t high) {
    MATCHES(vcleq_u8(vsubq_u8(bytes, vdupq_n_u8(low)),
                     vdupq_n_u8((uint8_t)(high - low))));
}

KERNEL_INLINE uint64_t controls(const struct vectors *block) {
    MATCHES(vcltq_u8(bytes, vdupq_n_u8(0x20)));
}

KERNEL_INLINE uint64_t highs(const struct vectors *block) {
    MATCHES(vcgeq_u8(bytes, vdupq_n_u8(0x80)));
}

KERNEL_INLINE uint64_t digits(const struct vectors *block) {
    return in_range(block, '0', '9');
}

KERNEL_INLINE uint64_t hex_letters(const struct vectors *block) {
    MATCHES(vcleq_u8(vsubq_u8(vorrq_u8(bytes, vdupq_n_u8(0x20)),
                              vdupq_n_u8('a')), vdupq_n_u8(5)));
}

KERNEL_INLINE uint64_t hex_digits(const struct vectors *block) {
    return digits(block) | hex_letters(block);
}

KERNEL_INLINE uint8x16_t by_low(const uint8_t table[16], uint8x16_t bytes) {
    return vqtbl1q_u8(vld1q_u8(table), vandq_u8(bytes, vdupq_n_u8(0x0F)));
}

KERNEL_INLINE uint8x16_t by_high(const uint8_t table[16], uint8x16_t bytes) {
    return vqtbl1q_u8(vld1q_u8(table), vshrq_n_u8(bytes, 4));
}

KERNEL_INLINE uint64_t escapable(const struct vectors *block) {
    MATCHES(vtstq_u8(by_low(validation_escapable_by_low, bytes),
                     by_high(validation_bit_of_high, bytes)));
}

KERNEL_INLINE uint64_t blanks(const struct vectors *block) {
    MATCHES(vceqq_u8(by_low(json_whitespace_by_low, bytes), bytes));
}

// Brackets and braces differ only in bit 5.
KERNEL_INLINE uint64_t brackets(const struct vectors *block, uint8_t brace) {
    MATCHES(vceqq_u8(vorrq_u8(bytes, vdupq_n_u8(0x20)), vdupq_n_u8(brace)));
}

KERNEL_INLINE uint64_t objects(const struct vectors *block) {
    MATCHES(vtstq_u8(bytes, vdupq_n_u8(0x20)));
}

KERNEL_INLINE struct classes classes_of(const struct vectors *block,
                                        uint64_t candidates, bool is_lines) {
    struct classes k;
    k.feeds = is_lines ? equals(block, '\n') & candidates : 0;
    k.blanks = blanks(block) & candidates & ~k.feeds;
    k.opens = brackets(block, '{') & candidates;
    k.closes = brackets(block, '}') & candidates;
    k.commas = equals(block, ',') & candidates;
    k.colons = equals(block, ':') & candidates;
    return k;
}

KERNEL_INLINE uint64_t utf8_faults(const uint8_t *bytes,
                                   const struct vectors *block) {
    uint8x16_t all = vdupq_n_u8(0);
    for (int i = 0; i < 4; i++) {
        const uint8_t *from = bytes + 16 * i;
        uint8x16_t back1 = vld1q_u8(from - 1);
        uint8x16_t faults = vandq_u8(
            vandq_u8(by_high(json_utf8_earlier_high, back1),
                     by_low(json_utf8_earlier_low, back1)),
            by_high(json_utf8_later_high, block->part[i]));
        // As in validation_avx2.c.
        uint8x16_t third = vqsubq_u8(vld1q_u8(from - 2), vdupq_n_u8(0x60));
        uint8x16_t fourth = vqsubq_u8(vld1q_u8(from - 3), vdupq_n_u8(0x70));
        uint8x16_t wanted_pair =
            vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(JSON_UTF8_PAIR));
        all = vorrq_u8(all, veorq_u8(faults, wanted_pair));
    }
    return vmaxvq_u8(all) != 0;
}

#define LANES 4
#include "validation_lanes.h"

KERNEL_INLINE uint64_t lanes_top(lanes a) {
    uint64_t bits = 0;
    for (int k = 0; k < LANES; k++) bits |= a[k] >> 63 << k;
    return bits;
}

KERNEL_INLINE uint64_t lanes_set(lanes a) {
    uint64_t bits = 0;
    for (int k = 0; k < LANES; k++) bits |= (uint64_t)(a[k] != 0) << k;
    return bits;
}

KERNEL_INLINE lanes lanes_of(uint64_t bits) {
    lanes a;
    for (int k = 0; k < LANES; k++) a[k] = bits >> k & 1;
    return a;
}

KERNEL_INLINE lanes lanes_before(uint64_t first, lanes a) {
    lanes before = {first, a[0], a[1], a[2]};
    return before;
}

#define IS_EAGER 0
#include "validation_blocks.h"

const struct json_validation_version json_validation_neon = {"neon", validate,
                                                       JSON_KERNEL_NEON};

#endif
#endif
