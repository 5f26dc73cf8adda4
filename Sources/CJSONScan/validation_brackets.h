// Private to this target: a part of validation_blocks.h. The stack of open
// containers.

// Processes the brackets of a block. Bit k of `*kinds` becomes whether the
// innermost container before byte k is an object, bit k of `*outside` whether
// no container is open there. `*min_top` becomes the lowest value of the stack.
// Returns faults: a closing bracket of the other kind, one without an opening
// bracket, or too many containers.
//
// `top` is a stack of kinds: the innermost container in bit 0, and a 1 above
// the outermost one that marks the bottom. For an empty stack bit 0 is 1, like
// for an object, so that the checks for elements of arrays fail.
KERNEL_INLINE uint64_t walk_brackets(struct carries *c, uint64_t opens,
                                     uint64_t closes, uint64_t objects,
                                     uint64_t *kinds, uint64_t *outside,
                                     uint64_t *min_top) {
    uint64_t top = c->top;
    uint64_t lowest = top;
    uint64_t inside_object = 0 - (top & 1);
    uint64_t bottom = 0 - (uint64_t)(top == 1);
    uint64_t rest = opens | closes;
    // Possibly not a fault of the text: the byte machine decides.
    uint64_t risen = validation_ones(opens), fallen = validation_ones(closes);
    uint64_t fault = MASKED(101, (uint64_t)(top >= c->full >> (risen & 63)) |
                            risen >> 6);
    // Whether the closing brackets of this block cannot empty the stack.
    bool is_deep = top >> (fallen & 63) > 1 && fallen < 64;
    do {
        uint64_t above = ~(rest ^ (rest - 1));
        uint64_t bit = rest & (0 - rest);
        uint64_t kind = (objects & bit) != 0;
        uint64_t opened = top << 1 | kind;
        uint64_t closed = top >> 1;
        bool is_open = (opens & bit) != 0;
        uint64_t next = is_open ? opened : closed;
        // A closing bracket of the other kind.
        uint64_t other = is_open ? 0 : top ^ kind;
        fault |= MASKED(102, other & 1);
        inside_object ^= (0 - ((top ^ next) & 1)) & above;
        if (!is_deep) {
            // A closing bracket without an opening one.
            fault |= MASKED(103, (uint64_t)(next == 0));
            uint64_t now_bottom = 0 - (uint64_t)(next == 1);
            bottom ^= (bottom ^ now_bottom) & above;
        }
        top = next;
        // A stack with more containers is a higher number.
        lowest = next < lowest ? next : lowest;
        rest &= rest - 1;
    } while (rest);
    // An empty stack is a fault if there are more containers below it. (The
    // bracket that empties it may be the last byte, for which `bottom` has no
    // bit.)
    fault |= MASKED(104, c->has_below && (bottom != 0 || top == 1));
    if (JSON_VALIDATION_MUTANT != 172) c->top = top;
    *kinds = inside_object;
    *outside = bottom;
    *min_top = lowest;
    return fault;
}

// Processes the brackets of all blocks of a group like walk_brackets. Returns
// the blocks that have a fault.
KERNEL_INLINE uint64_t walk_blocks(struct carries *c, struct group *g,
                                   const uint8_t *bytes, size_t blocks) {
    uint64_t faulty = 0;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t kinds = 0 - (c->top & 1);
        uint64_t outside = 0 - (uint64_t)(c->top == 1);
        uint64_t min_top = c->top;
        if (g->opens[k] | g->closes[k]) {
            uint64_t braces;
            if (IS_EAGER) {
                braces = g->objects[k];
            } else {
                const struct vectors block = vectors_of(bytes + 64 * k);
                braces = objects(&block);
            }
            uint64_t fault = walk_brackets(c, g->opens[k], g->closes[k], braces,
                                           &kinds, &outside, &min_top);
            faulty |= (uint64_t)(fault != 0) << k;
            // The stack is invalid now, and may be 0.
            if (__builtin_expect(fault != 0, 0)) return faulty;
        }
        g->kinds[k] = kinds;
        g->outside[k] = outside;
        g->min_top[k] = min_top;
    }
    for (size_t k = blocks; k < LANES; k++) {
        g->kinds[k] = 0 - (c->top & 1);
        g->outside[k] = 0 - (uint64_t)(c->top == 1);
    }
    return faulty;
}
