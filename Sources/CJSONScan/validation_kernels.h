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
size_t json_validation_run_bytes(struct json_validation *validation, const uint8_t *bytes,
                            size_t count);

#if JSON_SCAN_HAS_AVX2
extern const struct json_validation_version json_validation_avx2;
extern const struct json_validation_version json_validation_avx512;
#endif
#if JSON_SCAN_HAS_NEON
extern const struct json_validation_version json_validation_neon;
#endif
extern const struct json_validation_version json_validation_portable;

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

/// Returns the number of bytes that must follow the lead byte of a character (0
/// if `lead` is not a lead byte), and sets the bounds of the first of them: RFC
/// 3629, section 4.
static inline unsigned json_validation_continuations(uint8_t lead,
                                                uint8_t *min, uint8_t *max) {
    *min = 0x80;
    *max = 0xBF;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (lead < 0xE0) return 1;
    switch (lead) {
    case 0xE0: *min = 0xA0; break;
    case 0xED: *max = 0x9F; break;
    case 0xF0: *min = 0x90; break;
    case 0xF4: *max = 0x8F; break;
    default: break;
    }
    return lead < 0xF0 ? 2 : 3;
}

#endif
