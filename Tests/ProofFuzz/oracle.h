// A strict JSON recogniser, written to be read: one function for each rule of
// RFC 8259, one byte at a time, no state, no tables. It shares nothing with the
// kernels that it judges, and is itself compared with libyajl.

#ifndef ORACLE_H
#define ORACLE_H

#include "json_proof.h"

#define ANY_TOKEN SIZE_MAX

/// What the recogniser says of one text.
struct verdict {
    /// The text is JSON within the limits.
    bool is_json;
    /// The first byte behind which no JSON text can go on, or that is over a
    /// limit. The length of the text if it only ends too early.
    size_t doubt;
    /// Where the token begins that the doubtful byte belongs to, or `doubt`;
    /// ANY_TOKEN if this recogniser does not say.
    size_t token;
};

/// Judges bytes[0 ..< count].
struct verdict oracle(const uint8_t *bytes, size_t count,
                      const struct json_proof_limits *limits);

/// The same of a line of `count` bytes, with a line feed behind them or at the
/// end of the text. A blank line is fine.
struct verdict oracle_line(const uint8_t *bytes, size_t count,
                           const struct json_proof_limits *limits,
                           bool has_line_feed, bool *is_blank);

#endif
