// Private to this target: a part of validation_blocks.h. The masks of a
// block, and the checks inside of strings.

// ---- Masks

KERNEL_INLINE uint64_t in_range(const struct vectors *block, uint8_t low,
                                uint8_t high) {
    BITS(at_most(minus(v, low), (uint8_t)(high - low)));
}

KERNEL_INLINE uint64_t controls(const struct vectors *block) {
    BITS(at_most(v, 0x1F));
}

// Returns the bytes above 7F.
KERNEL_INLINE uint64_t highs(const struct vectors *block) {
    BITS(have_high(v));
}

KERNEL_INLINE uint64_t digits(const struct vectors *block) {
    return in_range(block, '0', '9');
}

KERNEL_INLINE uint64_t hex_letters(const struct vectors *block) {
    BITS(at_most(minus(v | splat(0x20), 'a'), 5));
}

// Returns the bytes that may follow a backslash.
KERNEL_INLINE uint64_t escapable(const struct vectors *block) {
    // The set for the low half of the byte must contain the bit of its high
    // half.
    BITS(nonzero(by_low(validation_escapable_by_low, v) &
                 by_high(validation_bit_of_high, v)));
}

#ifndef HAS_CLASSES_OF
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
#endif

// Returns whether a block, with the 3 bytes before it, violates UTF-8. A
// truncated sequence at its end is not a fault.
KERNEL_INLINE uint64_t violates_utf8(const uint8_t *bytes,
                                     const struct vectors *block) {
    vector faults = splat(0);
    for (int k = 0; k < PARTS; k++) {
        faults |= utf8_faults(bytes + VECTOR * k, block->part[k]);
    }
    return has_nonzero(faults);
}

// ---- Escapes

// Checks escapes. `escaped` are the bytes after a backslash that begins an
// escape, so `u` after an escaped backslash is not one of them. Digits and
// halves of surrogates are checked only after these bytes.
KERNEL_INLINE uint64_t check_escapes(struct escape_carries *c,
                                     struct vectors *block, uint64_t escaped) {
    uint64_t fault = MASKED(105, escaped & ~escapable(block));
    uint64_t u = escaped & equals(block, 'u');
    if (!(u | c->pending)) return fault;
    uint64_t digits_here = u << 1 | u << 2 | u << 3 | u << 4 | c->digits;
    fault |= MASKED(106, digits_here & ~(digits(block) | hex_letters(block)));
    // A half begins with the digit D, followed by 8...B (high) or C...F (low).
    uint64_t d = (u << 1 | c->first) & (equals(block, 'd') | equals(block, 'D'));
    uint64_t second = d << 1 | c->second;
    uint64_t high = second & (equals(block, '8') | equals(block, '9') |
                              in_range(block, 'A', 'B') |
                              in_range(block, 'a', 'b'));
    uint64_t low = second & (in_range(block, 'C', 'F') |
                             in_range(block, 'c', 'f'));
    // The second digits of a pair are six bytes apart, and the checks above
    // allow between them only the digits of the first half and the backslash,
    // `u` and D of the second.
    fault |= MASKED(107, low ^ (high << 6 | c->low));
    c->digits = MASKED(108, u >> 63 | u >> 62 | u >> 61 | u >> 60);
    c->first = MASKED(109, u >> 63);
    c->second = MASKED(110, d >> 63);
    c->low = MASKED(111, high >> 58);
    c->pending = c->digits | c->first | c->second | c->low;
    return fault;
}

// Computes the masks of block `k` of a group, and checks the bytes in strings.
// Returns faults.
//
// No branch here depends on the structure of the text. So the processor
// executes many blocks at once, and a mispredicted branch of a later step does
// not wait for vectors.
//
// Reads the 3 bytes before the block, if one of its bytes is above 7F.
KERNEL_INLINE uint64_t make_masks(struct carries *c, const uint8_t *bytes,
                                  bool is_lines, struct group *g, size_t k) {
    struct vectors vectors = vectors_of(bytes), *block = &vectors;
    uint64_t quotes = equals(block, '"');
    uint64_t backslashes = equals(block, '\\');
    uint64_t high = highs(block);
    uint64_t fault = 0, escaped = 0;

    // A backslash outside of strings counts as part of a scalar, where it is a
    // fault.
    bool has_escapes = (backslashes | c->escape | c->escapes.pending) != 0;
    if (__builtin_expect(has_escapes, 0)) {
        g->has_backslash = true;
        escaped = escaped_bytes(backslashes, &c->escape);
        c->escape = MASKED(135, c->escape);
        quotes &= ~escaped;
    }
    const uint64_t inside = prefix_xor(quotes) ^ c->in_string;
    c->in_string = MASKED(136, (uint64_t)((int64_t)inside >> 63));
    fault |= MASKED(137, controls(block) & inside);
    if (__builtin_expect(has_escapes, 0)) {
        fault |= check_escapes(&c->escapes, block, escaped);
    }
    if (__builtin_expect(high != 0, 0)) {
        fault |= MASKED(138, high & ~inside);
        fault |= MASKED(139, violates_utf8(bytes, block));
        // A byte is checked together with the one after it, so the last byte is
        // not checked yet.
        fault |= MASKED(161, (uint64_t)validation_ends_illegal(bytes + 64));
        c->in_character =
            MASKED(140, (uint64_t)json_utf8_ends_in_character(bytes + 64));
    } else {
        // The block before ended inside a character.
        fault |= MASKED(141, c->in_character);
        c->in_character = 0;
    }
    g->inside[k] = inside;
    g->quotes[k] = quotes;
    if (is_lines) g->feeds[k] = 0;
    if ((inside & ~quotes) == ~(uint64_t)0) {
        // The whole block is inside a string.
        g->blanks[k] = g->opens[k] = g->closes[k] = 0;
        g->commas[k] = g->colons[k] = 0;
        return fault;
    }
    const struct classes classes = classes_of(block, ~(inside | quotes),
                                              is_lines);
    g->blanks[k] = classes.blanks;
    if (is_lines) g->feeds[k] = classes.feeds;
    g->opens[k] = classes.opens;
    g->closes[k] = classes.closes;
    g->commas[k] = classes.commas;
    g->colons[k] = classes.colons;
    if (IS_EAGER) {
        g->objects[k] = objects(block);
        g->digits[k] = digits(block);
        g->zeros[k] = equals(block, '0');
    }
    return fault;
}

// Fills in the masks of missing blocks.
KERNEL_INLINE void fill_group(struct group *g, size_t blocks) {
    for (size_t k = blocks; k < LANES; k++) {
        g->inside[k] = g->quotes[k] = g->feeds[k] = 0;
        g->opens[k] = g->closes[k] = g->commas[k] = g->colons[k] = 0;
        g->objects[k] = g->digits[k] = g->zeros[k] = 0;
        g->blanks[k] = ~(uint64_t)0;
    }
}
