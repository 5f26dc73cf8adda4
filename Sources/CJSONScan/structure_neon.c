// NEON versions of the structure kernels and of the literal search.

#if defined(__aarch64__)

#include "structure_kernels.h"

#if JSON_SCAN_HAS_NEON

#include <arm_neon.h>

#define KERNEL
#define KERNEL_INLINE static inline __attribute__((always_inline))

#define BITS_PER_OFFSET 4
#include "structure_blocks.h"

enum { VECTOR = 16 };

// ---- Structure

struct four {
    uint8x16_t a, b, c, d;
};

KERNEL_INLINE struct four load_four(const uint8_t *bytes) {
    struct four four = {vld1q_u8(bytes), vld1q_u8(bytes + VECTOR),
                        vld1q_u8(bytes + 2 * VECTOR),
                        vld1q_u8(bytes + 3 * VECTOR)};
    return four;
}

// Returns a mask whose bit k is set if byte k of four vectors is FF, and not 0.
KERNEL_INLINE uint64_t match_bits(uint8x16_t a, uint8x16_t b, uint8x16_t c,
                                  uint8x16_t d) {
    static const uint8_t bit_values[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                           1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bit = vld1q_u8(bit_values);
    // Three pairwise additions gather eight bits in a byte.
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, bit), vandq_u8(d, bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

KERNEL_INLINE uint64_t equal_bits(struct four four, uint8_t byte) {
    uint8x16_t wanted = vdupq_n_u8(byte);
    return match_bits(vceqq_u8(four.a, wanted), vceqq_u8(four.b, wanted),
                      vceqq_u8(four.c, wanted), vceqq_u8(four.d, wanted));
}

KERNEL_INLINE struct brackets brackets_of(const uint8_t *bytes) {
    struct four four = load_four(bytes);
    // Brackets and braces differ only in bit 5.
    uint8x16_t bit = vdupq_n_u8(0x20);
    struct four brace = {vorrq_u8(four.a, bit), vorrq_u8(four.b, bit),
                         vorrq_u8(four.c, bit), vorrq_u8(four.d, bit)};
    struct brackets block;
    block.quotes = equal_bits(four, '"');
    block.backslashes = equal_bits(four, '\\');
    block.opens = equal_bits(brace, '{');
    block.closes = equal_bits(brace, '}');
    block.objects = match_bits(vtstq_u8(four.a, bit), vtstq_u8(four.b, bit),
                               vtstq_u8(four.c, bit), vtstq_u8(four.d, bit));
    return block;
}

KERNEL_INLINE uint8x16_t are_blank(uint8x16_t vector) {
    uint8x16_t table = vld1q_u8(json_whitespace_by_low);
    return vceqq_u8(vqtbl1q_u8(table, vandq_u8(vector, vdupq_n_u8(0x0F))),
                    vector);
}

KERNEL_INLINE struct separators separators_of(const uint8_t *bytes) {
    struct four four = load_four(bytes);
    struct separators block;
    block.commas = equal_bits(four, ',');
    block.colons = equal_bits(four, ':');
    block.blanks = match_bits(are_blank(four.a), are_blank(four.b),
                              are_blank(four.c), are_blank(four.d));
    return block;
}

KERNEL_INLINE uint64_t equals_of(const uint8_t *bytes, uint8_t byte) {
    return equal_bits(load_four(bytes), byte);
}

// ---- Compact text

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    if (kept == ~(uint64_t)0) {
        struct four four = load_four(from);
        vst1q_u8(to, four.a);
        vst1q_u8(to + VECTOR, four.b);
        vst1q_u8(to + 2 * VECTOR, four.c);
        vst1q_u8(to + 3 * VECTOR, four.d);
        return to + 64;
    }
    for (size_t k = 0; k < 64; k += 8) {
        uint64_t eight = kept >> k & 0xFF;
        uint8x8_t order = vcreate_u8(json_compact_kept[eight]);
        vst1_u8(to, vtbl1_u8(vld1_u8(from + k), order));
        to += ones(eight);
    }
    return to;
}

// ---- Literals

// Returns four bits for each byte, set if the byte of `matches` is FF.
KERNEL_INLINE uint64_t nibble_bits(uint8x16_t matches) {
    uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(matches), 4);
    return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}

// Compares the literals at the offset `start` + k for each byte k that is FF.
KERNEL_INLINE bool matches_in_vector(struct search *search, size_t start,
                                     uint8x16_t matches, size_t *offset) {
    return matches_at_any(search, start,
                          nibble_bits(matches) & 0x1111111111111111, NULL,
                          offset);
}

static size_t find_one(const uint8_t *bytes, size_t count,
                       const struct json_scan_literals *literals,
                       size_t *which) {
    size_t length = literals->min_length;
    if (count < length) return count;
    // The literal fits into the bytes at each of the first `offsets` offsets,
    // so its rare bytes can be read.
    size_t offsets = count - length + 1;
    const uint8_t *first = bytes + literals->rare_offsets[0];
    const uint8_t *second = bytes + literals->rare_offsets[1];
    uint8x16_t first_byte =
        vdupq_n_u8(literals->bytes[literals->rare_offsets[0]]);
    uint8x16_t second_byte =
        vdupq_n_u8(literals->bytes[literals->rare_offsets[1]]);
    struct search search = {bytes, count, literals, which, 0};
    size_t offset;
    size_t i = 0;
#define CANDIDATES(at)                                                        \
    vandq_u8(vceqq_u8(vld1q_u8(first + (at)), first_byte),                    \
             vceqq_u8(vld1q_u8(second + (at)), second_byte))
    for (; offsets - i >= 4 * VECTOR; i += 4 * VECTOR) {
        uint8x16_t four[4];
        for (size_t k = 0; k < 4; k++) four[k] = CANDIDATES(i + k * VECTOR);
        uint8x16_t any =
            vorrq_u8(vorrq_u8(four[0], four[1]), vorrq_u8(four[2], four[3]));
        if (__builtin_expect(vmaxvq_u8(any) == 0, 1)) continue;
        for (size_t k = 0; k < 4; k++) {
            if (matches_in_vector(&search, i + k * VECTOR, four[k], &offset)) {
                return offset;
            }
        }
        if (search.work > json_literal_work_limit(i)) {
            return json_scan_literals_linear(bytes, count, i + 4 * VECTOR,
                                             literals, which);
        }
    }
    for (; offsets - i >= VECTOR; i += VECTOR) {
        uint8x16_t matches = CANDIDATES(i);
        if (matches_in_vector(&search, i, matches, &offset)) {
            return offset;
        }
    }
#undef CANDIDATES
    return json_scan_literals_from(bytes, count, i, literals, which);
}

// Returns for each of 16 offsets the groups of literals that may begin there.
KERNEL_INLINE uint8x16_t groups_at(const uint8_t *bytes,
                                   const struct json_scan_literals *literals) {
    uint8x16_t groups = vdupq_n_u8(0xFF);
    for (size_t k = 0; k < literals->fingerprint_count; k++) {
        uint8x16_t vector = vld1q_u8(bytes + literals->fingerprint_start + k);
        uint8x16_t low = vqtbl1q_u8(vld1q_u8(literals->groups_by_low[k]),
                                    vandq_u8(vector, vdupq_n_u8(0x0F)));
        uint8x16_t high = vqtbl1q_u8(vld1q_u8(literals->groups_by_high[k]),
                                     vshrq_n_u8(vector, 4));
        groups = vandq_u8(groups, vandq_u8(low, high));
    }
    return groups;
}

KERNEL_INLINE uint64_t nonzero_bits(uint8x16_t vector) {
    return nibble_bits(vtstq_u8(vector, vector)) & 0x1111111111111111;
}

KERNEL_INLINE void store(uint8_t *bytes, uint8x16_t vector) {
    vst1q_u8(bytes, vector);
}

typedef uint8x16_t vector;
#include "literal_blocks.h"

const struct json_scan_structure_version json_scan_structure_neon = {
    .name = "neon",
    .level = JSON_KERNEL_NEON,
    .container_end = container_end,
    .children = children,
    .index = write_index,
    .tape_words = tape_words,
    .compact = compact,
    .layout = layout,
    .literals_find = literals_find,
};

#endif
#endif
