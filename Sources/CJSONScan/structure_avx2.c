// AVX2 versions of the structure kernels and of the literal search.

#if defined(__x86_64__)

#include "structure_kernels.h"

#if JSON_SCAN_HAS_AVX2

#include <immintrin.h>

#define KERNEL __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define KERNEL_INLINE static inline KERNEL __attribute__((always_inline))

#define BITS_PER_OFFSET 1
#include "structure_blocks.h"
#include "compact_x86.h"

enum { VECTOR = 32 };

KERNEL_INLINE __m256i load(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

KERNEL_INLINE __m256i load_table(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

KERNEL_INLINE __m256i splat(uint8_t byte) {
    return _mm256_set1_epi8((char)byte);
}

KERNEL_INLINE uint32_t top_bits(__m256i vector) {
    return (uint32_t)_mm256_movemask_epi8(vector);
}

// ---- Structure

KERNEL_INLINE uint64_t top_bits_of_two(__m256i low, __m256i high) {
    return top_bits(low) | (uint64_t)top_bits(high) << 32;
}

KERNEL_INLINE uint64_t equal_bits(__m256i low, __m256i high, uint8_t byte) {
    return top_bits_of_two(_mm256_cmpeq_epi8(low, splat(byte)),
                           _mm256_cmpeq_epi8(high, splat(byte)));
}

KERNEL_INLINE struct brackets brackets_of(const uint8_t *bytes) {
    __m256i low = load(bytes), high = load(bytes + VECTOR);
    struct brackets block;
    block.quotes = equal_bits(low, high, '"');
    block.backslashes = equal_bits(low, high, '\\');
    // Brackets and braces differ only in bit 5.
    __m256i low_brace = _mm256_or_si256(low, splat(0x20));
    __m256i high_brace = _mm256_or_si256(high, splat(0x20));
    block.opens = equal_bits(low_brace, high_brace, '{');
    block.closes = equal_bits(low_brace, high_brace, '}');
    // The shift by 2 makes bit 5 the top bit of each byte.
    block.objects = top_bits_of_two(_mm256_slli_epi16(low, 2),
                                    _mm256_slli_epi16(high, 2));
    return block;
}

KERNEL_INLINE __m256i are_blank(__m256i vector) {
    // The shuffle yields 0 for a byte of 80 or more, which then does not match.
    return _mm256_cmpeq_epi8(
        _mm256_shuffle_epi8(load_table(json_whitespace_by_low), vector),
        vector);
}

KERNEL_INLINE struct separators separators_of(const uint8_t *bytes) {
    __m256i low = load(bytes), high = load(bytes + VECTOR);
    struct separators block;
    block.commas = equal_bits(low, high, ',');
    block.colons = equal_bits(low, high, ':');
    block.blanks = top_bits_of_two(are_blank(low), are_blank(high));
    return block;
}

KERNEL_INLINE uint64_t equals_of(const uint8_t *bytes, uint8_t byte) {
    return equal_bits(load(bytes), load(bytes + VECTOR), byte);
}

// ---- Compact text

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    if (kept == ~(uint64_t)0) {
        _mm256_storeu_si256((__m256i *)(void *)to, load(from));
        _mm256_storeu_si256((__m256i *)(void *)(to + VECTOR),
                            load(from + VECTOR));
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
    __m256i first_byte = splat(literals->bytes[literals->rare_offsets[0]]);
    __m256i second_byte = splat(literals->bytes[literals->rare_offsets[1]]);
    struct search search = {bytes, count, literals, which, 0};
    size_t offset;
    size_t i = 0;
#define CANDIDATES(at)                                                        \
    _mm256_and_si256(_mm256_cmpeq_epi8(load(first + (at)), first_byte),       \
                     _mm256_cmpeq_epi8(load(second + (at)), second_byte))
    for (; offsets - i >= 4 * VECTOR; i += 4 * VECTOR) {
        __m256i a = CANDIDATES(i);
        __m256i b = CANDIDATES(i + VECTOR);
        __m256i c = CANDIDATES(i + 2 * VECTOR);
        __m256i d = CANDIDATES(i + 3 * VECTOR);
        __m256i any =
            _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if (__builtin_expect(_mm256_testz_si256(any, any), 1)) continue;
        if (matches_at_any(&search, i, top_bits(a), NULL, &offset) ||
            matches_at_any(&search, i + VECTOR, top_bits(b), NULL, &offset) ||
            matches_at_any(&search, i + 2 * VECTOR, top_bits(c), NULL,
                           &offset) ||
            matches_at_any(&search, i + 3 * VECTOR, top_bits(d), NULL,
                           &offset)) {
            return offset;
        }
        if (search.work > json_literal_work_limit(i)) {
            return json_scan_literals_linear(bytes, count, i + 4 * VECTOR,
                                             literals, which);
        }
    }
    for (; offsets - i >= VECTOR; i += VECTOR) {
        uint32_t bits = top_bits(CANDIDATES(i));
        if (matches_at_any(&search, i, bits, NULL, &offset)) return offset;
    }
    if (i < offsets && offsets >= VECTOR) {
        // The last 32 offsets; some of them are compared again.
        size_t last = offsets - VECTOR;
        uint32_t bits = top_bits(CANDIDATES(last));
        return matches_at_any(&search, last, bits, NULL, &offset) ? offset
                                                                  : count;
    }
#undef CANDIDATES
    return json_scan_literals_from(bytes, count, i, literals, which);
}

// Returns for each of 32 offsets the groups of literals that may begin there.
KERNEL_INLINE __m256i groups_at(const uint8_t *bytes,
                                const struct json_scan_literals *literals) {
    __m256i half = splat(0x0F);
    __m256i groups = splat(0xFF);
    for (size_t k = 0; k < literals->fingerprint_count; k++) {
        __m256i vector = load(bytes + literals->fingerprint_start + k);
        __m256i low =
            _mm256_shuffle_epi8(load_table(literals->groups_by_low[k]),
                                _mm256_and_si256(vector, half));
        __m256i high = _mm256_shuffle_epi8(
            load_table(literals->groups_by_high[k]),
            _mm256_and_si256(_mm256_srli_epi16(vector, 4), half));
        groups = _mm256_and_si256(groups, _mm256_and_si256(low, high));
    }
    return groups;
}

KERNEL_INLINE uint64_t nonzero_bits(__m256i vector) {
    return (uint32_t)~top_bits(
        _mm256_cmpeq_epi8(vector, _mm256_setzero_si256()));
}

KERNEL_INLINE void store(uint8_t *bytes, __m256i vector) {
    _mm256_storeu_si256((__m256i *)(void *)bytes, vector);
}

typedef __m256i vector;
#include "literal_blocks.h"

const struct json_scan_structure_version json_scan_structure_avx2 = {
    .name = "avx2",
    .level = JSON_KERNEL_AVX2,
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
