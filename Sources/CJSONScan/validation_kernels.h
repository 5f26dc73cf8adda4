// Private to this target: declarations that the parts of the validation share.
//
// The validation has two machines, which share one state, `struct
// json_validation`.
//
// - The byte machine (validation_bytes.c) processes one byte at a time and
//   knows the exact state at each byte. It is the portable version, and only
//   this machine reports an undecided place.
// - The block machine (validation_blocks.h; AVX2, AVX-512, NEON) validates
//   64 bytes at once with bit masks. It either validates that a run of blocks
//   has no fault, or reports a *fault*, and then the byte machine processes
//   these blocks. So a check of the block machine that is too strict costs
//   time (an *alarm*: a fault in valid text), and one that is too lax breaks
//   the validation. Tests cover both.
//
// Valid text causes an alarm only if the block machine cannot store the needed
// state: more than 62 containers are open (it takes over only the innermost
// ones and fails when these are closed); or a string, number or line is less
// than some hundred bytes below its limit. If a limit is below 640 bytes, no
// block machine runs at all.
//
// Two conversions connect the machines (validation_carries.h): a state
// between two tokens or inside the plain text of a string becomes the carries
// of the block machine; the carries at the end of any block become a state.
//
// `Scripts/check kernels` disables each check and each carry by its number, and
// expects that the tests detect it. In a build of the library
// JSON_VALIDATION_MUTANT is 0, and the macros are equal to their argument.

#ifndef JSON_VALIDATION_KERNELS_H
#define JSON_VALIDATION_KERNELS_H

#include "json_levels.h"
#include "json_validation.h"
#include "json_scan_index.h"
#include "scan_kernels.h"

#ifndef JSON_VALIDATION_MUTANT
#define JSON_VALIDATION_MUTANT 0
#endif

/// A condition that causes an undecided place.
#define CHECKED(number, condition)                                            \
    (JSON_VALIDATION_MUTANT != (number) && (condition))
/// A mask of faults, or a carry from one block to the next.
#define MASKED(number, mask) (JSON_VALIDATION_MUTANT == (number) ? 0 : (mask))

/// The open token at the last validated byte, and the progress in it: `token`
/// in a state.
enum json_validation_token {
    JSON_VALIDATION_NO_TOKEN,
    /// In a string or key: between characters (`awaits_low` may be set), after
    /// a backslash, among the digits of `\u`, inside a character.
    JSON_VALIDATION_TEXT,
    JSON_VALIDATION_AFTER_BACKSLASH,
    JSON_VALIDATION_IN_HEX,
    JSON_VALIDATION_IN_UTF8,
    /// In a number, after: the minus, a leading zero, digits of the integer
    /// part, the point, digits of the fraction, the `e`, its sign, its digits.
    JSON_VALIDATION_MINUS,
    JSON_VALIDATION_ZERO,
    JSON_VALIDATION_INTEGER,
    JSON_VALIDATION_POINT,
    JSON_VALIDATION_FRACTION,
    JSON_VALIDATION_E,
    JSON_VALIDATION_SIGN,
    JSON_VALIDATION_EXPONENT,
    JSON_VALIDATION_IN_LITERAL,
};

/// The kind of surrogate that the digits of an escape denote so far: `half` in
/// a state.
enum json_validation_half {
    JSON_VALIDATION_NO_HALF,
    /// The first digit is D.
    JSON_VALIDATION_MAY_BE_HALF,
    /// The first two are D8...DB: a low half must follow.
    JSON_VALIDATION_HIGH_HALF,
};

/// The byte machine: json_validation_run for every processor.
__typeof__(json_validation_run) json_validation_run_bytes;

/// Defined if the processors of the target may support them.
extern const struct json_validation_version json_validation_avx512,
    json_validation_avx2, json_validation_neon, json_validation_portable;

/// Resets the progress in the open token.
static inline void json_validation_forget_token(struct json_validation *validation) {
    validation->token = JSON_VALIDATION_NO_TOKEN;
    validation->hex_seen = validation->half = 0;
    validation->awaits_low = false;
    validation->utf8_left = validation->utf8_min = validation->utf8_max = 0;
    validation->literal = validation->literal_seen = 0;
}

/// Returns whether the innermost open container is an object.
static inline bool json_validation_is_object(const struct json_validation *validation) {
    uint64_t level = validation->depth - 1;
    return validation->depth > 0 && (validation->kinds[level / 64] >> (level % 64) & 1);
}

/// Returns the phase after a complete value.
static inline enum json_validation_phase
json_validation_phase_after_value(const struct json_validation *validation) {
    return validation->depth > 0 ? JSON_VALIDATION_COMMA_OR_CLOSE : JSON_VALIDATION_END;
}

#endif
