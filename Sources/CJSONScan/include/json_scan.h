// Byte scans for JSON text.
//
// Every function reads only [bytes, bytes + count), keeps no state between
// calls, allocates nothing, and may be called from any thread. `bytes` may be
// null when `count` is 0. Costs are in bytes of input read.

#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_scan_structure.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the length of the longest prefix whose bytes JSON text may contain:
/// strict UTF-8 (RFC 3629) without the raw bytes 0B and 0C, which JSON allows
/// nowhere.
///
/// Returns `count` if the whole input qualifies. Otherwise returns the offset
/// of the first byte of the first ill-formed sequence, or of the first 0B or
/// 0C, whichever is lower. Overlong forms, surrogates, values above U+10FFFF
/// and stray continuation bytes are ill-formed. A sequence truncated by the end
/// of the input is ill-formed at its first byte; see
/// `json_scan_incomplete_tail`.
///
/// Cost: one pass, O(count); stops soon after the first fault.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_text(const uint8_t *bytes, size_t count);

/// Returns the number of bytes (0...3) at the end of the input that are a
/// truncated but so far well-formed UTF-8 sequence. The bytes before them are
/// not validated.
///
/// Cost: O(1), at most the last three bytes.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_incomplete_tail(const uint8_t *bytes, size_t count);

/// Returns the offset of the first unescaped quote (22), or `count` if there is
/// no such quote. A backslash escapes the byte after it.
///
/// On entry `*escaped` is whether a backslash before the input escapes its
/// first byte. If the function returns `count`, `*escaped` becomes whether the
/// byte after the input is escaped. If it finds a quote, `*escaped` becomes
/// false.
///
/// Cost: one pass up to the quote.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_string_end(const uint8_t *bytes, size_t count, bool *escaped);

/// Returns the offset of the first byte that is not JSON whitespace (20, 09,
/// 0A, 0D), or `count` if there is no such byte.
///
/// Cost: one pass up to that byte; optimized for short runs.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_whitespace(const uint8_t *bytes, size_t count);

/// Returns the number of bytes equal to 0A.
///
/// Cost: one pass, O(count).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_count_newlines(const uint8_t *bytes, size_t count);

/// Returns the offset of the first 0A, or `count` if there is no 0A.
///
/// Cost: one pass up to that byte.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_newline(const uint8_t *bytes, size_t count);

/// Returns the offset of the last 0A, or `count` if there is no 0A.
///
/// Cost: one pass from the end back to that byte.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_last_newline(const uint8_t *bytes, size_t count);

/// Returns the offset of the first backslash followed by `uD8`...`uDF`, in
/// either case, or `count` if there is no such backslash. The backslash may
/// itself be escaped: the caller must inspect the bytes before it.
///
/// Cost: one pass up to that byte.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_surrogate(const uint8_t *bytes, size_t count);

/// Returns the name of the kernel in use on this machine: "avx2", "neon" or
/// "portable". The string is static.
///
/// Cost: O(1). Reads no input.
const char *json_scan_kernel(void);

// Portable versions. Each returns the same result as the function it is named
// after, reads one byte at a time, and runs on every machine. They are the
// reference in tests.

/// `json_scan_text`, byte by byte. O(count).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_text_portable(const uint8_t *bytes, size_t count);

/// `json_scan_string_end`, byte by byte. O(bytes up to the quote).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_string_end_portable(const uint8_t *bytes, size_t count,
                                     bool *escaped);

/// `json_scan_whitespace`, byte by byte. O(length of the run).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_whitespace_portable(const uint8_t *bytes, size_t count);

/// `json_scan_count_newlines`, byte by byte. O(count).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_count_newlines_portable(const uint8_t *bytes, size_t count);

/// `json_scan_surrogate`, byte by byte. O(bytes up to the escape).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_surrogate_portable(const uint8_t *bytes, size_t count);

/// `json_scan_newline`, byte by byte. O(bytes up to the newline).
/// Never reads outside [bytes, bytes + count).
size_t json_scan_newline_portable(const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
