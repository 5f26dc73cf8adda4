// The recogniser against libyajl: libyajl must accept every text that the
// recogniser accepts. If only libyajl accepts a text, the reason must be a
// known laxity.

#include "parts.h"

#include "json_scan.h"

#include <stdio.h>
#include <string.h>
#include <yajl/yajl_parse.h>

static int accept(void *context) { (void)context; return 1; }
static int accept_flag(void *context, int flag) {
    (void)context; (void)flag;
    return 1;
}
static int accept_number(void *context, const char *text, size_t count) {
    (void)context; (void)text; (void)count;
    return 1;
}
static int accept_text(void *context, const unsigned char *text, size_t count) {
    (void)context; (void)text; (void)count;
    return 1;
}
static const yajl_callbacks callbacks = {
    accept, accept_flag, NULL, NULL, accept_number, accept_text,
    accept, accept_text, accept, accept, accept,
};

static bool yajl_takes(const uint8_t *bytes, size_t count) {
    yajl_handle handle = yajl_alloc(&callbacks, NULL, NULL);
    bool takes = yajl_parse(handle, bytes, count) == yajl_status_ok &&
                 yajl_complete_parse(handle) == yajl_status_ok;
    yajl_free(handle);
    return takes;
}

// Returns why libyajl may accept a text that is not JSON, or NULL.
static const char *laxity(const uint8_t *bytes, size_t count,
                          const struct verdict *verdict) {
    // This kernel stops at ill-formed UTF-8, and at 0B and 0C.
    if (json_scan_text_portable(bytes, count) < count) return "UTF-8, 0B or 0C";
    const struct json_validation_limits *limits = &usual_limits;
    if (verdict->undecided < count && bytes[verdict->undecided] == '"' &&
        oracle(bytes, verdict->undecided, limits).is_json) {
        return "a string that does not end, behind the value";
    }
    for (size_t i = 0; i + 2 < count; i++) {
        if (bytes[i] == '\\' && bytes[i + 1] == 'u' &&
            (bytes[i + 2] | 0x20) == 'd') {
            return "surrogates";
        }
    }
    return NULL;
}

void oracle_and_yajl(uint64_t rounds, uint64_t seed) {
    static struct made made;
    struct json_validation_limits none = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX};
    struct setting setting = {.limits = none};
    uint64_t both = 0, lax = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        generator = seed * 0x9E3779B97F4A7C15 + round * 0xD1B54A32D192ED03;
        made.count = 0;
        make_json(&made, 50 + below(300), false, 20);
        if (below(4)) damage(&made, 0);
        struct verdict verdict = oracle(made.bytes, made.count, &none);
        bool takes = yajl_takes(made.bytes, made.count);
        tally.texts++;
        tally.bytes += made.count;
        tally.json += verdict.is_json;
        both += takes && verdict.is_json;
        if (takes == verdict.is_json) continue;
        char name[64];
        snprintf(name, sizeof name, "yajl, seed %llu, round %llu",
                 (unsigned long long)seed, (unsigned long long)round);
        if (verdict.is_json || !laxity(made.bytes, made.count, &verdict)) {
            fail("the answer of the recogniser", "libyajl", made.bytes,
                 made.count, &setting, name, verdict.is_json, takes);
        }
        lax++;
    }
    printf("yajl: %llu texts both take, %llu that only libyajl takes, all of "
           "known kinds; seed %llu\n",
           (unsigned long long)both, (unsigned long long)lax,
           (unsigned long long)seed);
}
