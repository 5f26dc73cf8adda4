// A proof that continues after a doubt that proved unfounded, as it does after
// a parser has judged the token: valid texts in which some tokens exceed a
// limit. And a proof that gets more room for open containers when it is full.

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
static enum json_proof_phase phase_behind(const struct json_proof *proof) {
    if (proof->phase == JSON_PROOF_KEY) return JSON_PROOF_COLON;
    return proof->depth == 0 ? JSON_PROOF_END : JSON_PROOF_COMMA_OR_CLOSE;
}

static void check_resumed(const uint8_t *bytes, size_t count,
                          const struct setting *setting, uint64_t records,
                          const char *name) {
    for (size_t v = 0; json_proof_version(v); v++) {
        const struct json_proof_version *version = json_proof_version(v);
        uint64_t kinds[KINDS_WORDS];
        struct json_proof proof;
        json_proof_begin(&proof, setting->is_lines, setting->limits, kinds,
                         KINDS_WORDS);
        // Room for no container yet, or for some.
        proof.kinds_capacity = (size_t)(count % 3);
        size_t at = 0;
        while (at < count) {
            at += version->run(&proof, bytes + at, count - at);
            tally.runs++;
            if (at == count) break;
            if (proof.reason == JSON_PROOF_OUT_OF_CAPACITY) {
                proof.kinds_capacity = proof.kinds_capacity ? KINDS_WORDS : 1;
                continue;
            }
            bool is_long = proof.reason == JSON_PROOF_STRING_LENGTH ||
                           proof.reason == JSON_PROOF_KEY_LENGTH ||
                           proof.reason == JSON_PROOF_NUMBER_LENGTH;
            if (!is_long || proof.offset != at) {
                fail("the reason", version->name, bytes, count, setting, name,
                     proof.reason, at);
            }
            at = token_end(bytes, count, proof.token_start);
            json_proof_resume(&proof, at, proof.depth, phase_behind(&proof));
        }
        bool ends = json_proof_finish(&proof);
        if (!ends || (setting->is_lines && proof.records != records)) {
            fail("the number of records", version->name, bytes, count, setting,
                 name, proof.records, records);
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
