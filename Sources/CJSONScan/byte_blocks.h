// The byte kernels of json_scan.h, vector by vector; a part of
// structure_blocks.h.

// Loads the rest of a text, from bytes[i] on: fewer than VECTOR bytes. The
// vector is the last one of the text, and its first `*seen` bytes precede
// bytes[i]. In a text of fewer bytes it is the whole text, followed by zeros.
KERNEL_INLINE vector load_rest(const uint8_t *bytes, size_t count, size_t i,
                               unsigned *seen) {
    *seen = count < VECTOR ? 0 : (unsigned)(VECTOR - (count - i));
    if (count >= VECTOR) return load(bytes + count - VECTOR);
#ifdef IS_AVX512
    return _mm512_maskz_loadu_epi8(((uint64_t)1 << count) - 1, bytes);
#else
    // Two overlapping copies of a fixed size replace a call to memcpy.
    uint8_t copy[VECTOR] = {0};
    if (count >= 16) {
        memcpy(copy, bytes, 16);
        memcpy(copy + count - 16, bytes + count - 16, 16);
    } else if (count >= 8) {
        memcpy(copy, bytes, 8);
        memcpy(copy + count - 8, bytes + count - 8, 8);
    } else if (count >= 4) {
        memcpy(copy, bytes, 4);
        memcpy(copy + count - 4, bytes + count - 4, 4);
    } else {
        for (size_t k = 0; k < count; k++) copy[k] = bytes[k];
    }
    return load(copy);
#endif
}

// ---- Text

enum { TEXT_BYTES = 4 * VECTOR };

// Returns whether the bytes are ASCII without 0B and 0C.
KERNEL_INLINE bool is_ascii(const uint8_t *bytes, size_t count) {
    // Subtracting 0B from each byte makes 0B and 0C the two lowest values. So
    // the minimum over many vectors detects both.
    vector all = splat(0), lowest = splat(0xFF);
    for (size_t i = 0; i < count; i += VECTOR) {
        unsigned seen;
        vector v = count - i < VECTOR ? load_rest(bytes, count, i, &seen)
                                      : load(bytes + i);
        all |= v;
        lowest = lower(lowest, minus(v, 0x0B));
    }
    return !has_mark(have_high(all) | at_most(lowest, 1));
}

// Returns whether TEXT_BYTES bytes are well-formed UTF-8 together with the 3
// bytes before them, and contain neither 0B nor 0C. Does not detect a truncated
// sequence at their end.
KERNEL_INLINE bool is_text(const uint8_t *bytes) {
    vector faults = splat(0), lowest = splat(0xFF);
    for (int k = 0; k < 4; k++) {
        const uint8_t *from = bytes + VECTOR * k;
        vector v = load(from);
        faults |= utf8_faults(from, v);
        lowest = lower(lowest, minus(v, 0x0B));
    }
    return !has_nonzero(faults) && !has_mark(at_most(lowest, 1));
}

static KERNEL size_t text(const uint8_t *bytes, size_t count) {
    if (count < TEXT_BYTES && is_ascii(bytes, count)) return count;
    // bytes[0 ..< i] is checked, and `is_cut` is whether it ends inside a
    // sequence.
    bool is_cut = false;
    for (size_t i = 0; i < count; i += TEXT_BYTES) {
        const uint8_t *from = bytes + i;
        const size_t rest = count - i;
        if (rest >= TEXT_BYTES && is_ascii(from, TEXT_BYTES)) {
            if (is_cut) return json_scan_text_from(bytes, count, i);
            continue;
        }
        uint8_t copy[4 + TEXT_BYTES] = {0};
        if (i == 0 || rest < TEXT_BYTES) {
            // Zeros before the first byte and after the last one. So a
            // sequence that the end of the input truncates is a fault.
            size_t before = i == 0 ? 0 : 4;
            memcpy(copy + 4 - before, from - before,
                   before + (rest < TEXT_BYTES ? rest : TEXT_BYTES));
            from = copy + 4;
        }
        if (!is_text(from)) return json_scan_text_from(bytes, count, i);
        is_cut = json_utf8_ends_in_character(from + TEXT_BYTES);
    }
    return is_cut ? json_scan_text_from(bytes, count, count) : count;
}

// ---- Strings, white space, line feeds

// One vector if that has a mask with one bit for each byte: most strings are
// short.
enum { STRING_BYTES = BITS_PER_OFFSET == 1 ? VECTOR : 64 };

KERNEL_INLINE uint64_t string_bits(const uint8_t *bytes, uint8_t byte) {
    if (BITS_PER_OFFSET != 1) return equals_of(bytes, byte);
    return bits_of(equal(load(bytes), splat(byte)));
}

// Returns the quotes among STRING_BYTES bytes that no backslash escapes. Bits
// after the first of them have no meaning. The carry is the one of
// escaped_bytes. Without such a quote, it becomes the carry of the next bytes.
KERNEL_INLINE uint64_t string_ends(const uint8_t *bytes, uint64_t *carry) {
    const uint64_t quotes = string_bits(bytes, '"');
    const uint64_t backslashes = string_bits(bytes, '\\');
    // Backslashes after a quote have no effect on it.
    if (((backslashes & (quotes - 1) & ~quotes) | *carry) == 0) return quotes;
    const uint64_t escapes = escaped_bytes(backslashes, carry);
    if (STRING_BYTES < 64) *carry = escapes >> (STRING_BYTES & 63) & 1;
    return quotes & ~escapes;
}

static KERNEL size_t string_end(const uint8_t *bytes, size_t count,
                                bool *escaped) {
    uint64_t carry = *escaped, ends = 0;
    size_t i = 0;
    for (; count - i >= STRING_BYTES; i += STRING_BYTES) {
        ends = string_ends(bytes + i, &carry);
        if (ends != 0) {
            *escaped = false;
            return i + (size_t)__builtin_ctzll(ends);
        }
    }
    *escaped = carry;
    const size_t rest = count - i;
    // A few bytes are not worth a copy, nor is the carry out of them.
    if (rest < 8 || bytes[count - 1] == '\\') {
        return i + json_scan_string_end_portable(bytes + i, rest, escaped);
    }
    uint8_t tail[64];
    ends = string_ends(padded(bytes + i, rest, tail), &carry);
    *escaped = false;
    return ends != 0 ? i + (size_t)__builtin_ctzll(ends) : count;
}

KERNEL_INLINE uint64_t others_than_blanks(vector v) {
    return bits_of(~equal(lookup(json_whitespace_by_low, v), v));
}

static KERNEL size_t whitespace(const uint8_t *bytes, size_t count) {
    uint64_t others = 0;
    size_t i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        others = others_than_blanks(load(bytes + i));
        if (others != 0) {
            return i + (size_t)__builtin_ctzll(others) / BITS_PER_OFFSET;
        }
    }
    if (i == count) return count;
    unsigned seen;
    others = others_than_blanks(load_rest(bytes, count, i, &seen)) >>
             BITS_PER_OFFSET * seen;
    return others == 0 ? count
                       : i + (size_t)__builtin_ctzll(others) / BITS_PER_OFFSET;
}

static KERNEL size_t count_newlines(const uint8_t *bytes, size_t count) {
    const vector feed = splat('\n');
    size_t newlines = 0, i = 0;
    for (; count - i >= VECTOR; i += VECTOR) {
        newlines += (size_t)ones(bits_of(equal(load(bytes + i), feed)));
    }
    if (i == count) return newlines;
    unsigned seen;
    vector rest = load_rest(bytes, count, i, &seen);
    return newlines +
           (size_t)ones(bits_of(equal(rest, feed)) >> BITS_PER_OFFSET * seen);
}
