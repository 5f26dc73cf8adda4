// compare_rapidjson JOB FILE [PLACE]: the questions of `run compare`, answered by rapidjson. `dom-` jobs build a
// document, the others are SAX over a stream, numbers as text. UTF-8 is checked, which rapidjson does only where one
// asks for it.
// compare_rapidjson again FILE COUNT PLACE...: a document parsed COUNT times, with its values at the places.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifdef __SSE4_2__
#define RAPIDJSON_SSE42 1
#endif
#include <rapidjson/document.h>
#include <rapidjson/filereadstream.h>
#include <rapidjson/pointer.h>
#include <rapidjson/reader.h>

using namespace rapidjson;

static void put(const char *text, size_t count) {
  static bool isLater;
  printf("%.*s\n", int(count), text);
  if (!isLater) fflush(stdout);
  isLater = true;
}

static bool is(const char *text, SizeType count, const char *wanted) {
  return count == strlen(wanted) && memcmp(text, wanted, count) == 0;
}

/// Where we are in {"records":[{"user":{"id":0}}]}. Depth 1 is the outermost object.
struct Walk : BaseReaderHandler<UTF8<>, Walk> {
  int depth = 0;
  bool isRecords = false, inRecords = false, isUser = false, inUser = false, isID = false;
  long index = -1;
  long step = 1, place = -1;
  bool countsOnly = false;

  bool Default() { return true; }
  bool Key(const char *text, SizeType count, bool) {
    if (depth == 1) isRecords = is(text, count, "records");
    else if (depth == 3 && inRecords) isUser = is(text, count, "user");
    else if (depth == 4 && inUser) isID = is(text, count, "id");
    return true;
  }
  bool StartArray() {
    if (++depth == 2 && isRecords) inRecords = true;
    return true;
  }
  bool EndArray(SizeType) {
    if (depth-- == 2) inRecords = false;
    return true;
  }
  bool StartObject() {
    if (++depth == 3 && inRecords) {
      index++;
      isUser = false;
    } else if (depth == 4 && isUser) {
      inUser = true;
      isID = false;
    }
    return true;
  }
  bool EndObject(SizeType) {
    if (depth-- == 4) inUser = false;
    return true;
  }
  bool RawNumber(const char *text, SizeType count, bool) {
    if (depth != 4 || !inUser || !isID || countsOnly) return true;
    if (place >= 0 ? index == place : index % step == 0) put(text, count);
    return true;
  }
};

struct Record : BaseReaderHandler<UTF8<>, Record> {
  int depth = 0;
  enum { other, level, latency } key = other;
  bool isError = false;
  std::string found;

  bool Default() { return true; }
  bool Key(const char *text, SizeType count, bool) {
    if (depth == 1) key = is(text, count, "level") ? level : is(text, count, "latency_ms") ? latency : other;
    return true;
  }
  bool String(const char *text, SizeType count, bool) {
    if (depth == 1 && key == level) isError = is(text, count, "error");
    return true;
  }
  bool RawNumber(const char *text, SizeType count, bool) {
    if (depth == 1 && key == latency) found.assign(text, count);
    return true;
  }
  bool StartObject() { return ++depth, true; }
  bool EndObject(SizeType) { return --depth, true; }
  bool StartArray() { return ++depth, true; }
  bool EndArray(SizeType) { return --depth, true; }
};

static char buffer[1 << 18];
constexpr unsigned flags = kParseNumbersAsStringsFlag | kParseValidateEncodingFlag;

static int filter(FILE *file) {
  FileReadStream stream(file, buffer, sizeof buffer);
  while (true) {
    SkipWhitespace(stream);
    if (stream.Peek() == '\0') return 0;
    Reader reader;
    Record record;
    if (!reader.Parse<flags | kParseStopWhenDoneFlag>(stream, record)) return 1;
    if (record.isError) put(record.found.data(), record.found.size());
  }
}

/// How many JSON texts there are, one behind another.
static int texts(FILE *file) {
  FileReadStream stream(file, buffer, sizeof buffer);
  BaseReaderHandler<> nothing;
  for (long count = 0;; count++) {
    SkipWhitespace(stream);
    if (stream.Peek() == '\0') return printf("%ld\n", count), 0;
    Reader reader;
    if (!reader.Parse<flags | kParseStopWhenDoneFlag>(stream, nothing)) return 1;
  }
}

static int dom(const std::string &job, FILE *file, size_t place) {
  FileReadStream stream(file, buffer, sizeof buffer);
  Document document;
  if (document.ParseStream<kParseValidateEncodingFlag>(stream).HasParseError()) return 1;
  const Value &records = document["records"];
  char text[32];
  if (job == "dom-count") {
    put(text, size_t(snprintf(text, sizeof text, "%u", records.Size())));
    return 0;
  }
  bool isValue = job == "dom-value";
  for (SizeType index = isValue ? SizeType(place) : 0; index < records.Size(); index += 1000) {
    if (!records[index].HasMember("user")) continue;
    put(text, size_t(snprintf(text, sizeof text, "%d", records[index]["user"]["id"].GetInt())));
    if (isValue) break;
  }
  return 0;
}

/// The same document again and again, in memory; names and indexes of a place have dots between them. The sum is that of
/// numbers in thousandths, and of the bytes of strings.
static int again(FILE *file, int count, char **words) {
  std::string text;
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, got);
  std::vector<Pointer> places;
  for (int i = 1; i < count; i++) {
    std::string place = std::string("/") + words[i];
    for (char &c : place)
      if (c == '.') c = '/';
    places.emplace_back(place.c_str());
  }
  long long sum = 0;
  for (long rest = atol(words[0]); rest > 0; rest--) {
    Document document;
    if (document.Parse<kParseValidateEncodingFlag>(text.data(), text.size()).HasParseError()) return 1;
    for (const Pointer &place : places) {
      const Value *value = place.Get(document);
      if (!value || !(value->IsString() || value->IsNumber())) return 1;
      sum += value->IsString() ? (long long)value->GetStringLength() : llround(value->GetDouble() * 1000);
    }
  }
  return printf("%lld\n", sum), 0;
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "version") == 0) return puts(RAPIDJSON_VERSION_STRING), 0;
  if (count < 3) return 2;
  std::string job = words[1];
  size_t place = count > 3 ? strtoull(words[3], nullptr, 10) : 0;
  FILE *file = fopen(words[2], "r");
  if (!file) return 2;
  if (job == "again" && count > 3) return again(file, count - 3, words + 3);
  if (job == "filter") return filter(file);
  if (job == "texts") return texts(file);
  if (job.rfind("dom-", 0) == 0) return dom(job, file, place);
  FileReadStream stream(file, buffer, sizeof buffer);
  Reader reader;
  Walk walk;
  if (job == "some") walk.step = 1000;
  else if (job == "value") walk.place = long(place);
  else if (job == "count") walk.countsOnly = true;
  else if (job != "path") return 2;
  if (!reader.Parse<flags>(stream, walk)) return 1;
  if (walk.countsOnly) printf("%ld\n", walk.index + 1);
  return 0;
}
