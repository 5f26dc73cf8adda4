// compare_simdjson JOB FILE [PLACE]: the questions of `run compare`, answered by simdjson. A document is read into
// memory, as simdjson wants it; a log is mapped. `dom-` jobs parse everything, the others are On-Demand.
// compare_simdjson dom-again|again FILE COUNT PLACE...: a document parsed COUNT times, with its values at the places.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <simdjson.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

using namespace simdjson;

static void put(int64_t number) {
  static bool isLater;
  printf("%lld\n", (long long)number);
  if (!isLater) fflush(stdout);
  isLater = true;
}

static void put(std::string_view text) {
  static bool isLater;
  printf("%.*s\n", int(text.size()), text.data());
  if (!isLater) fflush(stdout);
  isLater = true;
}

static int onDemand(const std::string &job, const char *path, size_t place) {
  padded_string text;
  if (padded_string::load(path).get(text)) return 2;
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array records;
  if (parser.iterate(text).get(document) || document["records"].get_array().get(records)) return 1;
  int64_t id;
  if (job == "value") {
    if (records.at(place)["user"]["id"].get_int64().get(id)) return 1;
    put(id);
    return 0;
  }
  size_t step = job == "some" ? 1000 : 1, index = 0;
  for (auto record : records) {
    if (index++ % step != 0) continue;
    ondemand::object user;
    if (record["user"].get_object().get(user)) continue;
    if (user["id"].get_int64().get(id)) return 1;
    put(id);
  }
  return 0;
}

static int parsed(const std::string &job, const char *path, size_t place) {
  dom::parser parser;
  dom::element document;
  dom::array records;
  if (parser.load(path).get(document) || document["records"].get_array().get(records)) return 1;
  int64_t id;
  if (job == "dom-value") {
    if (records.at(place)["user"]["id"].get_int64().get(id)) return 1;
    put(id);
    return 0;
  }
  if (job == "dom-count") {
    int64_t count = 0;
    for (auto record : records) count += record.is_object();
    put(count);
    return 0;
  }
  size_t step = job == "dom-some" ? 1000 : 1, index = 0;
  for (auto record : records) {
    if (index++ % step != 0) continue;
    if (!record["user"]["id"].get_int64().get(id)) put(id);
  }
  return 0;
}

/// A number in thousandths, or how many bytes a string has.
template <class Value> static bool add(Value value, int64_t &sum) {
  std::string_view text;
  double number;
  if (!value.get(text)) return sum += int64_t(text.size()), true;
  if (value.get(number)) return false;
  return sum += llround(number * 1000), true;
}

/// The same document again and again, in memory; names and indexes of a place have dots between them.
static int again(bool isDOM, int count, char **words) {
  padded_string text;
  if (count < 2 || padded_string::load(words[0]).get(text)) return 2;
  std::vector<std::string> places;
  for (int i = 2; i < count; i++) {
    places.push_back(std::string("/") + words[i]);
    for (char &c : places.back())
      if (c == '.') c = '/';
  }
  dom::parser parser;
  ondemand::parser onDemandParser;
  int64_t sum = 0;
  for (long rest = atol(words[1]); rest > 0; rest--) {
    if (isDOM) {
      dom::element document;
      if (parser.parse(text).get(document)) return 1;
      for (const auto &place : places)
        if (!add(document.at_pointer(place), sum)) return 1;
    } else {
      ondemand::document document;
      if (onDemandParser.iterate(text).get(document)) return 1;
      for (const auto &place : places)
        if (!add(document.at_pointer(place), sum)) return 1;
    }
  }
  put(sum);
  return 0;
}

/// What is mapped, with the padding behind it that simdjson needs.
static const char *mapped(const char *path, size_t &size) {
  int descriptor = open(path, O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return nullptr;
  size = size_t(status.st_size);
  void *memory =
      mmap(nullptr, size + SIMDJSON_PADDING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  void *file = mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0);
  return file == MAP_FAILED ? nullptr : static_cast<const char *>(memory);
}

/// The records of a log, in batches of 1 MiB.
static bool opened(const char *path, ondemand::parser &parser, ondemand::document_stream &records) {
  size_t size;
  const char *bytes = mapped(path, size);
  return bytes && !parser.iterate_many(bytes, size, size_t(1) << 20).get(records);
}

static int filter(const char *path) {
  ondemand::parser parser;
  ondemand::document_stream records;
  if (!opened(path, parser, records)) return 2;
  for (auto record : records) {
    std::string_view level, latency;
    auto error = record["level"].get(level);
    if (error && error != NO_SUCH_FIELD) return 1;
    if (error || level != "error") continue;
    if (record["latency_ms"].raw_json_token().get(latency)) return 1;
    while (!latency.empty() && (latency.back() == ' ' || latency.back() == '\n')) latency.remove_suffix(1);
    put(latency);
  }
  return 0;
}

/// `user.id` of each record of a log.
static int ids(const char *path) {
  ondemand::parser parser;
  ondemand::document_stream records;
  if (!opened(path, parser, records)) return 2;
  for (auto record : records) {
    int64_t id;
    if (record["user"]["id"].get_int64().get(id)) return 1;
    put(id);
  }
  return 0;
}

static int filterDOM(const char *path) {
  size_t size;
  const char *bytes = mapped(path, size);
  if (!bytes) return 2;
  dom::parser parser;
  dom::document_stream records;
  if (parser.parse_many(bytes, size, size_t(1) << 20).get(records)) return 2;
  for (auto record : records) {
    std::string_view level;
    double latency;
    if (record.error()) return 1;
    if (record["level"].get(level) || level != "error") continue;
    if (record["latency_ms"].get(latency)) return 1;
    char text[32];
    put(std::string_view(text, size_t(snprintf(text, sizeof text, "%.17g", latency))));
  }
  return 0;
}

/// How many JSON texts there are: one, or one on each line.
static int texts(const char *path, bool isLines) {
  dom::parser parser;
  if (!isLines) return parser.load(path).error() ? 1 : (put(int64_t(1)), 0);
  size_t size;
  const char *bytes = mapped(path, size);
  if (!bytes) return 2;
  dom::document_stream records;
  if (parser.parse_many(bytes, size, size_t(8) << 20).get(records)) return 2;
  int64_t count = 0;
  for (auto record : records) {
    if (record.error()) return 1;
    count++;
  }
  put(count);
  return 0;
}

/// A document without the white space between its tokens.
static int minified(const char *path) {
  padded_string text;
  if (padded_string::load(path).get(text)) return 2;
  std::vector<char> bytes(text.size() + SIMDJSON_PADDING);
  size_t size = 0;
  if (minify(text.data(), text.size(), bytes.data(), size)) return 1;
  fwrite(bytes.data(), 1, size, stdout);
  return putchar('\n') == '\n' ? 0 : 2;
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "version") == 0) {
    printf("%d.%d.%d\n", SIMDJSON_VERSION_MAJOR, SIMDJSON_VERSION_MINOR, SIMDJSON_VERSION_REVISION);
    return 0;
  }
  if (count < 3) return 2;
  std::string job = words[1];
  size_t place = count > 3 ? strtoull(words[3], nullptr, 10) : 0;
  if (job == "texts") return texts(words[2], count > 3 && strcmp(words[3], "lines") == 0);
  if (job == "dom-again" || job == "again") return again(job == "dom-again", count - 2, words + 2);
  if (job == "minify") return minified(words[2]);
  if (job == "filter") return filter(words[2]);
  if (job == "log") return ids(words[2]);
  if (job == "dom-filter") return filterDOM(words[2]);
  return job.rfind("dom-", 0) == 0 ? parsed(job, words[2], place) : onDemand(job, words[2], place);
}
