// Private to this target: the writer of tape words that the versions of
// json_scan_tape_words share.

#ifndef JSON_TAPE_WORDS_WRITER_H
#define JSON_TAPE_WORDS_WRITER_H

#include "json_scan_tape_words.h"

struct json_tape_writer {
    uint64_t *words;
    uint64_t origin;
    size_t count, open;
    uint64_t children;
    unsigned key, object;
};

static inline __attribute__((always_inline)) struct json_tape_writer
json_tape_writer_from(const struct json_scan_tape_words *state, uint64_t *words,
                      uint64_t origin) {
    return (struct json_tape_writer){.words = words,
                                     .origin = origin,
                                     .count = state->words,
                                     .open = state->open,
                                     .children = state->children,
                                     .key = state->key,
                                     .object = state->object};
}

static inline __attribute__((always_inline)) void
json_tape_writer_save(const struct json_tape_writer *writer,
                      struct json_scan_tape_words *state) {
    state->words = writer->count;
    state->open = writer->open;
    state->children = writer->children;
    state->key = (uint8_t)writer->key;
    state->object = (uint8_t)writer->object;
}

// Indexed by the first byte of a scalar: its kind, the number of quotes before
// its end, and a mask that is 0 if the word has no length.
struct json_tape_scalar_form {
    uint8_t kind, quotes;
    uint16_t has_length;
};

static const struct json_tape_scalar_form json_tape_scalar_forms[256] = {
    ['"'] = {JSON_TAPE_STRING, 1, 0xFFFF},
    ['-'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['0'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['1'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['2'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['3'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['4'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['5'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['6'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['7'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['8'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
    ['9'] = {JSON_TAPE_NUMBER, 0, 0xFFFF},
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
    writer->words[writer->count++] = (writer->origin + start) << 24 |
                                     length << 4 |
                                     (form.kind + writer->key + escaped);
    // A child is counted at its value, not at its key.
    writer->children += writer->key == 0;
    writer->key ^= writer->object;
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
        writer->words[writer->count] =
            offset | (JSON_TAPE_ARRAY_START + is_object);
        writer->words[writer->count + 1] =
            (writer->children + 1) << 32 | writer->open;
        writer->open = writer->count;
        writer->count += 2;
        writer->children = 0;
        writer->object = is_object * 2;
        writer->key = writer->object;
        return true;
    }
    if (writer->open == 0) return false;
    writer->words[writer->count++] =
        offset | (JSON_TAPE_ARRAY_END + is_object);
    uint64_t *link = &writer->words[writer->open + 1];
    uint64_t around = *link;
    *link = writer->children << 32 | writer->count;
    writer->children = around >> 32;
    writer->open = around & 0xFFFFFFFF;
    writer->object =
        writer->open ? (unsigned)(writer->words[writer->open] & 1) * 2 : 0;
    writer->key = writer->object;
    return true;
}

#endif
