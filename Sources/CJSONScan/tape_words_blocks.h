// json_scan_tape_words over blocks of 64 bytes; a part of structure_blocks.h.
//
// It computes two masks of a block: the starts of strings, other scalars and
// brackets, and the ends of strings and other scalars. The text is validated,
// so the n-th start that is not a bracket belongs to the n-th end, and
// commas, colons and white space need no processing.

static KERNEL bool tape_words(const uint8_t *bytes, size_t count,
                              uint64_t origin,
                              struct json_scan_tape_words *state,
                              uint64_t *words, size_t capacity) {
    struct json_tape_writer writer = {words, origin, *state};
    uint64_t carry = state->escaped;
    uint64_t in_string = state->in_string ? ~(uint64_t)0 : 0;
    uint64_t in_scalar = state->in_scalar;
    bool has_escape = state->has_escape, has_token = state->has_token;
    size_t token = state->token;
    size_t i = state->used;
    uint8_t tail[64];
    for (; i < count; i += 64) {
        if (capacity - writer.at.words < JSON_TAPE_MAX_BLOCK_WORDS) break;
        const uint8_t *from = bytes + i;
        if (__builtin_expect(count - i < 64, 0)) {
            from = padded(from, count - i, tail);
        }
        const struct tokens tokens =
            tokens_of(from, &carry, &in_string, &in_scalar);
        const uint64_t brackets = tokens.brackets;
        const uint64_t text_ends = tokens.quotes & ~tokens.inside;
        uint64_t starts = tokens.starts;
        uint64_t ends = text_ends | (tokens.after_scalars & ~tokens.scalars);

        // The ends of strings that contain a backslash.
        uint64_t escaped = 0;
        uint64_t escapes = tokens.backslashes;
        if (__builtin_expect(escapes != 0 || has_escape, 0)) {
            if (has_escape && text_ends != 0) {
                escaped = text_ends & -text_ends;
                has_escape = false;
            }
            while (escapes != 0) {
                uint64_t ends_after = text_ends & -(escapes & -escapes);
                if (ends_after == 0) {
                    has_escape = true;
                    break;
                }
                uint64_t end = ends_after & -ends_after;
                escaped |= end;
                escapes &= ~(end | (end - 1));
            }
        }

        if (has_token && ends != 0) {
            unsigned end = (unsigned)__builtin_ctzll(ends);
            json_tape_put_scalar(&writer, bytes, token, i + end,
                                 (unsigned)(escaped >> end) & 1);
            ends &= ends - 1;
            has_token = false;
        }
        for (; starts != 0; starts &= starts - 1) {
            size_t start = i + (unsigned)__builtin_ctzll(starts);
            if (starts & -starts & brackets) {
                const bool is_put =
                    json_tape_put_bracket(&writer, bytes[start], start);
                if (__builtin_expect(!is_put, 0)) {
                    state->used = count;
                    return false;
                }
            } else if (ends != 0) {
                unsigned end = (unsigned)__builtin_ctzll(ends);
                json_tape_put_scalar(&writer, bytes, start, i + end,
                                     (unsigned)(escaped >> end) & 1);
                ends &= ends - 1;
            } else {
                token = start;
                has_token = true;
            }
        }
    }
    // The padding ends a scalar in a partial last block. One that extends to
    // the end of a full block ends here.
    if (i >= count && has_token && in_string == 0 && writer.at.words < capacity) {
        json_tape_put_scalar(&writer, bytes, token, count, 0);
        has_token = false;
    }
    *state = writer.at;
    state->escaped = carry;
    state->in_string = in_string;
    state->in_scalar = in_scalar;
    state->has_escape = has_escape;
    state->has_token = has_token;
    state->token = token;
    state->used = i < count ? i : count;
    return i >= count && writer.at.open == 0 && !has_token;
}
