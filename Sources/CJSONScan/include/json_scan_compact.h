// Text without the white space between its tokens, or without its escapes.
//
// As in json_scan.h, the function reads only [bytes, bytes + count), allocates
// nothing, and may be called from any thread.

#ifndef JSON_SCAN_COMPACT_H
#define JSON_SCAN_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The state of json_scan_compact. The text can be divided anywhere.
struct json_scan_compact {
    bool in_string;
    /// A backslash before the next byte escapes it.
    bool escaped;
    /// The text is a sequence of records: the line feed at the end of each line
    /// that is not blank is kept.
    bool keeps_lines;
    /// With `keeps_lines`: part of the current line is written.
    bool in_line;
};

/// Copies bytes, except for the white space outside of strings, and returns the
/// number of bytes written. `to` must have room for `count` bytes and must not
/// overlap `bytes`; its content after the written bytes is unspecified.
///
/// The text is not validated. A backslash escapes a quote even outside of
/// strings, where valid JSON has no backslash.
///
/// Cost: one pass.
size_t json_scan_compact(const uint8_t *bytes, size_t count, uint8_t *to,
                         struct json_scan_compact *state);

/// Decodes the escapes of a quote, a backslash and a slash in the inside of a
/// string, up to the first other escape or a backslash that is the last byte.
/// Returns the number of bytes written, and sets `*used` to the number of bytes
/// read. `to` must have room for `count` bytes and must not overlap `bytes`; its
/// content after the written bytes is unspecified.
///
/// JSON in a string has such an escape every few bytes, and few others.
///
/// Cost: one pass.
size_t json_scan_unescape(const uint8_t *bytes, size_t count, uint8_t *to,
                          size_t *used);

#ifdef __cplusplus
}
#endif

#endif
