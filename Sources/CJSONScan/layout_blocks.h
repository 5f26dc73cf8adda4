// json_scan_layout over blocks of 64 bytes; a part of structure_blocks.h.
//
// Between two delimiters (brackets, commas and colons outside of strings)
// there is at most one scalar or key, with white space around it. It is
// copied as one run.

// Copies a run of a block. JSON_LAYOUT_PIECE bytes after it must be readable
// and writable.
KERNEL_INLINE void put_run(struct json_layout_writer *writer,
                           const uint8_t *from, unsigned first,
                           unsigned last) {
    unsigned count = last - first + 1;
    for (unsigned done = 0; done < count; done += JSON_LAYOUT_PIECE) {
        memcpy(writer->to + done, from + first + done, JSON_LAYOUT_PIECE);
    }
    writer->to += count;
}

static KERNEL size_t layout(const uint8_t *bytes, size_t count,
                            const struct json_scan_style *style,
                            struct json_scan_layout *state, uint8_t *to,
                            size_t capacity) {
    struct json_layout_writer writer = {style, to, *state};
    const uint8_t *end = to + capacity;
    const bool has_lines = style->has_lines;
    uint64_t carry = state->escaped;
    uint64_t in_string = state->in_string ? ~(uint64_t)0 : 0;
    bool is_full = false;
    size_t i = 0;
    for (; count - i >= 64 + JSON_LAYOUT_PIECE; i += 64) {
        const uint8_t *from = bytes + i;
        struct brackets block = brackets_of(from);
        struct separators separators = separators_of(from);
        uint64_t carry_before = carry, string_before = in_string;
        uint64_t quotes;
        uint64_t inside = string_bytes(&block, &carry, &in_string, &quotes);
        uint64_t opens = block.opens & ~inside;
        uint64_t delimiters = (block.opens | block.closes | separators.commas |
                          separators.colons) &
                         ~inside;
        uint64_t text = ~(delimiters | (separators.blanks & ~inside));
        if (has_lines) delimiters |= equals_of(from, '\n') & ~inside;
        uint64_t room = json_layout_max_size(style, writer.at.depth, 64,
                                             (uint64_t)ones(delimiters),
                                             (uint64_t)ones(opens));
        if (room > (uint64_t)(end - writer.to)) {
            carry = carry_before;
            in_string = string_before;
            is_full = true;
            break;
        }
        for (; delimiters != 0; delimiters &= delimiters - 1) {
            uint64_t bit = delimiters & -delimiters;
            uint64_t before = text & (bit - 1);
            if (before != 0) {
                json_layout_put_before(&writer);
                put_run(&writer, from, (unsigned)__builtin_ctzll(before),
                        63 - (unsigned)__builtin_clzll(before));
                text &= ~(bit - 1);
            }
            json_layout_put_delimiter(&writer, from[__builtin_ctzll(bit)]);
        }
        if (text != 0) {
            json_layout_put_before(&writer);
            put_run(&writer, from, (unsigned)__builtin_ctzll(text),
                    63 - (unsigned)__builtin_clzll(text));
        }
    }
    *state = writer.at;
    state->escaped = carry;
    state->in_string = in_string;
    state->used = 0;
    size_t written = (size_t)(writer.to - to);
    if (!is_full) {
        written += json_scan_layout_portable(bytes + i, count - i, style, state,
                                             writer.to, capacity - written);
    }
    state->used += i;
    return written;
}
