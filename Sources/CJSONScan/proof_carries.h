// Private to this target: what the block machine carries from one block of 64
// bytes to the next, and how a state becomes that and the other way round.
//
// A carry says of the last byte of a block, or of the bytes before it, what a
// mask would show if the block were longer. All of them:

#ifndef JSON_PROOF_CARRIES_H
#define JSON_PROOF_CARRIES_H

#include "proof_kernels.h"

#include <string.h>

// Inside of strings, behind `\u`.
struct escape_carries {
    // Places of the next block that must be hexadecimal digits.
    uint64_t digits;
    // The last byte is a `u`; the last byte is the first digit, a D.
    uint64_t first, second;
    // Places of the next block that must be the second digit of a low half.
    uint64_t low;
    // Whether one of these is set.
    uint64_t pending;
};

// Inside of numbers and literals.
struct scalar_carries {
    // Bytes of the next block that belong to a literal; they are proven.
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
    // Whether one is set: of those of exponents, of numbers, of all.
    uint64_t in_exponent, in_number, pending;
};

struct carries {
    // All ones if the block ends inside a string, else none.
    uint64_t in_string;
    // The last byte is a backslash that begins an escape.
    uint64_t escape;
    // The last byte of a character is missing.
    uint64_t cut;
    // The last byte belongs to a scalar.
    uint64_t scalar;
    // The last byte that is no white space is: an end or an opening bracket; a
    // comma or an opening bracket. See proof_blocks.h.
    uint64_t close, item;
    // The last string began behind a comma or an opening bracket, and nothing
    // but white space has followed it.
    uint64_t key;
    // The kinds of the innermost containers, and all values that this has had
    // or-ed together; the least that it may not reach; whether there are more
    // containers below.
    uint64_t top, seen, full;
    // `key` and `top` before the last blocks.
    uint64_t was_key, was_top;
    bool has_below;
    // How many are below.
    uint64_t below;
    // Bytes of the string, scalar and line that are open: whole blocks.
    uint64_t text_length, scalar_length, line_length;
    uint64_t text_limit, key_limit, number_limit, line_limit;
    uint64_t lines, records;
    struct escape_carries escapes;
    struct scalar_carries scalars;
};

// By the low half of a byte: the bytes that may follow a backslash and begin
// with 2, 5, 6 or 7, a bit each.
static const uint8_t proof_escapable_by_low[16] = {
    // 72 'r': 7. 62 'b': 6. 22 '"': 2. 2F '/': 2. 5C '\': 5. 66 'f', 6E 'n': 6.
    // 74 't', 75 'u': 7.
    0, 0, 0x80 | 0x40 | 0x04, 0, 0x80, 0x80, 0x40, 0,
    0, 0, 0, 0, 0x20, 0, 0x40, 0x04,
};

static const uint8_t proof_bit_of_high[16] = {
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80,
};

/// How many containers a stack holds. It is not empty: see walk_brackets.
static inline uint64_t proof_levels(uint64_t top) {
    return 63 - (uint64_t)__builtin_clzll(top);
}

/// Whether the bytes before `end` end inside a character.
static inline bool proof_ends_cut(const uint8_t *end) {
    return end[-1] >= 0xC0 || end[-2] >= 0xE0 || end[-3] >= 0xF0;
}

/// Whether the last byte before `end` begins no character and continues none.
static inline bool proof_ends_illegal(const uint8_t *end) {
    return (end[-1] & 0xFE) == 0xC0 || end[-1] > 0xF4;
}

/// Whether the block machine can go on from a state: between two tokens or in
/// the text of a string, with nothing begun.
bool json_proof_can_enter(const struct json_proof *proof);

void json_proof_enter(const struct json_proof *proof, struct carries *c);

/// Whether the carries of a high half are those of an escape that goes on as one
/// of a low half must.
bool json_proof_can_await(const struct carries *c);

/// Writes the state behind `count` bytes, at least 64 or none, which are proven.
/// The last token among them began at `token`.
void json_proof_leave(struct json_proof *proof, const struct carries *c,
                      const uint8_t *bytes, size_t count, uint64_t token);

typedef size_t (*json_proof_blocks)(struct json_proof *proof,
                                    const uint8_t *bytes, size_t count,
                                    size_t *faulty);

/// json_proof_run with the blocks of a version.
size_t json_proof_run_blocks(struct json_proof *proof, const uint8_t *bytes,
                             size_t count, json_proof_blocks document,
                             json_proof_blocks lines);

#endif
