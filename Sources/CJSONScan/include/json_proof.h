// The proof: says that a text is JSON, many times faster than a parser does.
//
// What is proven is RFC 8259 by the strict rules of this library: the grammar,
// numbers, literals, escapes, halves of surrogates in pairs, no control
// character in a string, UTF-8 as RFC 3629 defines it, brackets closed by their
// kind, the depth, and the lengths of strings, keys, numbers and lines. libyajl
// accepts every text that is proven. Comments, NaN, 0B and 0C as white space and
// everything else that a lenient reader takes is in doubt.
//
// A doubt is not an error. It says: at this byte the text stops being what is
// proven here. The parser judges. A doubt stands at the first byte behind which
// no strict text can go on, or at the first byte that is over a limit; it is
// the same for every way of cutting the text into calls, and for every version.
//
// Doubts about text that is JSON, all of them: a byte order mark (it is the
// caller's); a token, line or depth over a limit; in a text that begins inside of
// containers, a string that may be a key and is over the limit of keys. Nothing
// else.
//
// A run of lines (NDJSON) is proven like one document: a line feed outside of a
// string ends a record, and a doubt costs its line only. Blank lines, carriage
// returns and a missing last line feed cause no doubt.
//
// As in json_scan.h, every function reads only [bytes, bytes + count),
// allocates nothing, and may be called from any thread. All state is the
// caller's, in a plain struct.

#ifndef JSON_PROOF_H
#define JSON_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What may stand next. With the kinds of the open containers that is the whole
/// state of the grammar between two tokens.
enum json_proof_phase {
    /// Before a document or, in lines, before the record of a line.
    JSON_PROOF_START,
    /// Behind a document or record.
    JSON_PROOF_END,
    /// Behind `[`, and behind a comma in an array.
    JSON_PROOF_ELEMENT_OR_CLOSE,
    JSON_PROOF_ELEMENT,
    /// Behind `{`, and behind a comma in an object.
    JSON_PROOF_KEY_OR_CLOSE,
    JSON_PROOF_KEY,
    /// Behind a key, behind a colon, behind an element or the value of a member.
    JSON_PROOF_COLON,
    JSON_PROOF_MEMBER,
    JSON_PROOF_COMMA_OR_CLOSE,
    /// In a container whose opening bracket and kind are not known: behind a
    /// comma, behind a string that may be a key, behind a value.
    JSON_PROOF_ITEM,
    JSON_PROOF_COLON_OR_COMMA_OR_CLOSE,
    JSON_PROOF_UNKNOWN_COMMA_OR_CLOSE,
};

/// Why there is a doubt.
enum json_proof_reason {
    JSON_PROOF_NO_DOUBT,
    /// A token that may not stand here, or a byte that begins none.
    JSON_PROOF_UNEXPECTED,
    /// A bracket of the other kind, or one that closes nothing.
    JSON_PROOF_BRACKET,
    JSON_PROOF_NUMBER,
    JSON_PROOF_LITERAL,
    /// A control character in a string.
    JSON_PROOF_CONTROL,
    /// A character behind a backslash that is none of `"\/bfnrtu`, or no
    /// hexadecimal digit behind `\u`.
    JSON_PROOF_ESCAPE,
    /// Half of a surrogate pair.
    JSON_PROOF_SURROGATE,
    JSON_PROOF_UTF8,
    /// The line or the input ends before its value does.
    JSON_PROOF_UNFINISHED,
    /// An opening bracket that is one too many.
    JSON_PROOF_DEPTH,
    /// A byte that makes a string, key, number or line too long.
    JSON_PROOF_STRING_LENGTH,
    JSON_PROOF_KEY_LENGTH,
    JSON_PROOF_NUMBER_LENGTH,
    JSON_PROOF_LINE_LENGTH,
    /// There is no room for the kinds of more containers: not a doubt about the
    /// text. With more words in `kinds` or `closes` the proof can go on.
    JSON_PROOF_ROOM,
};

/// What is proven up to which bounds. Lengths are bytes as they are written:
/// strings and keys between their quotes, lines without their line feed.
struct json_proof_limits {
    /// Open containers.
    uint64_t depth;
    uint64_t string, key, number, line;
};

/// Where a proof stands. It can stop and go on at any byte.
///
/// Copying the struct copies the state, but for the words of `kinds` and
/// `closes`, which are the caller's memory.
struct json_proof {
    struct json_proof_limits limits;
    /// The kinds of the open containers, the outermost in bit 0 of the first
    /// word: 1 for an object, 0 for an array. Bits from `depth` on are anything.
    uint64_t *kinds;
    size_t kinds_words;
    uint64_t depth;
    /// How many bytes are proven, since the state was made.
    uint64_t offset;
    /// Where the open token (a key, string, number or literal) begins: it holds
    /// the last proven byte and may go on. `offset` if no token is open. After a
    /// doubt: where the token begins that holds the doubtful byte.
    uint64_t token_start;
    /// In lines: the line feeds that are proven or skipped, the offset behind
    /// the last of them, and the lines with a record that are proven.
    uint64_t line, line_start, records;
    /// Only if `is_nested`: the closing brackets without an opening one, in
    /// their order; a bit each as in `kinds`.
    uint64_t *closes;
    size_t closes_words;
    uint64_t close_count;
    /// Only if `is_nested`: how much deeper than the container in which the
    /// text began an opening bracket has led.
    uint64_t peak;
    /// Only if not NULL: gets a note of each block of 64 bytes, at least one for
    /// every 64 bytes that are proven, zeroed by the caller. See json_levels.h.
    uint8_t *notes;
    size_t notes_count;
    /// The offset of the first block that has one.
    uint64_t notes_start;
    /// For statistics: how often a block was proven byte by byte, because the
    /// kernel for blocks had a doubt that was none.
    uint64_t alarms;

    /// What may stand before the token that is open, or next if there is none.
    uint8_t phase;
    /// An `enum json_proof_reason`; set if the last call ended with a doubt.
    uint8_t reason;
    /// A line feed ends a record.
    bool is_lines;
    /// The text begins somewhere inside a container, whose depth is not known.
    bool is_nested;
    /// The kind of that container has shown, and it is the outermost of `kinds`.
    bool has_outer;

    // Private: what is known of the token that is open.
    uint8_t token;
    uint8_t hex_seen, half;
    bool awaits_low;
    uint8_t utf8_left, utf8_least, utf8_most;
    uint8_t literal, literal_seen;
};

/// The state before a document, or before the first of a run of lines. `kinds`
/// has room for 64 containers a word.
void json_proof_begin(struct json_proof *proof, bool is_lines,
                      struct json_proof_limits limits, uint64_t *kinds,
                      size_t kinds_words);

/// The state inside of containers that began before the bytes that are proven:
/// behind a comma (JSON_PROOF_ITEM) or behind a value
/// (JSON_PROOF_UNKNOWN_COMMA_OR_CLOSE). What closes without an open is listed
/// in `closes`. The limit for the depth holds from there on.
void json_proof_begin_nested(struct json_proof *proof,
                             enum json_proof_phase phase,
                             struct json_proof_limits limits, uint64_t *kinds,
                             size_t kinds_words, uint64_t *closes,
                             size_t closes_words);

/// Sets the state between two tokens: at `offset`, where `phase` says what may
/// stand next. The open containers are those that are in `kinds`.
void json_proof_seed(struct json_proof *proof, uint64_t offset, uint64_t depth,
                     enum json_proof_phase phase);

/// Proves the bytes that follow. Returns how many of them are proven; if these
/// are not all, there is a doubt at the next byte, and `reason` says why.
///
/// Behind a doubt the state stands before the token at `token_start`, so a
/// parser that is given the open containers and `phase` can judge from there.
/// `offset` points to the doubtful byte; `json_proof_seed` or
/// `json_proof_next_line` says where to go on.
///
/// Cost: one pass, none over the same byte twice but over the blocks before a
/// doubt. No version reads outside [bytes, bytes + count).
size_t json_proof_run(struct json_proof *proof, const uint8_t *bytes,
                      size_t count);

/// Whether the text may end here. Otherwise there is a doubt: `reason` is
/// JSON_PROOF_UNFINISHED. In lines, counts the record of the last line if that
/// has no line feed.
bool json_proof_finish(struct json_proof *proof);

/// In lines, behind a doubt: sets the state to the start of the next line,
/// whose first byte is at `offset`. That line is not counted in `records`.
void json_proof_next_line(struct json_proof *proof, uint64_t offset);

/// Whether JSONSIFT_KERNEL in the environment is not `none`, which switches the
/// proof off.
bool json_proof_is_on(void);

/// A version of the proof. All give the same answers.
struct json_proof_version {
    const char *name;
    size_t (*run)(struct json_proof *proof, const uint8_t *bytes, size_t count);
    /// What a processor must have, for the choice.
    int level;
};

/// The versions that this processor can run, the one that json_proof_run is
/// first; null from the first index that has none. The last is `portable`.
const struct json_proof_version *json_proof_version(size_t index);

#ifdef __cplusplus
}
#endif

#endif
