// Text that begins inside containers, such as a part of a document that another
// core proves. Combined with the state at its start, the list of such a part
// must give the same result for the whole document as a proof from the start.

#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { CLOSES_WORDS = 17 };

struct part {
    struct json_proof proof;
    uint64_t kinds[KINDS_WORDS], closes[CLOSES_WORDS];
};

static bool bit_of(const uint64_t *words, uint64_t index) {
    return words[index / 64] >> (index % 64) & 1;
}

static void begin(struct part *part, enum json_proof_phase phase) {
    memset(part->closes, 0, sizeof part->closes);
    json_proof_begin_nested(&part->proof, phase, usual_limits, part->kinds,
                            KINDS_WORDS, part->closes, CLOSES_WORDS);
}

// Whether a part is valid after a state.
static bool fits(const struct json_proof *before, const struct part *part) {
    const struct json_proof *after = &part->proof;
    if (after->reason != JSON_PROOF_NO_DOUBT) return false;
    if (after->close_count > before->depth) return false;
    if (before->depth + after->peak > usual_limits.depth) return false;
    for (uint64_t n = 0; n < after->close_count; n++) {
        uint64_t level = before->depth - 1 - n;
        if (bit_of(before->kinds, level) != bit_of(after->closes, n)) {
            return false;
        }
    }
    uint64_t left = before->depth - after->close_count;
    // Nothing may follow the end of the document.
    if (left == 0) {
        return after->depth == 0 &&
               after->phase == JSON_PROOF_UNKNOWN_COMMA_OR_CLOSE;
    }
    return !after->has_outer ||
           bit_of(before->kinds, left - 1) == bit_of(after->kinds, 0);
}

// Begins at the offsets where another core could begin, or at some of them.
static void check_parts(const uint8_t *bytes, size_t count, bool at_all,
                        const char *name) {
    const struct setting setting = {.limits = usual_limits};
    const struct json_proof_version *portable = NULL;
    for (size_t v = 0; json_proof_version(v); v++) {
        portable = json_proof_version(v);
    }
    uint64_t kinds[KINDS_WORDS], all_kinds[KINDS_WORDS];
    struct json_proof before, all;
    json_proof_begin(&all, false, usual_limits, all_kinds, KINDS_WORDS);
    portable->run(&all, bytes, count);
    json_proof_begin(&before, false, usual_limits, kinds, KINDS_WORDS);
    for (size_t at = 1; at < count; at++) {
        if (portable->run(&before, bytes + at - 1, 1) == 0) break;
        bool is_item = before.phase == JSON_PROOF_ELEMENT ||
                       before.phase == JSON_PROOF_KEY;
        bool is_behind = before.phase == JSON_PROOF_COMMA_OR_CLOSE;
        if (before.token != 0 || !(is_item || is_behind)) continue;
        if (!at_all && below(6)) continue;
        size_t cut = below(3) ? count : at + below(count - at + 1);
        struct part expected;
        for (size_t v = 0, versions = 0; !versions; v++) {
            // The portable version first.
            const struct json_proof_version *version =
                v == 0 ? portable : json_proof_version(v - 1);
            if (version == portable && v > 0) break;
            struct part part;
            begin(&part, is_item ? JSON_PROOF_ITEM
                                 : JSON_PROOF_UNKNOWN_COMMA_OR_CLOSE);
            size_t used = version->run(&part.proof, bytes + at, cut - at);
            if (used == cut - at) {
                used += version->run(&part.proof, bytes + cut, count - cut);
            }
            tally.texts++;
            tally.runs++;
            tally.bytes += count - at;
            tally.alarms += part.proof.alarms;
            if (used > 0 && used < count - at && at + used < all.offset) {
                fail("a doubt of a part", version->name, bytes, count, &setting,
                     name, at + used, all.offset);
            }
            if (v == 0) {
                expected = part;
                bool is_good = all.reason == JSON_PROOF_NO_DOUBT;
                if (fits(&before, &part) != is_good) {
                    fail("what a part says", version->name, bytes, count,
                         &setting, name, at, is_good);
                }
                if (is_good && all.phase == JSON_PROOF_END) {
                    tally.json++;
                    if (part.proof.close_count != before.depth) {
                        fail("the number of closes", version->name, bytes,
                             count, &setting, name, part.proof.close_count,
                             before.depth);
                    }
                }
                continue;
            }
            uint64_t closes = part.proof.close_count;
            bool is_same = used + at == at + expected.proof.offset &&
                           closes == expected.proof.close_count;
            for (uint64_t n = 0; is_same && n < closes; n++) {
                is_same = bit_of(part.closes, n) == bit_of(expected.closes, n);
            }
            for (uint64_t n = 0; is_same && n < part.proof.depth; n++) {
                is_same = bit_of(part.kinds, n) == bit_of(expected.kinds, n);
            }
            struct json_proof copy = part.proof;
            copy.kinds = expected.proof.kinds;
            copy.closes = expected.proof.closes;
            copy.alarms = expected.proof.alarms;
            if (!is_same || memcmp(&copy, &expected.proof, sizeof copy) != 0) {
                fail("the state of a part", version->name, bytes, count,
                     &setting, name, at, cut);
            }
        }
    }
}

// Tries every sequence of up to `left` tokens after the existing ones.
static void extend(uint8_t *bytes, size_t count, unsigned left) {
    static const char *const tokens[] = {
        "{", "}", "[", "]", ",", ":", "\"k\"", "12", " ",
    };
    check_parts(bytes, count, true, "sequence behind brackets");
    for (size_t t = 0; left > 0 && t < sizeof tokens / sizeof *tokens; t++) {
        size_t length = strlen(tokens[t]);
        memcpy(bytes + count, tokens[t], length);
        extend(bytes, count + length, left - 1);
    }
}

void nested(uint64_t rounds, uint64_t seed) {
    static const char *const contexts[] = {
        "[1,", "[1", "{\"k\":1,", "{\"k\":1", "[[],", "[{\"k\":[],",
    };
    for (size_t c = 0; c < sizeof contexts / sizeof *contexts; c++) {
        uint8_t bytes[64];
        memcpy(bytes, contexts[c], strlen(contexts[c]));
        extend(bytes, strlen(contexts[c]), 5);
    }
    static struct made made;
    for (uint64_t round = 0; round < rounds; round++) {
        generator = seed * 0x9E3779B97F4A7C15 + round * 0xD1B54A32D192ED03;
        made.count = 0;
        make_json(&made, 300 + below(1500), false, below(8) ? 30 : 120);
        if (below(2)) damage(&made, 0);
        char name[64];
        snprintf(name, sizeof name, "nested, seed %llu, round %llu",
                 (unsigned long long)seed, (unsigned long long)round);
        check_parts(made.bytes, made.count, false, name);
    }
}
