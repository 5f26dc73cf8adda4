// Private to this target: the carries of the block machine from one block of 64
// bytes to the next, and their conversion from and to a state.
//
// A *carry* is a property of the last byte of a block, or of the bytes before
// it: the value that a mask would have if the block were longer. These are all
// carries:

#ifndef JSON_VALIDATION_CARRIES_H
#define JSON_VALIDATION_CARRIES_H

#include "validation_kernels.h"

#include <string.h>

// Inside of strings, after `\u`.
struct escape_carries {
    // Bytes of the next block that must be hexadecimal digits.
    uint64_t digits;
    // The last byte is a `u`; the last byte is the first digit, a D.
    uint64_t first, second;
    // Bytes of the next block that must be the second digit of a low half.
    uint64_t low;
    // Not 0 if one of these is set.
    uint64_t pending;
};

// Inside of numbers and literals.
struct scalar_carries {
    // Bytes of the next block that belong to a literal. They are validated
    // already.
    uint64_t letters;
    // The last byte ends a literal.
    uint64_t literal;
    // The last byte is the minus at the start, the point, the `e`, its sign.
    uint64_t lead, point, e, sign;
    // The last byte is a zero that begins an integer part.
    uint64_t zero;
    // The last byte is a digit of the integer part, of the fraction, of the
    // exponent.
    uint64_t integer, fraction, exponent;
    // Not 0 if one is set: of the carries of exponents, of numbers, of all.
    uint64_t in_exponent, in_number, pending;
};

struct carries {
    // All ones if the block ends inside a string, else 0.
    uint64_t in_string;
    // The last byte is a backslash that begins an escape.
    uint64_t escape;
    // The block ends inside a character.
    uint64_t in_character;
    // The last byte belongs to a scalar.
    uint64_t scalar;
    // The last byte that is not white space is: an end or an opening bracket; a
    // comma or an opening bracket. See validation_blocks.h.
    uint64_t close, item;
    // The last string began after a comma or an opening bracket, and only white
    // space has followed it.
    uint64_t key;
    // The stack with the kinds of the innermost containers (walk_brackets); the
    // lowest value that it must not reach.
    uint64_t top, full;
    // `key` and `top` before the last group.
    uint64_t key_before, top_before;
    // There may be containers that are not on the stack; and the known number
    // of these.
    bool has_below;
    uint64_t below;
    // The lengths in bytes of the open string, scalar and line. The block in
    // which a string or scalar began is not included.
    uint64_t text_length, scalar_length, line_length;
    uint64_t text_limit, key_limit, number_limit, line_limit;
    uint64_t lines, records;
    struct escape_carries escapes;
    struct scalar_carries scalars;
};

// Indexed by the low half of a byte: a bit for each high half (2, 5, 6, 7) with
// which the byte may follow a backslash.
static const uint8_t validation_escapable_by_low[16] = {
    // 72 'r': 7. 62 'b': 6. 22 '"': 2. 2F '/': 2. 5C '\': 5. 66 'f', 6E 'n': 6.
    // 74 't', 75 'u': 7.
    0, 0, 0x80 | 0x40 | 0x04, 0, 0x80, 0x80, 0x40, 0,
    0, 0, 0, 0, 0x20, 0, 0x40, 0x04,
};

static const uint8_t validation_bit_of_high[16] = {
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80,
};

/// Returns the number of containers on a stack, which must not be 0: see
/// walk_brackets.
static inline uint64_t validation_levels(uint64_t top) {
    return 63 - (uint64_t)__builtin_clzll(top);
}

/// Returns whether the last byte before `end` is neither a lead byte nor a
/// continuation byte of a character.
static inline bool validation_ends_illegal(const uint8_t *end) {
    return (end[-1] & 0xFE) == 0xC0 || end[-1] > 0xF4;
}

/// Returns whether the block machine can continue from a state: between two
/// tokens, or in a string outside of escapes, characters and surrogate pairs.
bool json_validation_can_enter(const struct json_validation *validation);

/// Converts a state to carries.
void json_validation_enter(const struct json_validation *validation, struct carries *c);

/// Returns whether the bytes after a high half, as far as the carries contain
/// them, can be the start of the escape of a low half.
bool json_validation_can_await(const struct carries *c);

/// Converts carries to the state after `count` validated bytes; `count` is 0
/// or at least 64. The last token in these bytes began at `token`.
void json_validation_leave(struct json_validation *validation, const struct carries *c,
                      const uint8_t *bytes, size_t count, uint64_t token);

enum {
    // The number of bytes that must follow a block, for the comparison of
    // literals.
    VALIDATION_AFTER = 8,
    // The number of bytes that must precede the first block: the start of a
    // character.
    VALIDATION_BEFORE = 4,
};

/// Validates whole blocks (validate_blocks).
typedef size_t (*json_validation_blocks)(struct json_validation *validation,
                                    const uint8_t *bytes, size_t count,
                                    size_t *faulty);

/// Implements json_validation_run with the block function of a version.
size_t json_validation_run_blocks(struct json_validation *validation, const uint8_t *bytes,
                             size_t count, json_validation_blocks blocks);

#endif
