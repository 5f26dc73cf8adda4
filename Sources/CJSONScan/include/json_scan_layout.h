// Writes validated text in another layout, with a line for each element and
// member.
//
// As in json_scan.h, the function reads only [bytes, bytes + count), allocates
// nothing, and may be called from any thread.

#ifndef JSON_SCAN_LAYOUT_H
#define JSON_SCAN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The white space between tokens.
struct json_scan_style {
    /// The byte that indents, and the number of these bytes for each level, at
    /// most JSON_SCAN_MAX_WIDTH.
    uint8_t indent, width;
    /// The number of levels whose elements and members have lines of their own.
    uint32_t levels;
    /// A space precedes each colon, and an empty container contains an empty
    /// line.
    bool is_wide;
    /// The text is a sequence of records, each on a line of its own and
    /// followed by a line feed.
    bool has_lines;
};

enum { JSON_SCAN_MAX_WIDTH = 16 };

/// The state of json_scan_layout. The text can be divided anywhere.
struct json_scan_layout {
    /// The number of bytes that the last call used.
    size_t used;
    uint64_t depth;
    bool in_string, escaped;
    /// The last token was a comma, or an opening bracket: the next token begins
    /// a line.
    bool after_comma, after_open;
    /// In a sequence of records: part of the current one is written.
    bool in_line;
};

/// Writes the tokens of a text that is validated, with the white space
/// of the style between them, and returns the number of bytes written.
/// `state->used` is below `count` if the output of the next 64 bytes may not
/// fit; `to` has `capacity` bytes and must not overlap `bytes`. A line break is
/// written together with the token after it.
///
/// For text that is not validated the output is unspecified, but within the
/// capacity.
///
/// Cost: one pass over input and output.
size_t json_scan_layout(const uint8_t *bytes, size_t count,
                        const struct json_scan_style *style,
                        struct json_scan_layout *state, uint8_t *to,
                        size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
