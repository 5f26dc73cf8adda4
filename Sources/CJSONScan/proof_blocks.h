// The block machine of the proof, over blocks of 64 bytes, some of them at once. A file that includes this says how a block becomes masks of 64 bits, one
// for each byte:
//
//     KERNEL, KERNEL_INLINE       attributes of a function, and of one inlined
//     struct vectors              the bytes of a block
//     vectors_of(bytes)           reads them
//     equals(block, byte)         where a byte stands
//     controls(block), highs(block)  below 20, above 7F
//     digits(block)               0...9
//     hex_digits(block)           0...9, A...F, a...f
//     escapable(block)            what may follow a backslash
//     in_range(block, low, high)  where a byte lies in a range below 80
//     struct classes classes_of(block, places, is_lines)   at these places only
//     objects(block)              at brackets: where it is that of an object
//     utf8_faults(bytes, block)   whether the block, with the 3 bytes before it,
//                                 breaks a rule; a cut at its end is none
//     IS_EAGER                    whether masks that few blocks need are made
//                                 for all of them, which takes a branch away
//     prefix_xor(mask)            bit k: the exclusive or of bits 0...k
//
// and what is done with masks of several blocks (`lanes` is a vector with a mask
// for each, on which the usual operators work):
//
//     LANES                       how many blocks
//     lanes_top(a)                bit k: the top bit of lane k
//     lanes_set(a)                bit k: whether lane k is not 0
//     lanes_of(bits)              lane k is 1 if bit k is set, else 0
//     lanes_before(first, a)      lane k is lane k - 1 of a; lane 0 is `first`
//
// Faults are or-ed into masks and looked at once for all blocks. What each check
// and carry is, stands beside it. The numbers are those of the mutants.
//
// ---- Why the grammar is proven
//
// Outside of strings each byte is white space, a bracket, a comma, a colon, or
// part of a scalar (whatever is none of these; scalars are checked letter by
// letter below). Call a byte an *end* if a value ends with it: a closing
// bracket, a closing quote, any byte of a scalar. The last byte before a place
// that is no white space is then one of four things, told by two masks:
//
//     may_close   it is an end or an opening bracket
//     is_item     it is a comma or an opening bracket
//
//     end: 1 0     opening bracket: 1 1     comma: 0 1     colon or start: 0 0
//
// Both are made of the same step: shift by one, then carry through runs of white
// space by an addition. With them, what may follow what is a mask each:
//
//     a value (quote, bracket, first byte of a scalar) follows no end
//     a comma follows an end
//     a closing bracket follows an end or an opening bracket
//     a colon follows a string that itself follows `{` or a comma
//
// For the last, a bit is carried by addition from such an opening quote through
// the bytes of the string and white space to the byte behind. If that is a
// colon, the string is a key, and the container must be an object. If it is not,
// and for every other value that follows a comma or an opening bracket, it must
// be an array. So every comma and every first child is checked against the kind
// of its container, and a value behind a colon needs none of it: the colon was
// checked. Kinds come from a walk over the brackets of the block, which also
// checks that they close in order, and finds where nothing is open: no comma may
// stand there, and in lines a line feed may stand only there.


#define MASKED_LANES(number, mask)                                            \
    (JSON_PROOF_MUTANT == (number) ? ((mask) ^ (mask)) : (mask))

KERNEL_INLINE uint64_t proof_ones(uint64_t bits) {
    return (uint64_t)__builtin_popcountll(bits);
}

// Four bytes of a literal, as they are read from memory.
KERNEL_INLINE uint32_t proof_word(const char *letters) {
    uint32_t word;
    memcpy(&word, letters, 4);
    return word;
}

// ---- Blocks side by side

// The masks of some blocks; those of one that is not there are all white space.
struct group {
    // The bytes of strings: the opening quote is one, the closing one is not.
    uint64_t inside[LANES], quotes[LANES];
    // Outside of strings. A line feed is white space, but not in lines.
    uint64_t blanks[LANES], feeds[LANES], opens[LANES], closes[LANES];
    uint64_t commas[LANES], colons[LANES];
    // If IS_EAGER. At brackets: where it is that of an object. Anywhere: digits,
    // and zeros.
    uint64_t objects[LANES], digits[LANES], zeros[LANES];
    // Where the innermost container is an object; where none is open.
    uint64_t kinds[LANES], outside[LANES];
    // The bytes of scalars, and the first of each; that of strings, too.
    uint64_t scalars[LANES], scalar_starts[LANES], starts[LANES];
} __attribute__((aligned(64)));

KERNEL_INLINE lanes all_of(const uint64_t masks[LANES]) {
    lanes all;
    memcpy(&all, masks, sizeof all);
    return all;
}

// Where carries enter a lane from the one before, if `leaving` are the lanes
// that send one on, and `through` those that send on what enters them: the same
// addition as within a lane, over a bit for each. `*carry` enters the first
// lane, and is then what leaves the last.
KERNEL_INLINE uint64_t enter_lanes(uint64_t leaving, uint64_t through,
                                   uint64_t *carry) {
    uint64_t entered = leaving << 1 | *carry;
    entered |= ((entered & through) + through) ^ through;
    *carry = entered >> LANES;
    return entered & ALL_LANES;
}

// Each mask moved up by a byte, across blocks. `first` is the bit of the first.
KERNEL_INLINE lanes behind(lanes marks, uint64_t first) {
    return marks << 1 | lanes_before(first << 63, marks) >> 63;
}

// Lanes of which every bit is set.
KERNEL_INLINE uint64_t lanes_whole(lanes a) {
    return lanes_set(~a) ^ ALL_LANES;
}

// Adds to each lane of `runs` some of its bits, so that they are carried up to
// the byte behind a run. `*carry` is one that enters the first lane, or leaves
// the last.
KERNEL_INLINE lanes carry_up(lanes bits, lanes runs, uint64_t *carry) {
    lanes landed = bits + runs;
    uint64_t leaving = lanes_top(runs & (bits | ~landed));
    uint64_t entered = enter_lanes(leaving, lanes_whole(runs), carry);
    return landed + lanes_of(entered);
}

// Where the last byte before, white space left out, is one of `marks`: true of
// bytes that are no white space themselves. `*carry` is the same of the byte
// behind the blocks.
KERNEL_INLINE lanes follows(lanes marks, lanes blanks, uint64_t *carry) {
    // A carry is as a mark at the byte before: it stands at the first byte, or
    // is carried up from there.
    lanes next = behind(marks, 0);
    lanes landed = carry_up(next & blanks, blanks, carry);
    *carry |= marks[LANES - 1] >> 63;
    return next | landed;
}

// ---- Escapes

// `escaped` are the bytes behind a backslash that begins an escape: after an
// escaped backslash, `u` is a letter. Digits and halves are looked at only
// behind these.
KERNEL_INLINE uint64_t check_escapes(struct escape_carries *c,
                                     struct vectors *block, uint64_t escaped) {
    uint64_t fault = MASKED(105, escaped & ~escapable(block));
    uint64_t u = escaped & equals(block, 'u');
    if (!(u | c->pending)) return fault;
    uint64_t digits_here = u << 1 | u << 2 | u << 3 | u << 4 | c->digits;
    fault |= MASKED(106, digits_here & ~hex_digits(block));
    // A half has the digit D, and 8...B (high) or C...F (low) behind it.
    uint64_t d = (u << 1 | c->first) & (equals(block, 'd') | equals(block, 'D'));
    uint64_t second = d << 1 | c->second;
    uint64_t high = second & (equals(block, '8') | equals(block, '9') |
                              in_range(block, 'A', 'B') |
                              in_range(block, 'a', 'b'));
    uint64_t low = second & (in_range(block, 'C', 'F') |
                             in_range(block, 'c', 'f'));
    // The second digits of a pair lie six bytes apart; nothing but the digits
    // of the one and the backslash, `u` and D of the other fits in between.
    fault |= MASKED(107, low ^ (high << 6 | c->low));
    c->digits = MASKED(108, u >> 63 | u >> 62 | u >> 61 | u >> 60);
    c->first = MASKED(109, u >> 63);
    c->second = MASKED(110, d >> 63);
    c->low = MASKED(111, high >> 58);
    c->pending = c->digits | c->first | c->second | c->low;
    return fault;
}

// Makes the masks of block `k` of a group, and checks what is in strings.
// Returns faults.
//
// No branch here depends on the structure of the text. Many blocks are under way
// at once, and a branch that goes wrong in a later step need not wait for
// vectors.
//
// Reads the 3 bytes before the block, if one of its bytes is above 7F.
KERNEL_INLINE uint64_t make_masks(struct carries *c, const uint8_t *bytes,
                                  bool is_lines, struct group *g, size_t k) {
    struct vectors vectors = vectors_of(bytes), *block = &vectors;
    uint64_t quotes = equals(block, '"');
    uint64_t backslashes = equals(block, '\\');
    uint64_t high = highs(block);
    uint64_t fault = 0, escaped = 0;

    // A backslash outside of strings is part of a scalar, and a fault as such.
    bool has_escapes = (backslashes | c->escape | c->escapes.pending) != 0;
    if (__builtin_expect(has_escapes, 0)) {
        escaped = proof_escaped(backslashes, &c->escape);
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
        fault |= MASKED(139, utf8_faults(bytes, block));
        // A byte is judged with the one behind it, so the last one is not yet.
        fault |= MASKED(161, (uint64_t)proof_ends_illegal(bytes + 64));
        c->cut = MASKED(140, (uint64_t)proof_ends_cut(bytes + 64));
    } else {
        // A character that the last block has begun.
        fault |= MASKED(141, c->cut);
        c->cut = 0;
    }
    g->inside[k] = inside;
    g->quotes[k] = quotes;
    if (is_lines) g->feeds[k] = 0;
    if ((inside & ~quotes) == ~(uint64_t)0) {
        // In the middle of a string there is nothing else.
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

// The masks of the blocks that are not there.
KERNEL_INLINE void fill_group(struct group *g, size_t blocks) {
    for (size_t k = blocks; k < LANES; k++) {
        g->inside[k] = g->quotes[k] = g->feeds[k] = 0;
        g->opens[k] = g->closes[k] = g->commas[k] = g->colons[k] = 0;
        g->objects[k] = g->digits[k] = g->zeros[k] = 0;
        g->blanks[k] = ~(uint64_t)0;
    }
}

// ---- Brackets

// Goes over the brackets of a block. Bit k of `*kinds` says whether the
// innermost container before byte k is an object, bit k of `*outside` whether
// none is open. Returns faults: a bracket of the other kind, one that closes
// nothing, one container too many.
//
// `top` is a stack of kinds: the innermost in bit 0, above the outermost a 1
// that stands for the bottom. At the bottom bit 0 is 1: no array claim holds.
KERNEL_INLINE uint64_t walk_brackets(struct carries *c, uint64_t opens,
                                     uint64_t closes, uint64_t objects,
                                     uint64_t *kinds, uint64_t *outside) {
    uint64_t top = c->top;
    uint64_t inside_object = 0 - (top & 1);
    uint64_t bottom = 0 - (uint64_t)(top == 1);
    uint64_t rest = opens | closes;
    // No fault of the text, perhaps: the byte machine knows.
    uint64_t risen = proof_ones(opens), fallen = proof_ones(closes);
    uint64_t fault = MASKED(101, (uint64_t)(top >= c->full >> (risen & 63)) |
                            risen >> 6);
    // Whether so many closes cannot reach the bottom.
    bool is_deep = top >> (fallen & 63) > 1 && fallen < 64;
    uint64_t seen = 0;
    do {
        uint64_t above = ~(rest ^ (rest - 1));
        uint64_t bit = rest & (0 - rest);
        uint64_t kind = (objects & bit) != 0;
        uint64_t opened = top << 1 | kind;
        uint64_t closed = top >> 1;
        bool is_open = (opens & bit) != 0;
        uint64_t next = is_open ? opened : closed;
        // A close of the other kind.
        uint64_t other = is_open ? 0 : top ^ kind;
        fault |= MASKED(102, other & 1);
        inside_object ^= (0 - ((top ^ next) & 1)) & above;
        if (!is_deep) {
            // One that closes nothing.
            fault |= MASKED(103, (uint64_t)(next == 0));
            uint64_t now_bottom = 0 - (uint64_t)(next == 1);
            bottom ^= (bottom ^ now_bottom) & above;
        }
        top = next;
        seen |= next;
        rest &= rest - 1;
    } while (rest);
    // Below a bottom that is not the text's there are more containers.
    // (The bracket that ends them may be the last byte, which no bit is behind.)
    fault |= MASKED(104, c->has_below && (bottom != 0 || top == 1));
    if (JSON_PROOF_MUTANT != 172) c->top = top;
    c->seen |= MASKED(173, seen);
    *kinds = inside_object;
    *outside = bottom;
    return fault;
}

// The same for all blocks of a group. Returns the blocks that have a fault.
KERNEL_INLINE uint64_t walk_blocks(struct carries *c, struct group *g,
                                   const uint8_t *bytes, size_t blocks) {
    uint64_t faulty = 0;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t kinds = 0 - (c->top & 1);
        uint64_t outside = 0 - (uint64_t)(c->top == 1);
        if (g->opens[k] | g->closes[k]) {
            uint64_t braces;
            if (IS_EAGER) {
                braces = g->objects[k];
            } else {
                const struct vectors block = vectors_of(bytes + 64 * k);
                braces = objects(&block);
            }
            uint64_t fault = walk_brackets(c, g->opens[k], g->closes[k], braces,
                                           &kinds, &outside);
            faulty |= (uint64_t)(fault != 0) << k;
            // The stack is of no use any more, and may be empty.
            if (__builtin_expect(fault != 0, 0)) return faulty;
        }
        g->kinds[k] = kinds;
        g->outside[k] = outside;
    }
    for (size_t k = blocks; k < LANES; k++) {
        g->kinds[k] = 0 - (c->top & 1);
        g->outside[k] = 0 - (uint64_t)(c->top == 1);
    }
    return faulty;
}

// ---- Scalars

// The literals that begin in a block; `*letters` are their bytes, and those of
// the one that began in the block before. Reads up to 4 bytes behind the block.
KERNEL_INLINE uint64_t check_literals(struct scalar_carries *c,
                                      const uint8_t *bytes, uint64_t starts,
                                      uint64_t *letters) {
    uint64_t found = c->letters, fault = 0;
    c->letters = 0;
    for (; starts; starts &= starts - 1) {
        unsigned at = (unsigned)__builtin_ctzll(starts);
        uint32_t four, alse;
        memcpy(&four, bytes + at, 4);
        memcpy(&alse, bytes + at + 1, 4);
        bool is_false = bytes[at] == 'f' && alse == proof_word("alse");
        bool is_other = four == proof_word("true") || four == proof_word("null");
        fault |= MASKED(112, (uint64_t)!(is_false | is_other));
        uint64_t length = is_false ? 0x1F : 0x0F;
        found |= length << at;
        c->letters = MASKED(113, at > 59 ? length >> (64 - at) : 0);
    }
    *letters = found;
    return fault;
}

// Exponents. `others` are the bytes of numbers that must belong to one, but for
// its digits; `behind_digits` are the places where an `e` may stand.
KERNEL_INLINE uint64_t check_exponents(struct scalar_carries *c,
                                       const struct vectors *block,
                                       uint64_t others, uint64_t digit,
                                       uint64_t behind_digits) {
    uint64_t e = (equals(block, 'e') | equals(block, 'E')) & others;
    uint64_t signs = (equals(block, '+') | equals(block, '-')) & others;
    uint64_t fault = MASKED(119, others & ~(e | signs));
    fault |= MASKED(129, e & ~behind_digits);
    uint64_t behind_e = e << 1 | c->e;
    uint64_t sign = signs & behind_e;
    fault |= MASKED(120, signs & ~sign);
    uint64_t behind_sign = sign << 1 | c->sign;
    fault |= MASKED(123, behind_sign & ~digit);
    fault |= MASKED(124, behind_e & ~sign & ~digit);
    // Where the digits end does not matter, but they are not those of an integer
    // in the next block.
    uint64_t exponent = digit & (behind_sign | (behind_e & ~sign)), end;
    bool goes_on = __builtin_add_overflow(exponent | c->exponent, digit, &end);
    c->exponent = MASKED(162, goes_on);
    c->e = MASKED(132, e >> 63);
    c->sign = MASKED(133, sign >> 63);
    c->in_exponent = c->exponent | c->e | c->sign;
    return fault;
}

// Numbers and literals. `scalars` are all bytes of scalars, `starts` the first
// of each.
//
// Of a number, a digit run is that of the integer part if it begins at the start
// or behind the minus there, of the fraction if it begins behind the point, and
// else of the exponent. To add the first bit of a run to the run sets the bit
// behind it. That is where a point may stand (integer part only) and an `e`.
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
        // Nothing of a scalar may follow a literal.
        number = scalars & ~letters;
        fault |= MASKED(117, (letters << 1 | c->literal) & number);
        c->literal = MASKED(118, letters >> 63);
    }
    // Most often only whole integers, and nothing from the block before.
    if (!((number ^ digit) | c->in_number)) {
        uint64_t behind;
        c->integer = MASKED(114, __builtin_add_overflow(starts & digit, digit,
                                                        &behind));
        uint64_t lone = starts & zero;
        fault |= MASKED(115, lone << 1 & digit);
        c->zero = MASKED(116, lone >> 63);
        c->in_number = c->integer | c->zero;
        c->pending = c->in_number | c->letters | c->literal;
        return fault;
    }
    uint64_t point = equals(block, '.') & number;
    minus &= number;
    // A minus at the start; behind it and behind a point a digit must stand.
    uint64_t lead = minus & starts;
    uint64_t behind_lead = lead << 1 | c->lead;
    uint64_t behind_point = point << 1 | c->point;
    fault |= MASKED(121, behind_lead & ~digit);
    fault |= MASKED(122, behind_point & ~digit);
    uint64_t integer = digit & (starts | behind_lead);
    uint64_t fraction = digit & behind_point;
    uint64_t lone = integer & zero;
    fault |= MASKED(125, (lone << 1 | c->zero) & digit);
    uint64_t behind_integer, behind_fraction;
    bool goes_on = __builtin_add_overflow(integer | c->integer, digit,
                                          &behind_integer);
    c->integer = MASKED(126, goes_on);
    goes_on = __builtin_add_overflow(fraction | c->fraction, digit,
                                     &behind_fraction);
    c->fraction = MASKED(127, goes_on);
    fault |= MASKED(128, point & ~behind_integer);
    c->lead = MASKED(130, lead >> 63);
    c->point = MASKED(131, point >> 63);
    c->zero = MASKED(134, lone >> 63);
    uint64_t others = number & ~(digit | lead | point);
    if (others | c->in_exponent) {
        fault |= check_exponents(c, block, others, digit,
                                 behind_integer | behind_fraction);
    }
    c->in_number = c->lead | c->point | c->zero | c->integer | c->fraction |
                   c->in_exponent;
    c->pending = c->in_number | c->letters | c->literal;
    return fault;
}

// The carries behind block `k`, of whose scalars all are whole integers without
// a minus, and which no number has entered that is not.
KERNEL_INLINE void leave_integers(struct scalar_carries *c,
                                  const struct group *g, size_t k) {
    uint64_t lone = g->scalar_starts[k] & g->zeros[k];
    c->integer = MASKED(163, g->scalars[k] >> 63);
    c->zero = MASKED(164, lone >> 63);
    c->in_number = c->integer | c->zero;
    c->pending = c->in_number;
}

// The scalars of a group. Returns the blocks that have a fault.
KERNEL_INLINE uint64_t check_blocks(struct carries *carries,
                                    struct group *g, const uint8_t *bytes,
                                    size_t blocks) {
    struct scalar_carries *c = &carries->scalars;
    uint64_t faulty = 0;
    lanes other = all_of(g->scalars);
    if (IS_EAGER) {
        // Whole integers are looked at side by side: no digit behind a zero.
        lanes digit = all_of(g->digits) & other;
        lanes lone = all_of(g->scalar_starts) & all_of(g->zeros);
        faulty = MASKED(165, lanes_set(behind(lone, 0) & digit));
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

// ---- Lengths

// How many bytes at the end of the blocks are in the token that is open there,
// as far as blocks are wholly in it (`whole`); with `length` bytes before.
KERNEL_INLINE uint64_t length_behind(uint64_t whole, uint64_t length,
                                     size_t blocks) {
    uint64_t others = ~whole & (((uint64_t)1 << blocks) - 1);
    if (others == 0) return length + 64 * blocks;
    return 64 * (blocks - 1 - (uint64_t)(63 - __builtin_clzll(others)));
}

// Whether a token may be too long that was open before the blocks. One that
// began in them is shorter than any limit.
KERNEL_INLINE bool may_be_long(uint64_t whole, uint64_t length, uint64_t limit) {
    // It begins in a block that is not counted in its length, and ends in the
    // first that is not wholly in it.
    return length + 64 * ((uint64_t)__builtin_ctzll(~whole) + 2) > limit;
}

// ---- A group

// Proves up to LANES blocks behind those that `c` comes from. Returns the blocks
// that have a fault, a bit each: 0 if there is none. Of what is behind the first
// nothing is known.
//
// Reads up to 4 bytes behind the last block.
KERNEL_INLINE uint64_t prove_group(struct carries *c, struct group *g,
                                   const uint8_t *bytes, size_t blocks,
                                   bool is_lines) {
    uint64_t faulty = 0;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t fault = make_masks(c, bytes + 64 * k, is_lines, g, k);
        faulty |= (uint64_t)(fault != 0) << k;
    }
    if (blocks < LANES) fill_group(g, blocks);
    faulty |= walk_blocks(c, g, bytes, blocks);
    if (__builtin_expect(faulty != 0, 0)) return faulty;

    const lanes inside = all_of(g->inside), quotes = all_of(g->quotes);
    const lanes blanks = all_of(g->blanks), opens = all_of(g->opens);
    const lanes closes = all_of(g->closes), commas = all_of(g->commas);
    const lanes colons = all_of(g->colons), kinds = all_of(g->kinds);
    const lanes outside = all_of(g->outside);
    const lanes feeds = is_lines ? all_of(g->feeds) : colons ^ colons;

    const lanes strings = inside | quotes;
    const lanes string_starts = quotes & inside;
    const lanes scalars =
        ~(strings | blanks | feeds | opens | closes | commas | colons);
    const lanes scalar_starts = scalars & ~behind(scalars, c->scalar);
    const lanes starts = string_starts | scalar_starts;
    memcpy(g->scalars, &scalars, sizeof scalars);
    memcpy(g->scalar_starts, &scalar_starts, sizeof scalar_starts);
    memcpy(g->starts, &starts, sizeof starts);
    c->scalar = MASKED(144, g->scalars[blocks - 1] >> 63);

    // What may follow what.
    const lanes ends = closes | (quotes & ~inside) | scalars;
    const lanes may_close = follows(ends | opens, blanks, &c->close);
    const lanes is_item = follows(commas | opens, blanks, &c->item);
    c->close = MASKED(145, c->close);
    c->item = MASKED(146, c->item);
    const lanes behind_end = may_close & ~is_item;
    lanes fault = MASKED_LANES(147, (starts | opens) & behind_end);
    fault |= MASKED_LANES(148, commas & ~behind_end);
    fault |= MASKED_LANES(149, closes & ~may_close);

    // From quotes behind `{`, `[` and commas to the byte behind the string.
    const lanes runs = strings | blanks;
    const lanes behind_item_string =
        carry_up(string_starts & is_item, runs, &c->key) & ~runs;
    c->key = MASKED(150, c->key);
    fault |= MASKED_LANES(151, colons & ~behind_item_string);
    // What only an array has.
    const lanes elements = (behind_item_string & ~colons) |
                           ((scalar_starts | opens) & is_item);
    fault |= MASKED_LANES(152, colons & ~kinds);
    fault |= MASKED_LANES(153, elements & kinds);
    fault |= MASKED_LANES(154, commas & outside);
    if (is_lines) {
        fault |= MASKED_LANES(157, feeds & ~outside);
        fault |= MASKED_LANES(158, feeds & is_item);
    }
    faulty |= lanes_set(fault);
    faulty |= check_blocks(c, g, bytes, blocks);

    // Lengths. A limit is more than a token can have that begins here and ends
    // here; see LEAST_LIMIT.
    const uint64_t all_blocks = ((uint64_t)1 << blocks) - 1;
    const uint64_t texts = lanes_whole(inside & ~quotes) & all_blocks;
    if (texts | c->text_length) {
        bool is_key = c->was_key & c->was_top;
        faulty |= MASKED(142, (uint64_t)may_be_long(
                                  texts, c->text_length,
                                  is_key ? c->key_limit : c->text_limit))
                  << (blocks - 1);
        c->text_length =
            MASKED(166, length_behind(texts, c->text_length, blocks));
    }
    const uint64_t numbers = lanes_whole(scalars);
    if (numbers | c->scalar_length) {
        faulty |= MASKED(155, (uint64_t)may_be_long(numbers, c->scalar_length,
                                                    c->number_limit))
                  << (blocks - 1);
        c->scalar_length =
            MASKED(167, length_behind(numbers, c->scalar_length, blocks));
    }
    if (is_lines) {
        faulty |= MASKED(156, (uint64_t)(c->line_length + 64 * blocks >
                                         c->line_limit))
                  << (blocks - 1);
        c->line_length = MASKED(168, c->line_length + 64 * blocks);
        for (uint64_t left = lanes_set(feeds); left; left &= left - 1) {
            size_t k = (size_t)__builtin_ctzll(left);
            c->lines += MASKED(170, proof_ones(g->feeds[k]));
            c->records += MASKED(171, proof_ones(g->feeds[k] & behind_end[k]));
            c->line_length =
                MASKED(169, (uint64_t)__builtin_clzll(g->feeds[k]) +
                                64 * (blocks - 1 - k));
        }
    }
    return faulty;
}

// ---- A run of blocks

enum {
    // Groups between two copies of the carries, at most: those behind a copy are
    // proven again, byte by byte, if one has a fault.
    PROOF_BATCH = 8,
    // What must stand behind a block: the last bytes of a literal.
    PROOF_BEHIND = 8,
    // What must stand before the first one: the start of a character.
    PROOF_BEFORE = 4,
};

// Proves blocks from a state that `json_proof_enter` takes. Returns how many
// bytes are proven. `*faulty` is 0 if these are all whole blocks, and else how
// many bytes more hold the fault.
static KERNEL inline __attribute__((always_inline)) size_t
prove_blocks(struct json_proof *state, const uint8_t *bytes, size_t count,
             bool is_lines, size_t *faulty) {
    const uint64_t base = state->offset;
    struct carries c;
    json_proof_enter(state, &c);
    uint64_t token = state->token_start;
    const size_t blocks = (count - PROOF_BEHIND) / 64;
    size_t done = 0, batch = 1;
    // What a block has none of may be left as it was.
    struct group g;
    memset(&g, 0, sizeof g);
    *faulty = 0;
    while (done < blocks && *faulty == 0) {
        const struct carries saved = c;
        const size_t start = done;
        uint64_t last_token = token;
        for (size_t n = 0; n < batch && done < blocks; n++) {
            size_t most = blocks - done < LANES ? blocks - done : LANES;
            c.was_key = c.key;
            c.was_top = c.top;
            uint64_t found =
                prove_group(&c, &g, bytes + done * 64, most, is_lines);
            // A high half of which the next bytes show that no low one follows:
            // the fault would lie before the state.
            if (__builtin_expect(c.escapes.low != 0, 0)) {
                found |= MASKED(159, (uint64_t)!json_proof_can_await(&c))
                         << (most - 1);
            }
            if (__builtin_expect(found != 0, 0)) {
                *faulty = 64 * (done - start + 1 +
                                (size_t)__builtin_ctzll(found));
                break;
            }
            const uint64_t started = lanes_set(all_of(g.starts));
            if (started) {
                size_t k = 63 - (size_t)__builtin_clzll(started);
                last_token = base + (done + k) * 64 + 63 -
                             (uint64_t)__builtin_clzll(g.starts[k]);
            }
            done += most;
        }
        if (__builtin_expect(*faulty != 0, 0)) {
            c = saved;
            done = start;
            break;
        }
        token = last_token;
        batch = batch < PROOF_BATCH ? batch * 2 : PROOF_BATCH;
    }
    json_proof_leave(state, &c, bytes, done * 64, token);
    return done * 64;
}

static KERNEL size_t prove_document_blocks(struct json_proof *state,
                                           const uint8_t *bytes, size_t count,
                                           size_t *faulty) {
    return prove_blocks(state, bytes, count, false, faulty);
}

static KERNEL size_t prove_line_blocks(struct json_proof *state,
                                       const uint8_t *bytes, size_t count,
                                       size_t *faulty) {
    return prove_blocks(state, bytes, count, true, faulty);
}

static size_t prove(struct json_proof *state, const uint8_t *bytes,
                    size_t count) {
    return json_proof_run_blocks(state, bytes, count, prove_document_blocks,
                                 prove_line_blocks);
}
