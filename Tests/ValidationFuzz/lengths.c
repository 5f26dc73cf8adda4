// Strings, keys, numbers and lines about as long as their limit, at every
// offset in a block.

#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { KINDS = 6 };

// Writes one token of `length` bytes, and sets the limit that applies to it.
static size_t put_token(uint8_t *out, int kind, size_t length, uint64_t limit,
                        struct json_validation_limits *limits) {
    static const char *const before[KINDS] = {
        "[\"", "{\"a\":\"", "{\"", "[", "[-0.", "[",
    };
    static const char *const after[KINDS] = {
        "\",1]", "\"}", "\":1}", ",1]", "]", "]",
    };
    size_t count = strlen(before[kind]);
    memcpy(out, before[kind], count);
    switch (kind) {
    case 0: case 1: limits->string = limit; break;
    case 2: limits->key = limit; break;
    case 3: limits->number = limit; break;
    case 4:
        limits->number = limit;
        // The part before the digits is included in the length.
        length -= 3;
        break;
    default: limits->line = limit; length -= 2; break;
    }
    memset(out + count, kind < 3 ? 'a' : kind < 5 ? '7' : ' ', length);
    count += length;
    if (kind == 5) out[count - 1] = '1';
    memcpy(out + count, after[kind], strlen(after[kind]));
    return count + strlen(after[kind]);
}

void lengths(void) {
    static uint8_t text[64 + 8192];
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint64_t limit = 632; limit < 1400; limit += 64 + 7) {
            for (size_t more = 0; more < 7; more++) {
                static const int differences[] = {-300, -1, 0, 1, 2, 64, 700};
                size_t length = (size_t)((int)limit + differences[more]);
                for (size_t offset = 0; offset < 64; offset += 3) {
                    struct setting setting = {.limits = usual_limits};
                    setting.is_lines = kind == 5 || offset % 2;
                    size_t count = offset;
                    memset(text, ' ', count);
                    if (setting.is_lines && offset > 0) text[offset - 1] = '\n';
                    count += put_token(text + count, kind, length, limit,
                                       &setting.limits);
                    if (setting.is_lines) text[count++] = '\n';
                    memset(text + count, ' ', 700);
                    size_t cut = below(count);
                    setting.cuts = &cut;
                    setting.cut_count = below(2);
                    check_text(text, count + (setting.is_lines ? 80 : 700),
                               &setting, "lengths");
                }
            }
        }
    }
}
