// The portable byte kernels: one byte at a time. They are the reference in
// tests. And the search for surrogates, which has one version only.

#include "scan_kernels.h"

#include <string.h>

static bool is_continuation(uint8_t byte) { return byte >> 6 == 2; }

// Returns the length of the character with which the bytes begin, or 0 if they
// are not the start of a character. They may be fewer than that length.
static size_t character_length(const uint8_t *bytes, size_t count) {
    uint8_t min, max;
    if (bytes[0] <= 0x7F) return 1;
    const size_t after = json_utf8_continuations(bytes[0], &min, &max);
    for (size_t i = 1; i <= after && i < count; i++) {
        if (bytes[i] < min || bytes[i] > max) return 0;
        min = 0x80;
        max = 0xBF;
    }
    return after == 0 ? 0 : after + 1;
}

size_t json_scan_text_portable(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    while (i < count && bytes[i] != 0x0B && bytes[i] != 0x0C) {
        size_t length = character_length(bytes + i, count - i);
        if (length == 0 || length > count - i) return i;
        i += length;
    }
    return i;
}

size_t json_scan_incomplete_tail(const uint8_t *bytes, size_t count) {
    // A truncated sequence has at most three bytes. Searches its lead byte from
    // the end.
    for (size_t tail = 1; tail <= 3 && tail <= count; tail++) {
        const uint8_t *lead = bytes + count - tail;
        if (is_continuation(*lead)) continue;
        return character_length(lead, tail) > tail ? tail : 0;
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

// Returns whether the four bytes begin an escape of a surrogate: \uD8...\uDF.
static bool is_surrogate_start(const uint8_t *bytes) {
    return bytes[0] == '\\' && bytes[1] == 'u' && (bytes[2] | 0x20) == 'd' &&
           (bytes[3] == '8' || bytes[3] == '9' ||
            ((bytes[3] | 0x20) >= 'a' && (bytes[3] | 0x20) <= 'f'));
}

size_t json_scan_surrogate(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i + 4 <= count; i++) {
        const uint8_t *found = memchr(bytes + i, '\\', count - i - 3);
        if (!found) break;
        i = (size_t)(found - bytes);
        if (is_surrogate_start(found)) return i;
    }
    return count;
}
