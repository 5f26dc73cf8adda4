// The portable byte kernels: one byte at a time. They are the reference in
// tests.

#include "scan_kernels.h"

static bool in_range(uint8_t byte, uint8_t low, uint8_t high) {
    return byte >= low && byte <= high;
}

static bool is_continuation(uint8_t byte) { return in_range(byte, 0x80, 0xBF); }

// Returns the length of the sequence that `lead` begins, or 0 if it is not a
// lead byte.
static size_t sequence_length(uint8_t lead) {
    if (lead <= 0x7F) return 1;
    if (in_range(lead, 0xC2, 0xDF)) return 2;
    if (in_range(lead, 0xE0, 0xEF)) return 3;
    if (in_range(lead, 0xF0, 0xF4)) return 4;
    return 0;
}

// Returns whether `second` may follow `lead` (C2..F4). RFC 3629, section 4:
// four lead bytes restrict the range, which excludes overlong forms,
// surrogates and values above U+10FFFF.
static bool second_is_allowed(uint8_t lead, uint8_t second) {
    switch (lead) {
    case 0xE0: return in_range(second, 0xA0, 0xBF);
    case 0xED: return in_range(second, 0x80, 0x9F);
    case 0xF0: return in_range(second, 0x90, 0xBF);
    case 0xF4: return in_range(second, 0x80, 0x8F);
    default: return is_continuation(second);
    }
}

size_t json_scan_text_portable(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    while (i < count) {
        uint8_t lead = bytes[i];
        if (lead == 0x0B || lead == 0x0C) return i;

        size_t length = sequence_length(lead);
        if (length == 0 || length > count - i) return i;
        if (length >= 2 && !second_is_allowed(lead, bytes[i + 1])) return i;
        if (length >= 3 && !is_continuation(bytes[i + 2])) return i;
        if (length >= 4 && !is_continuation(bytes[i + 3])) return i;
        i += length;
    }
    return count;
}

size_t json_scan_incomplete_tail(const uint8_t *bytes, size_t count) {
    // A truncated sequence has at most three bytes. Searches its lead byte from
    // the end.
    for (size_t tail = 1; tail <= 3 && tail <= count; tail++) {
        uint8_t byte = bytes[count - tail];
        if (is_continuation(byte)) continue;

        if (sequence_length(byte) <= tail) return 0;
        if (tail >= 2 && !second_is_allowed(byte, bytes[count - tail + 1])) {
            return 0;
        }
        return tail;
    }
    return 0;
}

size_t json_scan_text_from(const uint8_t *bytes, size_t count, size_t checked) {
    // Starts at the last lead byte, if its sequence may be truncated. The lead
    // byte may be invalid: a vector kernel checks a byte only together with the
    // one after it.
    size_t start = checked;
    for (size_t back = 1; back <= 3 && back <= checked; back++) {
        uint8_t byte = bytes[checked - back];
        if (is_continuation(byte)) continue;
        if (byte > 0x7F) start = checked - back;
        break;
    }
    return start + json_scan_text_portable(bytes + start, count - start);
}

size_t json_scan_string_end_portable(const uint8_t *bytes, size_t count,
                                     bool *escaped) {
    bool is_escaped = *escaped;
    for (size_t i = 0; i < count; i++) {
        if (is_escaped) {
            is_escaped = false;
        } else if (bytes[i] == '\\') {
            is_escaped = true;
        } else if (bytes[i] == '"') {
            *escaped = false;
            return i;
        }
    }
    *escaped = is_escaped;
    return count;
}

size_t json_scan_whitespace_portable(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    while (i < count && (bytes[i] == 0x20 || bytes[i] == 0x09 ||
                         bytes[i] == 0x0A || bytes[i] == 0x0D)) {
        i++;
    }
    return i;
}

size_t json_scan_count_newlines_portable(const uint8_t *bytes, size_t count) {
    size_t newlines = 0;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == 0x0A) newlines++;
    }
    return newlines;
}

size_t json_scan_newline_portable(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    while (i < count && bytes[i] != 0x0A) i++;
    return i;
}

size_t json_scan_surrogate_portable(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i + 4 <= count; i++) {
        if (json_is_surrogate_start(bytes + i)) return i;
    }
    return count;
}
