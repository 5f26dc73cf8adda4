// NEON kernels: 16 bytes at a time.

#if defined(__aarch64__)

#include "scan_kernels.h"

#if JSON_SCAN_HAS_NEON

#include <arm_neon.h>
#include <string.h>

enum { VECTOR = 16, BLOCK = 4 * VECTOR };

// ---- Text

// Returns non-zero bytes where `current`, preceded by `before`, violates UTF-8.
// Does not detect a truncated sequence at the end of `current`.
static inline uint8x16_t utf8_faults(uint8x16_t current, uint8x16_t before) {
    // The input shifted by 1, 2 and 3 bytes.
    uint8x16_t back1 = vextq_u8(before, current, 15);
    uint8x16_t back2 = vextq_u8(before, current, 14);
    uint8x16_t back3 = vextq_u8(before, current, 13);

    uint8x16_t earlier_high =
        vqtbl1q_u8(vld1q_u8(json_utf8_earlier_high), vshrq_n_u8(back1, 4));
    uint8x16_t earlier_low = vqtbl1q_u8(vld1q_u8(json_utf8_earlier_low),
                                        vandq_u8(back1, vdupq_n_u8(0x0F)));
    uint8x16_t later_high =
        vqtbl1q_u8(vld1q_u8(json_utf8_later_high), vshrq_n_u8(current, 4));
    uint8x16_t faults =
        vandq_u8(vandq_u8(earlier_high, earlier_low), later_high);

    // A third byte follows E0..FF by two, a fourth follows F0..FF by three.
    // These, and no others, must be the second of two continuations.
    uint8x16_t third = vqsubq_u8(back2, vdupq_n_u8(0xE0 - 0x80));
    uint8x16_t fourth = vqsubq_u8(back3, vdupq_n_u8(0xF0 - 0x80));
    uint8x16_t wanted_pair =
        vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(JSON_UTF8_PAIR));
    return veorq_u8(faults, wanted_pair);
}

struct block {
    uint8x16_t a, b, c, d;
    // The minimum after subtracting 0B from each byte, which makes 0B and 0C
    // the two lowest values.
    uint8_t minimum;
    bool ascii;
};

static inline struct block load_block(const uint8_t *bytes) {
    struct block block;
    block.a = vld1q_u8(bytes);
    block.b = vld1q_u8(bytes + VECTOR);
    block.c = vld1q_u8(bytes + 2 * VECTOR);
    block.d = vld1q_u8(bytes + 3 * VECTOR);
    uint8x16_t all_bits =
        vorrq_u8(vorrq_u8(block.a, block.b), vorrq_u8(block.c, block.d));
    uint8x16_t vertical_tab = vdupq_n_u8(0x0B);
    uint8x16_t minimum = vminq_u8(
        vminq_u8(vsubq_u8(block.a, vertical_tab), vsubq_u8(block.b, vertical_tab)),
        vminq_u8(vsubq_u8(block.c, vertical_tab), vsubq_u8(block.d, vertical_tab)));
    block.minimum = vminvq_u8(minimum);
    block.ascii = vmaxvq_u8(all_bits) < 0x80;
    return block;
}

static inline bool block_is_well_formed(struct block block, uint8x16_t before) {
    uint8x16_t faults = vorrq_u8(
        vorrq_u8(utf8_faults(block.a, before), utf8_faults(block.b, block.a)),
        vorrq_u8(utf8_faults(block.c, block.b), utf8_faults(block.d, block.c)));
    return vmaxvq_u8(faults) == 0;
}

static size_t text(const uint8_t *bytes, size_t count) {
    // bytes[0 ..< i] is checked; `cut` is whether it ends inside a sequence.
    size_t i = 0;
    bool cut = false;
    uint8x16_t before = vdupq_n_u8(0);
    uint8_t padded[BLOCK] = {0};
    while (i < count) {
        // The last block may be short. Zeros follow it, so a truncated sequence
        // at the end of the input is a fault there.
        size_t rest = count - i;
        const uint8_t *source = bytes + i;
        if (rest < BLOCK) {
            memcpy(padded, source, rest);
            source = padded;
        }

        struct block block = load_block(source);
        bool good = block.minimum > 1;
        if (block.ascii) {
            good = good && !cut;
            cut = false;
        } else {
            good = good && block_is_well_formed(block, before);
            cut = source[BLOCK - 1] >= 0xC0 || source[BLOCK - 2] >= 0xE0 ||
                  source[BLOCK - 3] >= 0xF0;
        }
        if (!good) return json_scan_text_from(bytes, count, i);
        if (rest <= BLOCK) break;
        before = block.d;
        i += BLOCK;
    }
    return cut ? json_scan_text_from(bytes, count, i) : count;
}

// ---- Strings, whitespace, newlines

// Returns four bits for each byte, set if the byte of `matches` is FF.
static inline uint64_t match_bits(uint8x16_t matches) {
    uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(matches), 4);
    return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}

static inline size_t first_match(uint64_t bits) {
    return (size_t)__builtin_ctzll(bits) / 4;
}

static size_t string_end(const uint8_t *bytes, size_t count, bool *escaped) {
    if (count == 0) return 0;
    size_t i = 0;
    if (*escaped) {
        *escaped = false;
        i = 1;
    }
    // Here bytes[i] is not escaped.
    while (count - i >= VECTOR) {
        uint8x16_t vector = vld1q_u8(bytes + i);
        uint64_t bits =
            match_bits(vorrq_u8(vceqq_u8(vector, vdupq_n_u8('"')),
                                vceqq_u8(vector, vdupq_n_u8('\\'))));
        if (bits == 0) {
            i += VECTOR;
            continue;
        }
        i += first_match(bits);
        if (bytes[i] == '"') return i;
        if (count - i < 2) {
            *escaped = true;
            return count;
        }
        // Skips the backslash and the byte that it escapes.
        i += 2;
    }
    return i + json_scan_string_end_portable(bytes + i, count - i, escaped);
}

static size_t whitespace(const uint8_t *bytes, size_t count) {
    uint8x16_t table = vld1q_u8(json_whitespace_by_low);
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        uint8x16_t vector = vld1q_u8(bytes + i);
        uint8x16_t candidate =
            vqtbl1q_u8(table, vandq_u8(vector, vdupq_n_u8(0x0F)));
        uint64_t others = ~match_bits(vceqq_u8(candidate, vector));
        if (others != 0) return i + first_match(others);
    }
    return i + json_scan_whitespace_portable(bytes + i, count - i);
}

static size_t count_newlines(const uint8_t *bytes, size_t count) {
    if (count == 0) return 0;
    size_t newlines = 0;
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        uint8x16_t matches = vceqq_u8(vld1q_u8(bytes + i), vdupq_n_u8(0x0A));
        newlines += vaddvq_u8(vandq_u8(matches, vdupq_n_u8(1)));
    }
    return newlines + json_scan_count_newlines_portable(bytes + i, count - i);
}

const struct json_scan_kernels json_scan_kernels_neon = {
    .text = text,
    .string_end = string_end,
    .whitespace = whitespace,
    .count_newlines = count_newlines,
    .surrogate = json_scan_surrogate_portable,
    .name = "neon",
    .level = JSON_KERNEL_NEON,
};

#endif
#endif
