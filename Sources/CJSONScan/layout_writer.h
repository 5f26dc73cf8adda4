// Private to this target: the writer of white space and delimiters that the
// versions of json_scan_layout share. A *delimiter* is a bracket, comma or
// colon outside of strings.

#ifndef JSON_LAYOUT_WRITER_H
#define JSON_LAYOUT_WRITER_H

#include "json_scan_layout.h"

#include <string.h>

struct json_layout_writer {
    const struct json_scan_style *style;
    uint8_t *to;
    uint64_t depth;
    bool after_comma, after_open, in_line;
};

static inline __attribute__((always_inline)) struct json_layout_writer
json_layout_writer_from(const struct json_scan_style *style,
                        const struct json_scan_layout *state, uint8_t *to) {
    return (struct json_layout_writer){
        style,
        to,
        state->depth,
        state->after_comma,
        state->after_open,
        state->in_line,
    };
}

static inline __attribute__((always_inline)) void
json_layout_writer_save(const struct json_layout_writer *writer,
                        struct json_scan_layout *state) {
    state->depth = writer->depth;
    state->after_comma = writer->after_comma;
    state->after_open = writer->after_open;
    state->in_line = writer->in_line;
}

enum {
    // Indents and runs are written in chunks of this size, so up to this number
    // of bytes after the output may be overwritten.
    JSON_LAYOUT_PIECE = 16,
};

// Returns the maximum number of bytes that are written for `count` bytes, if
// `delimiters` of them are delimiters and `opens` are opening brackets. A
// depth that would overflow needs more than the available memory.
static inline uint64_t json_layout_max_size(const struct json_scan_style *style,
                                            uint64_t depth, uint64_t count,
                                            uint64_t delimiters, uint64_t opens) {
    uint64_t deepest = depth + opens;
    if (deepest > style->levels) deepest = style->levels;
    // A line break may precede and follow each delimiter, and one may precede
    // the first value.
    uint64_t line = deepest * style->width + 4;
    return count + (2 * delimiters + 1) * line + 2 * JSON_LAYOUT_PIECE;
}

// Writes a line feed and the indent, if the current level has lines of its own.
static inline __attribute__((always_inline)) void
json_layout_put_break(struct json_layout_writer *writer) {
    if (writer->depth > writer->style->levels) return;
    *writer->to++ = '\n';
    uint64_t count = writer->depth * writer->style->width;
    for (uint64_t done = 0; done < count; done += JSON_LAYOUT_PIECE) {
        memset(writer->to + done, writer->style->indent, JSON_LAYOUT_PIECE);
    }
    writer->to += count;
}

// Writes the white space before a value or key.
static inline __attribute__((always_inline)) void
json_layout_put_before(struct json_layout_writer *writer) {
    if (writer->after_comma | writer->after_open) {
        json_layout_put_break(writer);
        writer->after_comma = false;
        writer->after_open = false;
    }
    writer->in_line = true;
}

// Writes a delimiter with its white space, or the line feed of a record.
static inline __attribute__((always_inline)) void
json_layout_put_delimiter(struct json_layout_writer *writer, uint8_t delimiter) {
    switch (delimiter) {
    case ',':
        *writer->to++ = ',';
        writer->after_comma = true;
        break;
    case ':':
        if (writer->depth > writer->style->levels) {
            *writer->to++ = ':';
        } else if (writer->style->is_wide) {
            memcpy(writer->to, " : ", 3);
            writer->to += 3;
        } else {
            memcpy(writer->to, ": ", 2);
            writer->to += 2;
        }
        break;
    case '[':
    case '{':
        json_layout_put_before(writer);
        *writer->to++ = delimiter;
        writer->depth++;
        writer->after_open = true;
        break;
    case ']':
    case '}': {
        bool has_lines = writer->depth <= writer->style->levels;
        if (writer->depth > 0) writer->depth--;
        if (has_lines && (!writer->after_open || writer->style->is_wide)) {
            // An empty container contains an empty line.
            if (writer->after_open) *writer->to++ = '\n';
            json_layout_put_break(writer);
        }
        *writer->to++ = delimiter;
        writer->after_open = false;
        break;
    }
    default:
        if (writer->depth == 0 && writer->in_line) {
            *writer->to++ = '\n';
            writer->in_line = false;
        }
    }
}

#endif
