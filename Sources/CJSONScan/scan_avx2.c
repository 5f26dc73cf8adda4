// AVX2 kernels: 32 bytes at a time.
//
// The target attribute on each function lets this file compile without flags.
// dispatch.c calls these functions only on a processor that supports AVX2.

#if defined(__x86_64__)

#include "scan_kernels.h"

#if JSON_SCAN_HAS_AVX2

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define AVX2_INLINE static inline AVX2 __attribute__((always_inline))

enum { VECTOR = 32, BLOCK = 4 * VECTOR };

AVX2_INLINE __m256i load(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

AVX2_INLINE __m256i load_table(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

AVX2_INLINE __m256i splat(uint8_t byte) { return _mm256_set1_epi8((char)byte); }

AVX2_INLINE uint32_t top_bits(__m256i vector) {
    return (uint32_t)_mm256_movemask_epi8(vector);
}

// Returns a mask whose bit k is set if byte k of `vector` is `byte`.
AVX2_INLINE uint32_t equal_bits(__m256i vector, uint8_t byte) {
    return top_bits(_mm256_cmpeq_epi8(vector, splat(byte)));
}

// Loads fewer than 32 bytes, followed by zeros. Two overlapping copies of a
// fixed size replace a call to memcpy.
AVX2_INLINE __m256i load_partial(const uint8_t *bytes, size_t count) {
    uint8_t padded[VECTOR] = {0};
    if (count >= 16) {
        memcpy(padded, bytes, 16);
        memcpy(padded + count - 16, bytes + count - 16, 16);
    } else if (count >= 8) {
        memcpy(padded, bytes, 8);
        memcpy(padded + count - 8, bytes + count - 8, 8);
    } else if (count >= 4) {
        memcpy(padded, bytes, 4);
        memcpy(padded + count - 4, bytes + count - 4, 4);
    } else {
        for (size_t i = 0; i < count; i++) padded[i] = bytes[i];
    }
    return load(padded);
}

// ---- Text

// Returns a vector whose last three bytes are the bytes before bytes[offset],
// or zeros before the first byte. At minimum four bytes must be readable at
// `bytes`.
AVX2_INLINE __m256i context_before(const uint8_t *bytes, size_t offset) {
    uint32_t last = 0;
    if (offset >= 4) {
        memcpy(&last, bytes + offset - 4, 4);
    } else if (offset > 0) {
        memcpy(&last, bytes, 4);
        last <<= 8 * (4 - offset);
    }
    return _mm256_set_epi32((int)last, 0, 0, 0, 0, 0, 0, 0);
}

// Returns non-zero bytes where `current`, preceded by `before`, violates UTF-8.
// Does not detect a truncated sequence at the end of `current`.
AVX2_INLINE __m256i utf8_faults(__m256i current, __m256i before) {
    // The input shifted by 1, 2 and 3 bytes. The shift works within halves, so
    // each half is first combined with the half before it.
    __m256i straddle = _mm256_permute2x128_si256(before, current, 0x21);
    __m256i back1 = _mm256_alignr_epi8(current, straddle, 15);
    __m256i back2 = _mm256_alignr_epi8(current, straddle, 14);
    __m256i back3 = _mm256_alignr_epi8(current, straddle, 13);

    __m256i low_nibble = splat(0x0F);
    __m256i earlier_high = _mm256_shuffle_epi8(
        load_table(json_utf8_earlier_high),
        _mm256_and_si256(_mm256_srli_epi16(back1, 4), low_nibble));
    __m256i earlier_low =
        _mm256_shuffle_epi8(load_table(json_utf8_earlier_low),
                            _mm256_and_si256(back1, low_nibble));
    __m256i later_high = _mm256_shuffle_epi8(
        load_table(json_utf8_later_high),
        _mm256_and_si256(_mm256_srli_epi16(current, 4), low_nibble));
    __m256i faults = _mm256_and_si256(
        _mm256_and_si256(earlier_high, earlier_low), later_high);

    // A third byte follows E0..FF by two, a fourth follows F0..FF by three.
    // These, and no others, must be the second of two continuations.
    __m256i third = _mm256_subs_epu8(back2, splat(0xE0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(back3, splat(0xF0 - 0x80));
    __m256i wanted_pair = _mm256_and_si256(_mm256_or_si256(third, fourth),
                                           splat(JSON_UTF8_PAIR));
    return _mm256_xor_si256(faults, wanted_pair);
}

// Returns whether `vector` ends inside a sequence.
AVX2_INLINE bool ends_in_sequence(__m256i vector) {
    // It does if the third byte from the end is the lead of 4 bytes, the second
    // the lead of 3 or 4, or the last the lead of 2, 3 or 4.
    static const uint8_t highest[VECTOR] = {
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF, 0xDF, 0xBF,
    };
    __m256i over = _mm256_subs_epu8(vector, load(highest));
    return !_mm256_testz_si256(over, over);
}

// Subtracts 0B from each byte, which makes 0B and 0C the two lowest values. So
// the minimum over many vectors detects both, with two instructions a vector.
AVX2_INLINE __m256i less_0B(__m256i vector) {
    return _mm256_sub_epi8(vector, splat(0x0B));
}

AVX2_INLINE __m256i is_0_or_1(__m256i vector) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(vector, splat(1)), vector);
}

AVX2_INLINE bool is_plain(__m256i all_bits, __m256i minimum) {
    return top_bits(_mm256_or_si256(all_bits, is_0_or_1(minimum))) == 0;
}

// Four vectors, and the results of the fast check.
struct block {
    __m256i a, b, c, d;
    __m256i minimum;
    bool plain;
};

AVX2_INLINE struct block load_block(const uint8_t *bytes) {
    struct block block;
    block.a = load(bytes);
    block.b = load(bytes + VECTOR);
    block.c = load(bytes + 2 * VECTOR);
    block.d = load(bytes + 3 * VECTOR);
    __m256i all_bits = _mm256_or_si256(_mm256_or_si256(block.a, block.b),
                                       _mm256_or_si256(block.c, block.d));
    block.minimum =
        _mm256_min_epu8(_mm256_min_epu8(less_0B(block.a), less_0B(block.b)),
                        _mm256_min_epu8(less_0B(block.c), less_0B(block.d)));
    block.plain = is_plain(all_bits, block.minimum);
    return block;
}

AVX2_INLINE bool block_is_well_formed(struct block block, __m256i before) {
    __m256i faults = _mm256_or_si256(
        _mm256_or_si256(utf8_faults(block.a, before),
                        utf8_faults(block.b, block.a)),
        _mm256_or_si256(utf8_faults(block.c, block.b),
                        utf8_faults(block.d, block.c)));
    faults = _mm256_or_si256(faults, is_0_or_1(block.minimum));
    return _mm256_testz_si256(faults, faults);
}

// Loads fewer than 32 bytes in unspecified order, some possibly twice, and
// zeros. Much faster than load_partial, which must wait for its own stores.
AVX2_INLINE __m256i load_unordered(const uint8_t *bytes, size_t count) {
    if (count >= 16) {
        const uint8_t *last = bytes + count - 16;
        return _mm256_set_m128i(
            _mm_loadu_si128((const __m128i *)(const void *)last),
            _mm_loadu_si128((const __m128i *)(const void *)bytes));
    }
    uint64_t first = 0, last = 0;
    if (count >= 8) {
        memcpy(&first, bytes, 8);
        memcpy(&last, bytes + count - 8, 8);
    } else if (count >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + count - 4, 4);
    } else if (count > 0) {
        first = bytes[0] | (uint64_t)bytes[count / 2] << 8;
        last = bytes[count - 1];
    }
    return _mm256_set_epi64x(0, 0, (long long)last, (long long)first);
}

// Computes json_scan_text for fewer than 32 bytes.
AVX2_INLINE size_t text_tiny(const uint8_t *bytes, size_t count) {
    __m256i unordered = load_unordered(bytes, count);
    __m256i minimum = less_0B(unordered);
    if (is_plain(unordered, minimum)) return count;

    __m256i vector = load_partial(bytes, count);
    // A zero follows the input, so a truncated sequence at its end is a fault.
    __m256i faults = _mm256_or_si256(
        utf8_faults(vector, _mm256_setzero_si256()), is_0_or_1(minimum));
    if (_mm256_testz_si256(faults, faults)) return count;
    return json_scan_text_from(bytes, count, 0);
}

// Computes json_scan_text for at least 32 bytes and less than a block. The last
// vector contains the last 32 bytes: it may overlap the one before, since
// checking a byte twice is harmless.
AVX2_INLINE size_t text_short(const uint8_t *bytes, size_t count) {
    size_t last = count - VECTOR;
    __m256i all_bits = load(bytes + last);
    __m256i minimum = less_0B(all_bits);
    for (size_t i = 0; i < last; i += VECTOR) {
        __m256i vector = load(bytes + i);
        all_bits = _mm256_or_si256(all_bits, vector);
        minimum = _mm256_min_epu8(minimum, less_0B(vector));
    }
    if (is_plain(all_bits, minimum)) return count;

    __m256i faults = is_0_or_1(minimum);
    for (size_t i = 0; i < last; i += VECTOR) {
        faults = _mm256_or_si256(
            faults, utf8_faults(load(bytes + i), context_before(bytes, i)));
    }
    __m256i end = load(bytes + last);
    faults = _mm256_or_si256(faults,
                             utf8_faults(end, context_before(bytes, last)));
    if (_mm256_testz_si256(faults, faults) && !ends_in_sequence(end)) {
        return count;
    }
    return json_scan_text_from(bytes, count, 0);
}

static AVX2 size_t text(const uint8_t *bytes, size_t count) {
    if (count < VECTOR) return text_tiny(bytes, count);
    if (count < BLOCK) return text_short(bytes, count);

    // bytes[0 ..< i] is checked; `cut` is whether it ends inside a sequence.
    size_t i = 0;
    bool cut = false;
    do {
        struct block block = load_block(bytes + i);
        if (block.plain) {
            if (cut) return json_scan_text_from(bytes, count, i);
        } else {
            __m256i before = context_before(bytes, i);
            if (!block_is_well_formed(block, before)) {
                return json_scan_text_from(bytes, count, i);
            }
            cut = ends_in_sequence(block.d);
        }
        i += BLOCK;
    } while (count - i >= BLOCK);

    if (i < count) {
        // The last block overlaps the one before by at least a byte. So if it
        // is plain, the bytes before it do not end inside a sequence.
        size_t last = count - BLOCK;
        struct block block = load_block(bytes + last);
        if (block.plain) return count;
        if (!block_is_well_formed(block, context_before(bytes, last))) {
            return json_scan_text_from(bytes, count, i);
        }
        cut = ends_in_sequence(block.d);
    }
    return cut ? json_scan_text_from(bytes, count, i) : count;
}

// ---- Strings

// Returns the unescaped quotes among `width` (1...32) bytes, given the masks of
// quotes and backslashes.
AVX2_INLINE uint64_t unescaped_quotes(uint64_t quotes, uint64_t backslashes,
                                      unsigned width, bool *escaped) {
    uint64_t first = *escaped;
    quotes &= ~first;
    backslashes &= ~first;
    if (backslashes == 0) {
        *escaped = false;
        return quotes;
    }

    // The byte after a run of backslashes is escaped if the length of the run
    // is odd: the run starts at an even index and the byte is at an odd one, or
    // vice versa. Adding the first bit of a run to the run carries into the bit
    // after it.
    const uint64_t even = 0x5555555555555555;
    uint64_t starts = backslashes & ~(backslashes << 1);
    uint64_t after_even = (backslashes + (starts & even)) & ~backslashes;
    uint64_t after_odd = (backslashes + (starts & ~even)) & ~backslashes;
    uint64_t escapes = (after_even & ~even) | (after_odd & even);
    *escaped = (escapes >> width) & 1;
    return quotes & ~escapes;
}

static AVX2 size_t string_end(const uint8_t *bytes, size_t count,
                              bool *escaped) {
    bool carry = *escaped;
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        __m256i vector = load(bytes + i);
        uint64_t quotes =
            unescaped_quotes(equal_bits(vector, '"'), equal_bits(vector, '\\'),
                             VECTOR, &carry);
        if (quotes != 0) {
            *escaped = false;
            return i + (size_t)__builtin_ctzll(quotes);
        }
    }

    unsigned rest = (unsigned)(count - i);
    if (rest > 0) {
        // Loads the last 32 bytes if the input is that long, and drops the bits
        // of the bytes that are already scanned.
        bool whole = count >= VECTOR;
        unsigned seen = whole ? VECTOR - rest : 0;
        __m256i vector = whole ? load(bytes + count - VECTOR)
                               : load_partial(bytes, count);
        uint64_t quotes = unescaped_quotes(equal_bits(vector, '"') >> seen,
                                           equal_bits(vector, '\\') >> seen,
                                           rest, &carry);
        if (quotes != 0) {
            *escaped = false;
            return i + (size_t)__builtin_ctzll(quotes);
        }
    }
    *escaped = carry;
    return count;
}

// ---- Whitespace and newlines

static AVX2 size_t whitespace(const uint8_t *bytes, size_t count) {
    __m256i table = load_table(json_whitespace_by_low);
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        // The shuffle yields 0 for a byte of 80 or more, which then does not
        // match.
        __m256i vector = load(bytes + i);
        __m256i matches =
            _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, vector), vector);
        uint32_t others = ~top_bits(matches);
        if (others != 0) return i + (size_t)__builtin_ctz(others);
    }
    return i + json_scan_whitespace_portable(bytes + i, count - i);
}

static AVX2 size_t count_newlines(const uint8_t *bytes, size_t count) {
    size_t newlines = 0;
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        newlines +=
            (size_t)__builtin_popcount(equal_bits(load(bytes + i), 0x0A));
    }
    unsigned rest = (unsigned)(count - i);
    if (rest == 0) return newlines;
    uint32_t bits = count >= VECTOR
        ? equal_bits(load(bytes + count - VECTOR), 0x0A) >> (VECTOR - rest)
        : equal_bits(load_partial(bytes, count), 0x0A);
    return newlines + (size_t)__builtin_popcount(bits);
}

// Marks the backslashes among 32 bytes that a `u` follows, which may be the
// byte after them.
AVX2_INLINE __m256i unicode_escapes(const uint8_t *bytes) {
    return _mm256_and_si256(_mm256_cmpeq_epi8(load(bytes), splat('\\')),
                            _mm256_cmpeq_epi8(load(bytes + 1), splat('u')));
}

// Returns the offset of the first of the escapes at `offset` that denotes a
// surrogate, or `count`.
AVX2_INLINE size_t surrogate_of(__m256i escapes, const uint8_t *bytes,
                                size_t count, size_t offset) {
    for (uint32_t bits = top_bits(escapes); bits; bits &= bits - 1) {
        size_t found = offset + (size_t)__builtin_ctz(bits);
        if (found + 4 <= count && json_is_surrogate_start(bytes + found)) {
            return found;
        }
    }
    return count;
}

// Returns the offset of the first surrogate of the block at `offset`, or
// `count`. Out of line, so that the loop over blocks stores no vectors for it.
static AVX2 __attribute__((noinline)) size_t
surrogate_of_block(const uint8_t *bytes, size_t count, size_t offset) {
    for (size_t end = offset + BLOCK; offset < end; offset += VECTOR) {
        __m256i escapes = unicode_escapes(bytes + offset);
        size_t found = surrogate_of(escapes, bytes, count, offset);
        if (found < count) return found;
    }
    return count;
}

static AVX2 size_t surrogate(const uint8_t *bytes, size_t count) {
    // The last of the bytes that are loaded follows the vectors.
    if (count <= VECTOR) return json_scan_surrogate_portable(bytes, count);
    size_t i = 0;
    for (; i + BLOCK < count; i += BLOCK) {
        __m256i any = _mm256_or_si256(
            _mm256_or_si256(unicode_escapes(bytes + i),
                            unicode_escapes(bytes + i + VECTOR)),
            _mm256_or_si256(unicode_escapes(bytes + i + 2 * VECTOR),
                            unicode_escapes(bytes + i + 3 * VECTOR)));
        if (_mm256_testz_si256(any, any)) continue;
        size_t found = surrogate_of_block(bytes, count, i);
        if (found < count) return found;
    }
    for (; i + VECTOR < count; i += VECTOR) {
        __m256i escapes = unicode_escapes(bytes + i);
        size_t found = surrogate_of(escapes, bytes, count, i);
        if (found < count) return found;
    }
    // The last vector may overlap the one before.
    i = count - VECTOR - 1;
    return surrogate_of(unicode_escapes(bytes + i), bytes, count, i);
}

const struct json_scan_kernels json_scan_kernels_avx2 = {
    .text = text,
    .string_end = string_end,
    .whitespace = whitespace,
    .count_newlines = count_newlines,
    .surrogate = surrogate,
    .name = "avx2",
    .level = JSON_KERNEL_AVX2,
};

#endif
#endif
