// Private to this target: a part of validation_blocks.h. Numbers and literals.

// Checks the literals that begin in a block. `*letters` becomes their bytes,
// and the bytes of a literal that began in the block before. Reads up to 4
// bytes after the block.
KERNEL_INLINE uint64_t check_literals(struct scalar_carries *c,
                                      const uint8_t *bytes, uint64_t starts,
                                      uint64_t *letters) {
    uint64_t found = c->letters, fault = 0;
    c->letters = 0;
    for (; starts; starts &= starts - 1) {
        unsigned at = (unsigned)__builtin_ctzll(starts);
        uint32_t first_four, next_four;
        memcpy(&first_four, bytes + at, 4);
        memcpy(&next_four, bytes + at + 1, 4);
        bool is_false =
            bytes[at] == 'f' && next_four == validation_four_bytes("alse");
        bool is_other = first_four == validation_four_bytes("true") ||
                        first_four == validation_four_bytes("null");
        fault |= MASKED(112, (uint64_t)!(is_false | is_other));
        uint64_t length = is_false ? 0x1F : 0x0F;
        found |= length << at;
        c->letters = MASKED(113, at > 59 ? length >> (64 - at) : 0);
    }
    *letters = found;
    return fault;
}

// Checks exponents. `others` are the bytes of numbers that must belong to an
// exponent, without its digits; `after_digits` are the bytes that may be an
// `e`.
KERNEL_INLINE uint64_t check_exponents(struct scalar_carries *c,
                                       const struct vectors *block,
                                       uint64_t others, uint64_t digit,
                                       uint64_t after_digits) {
    uint64_t e = (equals(block, 'e') | equals(block, 'E')) & others;
    uint64_t signs = (equals(block, '+') | equals(block, '-')) & others;
    uint64_t fault = MASKED(119, others & ~(e | signs));
    fault |= MASKED(129, e & ~after_digits);
    uint64_t after_e = e << 1 | c->e;
    uint64_t sign = signs & after_e;
    fault |= MASKED(120, signs & ~sign);
    uint64_t after_sign = sign << 1 | c->sign;
    fault |= MASKED(123, after_sign & ~digit);
    fault |= MASKED(124, after_e & ~sign & ~digit);
    // The end of the digits is irrelevant. The carry is needed because digits
    // in the next block belong to the exponent, not to an integer.
    uint64_t exponent = digit & (after_sign | (after_e & ~sign)), end;
    bool goes_on = __builtin_add_overflow(exponent | c->exponent, digit, &end);
    c->exponent = MASKED(162, goes_on);
    c->e = MASKED(132, e >> 63);
    c->sign = MASKED(133, sign >> 63);
    c->in_exponent = c->exponent | c->e | c->sign;
    return fault;
}

// Checks numbers and literals. `scalars` are all bytes of scalars, `starts` the
// first byte of each.
//
// A run of digits in a number is the integer part if it begins at the start or
// after the minus there, the fraction if it begins after the point, and
// otherwise the exponent. Adding the first bit of a run to the run sets the
// bit after it. That byte may be a point (after the integer part only) or an
// `e`.
KERNEL_INLINE uint64_t check_scalars(struct scalar_carries *c,
                                     const uint8_t *bytes, uint64_t scalars,
                                     uint64_t starts, uint64_t all_digits,
                                     uint64_t zero) {
    const struct vectors vectors = vectors_of(bytes), *block = &vectors;
    uint64_t digit = all_digits & scalars;
    uint64_t number = scalars;
    uint64_t fault = 0;
    uint64_t minus = 0;
    if ((scalars ^ digit) | c->pending) {
        minus = equals(block, '-') & scalars;
        uint64_t letters;
        fault = check_literals(c, bytes, starts & ~digit & ~minus, &letters);
        // No byte of a scalar may follow a literal.
        number = scalars & ~letters;
        fault |= MASKED(117, (letters << 1 | c->literal) & number);
        c->literal = MASKED(118, letters >> 63);
    }
    // The most frequent case: only integers without a sign, and no carry of a
    // number from the block before.
    if (!((number ^ digit) | c->in_number)) {
        uint64_t after;
        c->integer = MASKED(114, __builtin_add_overflow(starts & digit, digit,
                                                        &after));
        uint64_t lone = starts & zero;
        fault |= MASKED(115, lone << 1 & digit);
        c->zero = MASKED(116, lone >> 63);
        c->in_number = c->integer | c->zero;
        c->pending = c->in_number | c->letters | c->literal;
        return fault;
    }
    uint64_t point = equals(block, '.') & number;
    minus &= number;
    // A minus at the start. A digit must follow it, and a point.
    uint64_t lead = minus & starts;
    uint64_t after_lead = lead << 1 | c->lead;
    uint64_t after_point = point << 1 | c->point;
    fault |= MASKED(121, after_lead & ~digit);
    fault |= MASKED(122, after_point & ~digit);
    uint64_t integer = digit & (starts | after_lead);
    uint64_t fraction = digit & after_point;
    uint64_t lone = integer & zero;
    fault |= MASKED(125, (lone << 1 | c->zero) & digit);
    uint64_t after_integer, after_fraction;
    bool goes_on = __builtin_add_overflow(integer | c->integer, digit,
                                          &after_integer);
    c->integer = MASKED(126, goes_on);
    goes_on = __builtin_add_overflow(fraction | c->fraction, digit,
                                     &after_fraction);
    c->fraction = MASKED(127, goes_on);
    fault |= MASKED(128, point & ~after_integer);
    c->lead = MASKED(130, lead >> 63);
    c->point = MASKED(131, point >> 63);
    c->zero = MASKED(134, lone >> 63);
    uint64_t others = number & ~(digit | lead | point);
    if (others | c->in_exponent) {
        fault |= check_exponents(c, block, others, digit,
                                 after_integer | after_fraction);
    }
    c->in_number = c->lead | c->point | c->zero | c->integer | c->fraction |
                   c->in_exponent;
    c->pending = c->in_number | c->letters | c->literal;
    return fault;
}

// Sets the carries after block `k`, whose scalars are all integers without a
// minus, and which no other number has entered.
KERNEL_INLINE void leave_integers(struct scalar_carries *c,
                                  const struct group *g, size_t k) {
    uint64_t lone = g->scalar_starts[k] & g->zeros[k];
    c->integer = MASKED(163, g->scalars[k] >> 63);
    c->zero = MASKED(164, lone >> 63);
    c->in_number = c->integer | c->zero;
    c->pending = c->in_number;
}

// Checks the scalars of a group. Returns the blocks that have a fault.
KERNEL_INLINE uint64_t check_blocks(struct carries *carries,
                                    struct group *g, const uint8_t *bytes,
                                    size_t blocks) {
    struct scalar_carries *c = &carries->scalars;
    uint64_t faulty = 0;
    lanes other = all_of(g->scalars);
    if (IS_EAGER) {
        // Checks the integers of all blocks in parallel: no digit may follow a
        // leading zero.
        lanes digit = all_of(g->digits) & other;
        lanes lone = all_of(g->scalar_starts) & all_of(g->zeros);
        faulty = MASKED(165, lanes_set(shift_up(lone, 0) & digit));
        other ^= digit;
    }
    uint64_t left = lanes_set(other) | (c->pending != 0);
    uint64_t done = 0;
    while (left) {
        size_t k = (size_t)__builtin_ctzll(left);
        left &= left - 1;
        if (IS_EAGER && k > 0 && !(done >> (k - 1) & 1)) {
            leave_integers(c, g, k - 1);
        }
        if (!IS_EAGER) {
            const struct vectors block = vectors_of(bytes + 64 * k);
            g->digits[k] = digits(&block);
            g->zeros[k] = equals(&block, '0');
        }
        uint64_t fault = check_scalars(c, bytes + 64 * k, g->scalars[k],
                                       g->scalar_starts[k], g->digits[k],
                                       g->zeros[k]);
        faulty |= (uint64_t)(fault != 0) << k;
        done |= (uint64_t)1 << k;
        if (c->pending && k + 1 < blocks) left |= (uint64_t)2 << k;
    }
    if (IS_EAGER && !(done >> (blocks - 1) & 1)) {
        leave_integers(c, g, blocks - 1);
    }
    return faulty;
}
