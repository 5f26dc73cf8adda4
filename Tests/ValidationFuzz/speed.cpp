// speed [ROUNDS] FILE... [-l FILE...]: prints GB/s of each version of the validation, of
// simdjson's DOM parser, and of libyajl with empty callbacks, on the same bytes in
// one run. The parsers take turns, and each figure is a median. Files after -l are
// read as lines: by parse_many, and by libyajl with one handle per line.
//
// The simdjson implementations are those with the same instructions: icelake for
// avx512, haswell for avx2.

#include "json_validation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <simdjson.h>
#include <string>
#include <vector>
#include <yajl/yajl_parse.h>

static double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct side {
    std::string name;
    std::function<bool(const uint8_t *, size_t, bool)> work;
    std::vector<double> times;
    double log_sum = 0;
};

static bool validate(const struct json_validation_version *version, const uint8_t *bytes,
                  size_t count, bool is_lines) {
    const size_t window = 256 << 10;
    uint64_t kinds[16];
    json_validation validation;
    json_validation_begin(&validation, is_lines,
                     {1024, 64 << 20, 64 << 10, 1000, 64 << 20}, kinds, 16);
    for (size_t i = 0; i < count; i += window) {
        size_t part = std::min(window, count - i);
        if (version->run(&validation, bytes + i, part) < part) return false;
    }
    return json_validation_finish(&validation);
}

static bool parse(simdjson::dom::parser &parser, const char *implementation,
                  const uint8_t *bytes, size_t count, bool is_lines) {
    simdjson::get_active_implementation() =
        simdjson::get_available_implementations()[implementation];
    if (!is_lines) return !parser.parse(bytes, count, false).error();
    simdjson::dom::document_stream stream;
    if (parser.parse_many(bytes, count, 1 << 20).get(stream)) return false;
    for (auto document : stream) {
        if (document.error()) return false;
    }
    return true;
}

static int one(void *) { return 1; }
static int boolean(void *, int) { return 1; }
static int text(void *, const char *, size_t) { return 1; }
static int string(void *, const unsigned char *, size_t) { return 1; }
static const yajl_callbacks callbacks = {one,    boolean, nullptr, nullptr,
                                         text,   string,  one,     string,
                                         one,    one,     one};

static bool parse_one(const uint8_t *bytes, size_t count) {
    yajl_handle handle = yajl_alloc(&callbacks, nullptr, nullptr);
    yajl_config(handle, yajl_dont_validate_strings, 1);
    bool is_good = yajl_parse(handle, bytes, count) == yajl_status_ok &&
                   yajl_complete_parse(handle) == yajl_status_ok;
    yajl_free(handle);
    return is_good;
}

static bool yajl(const uint8_t *bytes, size_t count, bool is_lines) {
    if (!is_lines) return parse_one(bytes, count);
    for (size_t i = 0; i < count;) {
        auto end = (const uint8_t *)memchr(bytes + i, '\n', count - i);
        size_t length = end ? (size_t)(end - bytes) - i : count - i;
        if (length > 0 && !parse_one(bytes + i, length)) return false;
        i += length + 1;
    }
    return true;
}

int main(int argc, char **argv) {
    size_t rounds = 15;
    int first = 1;
    if (argc > 1 && atoi(argv[1]) > 0) rounds = (size_t)atoi(argv[first++]);

    std::vector<side> sides;
    for (size_t i = 0; auto version = json_validation_version(i); i++) {
        sides.push_back({version->name, [=](const uint8_t *bytes, size_t count, bool l) {
                             return validate(version, bytes, count, l);
                         }, {}});
    }
    for (const char *name : {"icelake", "haswell"}) {
        auto implementation = simdjson::get_available_implementations()[name];
        if (!implementation || !implementation->supported_by_runtime_system()) {
            continue;
        }
        auto parser = std::make_shared<simdjson::dom::parser>();
        sides.push_back({name, [=](const uint8_t *bytes, size_t count, bool l) {
                             return parse(*parser, name, bytes, count, l);
                         }, {}});
    }
    sides.push_back({"libyajl", yajl, {}});

    printf("%-26s", "GB/s");
    for (auto &side : sides) printf("%10s", side.name.c_str());
    printf("\n");
    bool is_lines = false;
    size_t files = 0;
    for (int a = first; a < argc; a++) {
        if (!strcmp(argv[a], "-l")) {
            is_lines = true;
            continue;
        }
        simdjson::padded_string file;
        if (simdjson::padded_string::load(argv[a]).get(file)) {
            fprintf(stderr, "speed: cannot read %s\n", argv[a]);
            return 2;
        }
        auto bytes = (const uint8_t *)file.data();
        size_t count = file.size();
        size_t passes = 1 + 2000000 / (count + 1);
        for (auto &side : sides) side.times.clear();
        for (size_t round = 0; round <= rounds; round++) {
            for (auto &side : sides) {
                double start = seconds();
                for (size_t pass = 0; pass < passes; pass++) {
                    if (side.work(bytes, count, is_lines)) continue;
                    fprintf(stderr, "speed: %s refuses %s\n", side.name.c_str(),
                            argv[a]);
                    return 1;
                }
                // The first round allocates the memory.
                if (round > 0) side.times.push_back(seconds() - start);
            }
        }
        const char *name = strrchr(argv[a], '/');
        printf("%-26s", name ? name + 1 : argv[a]);
        for (auto &side : sides) {
            std::sort(side.times.begin(), side.times.end());
            double median = side.times[side.times.size() / 2];
            double rate = (double)(count * passes) / median * 1e-9;
            side.log_sum += std::log(rate);
            printf("%10.2f", rate);
        }
        printf("\n");
        fflush(stdout);
        files++;
    }
    printf("%-26s", "geometric mean");
    for (auto &side : sides) {
        printf("%10.2f", std::exp(side.log_sum / (double)files));
    }
    printf("\n");
}
