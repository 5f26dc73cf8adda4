// Private to this target: the writer of tape words that the versions of
// json_scan_tape_words share.

#ifndef JSON_TAPE_WORDS_WRITER_H
#define JSON_TAPE_WORDS_WRITER_H

#include "json_scan_tape_words.h"

struct json_tape_writer {
    uint64_t *words;
    uint64_t origin;
    // A copy, which no write can change.
    struct json_scan_tape_words at;
};

// Indexed by the first byte of a scalar: its kind, the number of quotes before
// its end, and a mask that is 0 if the word has no length.
struct json_tape_scalar_form {
    uint8_t kind, quotes;
    uint16_t has_length;
};

static const struct json_tape_scalar_form json_tape_scalar_forms[256] = {
    ['"'] = {JSON_TAPE_STRING, 1, 0xFFFF},
    ['-'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['0' ... '9'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['t'] = {JSON_TAPE_TRUE, 0, 0},
    ['f'] = {JSON_TAPE_FALSE, 0, 0},
    ['n'] = {JSON_TAPE_NULL, 0, 0},
};

// Writes a scalar or key from `start` to `end`, which is the offset of its
// closing quote or of the byte after it. `escaped` is 1 for a string that
// contains a backslash.
static inline __attribute__((always_inline)) void
json_tape_put_scalar(struct json_tape_writer *writer, const uint8_t *bytes,
                     size_t start, size_t end, unsigned escaped) {
    struct json_tape_scalar_form form = json_tape_scalar_forms[bytes[start]];
    uint64_t length = end - start - form.quotes;
    length = length < JSON_TAPE_MAX_LENGTH ? length : JSON_TAPE_MAX_LENGTH;
    length &= (uint64_t)(int64_t)(int16_t)form.has_length;
    writer->words[writer->at.words++] =
        (writer->origin + start) << 24 | length << 4 |
        (form.kind + writer->at.key + escaped);
    // A child is counted at its value, not at its key.
    writer->at.children += writer->at.key == 0;
    writer->at.key ^= writer->at.object;
}

// Writes a bracket. While a container is open, the link after its start stores
// the state of the enclosing container. Returns false for a closing bracket
// without an opening one.
static inline __attribute__((always_inline)) bool
json_tape_put_bracket(struct json_tape_writer *writer, uint8_t bracket,
                      size_t start) {
    uint64_t offset = (writer->origin + start) << 24;
    unsigned is_object = bracket >> 5 & 1;
    if ((bracket & 0x07) == 0x03) {
        writer->words[writer->at.words] =
            offset | (JSON_TAPE_ARRAY_START + is_object);
        writer->words[writer->at.words + 1] =
            (writer->at.children + 1) << 32 | writer->at.open;
        writer->at.open = writer->at.words;
        writer->at.words += 2;
        writer->at.children = 0;
        writer->at.object = is_object * 2;
        writer->at.key = writer->at.object;
        return true;
    }
    if (writer->at.open == 0) return false;
    writer->words[writer->at.words++] =
        offset | (JSON_TAPE_ARRAY_END + is_object);
    uint64_t *link = &writer->words[writer->at.open + 1];
    uint64_t around = *link;
    *link = writer->at.children << 32 | writer->at.words;
    writer->at.children = around >> 32;
    writer->at.open = around & 0xFFFFFFFF;
    writer->at.object =
        writer->at.open ? (writer->words[writer->at.open] & 1) * 2 : 0;
    writer->at.key = writer->at.object;
    return true;
}

#endif
