#include "oracle.h"

// The state of the recogniser. Every function below returns whether its rule
// holds from `at` on, and advances `at` past the bytes it has read; if the rule
// does not hold, `at` is the offset of the byte that breaks it.
struct text {
    const uint8_t *bytes;
    size_t count, at;
    const struct json_validation_limits *limits;
    // The start of the token that contains `at`, if any.
    size_t token;
    bool in_token;
};

// Returns the byte at `at`, or -1 at the end.
static int here(const struct text *text) {
    return text->at < text->count ? text->bytes[text->at] : -1;
}

static bool takes(struct text *text, int byte) {
    if (here(text) != byte) return false;
    text->at++;
    return true;
}

static bool takes_range(struct text *text, int low, int high) {
    if (here(text) < low || here(text) > high) return false;
    text->at++;
    return true;
}

static void white_space(struct text *text) {
    while (takes(text, ' ') || takes(text, '\t') || takes(text, '\n') ||
           takes(text, '\r')) {
    }
}

static bool begin(struct text *text) {
    text->token = text->at;
    text->in_token = true;
    return true;
}

// Handles the end of the text; a number or literal there may be incomplete.
static bool end(struct text *text, bool may_go_on) {
    text->in_token = may_go_on && here(text) == -1;
    return true;
}

// Whether the next byte may follow a number or literal, which has no closing
// byte.
static bool is_delimited(const struct text *text) {
    int byte = here(text);
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
           byte == ',' || byte == ']' || byte == '}' || byte == -1;
}

// ---- Strings

static int hex_digit(struct text *text) {
    int byte = here(text);
    int value = byte >= '0' && byte <= '9'   ? byte - '0'
                : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                             : -1;
    if (value >= 0) text->at++;
    return value;
}

// Reads the four digits after \u. A low surrogate is valid only where one is
// expected, and then nothing else is.
static bool unicode_escape(struct text *text, bool awaits_low, bool *is_high) {
    size_t start = text->at;
    int digits[4];
    for (int i = 0; i < 4; i++) {
        digits[i] = hex_digit(text);
        if (digits[i] < 0) return false;
        if (i == 0 && awaits_low && digits[0] != 13) {
            text->at = start;
            return false;
        }
        if (i == 1 && digits[0] == 13) {
            bool is_low = digits[1] >= 12;
            if (is_low != awaits_low) {
                text->at = start + 1;
                return false;
            }
        }
    }
    *is_high = digits[0] == 13 && digits[1] >= 8 && digits[1] <= 11;
    return true;
}

static bool escape(struct text *text, bool awaits_low, bool *is_high) {
    *is_high = false;
    if (!takes(text, '\\')) return false;
    if (takes(text, 'u')) return unicode_escape(text, awaits_low, is_high);
    if (awaits_low) return false;
    return takes(text, '"') || takes(text, '\\') || takes(text, '/') ||
           takes(text, 'b') || takes(text, 'f') || takes(text, 'n') ||
           takes(text, 'r') || takes(text, 't');
}

// RFC 3629, section 4.
static bool utf8_character(struct text *text) {
    if (takes_range(text, 0x20, 0x7F)) return true;
    if (takes_range(text, 0xC2, 0xDF)) return takes_range(text, 0x80, 0xBF);
    if (takes(text, 0xE0)) {
        return takes_range(text, 0xA0, 0xBF) && takes_range(text, 0x80, 0xBF);
    }
    if (takes(text, 0xED)) {
        return takes_range(text, 0x80, 0x9F) && takes_range(text, 0x80, 0xBF);
    }
    if (takes_range(text, 0xE1, 0xEF)) {
        return takes_range(text, 0x80, 0xBF) && takes_range(text, 0x80, 0xBF);
    }
    if (takes(text, 0xF0)) {
        return takes_range(text, 0x90, 0xBF) && takes_range(text, 0x80, 0xBF) &&
               takes_range(text, 0x80, 0xBF);
    }
    if (takes_range(text, 0xF1, 0xF3)) {
        return takes_range(text, 0x80, 0xBF) && takes_range(text, 0x80, 0xBF) &&
               takes_range(text, 0x80, 0xBF);
    }
    if (takes(text, 0xF4)) {
        return takes_range(text, 0x80, 0x8F) && takes_range(text, 0x80, 0xBF) &&
               takes_range(text, 0x80, 0xBF);
    }
    return false;
}

static bool characters(struct text *text) {
    bool awaits_low = false;
    for (;;) {
        if (here(text) == '\\') {
            if (!escape(text, awaits_low, &awaits_low)) return false;
        } else if (awaits_low) {
            return false;
        } else if (here(text) == '"') {
            return true;
        } else if (!utf8_character(text)) {
            return false;
        }
    }
}

static bool string(struct text *text, uint64_t limit) {
    begin(text);
    size_t start = text->at + 1;
    if (!takes(text, '"')) return false;
    bool holds = characters(text);
    if (text->at - start > limit) {
        text->at = start + limit;
        return false;
    }
    if (!holds) return false;
    text->at++;
    return end(text, false);
}

// ---- Numbers and literals

static bool digits(struct text *text) {
    if (!takes_range(text, '0', '9')) return false;
    while (takes_range(text, '0', '9')) {
    }
    return true;
}

static bool number_text(struct text *text) {
    takes(text, '-');
    if (!takes(text, '0')) {
        if (!digits(text)) return false;
    }
    if (takes(text, '.') && !digits(text)) return false;
    if (takes(text, 'e') || takes(text, 'E')) {
        if (!takes(text, '+')) takes(text, '-');
        if (!digits(text)) return false;
    }
    return is_delimited(text);
}

static bool number(struct text *text) {
    size_t start = text->at;
    begin(text);
    bool holds = number_text(text);
    if (text->at - start > text->limits->number) {
        text->at = start + text->limits->number;
        return false;
    }
    return holds && end(text, true);
}

static bool literal(struct text *text, const char *letters) {
    begin(text);
    for (; *letters; letters++) {
        if (!takes(text, *letters)) return false;
    }
    return is_delimited(text) && end(text, true);
}

// ---- Values

static bool value(struct text *text, uint64_t depth);

static bool members(struct text *text, uint64_t depth) {
    white_space(text);
    if (takes(text, '}')) return true;
    for (;;) {
        white_space(text);
        if (here(text) != '"' || !string(text, text->limits->key)) return false;
        white_space(text);
        if (!takes(text, ':')) return false;
        if (!value(text, depth)) return false;
        if (takes(text, '}')) return true;
        if (!takes(text, ',')) return false;
    }
}

static bool elements(struct text *text, uint64_t depth) {
    white_space(text);
    if (takes(text, ']')) return true;
    for (;;) {
        if (!value(text, depth)) return false;
        if (takes(text, ']')) return true;
        if (!takes(text, ',')) return false;
    }
}

// Reads a value with the white space around it, inside `depth` containers.
static bool value(struct text *text, uint64_t depth) {
    white_space(text);
    int byte = here(text);
    bool holds = false;
    if (byte == '{' || byte == '[') {
        if (depth == text->limits->depth) return false;
        text->at++;
        holds = byte == '{' ? members(text, depth + 1)
                            : elements(text, depth + 1);
    } else if (byte == '"') {
        holds = string(text, text->limits->string);
    } else if (byte == 't') {
        holds = literal(text, "true");
    } else if (byte == 'f') {
        holds = literal(text, "false");
    } else if (byte == 'n') {
        holds = literal(text, "null");
    } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
        holds = number(text);
    }
    if (holds) white_space(text);
    return holds;
}

struct verdict oracle(const uint8_t *bytes, size_t count,
                      const struct json_validation_limits *limits) {
    struct text text = {bytes, count, 0, limits, 0, false};
    bool holds = value(&text, 0) && text.at == count;
    struct verdict verdict = {holds, text.at,
                              text.in_token ? text.token : text.at};
    return verdict;
}

struct verdict oracle_line(const uint8_t *bytes, size_t count,
                           const struct json_validation_limits *limits,
                           bool has_line_feed, bool *is_blank) {
    // The line feed ends a number or literal, and is invalid in a string.
    struct verdict verdict = oracle(bytes, count + has_line_feed, limits);
    if (verdict.undecided > count) verdict.undecided = verdict.token = count;
    *is_blank = true;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
            *is_blank = false;
        }
    }
    if (*is_blank) {
        verdict.is_json = true;
        verdict.undecided = verdict.token = count;
    }
    if (count > limits->line && verdict.undecided >= limits->line) {
        verdict.is_json = false;
        verdict.undecided = limits->line;
        verdict.token = ANY_TOKEN;
    }
    return verdict;
}
