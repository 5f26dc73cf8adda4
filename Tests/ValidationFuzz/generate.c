#include "generate.h"

#include <stdio.h>
#include <string.h>

// The spelling of a text.
struct style {
    size_t wanted, start, depth;
    // The probability of white space between tokens, in 1/16, and its maximum
    // length.
    unsigned blanks, most_blanks;
    // The probability of escapes and of characters above 7F in strings, in
    // 1/16.
    unsigned escapes, characters;
    unsigned longest;
    bool is_line;
};

static void put(struct made *made, const char *bytes, size_t count) {
    memcpy(made->bytes + made->count, bytes, count);
    made->count += count;
}

static void put_text(struct made *made, const char *text) {
    put(made, text, strlen(text));
}

static bool is_full(const struct made *made) {
    return made->count > LONGEST_TEXT - 2048;
}

static void blank(struct made *made, const struct style *style) {
    if (below(16) >= style->blanks || is_full(made)) return;
    size_t count = 1 + below(below(40) ? style->most_blanks : 140);
    bool is_mixed = below(4) == 0;
    for (size_t i = 0; i < count; i++) {
        char byte = " \t\r\n"[is_mixed ? below(style->is_line ? 3 : 4) : 0];
        put(made, &byte, 1);
    }
}

static void put_escape(struct made *made) {
    char text[32];
    switch (below(10)) {
    case 0: put_text(made, "\\\\"); break;
    case 1: put_text(made, "\\\""); break;
    case 2: put_text(made, "\\n\\/\\b\\f\\r\\t"); break;
    case 3: case 4:
        sprintf(text, below(2) ? "\\u%04x" : "\\u%04X",
                (unsigned)(below(2) ? below(0xD800) : 0xE000 + below(0x2000)));
        put_text(made, text);
        break;
    case 5: case 6:
        sprintf(text, below(2) ? "\\u%04x\\u%04x" : "\\u%04X\\u%04X",
                (unsigned)(0xD800 + below(0x400)),
                (unsigned)(0xDC00 + below(0x400)));
        put_text(made, text);
        break;
    case 7:
        // A letter after an escaped backslash.
        put_text(made, below(2) ? "\\\\ud83d" : "\\\\\\\\uDE00");
        break;
    default:
        for (size_t n = below(below(8) ? 5 : 70); n > 0; n--) {
            put_text(made, "\\\\");
        }
    }
}

static void put_character(struct made *made) {
    static const char *const characters[] = {
        "\xC2\x80", "\xDF\xBF", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF",
        "\xE3\x81\x82", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
        "\xF0\x9F\x98\x80", "\x7F", "\xF1\x80\x80\x80", "\xEE\x80\x80",
    };
    size_t count = sizeof characters / sizeof *characters;
    for (size_t n = 1 + below(6); n > 0; n--) {
        put_text(made, characters[below(count)]);
    }
}

static void put_string(struct made *made, const struct style *style) {
    put_text(made, "\"");
    size_t parts = below(4);
    for (size_t part = 0; part < parts && !is_full(made); part++) {
        if (below(16) < style->escapes) put_escape(made);
        if (below(16) < style->characters) put_character(made);
        size_t count = below(below(30) ? style->longest
                             : below(8) ? 200 : 1000);
        for (size_t i = 0; i < count; i++) {
            static const char plain[] =
                "abcdefghijklmnopqrstuvwxyz 0123456789{}[]:,-+.eEtruefalsenull";
            put(made, plain + below(sizeof plain - 1), 1);
        }
    }
    put_text(made, "\"");
}

static void put_digits(struct made *made, bool is_integer) {
    size_t count = 1 + below(below(60) ? 8 : 140);
    if (is_integer && below(600) == 0) count = 300 + below(200);
    for (size_t i = 0; i < count; i++) {
        char byte = (char)('0' + below(10));
        if (is_integer && i == 0 && byte == '0') byte = '7';
        put(made, &byte, 1);
    }
}

static void put_number(struct made *made) {
    if (below(4) == 0) put_text(made, "-");
    if (below(4) == 0) {
        put_text(made, "0");
    } else {
        put_digits(made, true);
    }
    if (below(3) == 0) {
        put_text(made, ".");
        put_digits(made, false);
    }
    if (below(5) == 0) {
        put(made, &"eE"[below(2)], 1);
        if (below(2)) put(made, &"+-"[below(2)], 1);
        put_digits(made, false);
    }
}

static void put_value(struct made *made, const struct style *style,
                      size_t depth) {
    static const char *const literals[] = {"true", "false", "null"};
    bool ends = made->count - style->start > style->wanted || is_full(made) ||
                depth >= style->depth;
    switch (ends ? below(6) : depth == 0 ? 6 + below(6) : below(12)) {
    case 0: case 1: put_text(made, literals[below(3)]); return;
    case 2: case 3: put_number(made); return;
    case 4: case 5: put_string(made, style); return;
    default: break;
    }
    bool is_object = below(2);
    put_text(made, is_object ? "{" : "[");
    blank(made, style);
    size_t children = below(depth == 0 ? 60 : 7);
    for (size_t n = 0; n < children && !is_full(made); n++) {
        if (n > 0 && made->count - style->start > style->wanted) break;
        if (n > 0) {
            put_text(made, ",");
            blank(made, style);
        }
        if (is_object) {
            put_string(made, style);
            blank(made, style);
            put_text(made, ":");
            blank(made, style);
        }
        put_value(made, style, depth + 1);
        blank(made, style);
    }
    put_text(made, is_object ? "}" : "]");
}

void make_json(struct made *made, size_t wanted, bool is_line, size_t depth) {
    struct style style = {
        .wanted = wanted,
        .start = made->count,
        .depth = below(20) ? 2 + below(8) : depth,
        .blanks = (unsigned)(below(2) ? 0 : 1 + below(16)),
        .most_blanks = (unsigned)(1 + below(20)),
        .escapes = (unsigned)(below(2) ? 0 : below(16)),
        .characters = (unsigned)(below(2) ? 0 : below(16)),
        .longest = (unsigned)(4 + below(30)),
        .is_line = is_line,
    };
    blank(made, &style);
    if (below(30) == 0) style.wanted = 0;
    put_value(made, &style, below(20) == 0);
    blank(made, &style);
}

// ---- Damage

static void replace(struct made *made, size_t at, size_t removed,
                    const uint8_t *bytes, size_t count) {
    uint8_t copy[64];
    if (count > sizeof copy) count = sizeof copy;
    if (made->count - removed + count > LONGEST_TEXT) return;
    if (count > 0) memcpy(copy, bytes, count);
    memmove(made->bytes + at + count, made->bytes + at + removed,
            made->count - at - removed);
    memcpy(made->bytes + at, copy, count);
    made->count += count - removed;
}

void damage(struct made *made, size_t start) {
    static const char *const chunks[] = {
        "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\n", "\r", "0", "1",
        "-", "+", ".", "e", "E", "t", "true", "null", "false", "\\u", "\\ud83d",
        "\\uDE00", "\x01", "\x1F", "\x0C", "\x80", "\xC3", "\xED\xA0\x80",
        "\xF4\x90\x80\x80", "\xC0\x80", "\xFF", "\\x", "1.", ".5", "1e", "01",
        "[]", "{}", "\"\"", ",,", "]]", "}}", "[[", "{{", "\"a\":", "tru", "-0",
        "\\\\", "\\\"", "\xEF\xBB\xBF", "\x00",
    };
    size_t times = 1 + below(below(4) ? 2 : 5);
    for (size_t n = 0; n < times && made->count > start; n++) {
        size_t at = start + below(made->count - start);
        size_t rest = made->count - at;
        size_t length = 1 + below(rest < 12 ? rest : 12);
        const char *chunk = chunks[below(sizeof chunks / sizeof *chunks)];
        size_t size = *chunk ? strlen(chunk) : 1;
        switch (below(8)) {
        case 0: made->bytes[at] ^= (uint8_t)(1u << below(8)); break;
        case 1: made->bytes[at] = (uint8_t)next(); break;
        case 2: replace(made, at, 1, NULL, 0); break;
        case 3: replace(made, at, length, NULL, 0); break;
        case 4: replace(made, at, 0, (const uint8_t *)chunk, size); break;
        case 5: replace(made, at, 1, (const uint8_t *)chunk, size); break;
        case 6: replace(made, at, 0, made->bytes + at, length); break;
        default: {
            size_t other = start + below(made->count - start);
            uint8_t byte = made->bytes[at];
            made->bytes[at] = made->bytes[other];
            made->bytes[other] = byte;
        }
        }
    }
}
