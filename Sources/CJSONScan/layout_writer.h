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
    // A copy, which no write can change.
    struct json_scan_layout at;
};

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
    if (writer->at.depth > writer->style->levels) return;
    *writer->to++ = '\n';
    uint64_t count = writer->at.depth * writer->style->width;
    for (uint64_t done = 0; done < count; done += JSON_LAYOUT_PIECE) {
        memset(writer->to + done, writer->style->indent, JSON_LAYOUT_PIECE);
    }
    writer->to += count;
}

// Writes the white space before a value or key.
static inline __attribute__((always_inline)) void
json_layout_put_before(struct json_layout_writer *writer) {
    if (writer->at.after_comma | writer->at.after_open) {
        json_layout_put_break(writer);
        writer->at.after_comma = false;
        writer->at.after_open = false;
    }
    writer->at.in_line = true;
}

// Writes a delimiter with its white space, or the line feed of a record.
static inline __attribute__((always_inline)) void
json_layout_put_delimiter(struct json_layout_writer *writer, uint8_t delimiter) {
    switch (delimiter) {
    case ',':
        *writer->to++ = ',';
        writer->at.after_comma = true;
        break;
    case ':':
        if (writer->at.depth > writer->style->levels) {
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
        writer->at.depth++;
        writer->at.after_open = true;
        break;
    case ']':
    case '}': {
        bool has_lines = writer->at.depth <= writer->style->levels;
        if (writer->at.depth > 0) writer->at.depth--;
        if (has_lines && (!writer->at.after_open || writer->style->is_wide)) {
            // An empty container contains an empty line.
            if (writer->at.after_open) *writer->to++ = '\n';
            json_layout_put_break(writer);
        }
        *writer->to++ = delimiter;
        writer->at.after_open = false;
        break;
    }
    default:
        if (writer->at.depth == 0 && writer->at.in_line) {
            *writer->to++ = '\n';
            writer->at.in_line = false;
        }
    }
}

#endif
