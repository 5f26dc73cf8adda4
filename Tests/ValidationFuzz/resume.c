// A validation that continues after an undecided place that validated
// unfounded, as it does after a parser has judged the token: valid texts in
// which some tokens exceed a limit. And a validation that gets more room for
// open containers when it is full.

#include "parts.h"

#include <stdio.h>
#include <string.h>

// Returns the offset after the token that begins at `start`.
static size_t token_end(const uint8_t *bytes, size_t count, size_t start) {
    size_t at = start + 1;
    if (bytes[start] == '"') {
        while (at < count && bytes[at] != '"') at += bytes[at] == '\\' ? 2 : 1;
        return at + 1;
    }
    while (at < count && !strchr(" \t\r\n,]}", bytes[at])) at++;
    return at;
}

// Returns the phase after the token, given the phase before it.
static enum json_validation_phase phase_behind(const struct json_validation *validation) {
    if (validation->phase == JSON_VALIDATION_KEY) return JSON_VALIDATION_COLON;
    return validation->depth == 0 ? JSON_VALIDATION_END : JSON_VALIDATION_COMMA_OR_CLOSE;
}

static void check_resumed(const uint8_t *bytes, size_t count,
                          const struct setting *setting, uint64_t records,
                          const char *name) {
    for (size_t v = 0; json_validation_version(v); v++) {
        const struct json_validation_version *version = json_validation_version(v);
        uint64_t kinds[KINDS_WORDS];
        struct json_validation validation;
        json_validation_begin(&validation, setting->is_lines, setting->limits, kinds,
                         KINDS_WORDS);
        // Room for no container yet, or for some.
        validation.kinds_capacity = (size_t)(count % 3);
        size_t at = 0;
        while (at < count) {
            at += version->run(&validation, bytes + at, count - at);
            tally.runs++;
            if (at == count) break;
            if (validation.reason == JSON_VALIDATION_OUT_OF_CAPACITY) {
                validation.kinds_capacity = validation.kinds_capacity ? KINDS_WORDS : 1;
                continue;
            }
            bool is_long = validation.reason == JSON_VALIDATION_STRING_LENGTH ||
                           validation.reason == JSON_VALIDATION_KEY_LENGTH ||
                           validation.reason == JSON_VALIDATION_NUMBER_LENGTH;
            if (!is_long || validation.offset != at) {
                fail("the reason", version->name, bytes, count, setting, name,
                     validation.reason, at);
            }
            at = token_end(bytes, count, validation.token_start);
            json_validation_resume(&validation, at, validation.depth, phase_behind(&validation));
        }
        bool ends = json_validation_finish(&validation);
        if (!ends || (setting->is_lines && validation.records != records)) {
            fail("the number of records", version->name, bytes, count, setting,
                 name, validation.records, records);
        }
    }
    tally.texts++;
    tally.bytes += count;
    tally.json++;
}

void resumed(uint64_t rounds, uint64_t seed) {
    static struct made made;
    for (uint64_t round = 0; round < rounds; round++) {
        generator = seed * 0x9E3779B97F4A7C15 + round * 0xD1B54A32D192ED03;
        made.count = 0;
        struct setting setting = {.limits = usual_limits,
                                  .is_lines = below(2)};
        // Limits for one machine, or for both.
        uint64_t shortest = below(2) ? below(40) : 640;
        setting.limits.string = shortest + below(200);
        setting.limits.key = shortest + below(200);
        setting.limits.number = below(2) ? 1000 : shortest + below(20);
        uint64_t records = setting.is_lines ? 1 + below(6) : 1;
        for (uint64_t n = 0; n < records; n++) {
            make_json(&made, 200 + below(1000), setting.is_lines, 100);
            if (setting.is_lines) made.bytes[made.count++] = '\n';
        }
        char name[64];
        snprintf(name, sizeof name, "resumed, seed %llu, round %llu",
                 (unsigned long long)seed, (unsigned long long)round);
        check_resumed(made.bytes, made.count, &setting, records, name);
    }
}
