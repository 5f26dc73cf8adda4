// Text without the white space between its tokens.
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

/// Where json_scan_compact stands. It can stop and go on anywhere.
struct json_scan_compact {
    bool in_string;
    /// A backslash stands before the next byte.
    bool escaped;
    /// Of the line feeds outside of strings one stays at the end of each line
    /// that is not blank: the text is a run of records.
    bool keeps_lines;
    /// With `keeps_lines`: some of the line is written.
    bool in_line;
};

/// Copies bytes, but for the white space outside of strings, and returns how
/// many were written. `to` has room for `count` bytes and does not overlap
/// `bytes`; behind the bytes that were written it may hold anything then.
///
/// What else the text is made of is not looked at. A backslash escapes a quote
/// outside of strings too, where no JSON has one.
///
/// Cost: one pass.
size_t json_scan_compact(const uint8_t *bytes, size_t count, uint8_t *to,
                         struct json_scan_compact *state);

#ifdef __cplusplus
}
#endif

#endif
