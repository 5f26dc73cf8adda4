// The words of a proven text: what a parser would tell of it, without a parser.
//
// As in json_scan.h, the function reads only [bytes, bytes + count), allocates
// nothing, and may be called from any thread.

#ifndef JSON_SCAN_WORDS_H
#define JSON_SCAN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A word is one event: its kind in bits 0...3, a length in bits 4...23, and the
/// offset of its first byte above. Behind the start of a container stands a
/// link: in its low half the index of the word after the end, in its high half
/// the number of children.
enum json_word_kind {
    JSON_WORD_NULL,
    JSON_WORD_TRUE,
    JSON_WORD_FALSE,
    JSON_WORD_NUMBER,
    /// One more if it holds a backslash.
    JSON_WORD_STRING,
    JSON_WORD_KEY = 6,
    JSON_WORD_ARRAY_START = 8,
    JSON_WORD_OBJECT_START,
    JSON_WORD_ARRAY_END,
    JSON_WORD_OBJECT_END,
};

enum {
    /// Says "that long or longer".
    JSON_WORD_LONG = 0xFFFFF,
    /// There must be room for so many words, or nothing is done.
    JSON_WORDS_OF_A_BLOCK = 130,
};

/// Where json_scan_words stands.
struct json_scan_words {
    /// How many bytes are used.
    size_t used;
    /// How many words there are, those before the first included.
    size_t words;
    /// The index of the start of the innermost open container; 0 outside.
    size_t open;
    /// How many children it has so far.
    uint64_t children;
    /// A key stands next, and the innermost container is an object: 2 or 0.
    uint8_t key, object;
    bool in_string, in_scalar, escaped, has_escape;
    /// A string or other scalar has begun at `token`.
    bool has_token;
    size_t token;
};

/// Writes the words of a value, or of values with blanks between them. Each is
/// proven to be JSON. Offsets count from `bytes`, and
/// `origin` is added to them. `words[0..<state->words]` belong to the caller, at
/// least one.
///
/// Of a text that was not proven the words are anything, but every link leads
/// to a place behind it, and at most `capacity` words are written.
///
/// Returns true when all is done: no container is open behind the last byte.
/// False when there is no room for the next block (`state->used` is below
/// `count` then), and of a text that is no JSON.
///
/// Cost: one pass.
bool json_scan_words(const uint8_t *bytes, size_t count, uint64_t origin,
                     struct json_scan_words *state, uint64_t *words,
                     size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
