// json_scan_compact and json_scan_unescape over blocks of 64 bytes; a part of
// structure_blocks.h.

// Returns the line feeds that end a line with at least one kept byte. Most
// blocks have at most one line feed.
KERNEL_INLINE uint64_t ends_of_lines(uint64_t feeds, uint64_t kept,
                                     bool *in_line) {
    uint64_t ends = 0, left = kept;
    for (uint64_t rest = feeds; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & -rest;
        if (*in_line || (left & (bit - 1)) != 0) ends |= bit;
        left &= ~(bit | (bit - 1));
        *in_line = false;
    }
    *in_line = *in_line || left != 0;
    return ends;
}

static KERNEL size_t compact(const uint8_t *bytes, size_t count, uint8_t *to,
                             struct json_scan_compact *state) {
    uint64_t carry = state->escaped;
    uint64_t in_string = state->in_string ? ~(uint64_t)0 : 0;
    bool in_line = state->in_line;
    const bool keeps_lines = state->keeps_lines;
    uint8_t *start = to;
    size_t i = 0;
    for (; count - i >= 64; i += 64) {
        const uint8_t *from = bytes + i;
        struct brackets block = brackets_of(from);
        struct separators separators = separators_of(from);
        uint64_t quotes;
        uint64_t inside = string_bytes(&block, &carry, &in_string, &quotes);
        uint64_t kept = ~(separators.blanks & ~inside);
        if (keeps_lines) {
            uint64_t feeds = equals_of(from, '\n') & ~kept;
            kept |= ends_of_lines(feeds, kept, &in_line);
        }
        if (kept == ~(uint64_t)0) {
            memcpy(to, from, 64);
            to += 64;
        } else {
            // At least as many bytes as the rest of the text fit there.
            to = put_kept(to, from, kept);
        }
    }
    state->escaped = carry;
    state->in_string = in_string;
    state->in_line = in_line;
    return (size_t)(to - start) +
           json_scan_compact_portable(bytes + i, count - i, to, state);
}

static KERNEL size_t unescape(const uint8_t *bytes, size_t count, uint8_t *to,
                              size_t *used) {
    uint64_t carry = 0;
    uint8_t *start = to;
    size_t i = 0;
    for (; count - i >= 64; i += 64) {
        const uint8_t *from = bytes + i;
        const uint64_t backslashes = equals_of(from, '\\');
        if ((backslashes | carry) == 0) {
            memcpy(to, from, 64);
            to += 64;
            continue;
        }
        const uint64_t before = carry;
        const uint64_t escaped = escaped_bytes(backslashes, &carry);
        const uint64_t others = escaped & ~(backslashes | equals_of(from, '"') |
                                            equals_of(from, '/'));
        uint64_t kept = ~backslashes | escaped;
        if (others != 0) {
            // The block up to the backslash of that escape.
            const uint64_t first = others & -others;
            carry = first & before;
            if (carry == 0) {
                kept &= (first >> 1) - 1;
                if (kept != 0) to = put_kept(to, from, kept);
                i += (size_t)__builtin_ctzll(first) - 1;
            }
            *used = i - carry;
            return (size_t)(to - start);
        }
        to = put_kept(to, from, kept);
    }
    // The backslash at the end of the last block has not been written.
    i -= carry;
    size_t rest;
    size_t written = json_scan_unescape_portable(bytes + i, count - i, to, &rest);
    *used = i + rest;
    return (size_t)(to - start) + written;
}
