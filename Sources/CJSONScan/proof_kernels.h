// Private to this target: declarations that the parts of the proof share.
//
// The proof has two machines, which share one state, `struct json_proof`.
//
// - The byte machine (proof_bytes.c) processes one byte at a time and knows the
//   exact state at each byte. It is the portable version, and only this machine
//   reports a doubt.
// - The block machine (proof_blocks.h; AVX2, AVX-512, NEON) proves 64 bytes at
//   once with bit masks. It either proves that a run of blocks has no fault, or
//   reports a *fault*, and then the byte machine processes these blocks. So a
//   check of the block machine that is too strict costs time (an *alarm*: a
//   fault in valid text), and one that is too lax breaks the proof. Tests cover
//   both.
//
// Valid text causes an alarm only if the block machine cannot store the needed
// state: more than 62 containers are open (it takes over only the innermost
// ones and fails when these are closed); or a string, number or line is less
// than some hundred bytes below its limit. If a limit is below 640 bytes, no
// block machine runs at all.
//
// Two conversions connect the machines (proof_carries.h): a state between two
// tokens or inside the plain text of a string becomes the carries of the block
// machine; the carries at the end of any block become a state.
//
// `Scripts/kernels` disables each check and each carry by its number, and
// expects that the tests detect it. In a build of the library JSON_PROOF_MUTANT
// is 0, and the macros are equal to their argument.

#ifndef JSON_PROOF_KERNELS_H
#define JSON_PROOF_KERNELS_H

#include "json_levels.h"
#include "json_proof.h"
#include "json_scan_index.h"
#include "scan_kernels.h"

#ifndef JSON_PROOF_MUTANT
#define JSON_PROOF_MUTANT 0
#endif

/// A condition that causes a doubt.
#define CHECKED(number, condition)                                            \
    (JSON_PROOF_MUTANT != (number) && (condition))
/// A mask of faults, or a carry from one block to the next.
#define MASKED(number, mask) (JSON_PROOF_MUTANT == (number) ? 0 : (mask))

/// The open token at the last proven byte, and the progress in it: `token` in a
/// state.
enum json_proof_token {
    JSON_PROOF_NO_TOKEN,
    /// In a string or key: between characters (`awaits_low` may be set), after
    /// a backslash, among the digits of `\u`, inside a character.
    JSON_PROOF_TEXT,
    JSON_PROOF_AFTER_BACKSLASH,
    JSON_PROOF_IN_HEX,
    JSON_PROOF_IN_UTF8,
    /// In a number, after: the minus, a leading zero, digits of the integer
    /// part, the point, digits of the fraction, the `e`, its sign, its digits.
    JSON_PROOF_MINUS,
    JSON_PROOF_ZERO,
    JSON_PROOF_INTEGER,
    JSON_PROOF_POINT,
    JSON_PROOF_FRACTION,
    JSON_PROOF_E,
    JSON_PROOF_SIGN,
    JSON_PROOF_EXPONENT,
    JSON_PROOF_IN_LITERAL,
};

/// The kind of surrogate that the digits of an escape denote so far: `half` in
/// a state.
enum json_proof_half {
    JSON_PROOF_NO_HALF,
    /// The first digit is D.
    JSON_PROOF_MAY_BE_HALF,
    /// The first two are D8...DB: a low half must follow.
    JSON_PROOF_HIGH_HALF,
};

/// The byte machine: json_proof_run for every processor.
size_t json_proof_run_bytes(struct json_proof *proof, const uint8_t *bytes,
                            size_t count);

#if JSON_SCAN_HAS_AVX2
extern const struct json_proof_version json_proof_avx2;
extern const struct json_proof_version json_proof_avx512;
#endif
#if JSON_SCAN_HAS_NEON
extern const struct json_proof_version json_proof_neon;
#endif
extern const struct json_proof_version json_proof_portable;

/// Returns whether the innermost open container is an object.
static inline bool json_proof_is_object(const struct json_proof *proof) {
    uint64_t level = proof->depth - 1;
    return proof->depth > 0 && (proof->kinds[level / 64] >> (level % 64) & 1);
}

/// Returns the phase after a complete value.
static inline enum json_proof_phase
json_proof_phase_after_value(const struct json_proof *proof) {
    return proof->depth > 0 ? JSON_PROOF_COMMA_OR_CLOSE : JSON_PROOF_END;
}

/// Returns the number of bytes that must follow the lead byte of a character (0
/// if `lead` is not a lead byte), and sets the bounds of the first of them: RFC
/// 3629, section 4.
static inline unsigned json_proof_continuations(uint8_t lead,
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
