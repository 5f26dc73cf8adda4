// A strict JSON recogniser, written for readability: one function for each rule
// of RFC 8259, one byte at a time, no state, no tables. It shares no code with
// the kernels that it checks, and is itself compared with libyajl.

#ifndef ORACLE_H
#define ORACLE_H

#include "json_validation.h"
#include "json_scan_index.h"

#define ANY_TOKEN SIZE_MAX

/// The recogniser's result for one text.
struct verdict {
    /// Whether the text is JSON within the limits.
    bool is_json;
    /// The first byte after which no JSON text can continue, or which exceeds a
    /// limit. The length of the text if it only ends too early.
    size_t undecided;
    /// The start of the token that contains the undecided byte, or `undecided
    /// place`; ANY_TOKEN if this recogniser does not determine it.
    size_t token;
};

/// Judges bytes[0 ..< count].
struct verdict oracle(const uint8_t *bytes, size_t count,
                      const struct json_validation_limits *limits);

/// Judges a line of `count` bytes, which a line feed or the end of the text
/// ends. A blank line is valid.
struct verdict oracle_line(const uint8_t *bytes, size_t count,
                           const struct json_validation_limits *limits,
                           bool has_line_feed, bool *is_blank);

#endif
