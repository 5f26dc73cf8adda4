// Runs versions of the validation over a text and compares their results with
// the recogniser, and with one another at every cut.

#ifndef CHECK_H
#define CHECK_H

#include "oracle.h"

#include <stdlib.h>

/// The way in which a text is validated.
struct setting {
    bool is_lines;
    struct json_validation_limits limits;
    /// The ascending offsets at which the text is cut into calls.
    const size_t *cuts;
    size_t cut_count;
    /// Whether a valid text must be validated by blocks: an alarm is a failure.
    bool no_alarms;
};

/// The numbers of the inputs checked so far.
extern struct tally {
    uint64_t texts, bytes, json, runs, alarms;
} tally;

/// The length of `kinds` in every state, in words.
enum { KINDS_WORDS = 17 };

extern const struct json_validation_limits usual_limits;

/// Compares all versions with the recogniser. Prints the text and exits with
/// status 1 at the first difference. `name` is the argument that reproduces the
/// text.
void check_text(const uint8_t *bytes, size_t count,
                const struct setting *setting, const char *name);

/// Runs one version over a document in one call. Returns the offset of the
/// undecided place, or the length of the text; `*is_json` is the complete
/// result.
size_t validate_document(const struct json_validation_version *version,
                      const uint8_t *bytes, size_t count,
                      const struct json_validation_limits *limits, bool *is_json,
                      uint64_t *token, uint64_t *alarms);

/// Prints the failure and exits.
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
