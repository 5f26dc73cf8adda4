// The block machine of the proof, over blocks of 64 bytes. A file that includes
// this says how a block becomes masks of 64 bits, one for each byte:
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
// Faults of a block are or-ed into one mask and looked at once. What each check
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


KERNEL_INLINE uint64_t proof_ones(uint64_t bits) {
    return (uint64_t)__builtin_popcountll(bits);
}

// Four bytes of a literal, as they are read from memory.
KERNEL_INLINE uint32_t proof_word(const char *letters) {
    uint32_t word;
    memcpy(&word, letters, 4);
    return word;
}

// The last byte before each place that is no white space is one of `marks`:
// true where there is no white space. `*carry` is the same for the byte behind
// the block.
KERNEL_INLINE uint64_t follows(uint64_t marks, uint64_t blanks, uint64_t *carry,
                               unsigned number) {
    uint64_t behind = marks << 1 | *carry;
    uint64_t landed;
    bool leaves = __builtin_add_overflow(behind & blanks, blanks, &landed);
    *carry = MASKED(number, marks >> 63 | (uint64_t)leaves);
    return behind | landed;
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
    fault |= MASKED(104, c->has_below && bottom != 0);
    c->top = top;
    c->seen |= seen;
    *kinds = inside_object;
    *outside = bottom;
    return fault;
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

// Numbers and literals. `scalars` are all bytes of scalars, `starts` the first
// of each.
//
// Of a number, a digit run is that of the integer part if it begins at the start
// or behind the minus there, of the fraction if it begins behind the point, and
// else of the exponent. To add the first bit of a run to the run sets the bit
// behind it. That is where a point may stand (integer part only) and an `e`.
KERNEL_INLINE uint64_t check_scalars(struct scalar_carries *c,
                                     const uint8_t *bytes, uint64_t scalars,
                                     uint64_t starts, uint64_t all_digits) {
    const struct vectors vectors = vectors_of(bytes), *block = &vectors;
    uint64_t digit = all_digits & scalars;
    uint64_t zero = equals(block, '0');
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
    uint64_t plus = equals(block, '+') & number;
    uint64_t point = equals(block, '.') & number;
    uint64_t e = (equals(block, 'e') | equals(block, 'E')) & number;
    minus &= number;
    fault |= MASKED(119, number & ~(digit | minus | plus | point | e));
    // A minus at the start; a sign behind an `e`.
    uint64_t lead = minus & starts;
    uint64_t behind_e = e << 1 | c->e;
    uint64_t sign = (minus | plus) & behind_e;
    fault |= MASKED(120, (minus | plus) & ~(lead | sign));
    // Behind these a digit must stand.
    uint64_t behind_lead = lead << 1 | c->lead;
    uint64_t behind_point = point << 1 | c->point;
    uint64_t behind_sign = sign << 1 | c->sign;
    fault |= MASKED(121, behind_lead & ~digit);
    fault |= MASKED(122, behind_point & ~digit);
    fault |= MASKED(123, behind_sign & ~digit);
    fault |= MASKED(124, behind_e & ~sign & ~digit);
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
    fault |= MASKED(129, e & ~(behind_integer | behind_fraction));
    c->lead = MASKED(130, lead >> 63);
    c->point = MASKED(131, point >> 63);
    c->e = MASKED(132, e >> 63);
    c->sign = MASKED(133, sign >> 63);
    c->zero = MASKED(134, lone >> 63);
    c->in_number = c->lead | c->point | c->e | c->sign | c->zero | c->integer |
                   c->fraction;
    c->pending = c->in_number | c->letters | c->literal;
    return fault;
}

// ---- A block

// What a block is made of, all outside of strings but for the first two.
struct masks {
    // The bytes of strings: the opening quote is one, the closing one is not.
    uint64_t inside, quotes;
    struct classes classes;
    // At brackets: where it is that of an object. Digits, in strings too.
    uint64_t objects, digits;
    uint64_t fault;
};

// Makes the masks of a block, and checks what is in strings. No branch here
// depends on the structure of the text; that is why it is a step of its own:
// many blocks are under way at once, and a branch that goes wrong in the step
// behind need not wait for vectors.
//
// Reads the 3 bytes before the block, if one of its bytes is above 7F.
KERNEL_INLINE void make_masks(struct carries *c, const uint8_t *bytes,
                              bool is_lines, struct masks *m) {
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
    m->inside = inside;
    m->quotes = quotes;
    m->fault = fault;
    // In the middle of a string nothing else is asked.
    if ((inside & ~quotes) == ~(uint64_t)0) return;
    m->classes = classes_of(block, ~(inside | quotes), is_lines);
    if (IS_EAGER) {
        m->objects = objects(block);
        m->digits = digits(block);
    }
}

KERNEL_INLINE uint64_t objects_in(const struct masks *m, const uint8_t *bytes) {
    if (IS_EAGER) return m->objects;
    const struct vectors block = vectors_of(bytes);
    return objects(&block);
}

KERNEL_INLINE uint64_t digits_in(const struct masks *m, const uint8_t *bytes) {
    if (IS_EAGER) return m->digits;
    const struct vectors block = vectors_of(bytes);
    return digits(&block);
}

// Proves a block behind the one that `c` comes from. Returns faults: 0 if there
// is none. `*starts` becomes the first bytes of strings and scalars.
//
// Reads up to 4 bytes behind the block.
KERNEL_INLINE uint64_t prove_block(struct carries *c, const uint8_t *bytes,
                                   const struct masks *m, bool is_lines,
                                   uint64_t *starts) {
    const uint64_t inside = m->inside, quotes = m->quotes;
    uint64_t fault = m->fault;

    // Nothing else can be wrong in the middle of a string. The carries below are
    // those of its first bytes; they stay.
    if ((inside & ~quotes) == ~(uint64_t)0) {
        c->text_length += 64;
        // It ends in the block behind at the earliest, so it may be two blocks
        // longer.
        fault |= MASKED(142, (uint64_t)(c->text_length + 128 >
                                        (c->key & c->top & 1 ? c->key_limit
                                                             : c->text_limit)));
        if (is_lines) {
            c->line_length += 64;
            fault |= MASKED(143, (uint64_t)(c->line_length > c->line_limit));
        }
        *starts = 0;
        return fault;
    }
    c->text_length = 0;

    const uint64_t strings = inside | quotes;
    const struct classes k = m->classes;
    const uint64_t scalars = ~(strings | k.blanks | k.opens | k.closes |
                               k.commas | k.colons | k.feeds);
    const uint64_t string_starts = quotes & inside;
    const uint64_t scalar_starts = scalars & ~(scalars << 1 | c->scalar);
    c->scalar = MASKED(144, scalars >> 63);
    *starts = string_starts | scalar_starts;

    // What may follow what.
    const uint64_t ends = k.closes | (quotes & ~inside) | scalars;
    const uint64_t may_close = follows(ends | k.opens, k.blanks, &c->close, 145);
    const uint64_t is_item =
        follows(k.commas | k.opens, k.blanks, &c->item, 146);
    const uint64_t behind_end = may_close & ~is_item;
    fault |= MASKED(147, (*starts | k.opens) & behind_end);
    fault |= MASKED(148, k.commas & ~behind_end);
    fault |= MASKED(149, k.closes & ~may_close);

    // From quotes behind `{`, `[` and commas to the byte behind the string.
    const uint64_t runs = strings | k.blanks;
    uint64_t landed;
    bool leaves = __builtin_add_overflow((string_starts & is_item) | c->key,
                                         runs, &landed);
    c->key = MASKED(150, leaves);
    const uint64_t behind_item_string = landed & ~runs;
    fault |= MASKED(151, k.colons & ~behind_item_string);
    // What only an array has.
    const uint64_t elements = (behind_item_string & ~k.colons) |
                              ((scalar_starts | k.opens) & is_item);

    uint64_t kinds, outside;
    if (k.opens | k.closes) {
        fault |= walk_brackets(c, k.opens, k.closes, objects_in(m, bytes),
                               &kinds, &outside);
    } else {
        kinds = 0 - (c->top & 1);
        outside = 0 - (uint64_t)(c->top == 1);
    }
    fault |= MASKED(152, k.colons & ~kinds);
    fault |= MASKED(153, elements & kinds);
    fault |= MASKED(154, k.commas & outside);

    if (scalars | c->scalars.pending) {
        fault |= check_scalars(&c->scalars, bytes, scalars,
                               scalar_starts, digits_in(m, bytes));
        if (__builtin_expect(scalars == ~(uint64_t)0, 0)) {
            c->scalar_length += 64;
            fault |= MASKED(155, (uint64_t)(c->scalar_length + 128 >
                                            c->number_limit));
        } else {
            c->scalar_length = 0;
        }
    }

    if (is_lines) {
        c->line_length += 64;
        // The byte machine knows which line it is that is too long.
        fault |= MASKED(156, (uint64_t)(c->line_length > c->line_limit));
        if (k.feeds) {
            fault |= MASKED(157, k.feeds & ~outside);
            fault |= MASKED(158, k.feeds & is_item);
            c->lines += proof_ones(k.feeds);
            c->records += proof_ones(k.feeds & behind_end);
            c->line_length = (uint64_t)__builtin_clzll(k.feeds);
        }
    }
    return fault;
}

// ---- A run of blocks

enum {
    // Blocks between two copies of the carries, at most: those behind a copy are
    // proven again, byte by byte, if one has a fault.
    PROOF_BATCH = 32,
    // More of them if the last ends between the halves of a pair.
    PROOF_LONGEST_BATCH = 40,
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
    size_t done = 0, batch = 2;
    uint64_t starts[PROOF_LONGEST_BATCH];
    struct masks masks[PROOF_LONGEST_BATCH];
    *faulty = 0;
    while (done < blocks) {
        const struct carries saved = c;
        const uint8_t *from = bytes + done * 64;
        size_t most = blocks - done < batch ? blocks - done : batch;
        size_t n = 0;
        uint64_t fault = 0;
        for (;;) {
            make_masks(&c, from + n * 64, is_lines, &masks[n]);
            n++;
            if (n < most) continue;
            // A high half of which nothing shows yet that a low one follows: a
            // fault would lie before the state.
            if (__builtin_expect(c.escapes.low == 0, 1)) break;
            if (done + n == blocks || n == PROOF_LONGEST_BATCH) {
                fault = MASKED(159, (uint64_t)!json_proof_can_await(&c));
                break;
            }
        }
        for (size_t k = 0; k < n; k++) {
            fault |= prove_block(&c, from + k * 64, &masks[k], is_lines,
                                 &starts[k]);
            if (__builtin_expect(fault != 0, 0)) {
                n = k + 1;
                break;
            }
        }
        if (__builtin_expect(fault != 0, 0)) {
            c = saved;
            *faulty = n * 64;
            break;
        }
        for (size_t k = n; k > 0; k--) {
            if (starts[k - 1] == 0) continue;
            token = base + (done + k) * 64 - 1 -
                    (uint64_t)__builtin_clzll(starts[k - 1]);
            break;
        }
        done += n;
        batch = batch * 2 < PROOF_BATCH ? batch * 2 : PROOF_BATCH;
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
