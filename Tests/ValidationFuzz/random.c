// Random texts, valid and damaged.

#include "parts.h"

#include <stdio.h>
#include <string.h>

// Chooses where a text is cut: nowhere, at some offsets, or byte by byte in a
// part.
static size_t make_cuts(size_t *cuts, size_t most, size_t count) {
    size_t made = 0;
    switch (below(4)) {
    case 0: break;
    case 1:
        cuts[made++] = below(count + 1);
        break;
    case 2: {
        size_t part = 60 + below(150);
        for (size_t at = below(part); at < count && made < most; at += part) {
            cuts[made++] = at;
        }
        break;
    }
    default: {
        size_t from = below(count + 1);
        for (size_t at = from; at < count && made < 40; at++) cuts[made++] = at;
    }
    }
    return made;
}

// Returns small limits that may be exceeded, or the default ones.
static struct json_validation_limits some_limits(void) {
    struct json_validation_limits limits = usual_limits;
    switch (below(24)) {
    case 0: limits.depth = below(8); break;
    case 1: limits.depth = 60 + below(20); break;
    case 2: limits.string = 640 + below(300); break;
    case 3: limits.key = 640 + below(300); break;
    case 4: limits.number = below(3) ? 640 + below(100) : below(20); break;
    case 5: limits.line = below(3) ? 640 + below(900) : below(300); break;
    case 6: limits.string = below(30); break;
    default: break;
    }
    return limits;
}

void random_texts(uint64_t rounds, uint64_t seed, bool only_valid) {
    static struct made made;
    static size_t cuts[LONGEST_TEXT];
    static uint32_t lengths[LONGEST_TEXT + 512];
    uint64_t records = 0;
    for (uint64_t round = 0; records < rounds; round++) {
        // Each text can be reproduced alone.
        generator = seed * 0x9E3779B97F4A7C15 + round * 0xD1B54A32D192ED03;
        made.count = 0;
        struct setting setting = {.limits = only_valid ? usual_limits
                                                       : some_limits(),
                                  .is_lines = below(2),
                                  .no_alarms = only_valid};
        size_t texts = setting.is_lines ? 1 + below(12) : 1;
        if (!setting.is_lines && below(4) == 0) {
            made.count = below(64);
            memset(made.bytes, ' ', made.count);
        }
        for (size_t n = 0; n < texts && made.count < LONGEST_TEXT / 2; n++) {
            size_t start = made.count;
            size_t wanted = below(8) ? 150 + below(250) : below(3000);
            make_json(&made, wanted, setting.is_lines, only_valid ? 50 : 80);
            if (!only_valid && below(4)) damage(&made, start);
            lengths[made.count - start]++;
            records++;
            if (setting.is_lines && (n + 1 < texts || below(2))) {
                for (size_t feeds = below(8) ? 1 : 3; feeds > 0; feeds--) {
                    if (below(12) == 0) made.bytes[made.count++] = '\r';
                    made.bytes[made.count++] = '\n';
                }
            }
        }
        if (!setting.is_lines && below(2)) {
            // The last bytes, which the byte machine reads, are blank.
            memset(made.bytes + made.count, ' ', 80);
            made.count += 80;
        }
        // At the end of a separate allocation, so that reads after it are
        // detected.
        uint8_t *copy = malloc(made.count ? made.count : 1);
        memcpy(copy, made.bytes, made.count);
        setting.cuts = cuts;
        setting.cut_count =
            below(3) ? 0 : make_cuts(cuts, LONGEST_TEXT, made.count);
        char name[80];
        snprintf(name, sizeof name, "random%s, seed %llu, round %llu",
                 only_valid ? " valid" : "", (unsigned long long)seed,
                 (unsigned long long)round);
        check_text(copy, made.count, &setting, name);
        if (below(400) == 0 && made.count < 1200) {
            // Cut in two at every offset.
            for (size_t at = 0; at < made.count; at++) {
                setting.cuts = &at;
                setting.cut_count = 1;
                check_text(copy, made.count, &setting, name);
            }
        }
        free(copy);
    }
    uint64_t half = 0;
    size_t median = 0;
    for (; half < records / 2; median++) half += lengths[median];
    printf("random%s: %llu texts, median %zu bytes; seed %llu\n",
           only_valid ? " valid" : "", (unsigned long long)records, median,
           (unsigned long long)seed);
}
