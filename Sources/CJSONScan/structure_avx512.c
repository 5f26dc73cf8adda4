// AVX-512 versions of the structure kernels and of the literal search: one
// comparison yields a mask of 64 bits.

#if defined(__x86_64__)

#include "structure_kernels.h"

#if JSON_SCAN_HAS_AVX2

#include <immintrin.h>

#define KERNEL                                                                \
    __attribute__((                                                           \
        target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,"  \
               "pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))

#define BITS_PER_OFFSET 1
#define INDEX_COMPRESSES
#include "structure_blocks.h"
#include "compact_x86.h"

enum { VECTOR = 64 };

KERNEL_INLINE __m512i load(const uint8_t *bytes) {
    return _mm512_loadu_si512((const void *)bytes);
}

KERNEL_INLINE __m512i load_table(const uint8_t table[16]) {
    return _mm512_broadcast_i32x4(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

KERNEL_INLINE __m512i splat(uint8_t byte) {
    return _mm512_set1_epi8((char)byte);
}

KERNEL_INLINE uint64_t equal_bits(__m512i vector, uint8_t byte) {
    return _mm512_cmpeq_epi8_mask(vector, splat(byte));
}

// ---- Structure

KERNEL_INLINE struct brackets brackets_of(const uint8_t *bytes) {
    __m512i vector = load(bytes);
    // Brackets and braces differ only in bit 5.
    __m512i brace = _mm512_or_si512(vector, splat(0x20));
    struct brackets block;
    block.quotes = equal_bits(vector, '"');
    block.backslashes = equal_bits(vector, '\\');
    block.opens = equal_bits(brace, '{');
    block.closes = equal_bits(brace, '}');
    block.objects = _mm512_test_epi8_mask(vector, splat(0x20));
    return block;
}

KERNEL_INLINE struct separators separators_of(const uint8_t *bytes) {
    __m512i vector = load(bytes);
    struct separators block;
    block.commas = equal_bits(vector, ',');
    block.colons = equal_bits(vector, ':');
    // The shuffle yields 0 for a byte of 80 or more, which then does not match.
    block.blanks = _mm512_cmpeq_epi8_mask(
        _mm512_shuffle_epi8(load_table(json_whitespace_by_low), vector),
        vector);
    return block;
}

KERNEL_INLINE uint64_t equals_of(const uint8_t *bytes, uint8_t byte) {
    return equal_bits(load(bytes), byte);
}

// ---- Compact text

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    if (kept == ~(uint64_t)0) {
        _mm512_storeu_si512((void *)to, load(from));
        return to + 64;
    }
    for (size_t k = 0; k < 64; k += 16) {
        to = put_kept_of_16(to, from + k, kept >> k & 0xFFFF);
    }
    return to;
}

// ---- Literals

static KERNEL size_t find_one(const uint8_t *bytes, size_t count,
                              const struct json_scan_literals *literals,
                              size_t *which) {
    size_t length = literals->min_length;
    if (count < length) return count;
    // The literal fits into the bytes at each of the first `offsets` offsets,
    // so its rare bytes can be read.
    size_t offsets = count - length + 1;
    const uint8_t *first = bytes + literals->rare_offsets[0];
    const uint8_t *second = bytes + literals->rare_offsets[1];
    __m512i first_byte = splat(literals->bytes[literals->rare_offsets[0]]);
    __m512i second_byte = splat(literals->bytes[literals->rare_offsets[1]]);
    struct search search = {bytes, count, literals, which, 0};
    size_t offset;
    size_t i = 0;
#define CANDIDATES(at)                                                        \
    _mm512_mask_cmpeq_epi8_mask(                                              \
        _mm512_cmpeq_epi8_mask(load(first + (at)), first_byte),               \
        load(second + (at)), second_byte)
    for (; offsets - i >= 2 * VECTOR; i += 2 * VECTOR) {
        uint64_t a = CANDIDATES(i);
        uint64_t b = CANDIDATES(i + VECTOR);
        if (__builtin_expect((a | b) == 0, 1)) continue;
        if (matches_at_any(&search, i, a, NULL, &offset) ||
            matches_at_any(&search, i + VECTOR, b, NULL, &offset)) {
            return offset;
        }
        if (search.work > json_literal_work_limit(i)) {
            return json_scan_literals_linear(bytes, count, i + 2 * VECTOR,
                                             literals, which);
        }
    }
    for (; offsets - i >= VECTOR; i += VECTOR) {
        uint64_t bits = CANDIDATES(i);
        if (matches_at_any(&search, i, bits, NULL, &offset)) return offset;
    }
    if (i < offsets && offsets >= VECTOR) {
        // The last 64 offsets; some of them are compared again.
        size_t last = offsets - VECTOR;
        uint64_t bits = CANDIDATES(last);
        return matches_at_any(&search, last, bits, NULL, &offset) ? offset
                                                                  : count;
    }
#undef CANDIDATES
    return json_scan_literals_from(bytes, count, i, literals, which);
}

// Returns for each of 64 offsets the groups of literals that may begin there.
KERNEL_INLINE __m512i groups_at(const uint8_t *bytes,
                                const struct json_scan_literals *literals) {
    __m512i half = splat(0x0F);
    __m512i groups = splat(0xFF);
    for (size_t k = 0; k < literals->fingerprint_count; k++) {
        __m512i vector = load(bytes + literals->fingerprint_start + k);
        __m512i low =
            _mm512_shuffle_epi8(load_table(literals->groups_by_low[k]),
                                _mm512_and_si512(vector, half));
        __m512i high = _mm512_shuffle_epi8(
            load_table(literals->groups_by_high[k]),
            _mm512_and_si512(_mm512_srli_epi16(vector, 4), half));
        groups = _mm512_and_si512(groups, _mm512_and_si512(low, high));
    }
    return groups;
}

KERNEL_INLINE uint64_t nonzero_bits(__m512i vector) {
    return _mm512_test_epi8_mask(vector, vector);
}

KERNEL_INLINE void store(uint8_t *bytes, __m512i vector) {
    _mm512_storeu_si512((void *)bytes, vector);
}

typedef __m512i vector;
#include "literal_blocks.h"

const struct json_scan_structure_version json_scan_structure_avx512 = {
    .name = "avx512",
    .level = JSON_KERNEL_AVX512,
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
