// Every sequence of tokens at every offset in a block, and long runs of one
// kind of byte at each position of short sequences.
//
// A sequence is surrounded by blanks, which are white space to all rules except
// those of strings, and the text begins so that the sequence has the requested
// offset: the byte machine reads 4 bytes, then blocks begin. The sequence lies
// at the border of two blocks of one group, or of two groups: eight blocks, or
// four and four. The recogniser's result for a sequence does not depend on the
// offset.

#include "parts.h"

#include <stdio.h>
#include <string.h>

static const char *const tokens[] = {
    "{", "}", "[", "]", ",", ":", "\"", "\"k\"", "0", "12", "-", ".5", "e+",
    "true", "fals", " ", "\\", "\\ud83d", "\\ude00", "\xC3\xA9",
    // In lines only.
    "\n",
};

// Texts before a sequence, so that it begins in another state.
static const char *const contexts[] = {
    "", "[", "{\"k\":", "[1,", "{\"k\":[],", "[[{\"k\":{}},", "[\"", "{\"",
};

enum {
    TOKENS = 20, LINE_TOKENS = 21,
    CONTEXTS = sizeof contexts / sizeof *contexts,
    // The bytes that the byte machine reads, before and after blocks.
    BEFORE = 4, BEHIND = 64 + 8,
    LONGEST = 400,
    // Seven more blocks before a sequence: the next border is that of a group.
    // Sequences of more tokens than AT_GROUPS are not tried there.
    FRONT = 7 * 64, AT_GROUPS = 4,
};

// Blanks, with the tested sequence in the middle.
static uint8_t room[BEFORE + FRONT + 64 + LONGEST + BEHIND + 64];
static uint8_t *const middle = room + BEFORE + FRONT + 64;

static void fail_at(const char *what, const char *version, size_t offset,
                    size_t count, uint64_t found, uint64_t expected) {
    char name[64];
    snprintf(name, sizeof name, "sequence at offset %zu of a block", offset);
    fail(what, version, middle, count, NULL, name, found, expected);
}

static void check_at(const struct json_validation_version *version, size_t front,
                     size_t offset, size_t count,
                     const struct verdict *expected) {
    bool is_json;
    uint64_t token, alarms = 0;
    size_t before = BEFORE + front + offset, length = before + count + BEHIND;
    size_t undecided = validate_document(version, middle - before, length,
                                  &usual_limits, &is_json, &token, &alarms);
    tally.texts++;
    tally.runs++;
    tally.bytes += length;
    tally.alarms += alarms;
    tally.json += is_json;
    if (is_json != expected->is_json) {
        fail_at("the answer", version->name, offset, count, is_json,
                expected->is_json);
    }
    if (undecided != expected->undecided + before) {
        fail_at("the undecided", version->name, offset, count, undecided - before,
                expected->undecided);
    }
    if (!is_json && token != expected->token + before) {
        fail_at("the token", version->name, offset, count, token - before,
                expected->token);
    }
    if (is_json && alarms > 0) {
        fail_at("the number of alarms", version->name, offset, count, alarms, 0);
    }
}

// Validates the sequence in the middle, with blanks after it, at some offsets
// in a block; on request also at the borders of groups.
static struct verdict check_offsets(size_t count, size_t first, size_t step,
                                    bool at_groups) {
    memset(middle + count, ' ', BEHIND);
    struct verdict expected = oracle(middle, count + BEHIND, &usual_limits);
    for (size_t v = 0; json_validation_version(v); v++) {
        const struct json_validation_version *version = json_validation_version(v);
        // The last version, the portable one, has no blocks.
        size_t end = json_validation_version(v + 1) ? 64 : first + 1;
        for (size_t offset = first; offset < end; offset += step) {
            check_at(version, 0, offset, count, &expected);
            if (at_groups) check_at(version, FRONT, offset, count, &expected);
        }
    }
    return expected;
}

// The same in lines, which end the text and have one more line after them.
static void check_lines(size_t count) {
    memcpy(middle + count, "\n[1]\n", 5);
    memset(middle + count + 5, ' ', BEHIND);
    struct setting setting = {.is_lines = true, .limits = usual_limits};
    for (size_t offset = 0; offset < 128; offset++) {
        size_t before = BEFORE + (offset < 64 ? offset : offset - 64 + FRONT);
        check_text(middle - before, before + count + 5 + BEHIND, &setting,
                   "sequence in lines");
    }
}

// Tries all continuations of the first `count` bytes, up to `most` tokens. An
// invalid beginning is followed by up to `beyond` tokens: no later byte can
// make it valid, except for the bytes of a literal.
static void extend(size_t count, unsigned used, unsigned most, unsigned beyond,
                   bool is_lines) {
    if (used == most) return;
    for (size_t t = 0; t < (is_lines ? LINE_TOKENS : TOKENS); t++) {
        size_t length = strlen(tokens[t]);
        memcpy(middle + count, tokens[t], length);
        size_t end = count + length;
        if (is_lines) {
            check_lines(end);
            extend(end, used + 1, most, beyond, true);
            continue;
        }
        struct verdict verdict = check_offsets(end, 0, 1, used < AT_GROUPS);
        bool is_dead = !verdict.is_json && verdict.undecided < end;
        if (is_dead && beyond == 0) continue;
        extend(end, used + 1, most, beyond - is_dead, false);
    }
}

void all_sequences(unsigned most, unsigned whole, unsigned beyond) {
    memset(room, ' ', sizeof room);
    // All sequences of this many tokens, valid or not.
    extend(0, 0, whole, whole, false);
    printf("sequences: all %u tokens done, %llu texts\n", whole,
           (unsigned long long)tally.texts);
    fflush(stdout);
    extend(0, 0, most, beyond, false);
    for (size_t c = 1; c < CONTEXTS; c++) {
        size_t length = strlen(contexts[c]);
        memcpy(middle, contexts[c], length);
        extend(length, 0, most > 2 ? most - 2 : 1, 1, false);
    }
    printf("sequences: %u tokens done, %llu texts\n", most,
           (unsigned long long)tally.texts);
    fflush(stdout);
    extend(0, 0, whole > 2 ? whole - 2 : 1, 0, true);
    memcpy(middle, "{}\n", 3);
    extend(3, 0, whole > 2 ? whole - 2 : 1, 0, true);
}

// ---- Runs

static const char *const run_chunks[] = {"7", " ", "\\\\", "a", "0", "\xC3\xA9"};

static size_t put_run(size_t at, const char *chunk, size_t length) {
    size_t size = strlen(chunk);
    for (size_t i = 0; i < length; i++) middle[at + i] = (uint8_t)chunk[i % size];
    return at + length;
}

// A sequence of `count` tokens, with a run before one of them or after all.
static void with_run(const unsigned *sequence, unsigned count, unsigned place,
                     const char *context, const char *chunk, size_t length,
                     size_t step) {
    size_t at = strlen(context);
    memcpy(middle, context, at);
    for (unsigned t = 0; t <= count; t++) {
        if (t == place) at = put_run(at, chunk, length);
        if (t == count) break;
        size_t size = strlen(tokens[sequence[t]]);
        memcpy(middle + at, tokens[sequence[t]], size);
        at += size;
    }
    check_offsets(at, length % step, step, step == 1);
}

void long_runs(unsigned most) {
    memset(room, ' ', sizeof room);
    for (unsigned count = 1; count <= most; count++) {
        unsigned all = 1;
        for (unsigned t = 0; t < count; t++) all *= TOKENS;
        for (unsigned n = 0; n < all; n++) {
            unsigned sequence[8];
            for (unsigned t = 0, rest = n; t < count; t++, rest /= TOKENS) {
                sequence[t] = rest % TOKENS;
            }
            for (unsigned place = 0; place <= count; place++) {
                for (size_t p = 0; p < sizeof run_chunks / sizeof *run_chunks;
                     p++) {
                    for (size_t length = 63; length <= 129; length++) {
                        bool is_edge = length % 64 <= 1 || length % 64 == 63;
                        with_run(sequence, count, place,
                                 contexts[(n + place) % CONTEXTS],
                                 run_chunks[p], length,
                                 count < 2 || is_edge ? 1 : 16);
                    }
                }
            }
        }
        printf("runs: sequences of %u tokens done, %llu texts\n", count,
               (unsigned long long)tally.texts);
        fflush(stdout);
    }
}
