// kernels [--quick]: how fast are the byte kernels of CJSONScan, each version of
// each, beside the C library's own searches? Answers are compared before
// anything is timed. `Benchmarks/run kernels` builds and runs this.

#include "json_scan.h"
#include "json_scan_structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__) || defined(__APPLE__)
#define HAS_MEMMEM 1
#else
#define HAS_MEMMEM 0
#endif

static int rounds = 15;
static double sample_seconds = 0.02;
static size_t large = 64000000;
// What a stream reads at once.
enum { SMALL = 1 << 18 };

// Processor time of this thread: other programs take less of it than of the
// time on the wall.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// ---- Input

static uint64_t generator = 20240229;

static size_t below(size_t limit) {
    generator += 0x9E3779B97F4A7C15;
    uint64_t mixed = generator;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return (size_t)((mixed ^ mixed >> 31) % limit);
}

struct text {
    const char *name;
    uint8_t *bytes;
    size_t count;
};

// A record of a log, about 350 bytes; one of a hundred is an error.
static size_t put_record(char *out, size_t room) {
    static const char *const messages[] = {
        "request served from cache", "cart \\\"spring sale\\\" updated",
        "na\xC3\xAFve retry avoided", "template C:\\\\mail rendered"};
    const char *level = below(100) == 0 ? "error" : below(5) ? "info" : "debug";
    return (size_t)snprintf(
        out, room,
        "{\"ts\":\"2025-03-0%zuT12:%02zu:07.123Z\",\"level\":\"%s\","
        "\"service\":\"checkout\",\"host\":\"checkout-%zu.eu.example.net\","
        "\"request\":{\"method\":\"GET\",\"path\":\"/api/v1/orders/%zu\","
        "\"status\":200,\"latency_ms\":%zu.5},\"user\":{\"id\":%zu,"
        "\"name\":\"Ada Okafor\",\"tags\":[\"beta\",\"mobile\"]},"
        "\"message\":\"%s\",\"trace\":\"%012zx\"}",
        1 + below(9), below(60), level, below(24), below(100000), below(400),
        below(1000000), messages[below(4)], below((size_t)1 << 47));
}

static struct text lines(const char *name, size_t count) {
    char *bytes = malloc(count + 2);
    size_t used = 0;
    while (count - used > 600) {
        used += put_record(bytes + used, 600);
        bytes[used++] = '\n';
    }
    struct text text = {name, (uint8_t *)bytes, used};
    return text;
}

// The records as the elements of an array, behind its opening bracket.
static struct text array(const char *name, struct text log) {
    uint8_t *bytes = malloc(log.count);
    memcpy(bytes, log.bytes, log.count);
    for (size_t i = 0; i + 1 < log.count; i++) {
        if (bytes[i] == '\n') bytes[i] = ',';
    }
    bytes[log.count - 1] = ']';
    struct text text = {name, bytes, log.count};
    return text;
}

// Pairs of numbers, as maps hold them: as many brackets as there can be.
static struct text numbers(const char *name, size_t count) {
    char *bytes = malloc(count + 64);
    size_t used = 0;
    while (count - used > 64) {
        used += (size_t)snprintf(bytes + used, 64, "[-%zu.%06zu,%zu.%06zu],",
                                 below(90), below(1000000), below(180),
                                 below(1000000));
    }
    bytes[used - 1] = ']';
    struct text text = {name, (uint8_t *)bytes, used};
    return text;
}

// One string, behind its opening quote.
static struct text string(const char *name, size_t count, bool escapes) {
    uint8_t *bytes = malloc(count);
    memset(bytes, 'a', count);
    for (size_t i = 40; escapes && i + 40 < count; i += 30 + below(40)) {
        bytes[i] = '\\';
        bytes[i + 1] = '"';
    }
    bytes[count - 1] = '"';
    struct text text = {name, bytes, count};
    return text;
}

// ---- Work: each returns a number that tells whether the answer is right

static const struct json_scan_structure_version *version;
static struct json_scan_literals literals;

static uint64_t each_line(struct text text,
                          size_t find(const uint8_t *, size_t)) {
    uint64_t sum = 0;
    for (size_t i = 0; i < text.count;) {
        i += find(text.bytes + i, text.count - i) + 1;
        sum = sum * 31 + i;
    }
    return sum;
}

static size_t find_memchr(const uint8_t *bytes, size_t count) {
    const uint8_t *found = memchr(bytes, '\n', count);
    return found ? (size_t)(found - bytes) : count;
}

static uint64_t newline(struct text text) {
    return each_line(text, json_scan_newline);
}
static uint64_t newline_memchr(struct text text) {
    return each_line(text, find_memchr);
}
static uint64_t count_newlines(struct text text) {
    return json_scan_count_newlines(text.bytes, text.count);
}
static uint64_t count_newlines_portable(struct text text) {
    return json_scan_count_newlines_portable(text.bytes, text.count);
}
static uint64_t utf8(struct text text) {
    return json_scan_text(text.bytes, text.count);
}
static uint64_t utf8_portable(struct text text) {
    return json_scan_text_portable(text.bytes, text.count);
}
static uint64_t string_end(struct text text) {
    bool escaped = false;
    return json_scan_string_end(text.bytes, text.count, &escaped);
}
static uint64_t string_end_portable(struct text text) {
    bool escaped = false;
    return json_scan_string_end_portable(text.bytes, text.count, &escaped);
}

static uint64_t each_literal(struct text text) {
    uint64_t sum = 0;
    for (size_t i = 0; i < text.count;) {
        size_t which = 0;
        i += version->literals_find(text.bytes + i, text.count - i, &literals,
                                    &which) + 1;
        sum = sum * 31 + i;
    }
    return sum;
}

#if HAS_MEMMEM
void *memmem(const void *, size_t, const void *, size_t);

static uint64_t each_memmem(struct text text) {
    uint64_t sum = 0;
    for (size_t i = 0; i < text.count;) {
        const uint8_t *found = memmem(text.bytes + i, text.count - i,
                                      literals.bytes, literals.starts[1]);
        i = (found ? (size_t)(found - text.bytes) : text.count) + 1;
        sum = sum * 31 + i;
    }
    return sum;
}
#endif

static uint64_t container_end(struct text text) {
    struct json_scan_container state = json_scan_container_opened(false);
    return version->container_end(text.bytes, text.count, &state);
}

static uint64_t children(struct text text) {
    struct json_scan_children state = json_scan_children_opened(false);
    struct json_scan_child found[256];
    uint64_t sum = 0;
    enum json_scan_outcome outcome;
    do {
        size_t count;
        outcome = version->children(text.bytes + state.offset,
                                    text.count - state.offset, &state, found,
                                    256, &count);
        for (size_t i = 0; i < count; i++) {
            sum = sum * 31 + found[i].value_start * 7 + found[i].value_end;
        }
    } while (outcome == JSON_SCAN_FULL);
    return sum * 31 + outcome;
}

// ---- Measuring

struct side {
    const char *name;
    uint64_t (*run)(struct text);
    const struct json_scan_structure_version *version;
    double best, seconds[64];
    int runs;
};

static double time_of(struct side *side, struct text text, int runs) {
    static volatile uint64_t sink;
    version = side->version;
    double start = now();
    for (int i = 0; i < runs; i++) sink = side->run(text);
    (void)sink;
    return (now() - start) / runs;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The sides take turns, so that the machine's moods hit all of them.
static void measure(const char *kernel, struct text text, struct side *sides,
                    int count) {
    uint64_t expected = 0;
    for (int i = 0; i < count; i++) {
        version = sides[i].version;
        uint64_t answer = sides[i].run(text);
        if (i == 0) expected = answer;
        if (answer != expected) {
            fprintf(stderr, "kernels: wrong answer: %s, %s, %s\n", kernel,
                    text.name, sides[i].name);
            exit(1);
        }
        double once = time_of(&sides[i], text, 1);
        sides[i].runs = once < sample_seconds ? (int)(sample_seconds / once) + 1 : 1;
    }
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < count; turn++) {
            struct side *side = &sides[(turn + round) % count];
            side->seconds[round] = time_of(side, text, side->runs);
        }
    }
    printf("\n%s, %s, %.2f MB\n", kernel, text.name, (double)text.count / 1e6);
    double base = 0;
    for (int i = 0; i < count; i++) {
        qsort(sides[i].seconds, (size_t)rounds, sizeof(double), by_size);
        double median = sides[i].seconds[rounds / 2];
        if (i == 0) base = median;
        printf("  %-22s %7.2f GB/s  (%.2f-%.2f)   x %s %.2f\n", sides[i].name,
               (double)text.count / median / 1e9,
               (double)text.count / sides[i].seconds[rounds - 1] / 1e9,
               (double)text.count / sides[i].seconds[0] / 1e9, sides[0].name,
               base / median);
    }
}

// The portable version first: it is what the others are compared with.
static int all_versions(struct side *sides, uint64_t run(struct text)) {
    int count = 0;
    while (json_scan_structure_version((size_t)count)) count++;
    for (int i = 0; i < count; i++) {
        const struct json_scan_structure_version *it =
            json_scan_structure_version((size_t)(count - 1 - i));
        sides[i] = (struct side){.name = it->name, .run = run, .version = it};
    }
    return count;
}

static void measure_literals(struct text log, const char *const *words,
                             size_t count, const char *name) {
    uint8_t bytes[256];
    size_t lengths[8], used = 0;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = strlen(words[i]);
        memcpy(bytes + used, words[i], lengths[i]);
        used += lengths[i];
    }
    if (!json_scan_literals_prepare(&literals, bytes, lengths, count)) exit(2);
    struct side sides[8];
    int versions = all_versions(sides, each_literal);
#if HAS_MEMMEM
    if (count == 1) {
        sides[versions++] = (struct side){.name = "memmem", .run = each_memmem};
    }
#endif
    measure(name, log, sides, versions);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        rounds = 3;
        sample_seconds = 0.002;
        large = 4000000;
    }
    printf("\n== kernels: how fast are the byte kernels?\n");
    printf("   GB/s: median of %d rounds, in brackets lowest and highest\n", rounds);
    for (int pass = 0; pass < 2; pass++) {
        size_t count = pass ? large : SMALL;
        struct text log = lines("log", count);
        const char *name = json_scan_kernel();
        struct side plain[2] = {
            {.name = "json_scan_newline", .run = newline},
            {.name = "memchr", .run = newline_memchr}};
        measure("newline", log, plain, 2);
        struct side counting[2] = {
            {.name = "portable", .run = count_newlines_portable},
            {.name = name, .run = count_newlines}};
        measure("count newlines", log, counting, 2);
        struct side checking[2] = {{.name = "portable", .run = utf8_portable},
                                   {.name = name, .run = utf8}};
        measure("UTF-8", log, checking, 2);
        for (int escapes = 0; escapes < 2; escapes++) {
            struct text text =
                string(escapes ? "an escape every 50 bytes" : "no escapes",
                       count, escapes);
            struct side ends[2] = {
                {.name = "portable", .run = string_end_portable},
                {.name = name, .run = string_end}};
            measure("string end", text, ends, 2);
            free(text.bytes);
        }
        const char *const one[] = {"\"level\":\"error\""};
        measure_literals(log, one, 1, "literal in 1 line of 100");
        const char *const none[] = {"\"gateway-7\""};
        measure_literals(log, none, 1, "literal in no line");
        const char *const several[] = {"\"error\"", "\"fatal\"", "\"warn\"",
                                       "timeout"};
        measure_literals(log, several, 4, "four literals");

        struct side sides[4];
        struct text records = array("records", log);
        struct text pairs = numbers("pairs of numbers", count);
        measure("container end", records, sides,
                all_versions(sides, container_end));
        measure("container end", pairs, sides,
                all_versions(sides, container_end));
        measure("children", records, sides, all_versions(sides, children));
        measure("children", pairs, sides, all_versions(sides, children));
        free(log.bytes);
        free(records.bytes);
        free(pairs.bytes);
    }
    printf("\n");
    return 0;
}
