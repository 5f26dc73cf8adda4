// simdjson_filter FILE: how many records of a log have "level":"error" at the top, and the sum of their `latency_ms` in
// tenths, each on a line. One thread, On-Demand `iterate_many` over the whole file.
#include <cmath>
#include <iostream>
#include <simdjson.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  simdjson::padded_string file;
  if (simdjson::padded_string::load(argv[1]).get(file)) return 2;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream records;
  if (parser.iterate_many(file, size_t(1) << 20).get(records)) return 2;
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
