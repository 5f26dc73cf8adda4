// Private to this target: a part of proof_blocks.h. The blocks of a group side by
// side, and how a bit is carried up through them.

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

// The masks of some blocks; those of one that is not there are all white space.
struct group {
    // The bytes of strings: the opening quote is one, the closing one is not.
    uint64_t inside[LANES], quotes[LANES];
    // Outside of strings. A line feed is white space, but not in lines.
    uint64_t blanks[LANES], feeds[LANES], opens[LANES], closes[LANES];
    uint64_t commas[LANES], colons[LANES];
    // If IS_EAGER. Which brackets are { or }, and elsewhere anything; digits and
    // zeros.
    uint64_t objects[LANES], digits[LANES], zeros[LANES];
    // Where the innermost container is an object; where none is open.
    uint64_t kinds[LANES], outside[LANES];
    // The stack of kinds where the fewest containers are open.
    uint64_t least[LANES];
    // The bytes of scalars, the first byte of each scalar, and the first byte of
    // each scalar or string.
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

// The lanes whose bits are all set.
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
