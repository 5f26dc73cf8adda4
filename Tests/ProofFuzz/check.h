// Runs versions of the proof over a text and compares what they say with the
// recogniser, and with one another at every cut.

#ifndef CHECK_H
#define CHECK_H

#include "oracle.h"

#include <stdlib.h>

/// How a text is proven.
struct setting {
    bool is_lines;
    struct json_proof_limits limits;
    /// Where the text is cut into calls, in order.
    const size_t *cuts;
    size_t cut_count;
    /// A valid text must be proven by blocks: an alarm is a failure.
    bool no_alarms;
};

/// What has been looked at.
extern struct tally {
    uint64_t texts, bytes, json, runs, alarms;
} tally;

/// Words of `kinds` in every state.
enum { KINDS_WORDS = 17 };

extern const struct json_proof_limits usual_limits;

/// All versions against the recogniser. Prints the text and ends with status 1
/// at the first difference. `name` says how to make the text again.
void check_text(const uint8_t *bytes, size_t count,
                const struct setting *setting, const char *name);

/// One version over a document in one call: the offset of the doubt, or the
/// length of the text; `*is_json` is the whole answer.
size_t prove_document(const struct json_proof_version *version,
                      const uint8_t *bytes, size_t count,
                      const struct json_proof_limits *limits, bool *is_json,
                      uint64_t *token, uint64_t *alarms);

/// Prints what failed and ends.
_Noreturn void fail(const char *what, const char *version, const uint8_t *bytes,
                    size_t count, const struct setting *setting,
                    const char *name, uint64_t found, uint64_t expected);

// ---- Random numbers: splitmix64

extern uint64_t generator;

static inline uint64_t next(void) {
    generator += 0x9E3779B97F4A7C15;
    uint64_t mixed = generator;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

static inline size_t below(size_t limit) { return (size_t)(next() % limit); }

#endif
