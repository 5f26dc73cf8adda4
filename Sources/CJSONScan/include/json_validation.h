// The validation: verifies that a text is JSON, many times faster than a
// parser.
//
// It verifies RFC 8259 by the strict rules of this library: the grammar,
// numbers, literals, escapes, surrogate pairs, no control character in a
// string, UTF-8 as defined by RFC 3629, matching brackets, the depth, and the
// lengths of strings, keys, numbers and lines. libyajl accepts every text
// that is validated. Comments, NaN, 0B and 0C as white space and every other
// extension of a lenient reader cause an undecided place.
//
// An *undecided place* is a byte at which the validation cannot decide
// whether the text is valid. It is not an error: the parser decides. An
// undecided place lies at the first byte that no valid text has there, or at
// the first byte that exceeds a limit. It does not depend on how the text is
// divided into calls, nor on the version of the kernel.
//
// Valid JSON causes an undecided place only in these cases: a byte order mark
// (the caller must remove it); a token, line or depth that exceeds a limit;
// and, in a text that begins inside of containers, a string that may be a key
// and exceeds the limit of keys.
//
// A sequence of lines (NDJSON) is validated like one document: a line feed
// outside of a string ends a record, and an undecided place affects only its
// line. Blank lines, carriage returns and a missing last line feed cause no
// undecided place.
//
// As in json_scan.h, every function reads only [bytes, bytes + count),
// allocates nothing, and may be called from any thread. The caller owns all
// state, a plain struct.

#ifndef JSON_VALIDATION_H
#define JSON_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The tokens that may occur next. Together with the kinds of the open
/// containers, this is the whole state of the grammar between two tokens.
enum json_validation_phase {
    /// Before a document or, in lines, before the record of a line.
    JSON_VALIDATION_START,
    /// After a document or record.
    JSON_VALIDATION_END,
    /// After `[`, and after a comma in an array.
    JSON_VALIDATION_ELEMENT_OR_CLOSE,
    JSON_VALIDATION_ELEMENT,
    /// After `{`, and after a comma in an object.
    JSON_VALIDATION_KEY_OR_CLOSE,
    JSON_VALIDATION_KEY,
    /// After a key, after a colon, and after an element or the value of a
    /// member.
    JSON_VALIDATION_COLON,
    JSON_VALIDATION_MEMBER,
    JSON_VALIDATION_COMMA_OR_CLOSE,
};

/// The reason for an undecided place.
enum json_validation_reason {
    JSON_VALIDATION_DECIDED,
    /// A token that is not allowed here, or a byte that begins no token.
    JSON_VALIDATION_UNEXPECTED,
    /// A closing bracket of the other kind, or one without an opening bracket.
    JSON_VALIDATION_BRACKET,
    JSON_VALIDATION_NUMBER,
    JSON_VALIDATION_LITERAL,
    /// A control character in a string.
    JSON_VALIDATION_CONTROL,
    /// A character after a backslash other than `"\/bfnrtu`, or a character
    /// after `\u` that is not a hexadecimal digit.
    JSON_VALIDATION_ESCAPE,
    /// Half of a surrogate pair.
    JSON_VALIDATION_SURROGATE,
    JSON_VALIDATION_UTF8,
    /// The line or the input ends before its value does.
    JSON_VALIDATION_UNFINISHED,
    /// An opening bracket that exceeds the depth limit.
    JSON_VALIDATION_DEPTH,
    /// A byte that makes a string, key, number or line exceed its limit.
    JSON_VALIDATION_STRING_LENGTH,
    JSON_VALIDATION_KEY_LENGTH,
    JSON_VALIDATION_NUMBER_LENGTH,
    JSON_VALIDATION_LINE_LENGTH,
    /// `kinds` or `closes` is full: this says nothing about the text.
    /// The validation can continue when the caller has provided more
    /// capacity.
    JSON_VALIDATION_OUT_OF_CAPACITY,
};

/// The limits of a validation. Lengths are in bytes as written in the source:
/// strings and keys without their quotes, lines without their line feed.
struct json_validation_limits {
    /// The number of open containers.
    uint64_t depth;
    uint64_t string, key, number, line;
};

struct json_scan_index;

/// The state of a validation. The text can be divided at any byte.
///
/// A copy of the struct is a copy of the state, except for the words of `kinds`
/// and the index, whose memory the caller owns.
struct json_validation {
    struct json_validation_limits limits;
    /// The kinds of the open containers, the outermost in bit 0 of the first
    /// word: 1 for an object, 0 for an array. Bits from `depth` on are
    /// unspecified.
    uint64_t *kinds;
    size_t kinds_capacity;
    uint64_t depth;
    /// The number of bytes validated since the state was initialized.
    uint64_t offset;
    /// The offset of the open token (a key, string, number or literal), which
    /// contains the last validated byte and may continue; `offset` if no
    /// token is open. After an undecided place: the offset of the token that
    /// contains the undecided byte.
    uint64_t token_start;
    /// In lines: the number of line feeds that are validated or skipped, the
    /// offset after the last of them, and the number of validated lines with a
    /// record.
    uint64_t line, line_start, records;
    /// Only if not NULL: receives a note for each block of 64 bytes. It must
    /// have room for one note for every 64 validated bytes, zeroed by the
    /// caller. See json_levels.h.
    uint8_t *notes;
    size_t notes_count;
    /// The offset of the first block that has a note.
    uint64_t notes_start;
    /// Only if not NULL: the entries of the bytes that are validated are
    /// appended to this index, as offsets from `index_start` on. It must have
    /// room for one for each byte of the call, and JSON_SCAN_INDEX_EXTRA
    /// more.
    struct json_scan_index *index;
    uint64_t index_start;
    /// For statistics: the number of blocks that were validated byte by byte,
    /// because the check of whole blocks (the block machine) found a fault that
    /// is not an undecided place.
    uint64_t alarms;

    /// An `enum json_validation_phase`: the state of the grammar before the
    /// open token, or at `offset` if no token is open.
    uint8_t phase;
    /// An `enum json_validation_reason`; set if the last call ended with an
    /// undecided place.
    uint8_t reason;
    /// A line feed ends a record.
    bool is_lines;

    // Private: the progress in the open token.
    uint8_t token;
    uint8_t hex_seen, half;
    bool awaits_low;
    uint8_t utf8_left, utf8_min, utf8_max;
    uint8_t literal, literal_seen;
};

/// Initializes the state before a document, or before the first of a sequence
/// of lines. Each word of `kinds` has room for 64 containers. The caller may
/// set `kinds` and `kinds_capacity` of the state before each call that
/// follows, so here they may be null and 0.
void json_validation_begin(struct json_validation *validation, bool is_lines,
                      struct json_validation_limits limits, uint64_t *kinds,
                      size_t kinds_capacity);

/// Sets a state between two tokens, at `offset`. The caller has written the
/// kinds of the open containers into `kinds`.
void json_validation_resume(struct json_validation *validation, uint64_t offset,
                       uint64_t depth, enum json_validation_phase phase);

/// Validates the bytes that follow. Returns the number of validated bytes; if
/// it is below `count`, the next byte is an undecided place, and `reason` is
/// its reason.
///
/// After an undecided place the state is the one before the token at
/// `token_start`, so a parser that receives the open containers and `phase`
/// can continue there. `offset` is the offset of the undecided byte;
/// `json_validation_resume` or `json_validation_next_line` sets where the
/// validation continues.
///
/// Cost: one pass; only the blocks before an undecided place are read twice.
/// No version reads outside [bytes, bytes + count).
size_t json_validation_run(struct json_validation *validation, const uint8_t *bytes,
                      size_t count);

/// Ends the text. Returns whether it may end here; otherwise there is an
/// undecided place: `reason` is JSON_VALIDATION_UNFINISHED. In lines, counts
/// the record of a last line without a line feed.
bool json_validation_finish(struct json_validation *validation);

/// In lines, after an undecided place: sets the state to the start of the
/// next line, whose first byte is at `offset`. The line with the undecided
/// place place is not counted in `records`.
void json_validation_next_line(struct json_validation *validation, uint64_t offset);

/// Returns whether validations are enabled. The value `none` of the environment
/// variable JSONSIFT_KERNEL disables them.
bool json_validation_is_on(void);

/// A version of the validation. All versions return the same results.
struct json_validation_version {
    const char *name;
    __typeof__(json_validation_run) *run;
    /// The `enum json_kernel_level` that the processor must support.
    int level;
};

/// Returns a version that this processor can run: the one that
/// json_validation_run uses at index 0, `portable` at the last index, and
/// null after that.
const struct json_validation_version *json_validation_version(size_t index);

#ifdef __cplusplus
}
#endif

#endif
