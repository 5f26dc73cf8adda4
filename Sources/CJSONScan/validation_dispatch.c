// The functions that initialize a state of the validation, and the choice of
// its version.

#include "kernel_choice.h"
#include "validation_kernels.h"

#include <stdlib.h>
#include <string.h>

// ---- States

void json_validation_begin(struct json_validation *s, bool is_lines,
                      struct json_validation_limits limits, uint64_t *kinds,
                      size_t kinds_capacity) {
    memset(s, 0, sizeof *s);
    s->limits = limits;
    s->kinds = kinds;
    s->kinds_capacity = kinds_capacity;
    s->notes_start = UINT64_MAX;
    s->is_lines = is_lines;
    s->phase = JSON_VALIDATION_START;
}

void json_validation_resume(struct json_validation *s, uint64_t offset, uint64_t depth,
                       enum json_validation_phase phase) {
    s->offset = s->token_start = offset;
    s->depth = depth;
    s->phase = (uint8_t)phase;
    s->reason = JSON_VALIDATION_DECIDED;
    json_validation_forget_token(s);
}

void json_validation_next_line(struct json_validation *s, uint64_t offset) {
    json_validation_resume(s, offset, 0, JSON_VALIDATION_START);
    s->line++;
    s->line_start = offset;
}

bool json_validation_finish(struct json_validation *s) {
    // A space ends a number or literal. Other states do not need one.
    struct json_validation copy = *s;
    const uint8_t blank = ' ';
    bool is_scalar = s->token >= JSON_VALIDATION_MINUS;
    if (is_scalar) {
        // The space does not count for the limit of the line.
        copy.limits.line = UINT64_MAX;
        json_validation_run_bytes(&copy, &blank, 1);
    }
    if (copy.reason == JSON_VALIDATION_DECIDED &&
        copy.token == JSON_VALIDATION_NO_TOKEN) {
        if (copy.phase == JSON_VALIDATION_END) {
            if (s->is_lines) s->records++;
            if (is_scalar) json_validation_resume(s, s->offset, 0, JSON_VALIDATION_END);
            return true;
        }
        if (s->is_lines && copy.phase == JSON_VALIDATION_START) return true;
    }
    uint64_t token = s->token_start;
    json_validation_resume(s, s->offset, s->depth, s->phase);
    s->token_start = token;
    s->reason = JSON_VALIDATION_UNFINISHED;
    return false;
}

// ---- Versions

const struct json_validation_version json_validation_portable = {
    "portable", json_validation_run_bytes, JSON_KERNEL_PORTABLE};

static const struct json_validation_version *const versions[] = {
#if JSON_SCAN_HAS_AVX2
    &json_validation_avx512,
    &json_validation_avx2,
#endif
#if JSON_SCAN_HAS_NEON
    &json_validation_neon,
#endif
    &json_validation_portable,
    NULL,
};

JSON_KERNEL_CHOICE(struct json_validation_version, json_validation_version)

bool json_validation_is_on(void) {
    // 0: unknown, 1: on, 2: off. All threads compute the same value.
    static _Atomic(int) known;
    int state = atomic_load_explicit(&known, memory_order_relaxed);
    if (state == 0) {
        const char *wanted = getenv("JSONSIFT_KERNEL");
        state = wanted && strcmp(wanted, "none") == 0 ? 2 : 1;
        atomic_store_explicit(&known, state, memory_order_relaxed);
    }
    return state == 1;
}

size_t json_validation_run(struct json_validation *validation, const uint8_t *bytes,
                      size_t count) {
    return available()[0]->run(validation, bytes, count);
}
