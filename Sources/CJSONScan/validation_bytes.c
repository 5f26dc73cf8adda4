// The byte machine of the validation, which is also the portable version: one
// byte at a time, with loops for long runs. The text can be divided at any
// byte: the state contains the open token and the progress in it.
//
// Each undecided place below has the number of its check. No other file of
// this target reports an undecided place.

#include "validation_kernels.h"

#include <string.h>

// ---- Tables

enum {
    BAD, BLANK, FEED, QUOTE, OPEN, CLOSE, COMMA, COLON, MINUS, ZERO, DIGIT, LETTER
};

// The kind of token that a byte begins. A LETTER begins a literal.
static const uint8_t kind_of[256] = {
    [' '] = BLANK,  ['\t'] = BLANK,       ['\r'] = BLANK, ['\n'] = FEED,
    ['"'] = QUOTE,  ['['] = OPEN,         ['{'] = OPEN,   [']'] = CLOSE,
    ['}'] = CLOSE,  [','] = COMMA,        [':'] = COLON,  ['-'] = MINUS,
    ['0'] = ZERO,   ['1' ... '9'] = DIGIT, ['t'] = LETTER, ['f'] = LETTER,
    ['n'] = LETTER,
};

// The tokens that are allowed in each phase.
enum { VALUE_BIT = 1, KEY_BIT = 2, COMMA_BIT = 4, COLON_BIT = 8, CLOSE_BIT = 16 };

static const uint8_t allowed_tokens[] = {
    [JSON_VALIDATION_START] = VALUE_BIT,
    [JSON_VALIDATION_END] = 0,
    [JSON_VALIDATION_ELEMENT_OR_CLOSE] = VALUE_BIT | CLOSE_BIT,
    [JSON_VALIDATION_ELEMENT] = VALUE_BIT,
    [JSON_VALIDATION_KEY_OR_CLOSE] = KEY_BIT | CLOSE_BIT,
    [JSON_VALIDATION_KEY] = KEY_BIT,
    [JSON_VALIDATION_COLON] = COLON_BIT,
    [JSON_VALIDATION_MEMBER] = VALUE_BIT,
    [JSON_VALIDATION_COMMA_OR_CLOSE] = COMMA_BIT | CLOSE_BIT,
};

static const char *const literals[] = {"true", "false", "null"};

static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

// Returns the value of a hexadecimal digit, or 16 for another byte.
static inline unsigned hex_value(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    uint8_t letter = byte | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10u : 16u;
}

// ---- Strings

// Returns the address of the first byte from `p` on that is not plain text: a
// quote, a backslash, a control character, or a byte above 7F.
static inline const uint8_t *plain_end(const uint8_t *p, const uint8_t *end) {
    const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
        uint64_t found = ((quote - ones) | (backslash - ones) |
                          (word - ones * 0x20) | word) & tops;
        if (found == 0) continue;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        // The lowest set byte is such a byte; higher ones may be set by a
        // borrow.
        return p + __builtin_ctzll(found) / 8;
#else
        break;
#endif
    }
    for (; p != end; p++) {
        if (*p < 0x20 || *p == '"' || *p == '\\' || *p > 0x7F) break;
    }
    return p;
}

// ---- The machine

// Reports an undecided place at `base + used`. Resets the state to the start
// of its token.
static size_t undecided(struct json_validation *s, enum json_validation_reason reason,
                    uint64_t base, size_t used) {
    s->reason = (uint8_t)reason;
    s->offset = base + used;
    if (s->token == JSON_VALIDATION_NO_TOKEN) s->token_start = s->offset;
    json_validation_forget_token(s);
    return used;
}

static inline void push(struct json_validation *s, bool is_object) {
    uint64_t *word = s->kinds + s->depth / 64;
    uint64_t bit = (uint64_t)1 << (s->depth % 64);
    *word = is_object ? *word | bit : *word & ~bit;
    s->depth++;
}

// Removes the innermost container, which `byte` closes.
static enum json_validation_reason close_container(struct json_validation *s,
                                              uint8_t byte) {
    if (CHECKED(1, json_validation_is_object(s) != (byte == '}'))) {
        return JSON_VALIDATION_BRACKET;
    }
    s->depth--;
    return JSON_VALIDATION_DECIDED;
}

static enum json_validation_reason open_container(struct json_validation *s,
                                             uint8_t byte) {
    if (CHECKED(3, s->depth >= s->limits.depth)) return JSON_VALIDATION_DEPTH;
    if (s->depth / 64 >= s->kinds_capacity) return JSON_VALIDATION_OUT_OF_CAPACITY;
    push(s, byte == '{');
    s->phase = byte == '{' ? JSON_VALIDATION_KEY_OR_CLOSE
                           : JSON_VALIDATION_ELEMENT_OR_CLOSE;
    return JSON_VALIDATION_DECIDED;
}

size_t json_validation_run_bytes(struct json_validation *s, const uint8_t *bytes,
                            size_t count) {
    const uint64_t base = s->offset;
    const uint8_t *const last = bytes + count;
    const uint8_t *p = bytes;
    // The end of the bytes, or the address at which the line reaches its limit.
    const uint8_t *end = last;
    uint8_t byte;
    s->reason = JSON_VALIDATION_DECIDED;

#define OFFSET (base + (uint64_t)(p - bytes))
#define PUT_ENTRY()                                                           \
    do {                                                                      \
        if (s->index) {                                                       \
            s->index->entries[s->index->count++] =                            \
                (uint32_t)(OFFSET - s->index_start);                          \
        }                                                                     \
    } while (0)
#define UNDECIDED(why) return undecided(s, why, base, (size_t)(p - bytes))
// Loads the next byte, or stops here with the token state `kept`.
#define NEXT(kept)                                                            \
    do {                                                                      \
        if (p == end) {                                                       \
            s->token = (kept);                                                \
            goto stop;                                                        \
        }                                                                     \
        byte = *p;                                                            \
    } while (0)
#define LINE_END                                                              \
    do {                                                                      \
        end = last;                                                           \
        if (s->is_lines) {                                                    \
            uint64_t length = OFFSET - s->line_start;                         \
            uint64_t left =                                                   \
                s->limits.line > length ? s->limits.line - length : 0;        \
            if (left < (uint64_t)(last - p)) end = p + left;                  \
        }                                                                     \
    } while (0)

    LINE_END;
resume:
    switch (s->token) {
    case JSON_VALIDATION_NO_TOKEN: goto between;
    case JSON_VALIDATION_TEXT: goto text;
    case JSON_VALIDATION_AFTER_BACKSLASH: goto after_backslash;
    case JSON_VALIDATION_IN_HEX: goto hex;
    case JSON_VALIDATION_IN_UTF8: goto utf8;
    case JSON_VALIDATION_MINUS: goto minus;
    case JSON_VALIDATION_ZERO: goto zero;
    case JSON_VALIDATION_INTEGER: goto integer;
    case JSON_VALIDATION_POINT: goto point;
    case JSON_VALIDATION_FRACTION: goto fraction;
    case JSON_VALIDATION_E: goto e;
    case JSON_VALIDATION_SIGN: goto sign;
    case JSON_VALIDATION_EXPONENT: goto exponent;
    default: goto literal;
    }

between:
    NEXT(JSON_VALIDATION_NO_TOKEN);
    switch (kind_of[byte]) {
    case BLANK:
        p++;
        goto between;
    case FEED:
        if (s->is_lines) {
            if (s->phase == JSON_VALIDATION_END) {
                s->records++;
            } else if (CHECKED(4, s->phase != JSON_VALIDATION_START)) {
                UNDECIDED(JSON_VALIDATION_UNFINISHED);
            }
            if (s->index && s->index->rows) {
                s->index->rows[s->index->row_count++] =
                    (uint32_t)s->index->count;
                PUT_ENTRY();
            }
            p++;
            s->line++;
            s->line_start = OFFSET;
            s->phase = JSON_VALIDATION_START;
            LINE_END;
            goto between;
        }
        p++;
        goto between;
    case QUOTE:
        if (CHECKED(5, !(allowed_tokens[s->phase] & (VALUE_BIT | KEY_BIT)))) {
            UNDECIDED(JSON_VALIDATION_UNEXPECTED);
        }
        goto value;
    case MINUS: case ZERO: case DIGIT: case LETTER:
        if (CHECKED(6, !(allowed_tokens[s->phase] & VALUE_BIT))) {
            UNDECIDED(JSON_VALIDATION_UNEXPECTED);
        }
    value:
        // While a token is open, the phase contains only the kind of token that
        // it is.
        if (s->phase == JSON_VALIDATION_ELEMENT_OR_CLOSE) {
            s->phase = JSON_VALIDATION_ELEMENT;
        } else if (s->phase == JSON_VALIDATION_KEY_OR_CLOSE) {
            s->phase = JSON_VALIDATION_KEY;
        }
        s->token_start = OFFSET;
        PUT_ENTRY();
        p++;
        switch (kind_of[byte]) {
        case QUOTE: goto text;
        case MINUS: goto minus;
        case ZERO: goto zero;
        case DIGIT: goto integer;
        default: break;
        }
        s->literal = byte == 't' ? 0 : byte == 'f' ? 1 : 2;
        s->literal_seen = 1;
        goto literal;
    case OPEN: {
        if (CHECKED(7, !(allowed_tokens[s->phase] & VALUE_BIT))) {
            UNDECIDED(JSON_VALIDATION_UNEXPECTED);
        }
        enum json_validation_reason reason = open_container(s, byte);
        if (reason) UNDECIDED(reason);
        PUT_ENTRY();
        p++;
        goto between;
    }
    case CLOSE: {
        if (CHECKED(8, !(allowed_tokens[s->phase] & CLOSE_BIT))) {
            UNDECIDED(s->phase == JSON_VALIDATION_END ? JSON_VALIDATION_BRACKET
                                             : JSON_VALIDATION_UNEXPECTED);
        }
        enum json_validation_reason reason = close_container(s, byte);
        if (reason) UNDECIDED(reason);
        PUT_ENTRY();
        p++;
        s->phase = json_validation_phase_after_value(s);
        goto between;
    }
    case COMMA:
        if (CHECKED(9, !(allowed_tokens[s->phase] & COMMA_BIT))) {
            UNDECIDED(JSON_VALIDATION_UNEXPECTED);
        }
        p++;
        s->phase =
            json_validation_is_object(s) ? JSON_VALIDATION_KEY : JSON_VALIDATION_ELEMENT;
        goto between;
    case COLON:
        if (CHECKED(10, !(allowed_tokens[s->phase] & COLON_BIT))) {
            UNDECIDED(JSON_VALIDATION_UNEXPECTED);
        }
        p++;
        s->phase = JSON_VALIDATION_MEMBER;
        goto between;
    default:
        UNDECIDED(JSON_VALIDATION_UNEXPECTED);
    }

// ---- Strings

// The number of validated bytes after the opening quote, and its limit.
#define STRING_LENGTH (OFFSET - s->token_start - 1)
#define STRING_LIMIT                                                          \
    (s->phase == JSON_VALIDATION_KEY ? s->limits.key : s->limits.string)
// Reports an undecided place in a string, unless the string exceeds its limit
// before.
#define STRING_UNDECIDED(why)                                                     \
    do {                                                                      \
        s->token = JSON_VALIDATION_TEXT;                                           \
        if (STRING_LENGTH > STRING_LIMIT) goto long_string;                   \
        UNDECIDED(why);                                                           \
    } while (0)

text:
    if (s->awaits_low) {
        // No byte is allowed between the halves of a pair.
        NEXT(JSON_VALIDATION_TEXT);
        if (CHECKED(11, byte != '\\')) STRING_UNDECIDED(JSON_VALIDATION_SURROGATE);
    }
    p = plain_end(p, end);
    NEXT(JSON_VALIDATION_TEXT);
    if (byte == '"') {
        if (CHECKED(12, STRING_LENGTH > STRING_LIMIT)) goto long_string;
        p++;
        s->token = JSON_VALIDATION_NO_TOKEN;
        s->phase = s->phase == JSON_VALIDATION_KEY
                       ? JSON_VALIDATION_COLON
                       : json_validation_phase_after_value(s);
        goto between;
    }
    if (byte == '\\') {
        if (s->index) s->index->has_backslash = true;
        p++;
        goto after_backslash;
    }
    if (byte < 0x20) {
        if (CHECKED(13, true)) STRING_UNDECIDED(JSON_VALIDATION_CONTROL);
        p++;
        goto text;
    }
    s->utf8_left = (uint8_t)json_utf8_continuations(byte, &s->utf8_min,
                                                     &s->utf8_max);
    if (CHECKED(14, s->utf8_left == 0)) STRING_UNDECIDED(JSON_VALIDATION_UTF8);
    p++;
utf8:
    while (s->utf8_left > 0) {
        NEXT(JSON_VALIDATION_IN_UTF8);
        if (CHECKED(15, byte < s->utf8_min || byte > s->utf8_max)) {
            STRING_UNDECIDED(JSON_VALIDATION_UTF8);
        }
        p++;
        s->utf8_left--;
        s->utf8_min = 0x80;
        s->utf8_max = 0xBF;
    }
    s->utf8_min = s->utf8_max = 0;
    goto text;

after_backslash:
    NEXT(JSON_VALIDATION_AFTER_BACKSLASH);
    if (byte == 'u') {
        p++;
        goto hex;
    }
    if (CHECKED(16, s->awaits_low)) STRING_UNDECIDED(JSON_VALIDATION_SURROGATE);
    switch (byte) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r':
    case 't':
        p++;
        goto text;
    default:
        if (CHECKED(17, true)) STRING_UNDECIDED(JSON_VALIDATION_ESCAPE);
        p++;
        goto text;
    }
hex:
    while (s->hex_seen < 4) {
        NEXT(JSON_VALIDATION_IN_HEX);
        unsigned digit = hex_value(byte);
        if (CHECKED(18, digit > 15)) STRING_UNDECIDED(JSON_VALIDATION_ESCAPE);
        if (s->hex_seen == 0) {
            // D800...DBFF are high halves, DC00...DFFF are low ones.
            s->half = digit == 13 ? JSON_VALIDATION_MAY_BE_HALF : JSON_VALIDATION_NO_HALF;
            if (CHECKED(19, s->awaits_low && digit != 13)) {
                STRING_UNDECIDED(JSON_VALIDATION_SURROGATE);
            }
        } else if (s->hex_seen == 1 && s->half == JSON_VALIDATION_MAY_BE_HALF) {
            bool is_low = digit >= 12;
            if (CHECKED(20, digit >= 8 && is_low != s->awaits_low) ||
                CHECKED(21, digit < 8 && s->awaits_low)) {
                STRING_UNDECIDED(JSON_VALIDATION_SURROGATE);
            }
            s->awaits_low = false;
            s->half = digit >= 8 && !is_low ? JSON_VALIDATION_HIGH_HALF
                                            : JSON_VALIDATION_NO_HALF;
        }
        s->hex_seen++;
        p++;
    }
    s->awaits_low = s->half == JSON_VALIDATION_HIGH_HALF;
    s->hex_seen = s->half = 0;
    goto text;

long_string:
    s->token = JSON_VALIDATION_TEXT;
    p = bytes + (s->token_start + 1 + STRING_LIMIT - base);
    UNDECIDED(s->phase == JSON_VALIDATION_KEY ? JSON_VALIDATION_KEY_LENGTH
                                     : JSON_VALIDATION_STRING_LENGTH);

// ---- Numbers and literals

#define NUMBER_UNDECIDED                                                          \
    do {                                                                      \
        s->token = JSON_VALIDATION_INTEGER;                                        \
        if (OFFSET - s->token_start > s->limits.number) goto long_number;     \
        UNDECIDED(JSON_VALIDATION_NUMBER);                                             \
    } while (0)
#define UNDECIDED_IN_LITERAL                                                      \
    do {                                                                      \
        s->token = JSON_VALIDATION_IN_LITERAL;                                     \
        UNDECIDED(JSON_VALIDATION_LITERAL);                                            \
    } while (0)
#define DIGITS(kept)                                                          \
    do {                                                                      \
        for (;; p++) {                                                        \
        NEXT(kept);                                                       \
            if (!is_digit(byte)) break;                                       \
        }                                                                     \
    } while (0)

minus:
    NEXT(JSON_VALIDATION_MINUS);
    if (CHECKED(22, !is_digit(byte))) NUMBER_UNDECIDED;
    p++;
    if (byte != '0') goto integer;
zero:
    // A digit may not follow. It fails the check for the byte after a number.
    NEXT(JSON_VALIDATION_ZERO);
    goto after_integer;
integer:
    DIGITS(JSON_VALIDATION_INTEGER);
after_integer:
    if (byte == '.') {
        p++;
        goto point;
    }
after_digits:
    if ((byte | 0x20) == 'e') {
        p++;
        goto e;
    }
number_end:
    // The byte must be a comma, a closing bracket or white space. It is then
    // processed like any token after a value.
    if (CHECKED(24, OFFSET - s->token_start > s->limits.number)) {
        goto long_number;
    }
    if (CHECKED(25, kind_of[byte] != BLANK && kind_of[byte] != FEED &&
                        kind_of[byte] != COMMA && kind_of[byte] != CLOSE)) {
        NUMBER_UNDECIDED;
    }
    goto scalar_end;
point:
    NEXT(JSON_VALIDATION_POINT);
    if (CHECKED(26, !is_digit(byte))) NUMBER_UNDECIDED;
fraction:
    DIGITS(JSON_VALIDATION_FRACTION);
    goto after_digits;
e:
    NEXT(JSON_VALIDATION_E);
    if (byte == '+' || byte == '-') {
        p++;
        goto sign;
    }
    if (CHECKED(27, !is_digit(byte))) NUMBER_UNDECIDED;
    goto exponent;
sign:
    NEXT(JSON_VALIDATION_SIGN);
    if (CHECKED(28, !is_digit(byte))) NUMBER_UNDECIDED;
exponent:
    DIGITS(JSON_VALIDATION_EXPONENT);
    goto number_end;

long_number:
    s->token = JSON_VALIDATION_INTEGER;
    p = bytes + (s->token_start + s->limits.number - base);
    UNDECIDED(JSON_VALIDATION_NUMBER_LENGTH);

literal:
    while (literals[s->literal][s->literal_seen] != 0) {
        NEXT(JSON_VALIDATION_IN_LITERAL);
        if (CHECKED(29, byte != (uint8_t)literals[s->literal][s->literal_seen])) {
            UNDECIDED_IN_LITERAL;
        }
        p++;
        s->literal_seen++;
    }
    // As after a number. Rejects `truex`.
    NEXT(JSON_VALIDATION_IN_LITERAL);
    if (CHECKED(30, kind_of[byte] != BLANK && kind_of[byte] != FEED &&
                        kind_of[byte] != COMMA && kind_of[byte] != CLOSE)) {
        UNDECIDED_IN_LITERAL;
    }
    s->literal = s->literal_seen = 0;
scalar_end:
    s->token = JSON_VALIDATION_NO_TOKEN;
    s->phase = (uint8_t)json_validation_phase_after_value(s);
    goto between;

stop:
    // The open token may exceed its limit before it ends.
    if (s->token >= JSON_VALIDATION_TEXT && s->token <= JSON_VALIDATION_IN_UTF8) {
        if (STRING_LENGTH > STRING_LIMIT) goto long_string;
    } else if (s->token >= JSON_VALIDATION_MINUS &&
               s->token <= JSON_VALIDATION_EXPONENT) {
        if (OFFSET - s->token_start > s->limits.number) goto long_number;
    }
    if (end != last) {
        // The line has reached its limit: only a line feed may follow.
        if (CHECKED(31, *end != '\n')) UNDECIDED(JSON_VALIDATION_LINE_LENGTH);
        end = *end == '\n' ? end + 1 : last;
        goto resume;
    }
    s->offset = OFFSET;
    if (s->token == JSON_VALIDATION_NO_TOKEN) s->token_start = s->offset;
    return count;
}
