#include "check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct tally tally;
uint64_t generator;

const struct json_validation_limits usual_limits = {1024, 64 << 20, 64 << 10, 1000,
                                               64 << 20};

void fail(const char *what, const char *version, const uint8_t *bytes,
          size_t count, const struct setting *setting, const char *name,
          uint64_t found, uint64_t expected) {
    fprintf(stderr, "validation, %s: %s is %llu and not %llu; %s; %s, %zu bytes:\n",
            version, what, (unsigned long long)found,
            (unsigned long long)expected, name,
            setting && setting->is_lines ? "lines" : "document", count);
    // The valid text before and after the fault, if `expected` is an offset.
    size_t middle = expected < count ? expected : found < count ? found : 0;
    for (size_t i = middle > 300 ? middle - 300 : 0;
         i < count && i < middle + 200; i++) {
        if (i == middle && i > 0) fprintf(stderr, "\n-> ");
        uint8_t byte = bytes[i];
        bool is_plain = byte >= 0x20 && byte < 0x7F && byte != '\\';
        fprintf(stderr, is_plain ? "%c" : "\\x%02x", byte);
    }
    fprintf(stderr, "\n");
    for (size_t i = 0; setting && i < setting->cut_count; i++) {
        fprintf(stderr, "%s%zu", i ? "," : "cuts ", setting->cuts[i]);
    }
    fprintf(stderr, "\n");
    exit(1);
}

size_t validate_document(const struct json_validation_version *version,
                      const uint8_t *bytes, size_t count,
                      const struct json_validation_limits *limits, bool *is_json,
                      uint64_t *token, uint64_t *alarms) {
    uint64_t kinds[KINDS_WORDS];
    struct json_validation validation;
    json_validation_begin(&validation, false, *limits, kinds, KINDS_WORDS);
    size_t used = version->run(&validation, bytes, count);
    *is_json = used == count && json_validation_finish(&validation);
    *token = validation.token_start;
    *alarms += validation.alarms;
    return used;
}

// A version, and its state.
struct runner {
    const struct json_validation_version *version;
    struct json_validation validation;
    uint64_t kinds[KINDS_WORDS];
    struct json_scan_index index;
};

static bool same_kinds(const struct json_validation *a, const struct json_validation *b) {
    for (uint64_t level = 0; level < a->depth; level++) {
        if ((a->kinds[level / 64] ^ b->kinds[level / 64]) >> (level % 64) & 1) {
            return false;
        }
    }
    return true;
}

// Whether the states are equal except for the address of the kinds and
// statistics.
static bool same_state(const struct json_validation *a, const struct json_validation *b) {
    if (a->depth != b->depth || !same_kinds(a, b)) return false;
    struct json_validation copy = *b;
    copy.kinds = a->kinds;
    copy.alarms = a->alarms;
    copy.index = a->index;
    return memcmp(a, &copy, sizeof copy) == 0;
}

// One text in all versions at once.
struct check {
    const uint8_t *bytes;
    size_t count;
    const struct setting *setting;
    const char *name;
    struct runner runners[4];
    size_t versions;
    // The offset of the next line that is not judged, and the number of lines
    // that are JSON.
    size_t line_start;
    uint64_t records;
    bool has_doubt;
};

static void fail_in(const struct check *check, const char *what,
                    const struct runner *runner, uint64_t found,
                    uint64_t expected) {
    fail(what, runner->version->name, check->bytes, check->count,
         check->setting, check->name, found, expected);
}

// Returns the recogniser's next undecided place at or after `from`, or the
// end of the text.
static struct verdict next_doubt(struct check *check, size_t from,
                                 size_t *next_line) {
    const struct json_validation_limits *limits = &check->setting->limits;
    *next_line = check->count;
    if (!check->setting->is_lines) {
        return oracle(check->bytes, check->count, limits);
    }
    size_t start = from;
    for (;;) {
        const uint8_t *feed = start < check->count
                                  ? memchr(check->bytes + start, '\n',
                                           check->count - start)
                                  : NULL;
        size_t end = feed ? (size_t)(feed - check->bytes) : check->count;
        bool is_blank;
        struct verdict verdict =
            oracle_line(check->bytes + start, end - start, limits, feed != NULL,
                        &is_blank);
        if (!verdict.is_json) {
            verdict.undecided += start;
            if (verdict.token != ANY_TOKEN) verdict.token += start;
            *next_line = feed ? end + 1 : check->count;
            return verdict;
        }
        check->records += !is_blank;
        if (!feed) {
            struct verdict none = {true, check->count, check->count};
            return none;
        }
        start = end + 1;
    }
}

// Runs all versions up to `end`, or to their undecided place.
static void run_to(struct check *check, size_t start, size_t end,
                   const struct verdict *expected) {
    size_t stop = expected->undecided < end ? expected->undecided : end;
    for (size_t v = check->versions; v > 0; v--) {
        struct runner *runner = &check->runners[v - 1];
        const struct runner *portable = &check->runners[check->versions - 1];
        size_t used = runner->version->run(&runner->validation,
                                           check->bytes + start, end - start);
        tally.runs++;
        if (start + used != stop) {
            fail_in(check, "the undecided", runner, start + used, expected->undecided);
        }
        if (!same_state(&runner->validation, &portable->validation)) {
            fail_in(check, "the state at a cut", runner, start, end);
        }
        bool is_doubt = runner->validation.reason != JSON_VALIDATION_DECIDED;
        if (is_doubt != (stop < end)) {
            fail_in(check, "the reason", runner, runner->validation.reason, stop);
        }
        if (is_doubt && expected->token != ANY_TOKEN &&
            runner->validation.token_start != expected->token) {
            fail_in(check, "the token", runner, runner->validation.token_start,
                    expected->token);
        }
    }
    check->has_doubt = stop < end;
}

// Makes an empty index, with room for a text.
static void begin_index(struct json_scan_index *index, size_t count,
                        bool is_lines) {
    static const size_t least = 1 << 12;
    const size_t room = (count > least ? count : least) + JSON_SCAN_INDEX_EXTRA;
    free(index->entries);
    free(index->rows);
    *index = (struct json_scan_index){
        .entries = malloc(room * sizeof(uint32_t)),
        .rows = is_lines ? malloc(room * sizeof(uint32_t)) : NULL,
    };
}

// Writes the index of a text that is JSON, token by token.
static void write_plain_index(const uint8_t *bytes, size_t count,
                              struct json_scan_index *index) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n' && index->rows) {
            index->rows[index->row_count++] = (uint32_t)index->count;
        } else if (strchr(" \t\r\n,:", bytes[i])) {
            continue;
        }
        index->entries[index->count++] = (uint32_t)i;
        if (bytes[i] == '"') {
            for (i++; bytes[i] != '"'; i++) {
                if (bytes[i] != '\\') continue;
                index->has_backslash = true;
                i++;
            }
        } else if (bytes[i] == '-' || isalnum(bytes[i])) {
            while (i + 1 < count && (strchr("+-.", bytes[i + 1]) ||
                                     isalnum(bytes[i + 1]))) {
                i++;
            }
        }
    }
}

// Compares the indexes of all versions for the first `count` bytes, which are
// JSON, with the plain one.
static void check_index(const struct check *check, size_t count, bool is_all) {
    static struct json_scan_index plain;
    begin_index(&plain, count, check->setting->is_lines);
    write_plain_index(check->bytes, count, &plain);
    for (size_t v = 0; v < check->versions; v++) {
        const struct runner *runner = &check->runners[v];
        const struct json_scan_index *index = &runner->index;
        if (index->count < plain.count || index->row_count < plain.row_count ||
            (is_all && (index->count > plain.count ||
                        index->row_count > plain.row_count))) {
            fail_in(check, "the number of entries", runner, index->count,
                    plain.count);
        }
        for (size_t n = 0; n < plain.count; n++) {
            if (index->entries[n] != plain.entries[n]) {
                fail_in(check, "an entry", runner, index->entries[n],
                        plain.entries[n]);
            }
        }
        for (size_t n = 0; n < plain.row_count; n++) {
            if (index->rows[n] != plain.rows[n]) {
                fail_in(check, "a row", runner, index->rows[n], plain.rows[n]);
            }
        }
        if (is_all ? index->has_backslash != plain.has_backslash
                   : plain.has_backslash && !index->has_backslash) {
            fail_in(check, "whether it has a backslash", runner,
                    index->has_backslash, plain.has_backslash);
        }
    }
}

// Returns the offset of the line that contains an offset.
static size_t start_of_line(const uint8_t *bytes, size_t offset) {
    while (offset > 0 && bytes[offset - 1] != '\n') offset--;
    return offset;
}

void check_text(const uint8_t *bytes, size_t count,
                const struct setting *setting, const char *name) {
    static struct check check;
    check.bytes = bytes;
    check.count = count;
    check.setting = setting;
    check.name = name;
    check.versions = 0;
    check.records = 0;
    for (; json_validation_version(check.versions); check.versions++) {
        struct runner *runner = &check.runners[check.versions];
        runner->version = json_validation_version(check.versions);
        json_validation_begin(&runner->validation, setting->is_lines, setting->limits,
                         runner->kinds, KINDS_WORDS);
        begin_index(&runner->index, count, setting->is_lines);
        runner->validation.index = &runner->index;
        runner->validation.index_start = 0;
    }
    size_t next_line;
    struct verdict expected = next_doubt(&check, 0, &next_line);
    bool all_good = expected.is_json;
    const size_t good =
        all_good || !setting->is_lines
            ? count
            : start_of_line(bytes, expected.undecided < count ? expected.undecided
                                                          : count);
    size_t start = 0, cut = 0;
    for (;;) {
        while (cut < setting->cut_count && setting->cuts[cut] <= start) cut++;
        size_t end = cut < setting->cut_count && setting->cuts[cut] < count
                         ? setting->cuts[cut]
                         : count;
        run_to(&check, start, end, &expected);
        start = end;
        if (check.has_doubt) {
            if (!setting->is_lines) break;
            for (size_t v = 0; v < check.versions; v++) {
                json_validation_next_line(&check.runners[v].validation, next_line);
            }
            start = next_line;
            expected = next_doubt(&check, next_line, &next_line);
        }
        if (start == count) break;
    }
    tally.texts++;
    tally.bytes += count;
    tally.json += all_good;
    if (all_good || setting->is_lines) check_index(&check, good, all_good);
    for (size_t v = 0; v < check.versions; v++) {
        struct runner *runner = &check.runners[v];
        tally.alarms += runner->validation.alarms;
        if (all_good && setting->no_alarms && runner->validation.alarms > 0) {
            fail_in(&check, "the number of alarms", runner,
                    runner->validation.alarms, 0);
        }
        if (start < count || (check.has_doubt && !setting->is_lines)) continue;
        bool ends = json_validation_finish(&runner->validation);
        // After an undecided place in the last line, no line is unfinished.
        if (ends != (expected.is_json || expected.undecided < count)) {
            fail_in(&check, "the end", runner, ends, expected.is_json);
        }
        if (!ends && runner->validation.token_start != expected.token) {
            fail_in(&check, "the last token", runner, runner->validation.token_start,
                    expected.token);
        }
        if (setting->is_lines && runner->validation.records != check.records) {
            fail_in(&check, "the number of records", runner,
                    runner->validation.records, check.records);
        }
    }
}
