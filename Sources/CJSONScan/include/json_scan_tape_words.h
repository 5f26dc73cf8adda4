// Writes the tape words of a validated text: the same words as a parser,
// without parsing.
//
// As in json_scan.h, the function reads only [bytes, bytes + count), allocates
// nothing, and may be called from any thread.

#ifndef JSON_SCAN_TAPE_WORDS_H
#define JSON_SCAN_TAPE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A tape word is one event: its kind in bits 0...3, a length in bits 4...23,
/// and the offset of its first byte in the bits above. The word for the start
/// of a container is followed by a link: its low half is the index of the word
/// after the end of the container, its high half the number of children.
enum json_tape_word_kind {
    JSON_TAPE_NULL,
    JSON_TAPE_TRUE,
    JSON_TAPE_FALSE,
    JSON_TAPE_NUMBER,
    /// The kind of a string or key is one higher if it contains a backslash.
    JSON_TAPE_STRING,
    JSON_TAPE_KEY = 6,
    JSON_TAPE_ARRAY_START = 8,
    JSON_TAPE_OBJECT_START,
    JSON_TAPE_ARRAY_END,
    JSON_TAPE_OBJECT_END,
};

enum {
    /// The length that means "this length or more".
    JSON_TAPE_MAX_LENGTH = 0xFFFFF,
    /// The number of words that must fit before a block is processed.
    JSON_TAPE_MAX_BLOCK_WORDS = 130,
};

/// The state of json_scan_tape_words.
struct json_scan_tape_words {
    /// The number of bytes used.
    size_t used;
    /// The number of words, including those before the first one written.
    size_t words;
    /// The index of the start of the innermost open container; 0 outside.
    size_t open;
    /// The number of its children so far.
    uint64_t children;
    /// 2 if the next token is a key, and 2 if the innermost container is an
    /// object; otherwise 0.
    uint8_t key, object;
    bool in_string, in_scalar, escaped, has_escape;
    /// A string or other scalar began at `token` and has not ended.
    bool has_token;
    size_t token;
};

/// Writes the tape words of a value, or of values with white space between
/// them. Each value must be validated. `origin` is added to the
/// offsets, which count from `bytes`. `words[0..<state->words]` belong to the
/// caller and are at least one word.
///
/// For text that is not validated the words are unspecified, but every link
/// refers to a higher index, and at most `capacity` words are written.
///
/// Returns true when all bytes are processed and no container is open. Returns
/// false if the words of the next block may not fit (then `state->used` is
/// below `count`), or if the text is not JSON.
///
/// Cost: one pass.
bool json_scan_tape_words(const uint8_t *bytes, size_t count, uint64_t origin,
                          struct json_scan_tape_words *state, uint64_t *words,
                          size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
