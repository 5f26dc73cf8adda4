// Private to this target: a part of proof_blocks.h. The stack of open containers.

// Goes over the brackets of a block. Bit k of `*kinds` says whether the
// innermost container before byte k is an object, bit k of `*outside` whether
// none is open. `*least` is the stack where it is smallest. Returns faults: a
// bracket of the other kind, one that closes nothing, one container too many.
//
// `top` is a stack of kinds: the innermost in bit 0, above the outermost a 1
// that stands for the bottom. At the bottom bit 0 is 1: no array claim holds.
KERNEL_INLINE uint64_t walk_brackets(struct carries *c, uint64_t opens,
                                     uint64_t closes, uint64_t objects,
                                     uint64_t *kinds, uint64_t *outside,
                                     uint64_t *least) {
    uint64_t top = c->top;
    uint64_t lowest = top;
    uint64_t inside_object = 0 - (top & 1);
    uint64_t bottom = 0 - (uint64_t)(top == 1);
    uint64_t rest = opens | closes;
    // No fault of the text, perhaps: the byte machine knows.
    uint64_t risen = proof_ones(opens), fallen = proof_ones(closes);
    uint64_t fault = MASKED(101, (uint64_t)(top >= c->full >> (risen & 63)) |
                            risen >> 6);
    // The stack is deeper than the closes of this block can take away.
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
        // More containers make a longer number.
        lowest = next < lowest ? next : lowest;
        rest &= rest - 1;
    } while (rest);
    // Below a bottom that is not the text's there are more containers.
    // (The bracket that ends them may be the last byte, which no bit is behind.)
    fault |= MASKED(104, c->has_below && (bottom != 0 || top == 1));
    if (JSON_PROOF_MUTANT != 172) c->top = top;
    c->seen |= MASKED(173, seen);
    *kinds = inside_object;
    *outside = bottom;
    *least = lowest;
    return fault;
}

// The same for all blocks of a group. Returns the blocks that have a fault.
KERNEL_INLINE uint64_t walk_blocks(struct carries *c, struct group *g,
                                   const uint8_t *bytes, size_t blocks) {
    uint64_t faulty = 0;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t kinds = 0 - (c->top & 1);
        uint64_t outside = 0 - (uint64_t)(c->top == 1);
        uint64_t least = c->top;
        if (g->opens[k] | g->closes[k]) {
            uint64_t braces;
            if (IS_EAGER) {
                braces = g->objects[k];
            } else {
                const struct vectors block = vectors_of(bytes + 64 * k);
                braces = objects(&block);
            }
            uint64_t fault = walk_brackets(c, g->opens[k], g->closes[k], braces,
                                           &kinds, &outside, &least);
            faulty |= (uint64_t)(fault != 0) << k;
            // The stack is of no use any more, and may be empty.
            if (__builtin_expect(fault != 0, 0)) return faulty;
        }
        g->kinds[k] = kinds;
        g->outside[k] = outside;
        g->least[k] = least;
    }
    for (size_t k = blocks; k < LANES; k++) {
        g->kinds[k] = 0 - (c->top & 1);
        g->outside[k] = 0 - (uint64_t)(c->top == 1);
    }
    return faulty;
}
