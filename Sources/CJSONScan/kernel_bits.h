// Private to this target: operations on masks of 64 bytes, for every kernel
// that works in blocks. A file that includes this defines KERNEL_INLINE and
// includes the intrinsics first.

// Returns a mask whose bit k is the exclusive or of bits 0...k.
KERNEL_INLINE uint64_t prefix_xor(uint64_t bits) {
#if defined(__x86_64__)
    // A carry-less multiplication by all ones adds up, without carries, each
    // bit and all lower bits.
    __m128i product = _mm_clmulepi64_si128(
        _mm_set_epi64x(0, (long long)bits), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
#elif defined(__ARM_FEATURE_AES)
    return (uint64_t)vmull_p64((poly64_t)bits, (poly64_t) ~(uint64_t)0);
#else
    for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
#endif
}

// Returns the bytes that a backslash escapes. `*carry` is 1 if the byte before
// the block is an escaping backslash; it becomes 1 if the last byte of the
// block is one.
//
// The byte after a run of backslashes is escaped if the length of the run is
// odd: the run starts at an even index and the byte is at an odd one, or vice
// versa. Adding the first bit of a run to the run carries into the bit after
// it.
KERNEL_INLINE uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry) {
    uint64_t first = *carry;
    backslashes &= ~first;
    uint64_t after = backslashes << 1 | first;
    const uint64_t even = 0x5555555555555555;
    uint64_t odd_starts = backslashes & ~even & ~after;
    uint64_t ends;
    *carry = __builtin_add_overflow(odd_starts, backslashes, &ends);
    return (even ^ (ends << 1)) & after;
}
