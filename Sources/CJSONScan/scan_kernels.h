// Private to this target: functions and tables that the byte kernels and the
// validation share.

#ifndef JSON_SCAN_KERNELS_H
#define JSON_SCAN_KERNELS_H

#include "json_scan.h"
#include "kernel_level.h"

// Returns the result of json_scan_text if bytes[0 ..< checked] has no fault,
// except that its last sequence may be truncated or its last byte may be an
// illegal lead byte. Vector kernels call this when they have detected that a
// fault is near; the scan starts at that sequence and finds its exact offset.
size_t json_scan_text_from(const uint8_t *bytes, size_t count, size_t checked);

// Returns whether the bytes before `end` end inside a character.
static inline bool json_utf8_ends_in_character(const uint8_t *end) {
    return end[-1] >= 0xC0 || end[-2] >= 0xE0 || end[-3] >= 0xF0;
}

// Returns the number of bytes that must follow the lead byte of a character (0
// if `lead` is not the lead byte of several bytes), and sets the bounds of the
// first of them: RFC 3629, section 4. They exclude overlong forms, surrogates
// and values above U+10FFFF.
static inline unsigned json_utf8_continuations(uint8_t lead, uint8_t *min,
                                               uint8_t *max) {
    *min = 0x80;
    *max = 0xBF;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (lead < 0xE0) return 1;
    switch (lead) {
    case 0xE0: *min = 0xA0; break;
    case 0xED: *max = 0x9F; break;
    case 0xF0: *min = 0x90; break;
    case 0xF4: *max = 0x8F; break;
    default: break;
    }
    return lead < 0xF0 ? 2 : 3;
}

// Tables for the UTF-8 check of Keiser and Lemire, "Validating UTF-8 in less
// than one instruction per byte". A byte and the byte before it give three
// nibbles: high and low of the earlier, high of the later. Each nibble selects
// the set of faults it does not rule out. A fault is present where all three
// sets contain it.
enum {
    // A lead byte, then no continuation.
    JSON_UTF8_SHORT = 0x01,
    // An ASCII byte, then a continuation.
    JSON_UTF8_STRAY = 0x02,
    // E0 80..9F.
    JSON_UTF8_OVERLONG3 = 0x04,
    // F4 90..BF, and F5..FF 90..BF.
    JSON_UTF8_ABOVE = 0x08,
    // ED A0..BF.
    JSON_UTF8_SURROGATE = 0x10,
    // C0..C1 80..BF.
    JSON_UTF8_OVERLONG2 = 0x20,
    // F0 80..8F. Also F5..FF 80..8F: both have 8 as the later high nibble, and
    // the low nibbles 0 and 5..F do not meet, so one bit can serve both.
    JSON_UTF8_OVERLONG4_OR_ABOVE = 0x40,
    // Two continuations. Their validity depends on the bytes before them, so
    // the kernel compares this bit with the requirement of the lead bytes.
    JSON_UTF8_PAIR = 0x80,

    // Faults that do not depend on the low nibble of the earlier byte.
    JSON_UTF8_ANY_LOW = JSON_UTF8_SHORT | JSON_UTF8_STRAY | JSON_UTF8_PAIR,
    // Faults of every continuation byte.
    JSON_UTF8_ANY_CONT = JSON_UTF8_STRAY | JSON_UTF8_OVERLONG2 | JSON_UTF8_PAIR,
    JSON_UTF8_LOW_5_F =
        JSON_UTF8_ANY_LOW | JSON_UTF8_ABOVE | JSON_UTF8_OVERLONG4_OR_ABOVE,
};

// Indexed by the high nibble of the earlier byte.
static const uint8_t json_utf8_earlier_high[16] = {
    // 0...7: ASCII.
    JSON_UTF8_STRAY, JSON_UTF8_STRAY, JSON_UTF8_STRAY, JSON_UTF8_STRAY,
    JSON_UTF8_STRAY, JSON_UTF8_STRAY, JSON_UTF8_STRAY, JSON_UTF8_STRAY,
    // 8...B: continuations.
    JSON_UTF8_PAIR, JSON_UTF8_PAIR, JSON_UTF8_PAIR, JSON_UTF8_PAIR,
    // C, D, E, F: lead bytes.
    JSON_UTF8_SHORT | JSON_UTF8_OVERLONG2,
    JSON_UTF8_SHORT,
    JSON_UTF8_SHORT | JSON_UTF8_OVERLONG3 | JSON_UTF8_SURROGATE,
    JSON_UTF8_SHORT | JSON_UTF8_ABOVE | JSON_UTF8_OVERLONG4_OR_ABOVE,
};

// Indexed by the low nibble of the earlier byte.
static const uint8_t json_utf8_earlier_low[16] = {
    // 0: C0, E0, F0.
    JSON_UTF8_ANY_LOW | JSON_UTF8_OVERLONG2 | JSON_UTF8_OVERLONG3 |
        JSON_UTF8_OVERLONG4_OR_ABOVE,
    // 1: C1.
    JSON_UTF8_ANY_LOW | JSON_UTF8_OVERLONG2,
    JSON_UTF8_ANY_LOW,
    JSON_UTF8_ANY_LOW,
    // 4: F4.
    JSON_UTF8_ANY_LOW | JSON_UTF8_ABOVE,
    // 5...F: F5...FF, and D also ED.
    JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F,
    JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F,
    JSON_UTF8_LOW_5_F | JSON_UTF8_SURROGATE,
    JSON_UTF8_LOW_5_F, JSON_UTF8_LOW_5_F,
};

// Indexed by the high nibble of the later byte.
static const uint8_t json_utf8_later_high[16] = {
    // 0...7: ASCII.
    JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT,
    JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT,
    // 8, 9, A, B: continuations.
    JSON_UTF8_ANY_CONT | JSON_UTF8_OVERLONG3 | JSON_UTF8_OVERLONG4_OR_ABOVE,
    JSON_UTF8_ANY_CONT | JSON_UTF8_OVERLONG3 | JSON_UTF8_ABOVE,
    JSON_UTF8_ANY_CONT | JSON_UTF8_SURROGATE | JSON_UTF8_ABOVE,
    JSON_UTF8_ANY_CONT | JSON_UTF8_SURROGATE | JSON_UTF8_ABOVE,
    // C...F: lead bytes.
    JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT, JSON_UTF8_SHORT,
};

// Indexed by the low nibble of a byte: the whitespace byte with that low
// nibble. Other entries are 0, which differs from each byte with their low
// nibble.
static const uint8_t json_whitespace_by_low[16] = {
    0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x0A, 0, 0, 0x0D, 0, 0,
};

#endif
