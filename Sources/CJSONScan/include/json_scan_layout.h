// Proven text in another layout: a line for each element and member.
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

/// What stands between tokens.
struct json_scan_style {
    /// The byte that indents, how many of them a level has, at most
    /// JSON_SCAN_WIDEST_LEVEL, and how many levels have lines of their own.
    uint8_t indent, width;
    uint32_t levels;
    /// A space before a colon too, and an empty line in what is empty.
    bool is_wide;
    /// The text is a run of records, each on a line of its own: a line feed
    /// stands behind each.
    bool has_lines;
};

enum { JSON_SCAN_WIDEST_LEVEL = 16 };

/// Where json_scan_layout stands, between two calls: it can stop and go on
/// anywhere.
struct json_scan_layout {
    /// How many bytes of the last call were used.
    size_t used;
    uint64_t depth;
    bool in_string, escaped;
    /// The last token was a comma, or opened a container: what follows begins a
    /// line.
    bool behind_comma, behind_open;
    /// Of a run of records: some of this one is written.
    bool in_line;
};

/// Writes the tokens of a text that is proven to be JSON, with what stands
/// between them, and returns how many bytes it wrote. `state->used` is below
/// `count` if there was no room for the next 64 bytes; `to` has `capacity` bytes
/// and does not overlap `bytes`. A line break is written with what follows it.
///
/// Of a text that was not proven it writes anything, within the capacity.
///
/// Cost: one pass over what is read and written.
size_t json_scan_layout(const uint8_t *bytes, size_t count,
                        const struct json_scan_style *style,
                        struct json_scan_layout *state, uint8_t *to,
                        size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
