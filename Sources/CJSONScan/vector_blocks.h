// Private to this target: blocks of 64 bytes as vectors, and the functions that
// convert a block to a mask, with one bit for each byte. A file that includes
// this includes the vectors of an instruction set first (vectors_avx2.h):
//
//     KERNEL, KERNEL_INLINE     attributes of functions, and of inlined ones
//     VERSION, VERSION_NAME, VERSION_LEVEL   names of the instruction set
//     IS_AVX512                 defined for AVX-512 only
//     vector, VECTOR            a vector, and the number of its bytes
//     marks                     one mark for each byte: the result of a
//                               comparison
//     load, store, splat        from and to memory; one value in each byte
//     lookup(table, v)          the entry for the low half of each byte; for a
//                               byte of 80 or more also 0
//     high_halves(v)            the high half of each byte
//     minus(v, byte), minus_or_0(v, byte)    modulo 256, and with the minimum 0
//     lower(a, b)               the lower one of each pair of bytes
//     equal(a, b), at_most(v, limit), nonzero(v), have_high(v), have_bit_5(v)
//                               marks: bytes that are equal, at most a limit,
//                               not 0, above 7F, or have bit 5
//     has_nonzero(v), has_mark(m)            whether there is such a byte
//     bits_of(m)                a mask with BITS_PER_OFFSET bits for each byte;
//                               at most the lowest of them is set
//     bits_of_block(m)          a mask with one bit for each byte of a block
//
// Vectors and marks support the operators & | ^ ~.

#include "kernel_bits.h"

enum { PARTS = 64 / VECTOR };

struct vectors {
    vector part[PARTS];
};

KERNEL_INLINE struct vectors vectors_of(const uint8_t *bytes) {
    struct vectors block;
    for (int k = 0; k < PARTS; k++) block.part[k] = load(bytes + VECTOR * k);
    return block;
}

// Returns the mask of the marks that a step makes of each vector `v` of a block.
#define BITS(step)                                                            \
    marks all[PARTS];                                                         \
    for (int k = 0; k < PARTS; k++) {                                         \
        const vector v = block->part[k];                                      \
        all[k] = (step);                                                      \
    }                                                                         \
    return bits_of_block(all)

KERNEL_INLINE uint64_t equals(const struct vectors *block, uint8_t byte) {
    BITS(equal(v, splat(byte)));
}

// Returns the opening or closing brackets, which differ from braces only in
// bit 5.
KERNEL_INLINE uint64_t brackets(const struct vectors *block, uint8_t brace) {
    BITS(equal(v | splat(0x20), splat(brace)));
}

// Returns the brackets that are { or }; unspecified for other bytes.
KERNEL_INLINE uint64_t objects(const struct vectors *block) {
    BITS(have_bit_5(v));
}

KERNEL_INLINE uint64_t blanks(const struct vectors *block) {
    BITS(equal(lookup(json_whitespace_by_low, v), v));
}

KERNEL_INLINE vector by_low(const uint8_t table[16], vector v) {
    return lookup(table, v & splat(0x0F));
}

KERNEL_INLINE vector by_high(const uint8_t table[16], vector v) {
    return lookup(table, high_halves(v));
}

// Returns non-zero bytes where `current`, loaded from `bytes`, violates UTF-8
// together with the 3 bytes before it. Does not detect a truncated sequence at
// its end.
KERNEL_INLINE vector utf8_faults(const uint8_t *bytes, vector current) {
    const vector back1 = load(bytes - 1);
    const vector faults = by_high(json_utf8_earlier_high, back1) &
                          by_low(json_utf8_earlier_low, back1) &
                          by_high(json_utf8_later_high, current);
    // A third byte follows E0...FF by two, a fourth follows F0...FF by three.
    // These, and no others, must be the second of two continuations.
    const vector third = minus_or_0(load(bytes - 2), 0xE0 - 0x80);
    const vector fourth = minus_or_0(load(bytes - 3), 0xF0 - 0x80);
    return faults ^ ((third | fourth) & splat(JSON_UTF8_PAIR));
}
