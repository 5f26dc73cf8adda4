// Private to this target: a part of validation_blocks.h. The masks of a group
// of blocks, and the operations that carry a bit up through all of them.

#define MASKED_LANES(number, mask)                                            \
    (JSON_VALIDATION_MUTANT == (number) ? ((mask) ^ (mask)) : (mask))

KERNEL_INLINE uint64_t validation_ones(uint64_t bits) {
    return (uint64_t)__builtin_popcountll(bits);
}

// Returns four bytes of a literal as an integer in the byte order of memory.
KERNEL_INLINE uint32_t validation_four_bytes(const char *letters) {
    uint32_t word;
    memcpy(&word, letters, 4);
    return word;
}

// The masks of up to LANES blocks. A missing block consists of white space.
struct group {
    // The bytes of strings, including the opening quote but not the closing
    // one.
    uint64_t inside[LANES], quotes[LANES];
    // Outside of strings. A line feed is white space, except in lines.
    uint64_t blanks[LANES], feeds[LANES], opens[LANES], closes[LANES];
    uint64_t commas[LANES], colons[LANES];
    // If IS_EAGER. The brackets that are { or }, unspecified for other bytes;
    // digits; zeros.
    uint64_t objects[LANES], digits[LANES], zeros[LANES];
    // For each byte: whether the innermost container before it is an object,
    // and whether no container is open before it.
    uint64_t kinds[LANES], outside[LANES];
    // The stack of kinds with the fewest containers in the block.
    uint64_t min_top[LANES];
    // The bytes of scalars, the first byte of each scalar, and the first byte
    // of each scalar or string.
    uint64_t scalars[LANES], scalar_starts[LANES], starts[LANES];
    bool has_backslash;
} __attribute__((aligned(64)));

KERNEL_INLINE lanes all_of(const uint64_t masks[LANES]) {
    lanes all;
    memcpy(&all, masks, sizeof all);
    return all;
}

// Returns the lanes that a carry enters from the lane before. `leaving` are
// the lanes that produce a carry, and `through` the lanes that propagate one:
// the same addition as within a lane, with one bit for each lane. `*carry`
// enters the first lane, and becomes the carry out of the last one.
KERNEL_INLINE uint64_t enter_lanes(uint64_t leaving, uint64_t through,
                                   uint64_t *carry) {
    uint64_t entered = leaving << 1 | *carry;
    entered |= ((entered & through) + through) ^ through;
    *carry = entered >> LANES;
    return entered & ALL_LANES;
}

// Shifts the masks up by one byte, across blocks. `first` is the new lowest
// bit.
KERNEL_INLINE lanes shift_up(lanes marks, uint64_t first) {
    return marks << 1 | lanes_before(first << 63, marks) >> 63;
}

// Returns the lanes whose bits are all set.
KERNEL_INLINE uint64_t lanes_whole(lanes a) {
    return lanes_set(~a) ^ ALL_LANES;
}

// Adds `bits`, a subset of `runs`, to `runs`, so that each bit is carried up to
// the byte after its run. `*carry` enters the first lane, and becomes the carry
// out of the last one.
KERNEL_INLINE lanes carry_up(lanes bits, lanes runs, uint64_t *carry) {
    lanes landed = bits + runs;
    uint64_t leaving = lanes_top(runs & (bits | ~landed));
    uint64_t entered = enter_lanes(leaving, lanes_whole(runs), carry);
    return landed + lanes_of(entered);
}

// Returns the bytes that follow a byte of `marks`, with only white space
// between the two. The result is meaningful only for bytes that are not white
// space. `*carry` is the result for the first byte, and becomes the result for
// the byte after the blocks.
KERNEL_INLINE lanes follows(lanes marks, lanes blanks, uint64_t *carry) {
    // A carry has the effect of a mark at the byte before the blocks: it
    // applies to the first byte, or is carried up from there.
    lanes next = shift_up(marks, 0);
    lanes landed = carry_up(next & blanks, blanks, carry);
    *carry |= marks[LANES - 1] >> 63;
    return next | landed;
}
