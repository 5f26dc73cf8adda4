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

// ---- Versions

/// The kernels of one instruction set. Each is a version of the function with
/// its name, and returns the same results.
struct json_scan_structure_version {
    const char *name;
    /// The `enum json_kernel_level` that the processor must support.
    int level;
    __typeof__(json_scan_text) *text;
    __typeof__(json_scan_string_end) *string_end;
    __typeof__(json_scan_whitespace) *whitespace;
    __typeof__(json_scan_count_newlines) *count_newlines;
    __typeof__(json_scan_container_end) *container_end;
    __typeof__(json_scan_children) *children;
    __typeof__(json_scan_index) *index;
    __typeof__(json_scan_tape_words) *tape_words;
    __typeof__(json_scan_compact) *compact;
    __typeof__(json_scan_unescape) *unescape;
    __typeof__(json_scan_layout) *layout;
    __typeof__(json_scan_literals_find) *literals_find;
};

/// Returns a version that this processor can run: the best one at index 0, the
/// portable one last, then null. For tests and measurements: the functions
/// above use the best version.
const struct json_scan_structure_version *
json_scan_structure_version(size_t index);

/// Returns the name of the best version: "avx512", "avx2", "neon" or
/// "portable". The string is static.
const char *json_scan_kernel(void);

// Portable versions: they read one byte at a time, and run on every machine.
// They are the reference in tests.

__typeof__(json_scan_text) json_scan_text_portable;
__typeof__(json_scan_string_end) json_scan_string_end_portable;
__typeof__(json_scan_whitespace) json_scan_whitespace_portable;
__typeof__(json_scan_count_newlines) json_scan_count_newlines_portable;

#ifdef __cplusplus
}
#endif

#endif
