// simdjson_filter FILE: how many records of a log have "level":"error" at the top, and the sum of their `latency_ms` in
// tenths, each on a line. One thread, On-Demand `iterate_many` over the whole file, which is mapped: to read it into fresh
// memory takes several times as long.
#include <cmath>
#include <fcntl.h>
#include <iostream>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int descriptor = open(argv[1], O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return 2;
  size_t size = size_t(status.st_size), room = size + simdjson::SIMDJSON_PADDING;
  // The file lies over memory of its own, so that there is padding behind it.
  void *memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  if (mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED) return 2;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream records;
  if (parser.iterate_many(static_cast<const char *>(memory), size, size_t(1) << 20).get(records)) return 2;
  long errors = 0;
  double latency = 0;
  for (auto record : records) {
    std::string_view level;
    double value = 0;
    if (record["level"].get(level) || level != "error") continue;
    if (record["latency_ms"].get(value)) return 1;
    errors++;
    latency += value;
  }
  std::cout << errors << "\n" << std::llround(latency * 10) << "\n";
}
