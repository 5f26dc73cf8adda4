// libyajl from C with callbacks that do nothing: what every figure is compared with.
//
// Numbers come as text (`yajl_number`), as JSONSift takes them. With `yajl_integer` and `yajl_double` libyajl converts
// them, is several times slower on documents of numbers, and is no fair baseline.
//
// `checks_utf8` is libyajl's own UTF-8 check. It is on by default and weak; JSONSift switches it off and checks itself.
#ifndef RAW_YAJL_H
#define RAW_YAJL_H

#include <stddef.h>
#include <stdint.h>

/// How many events of each kind a text has.
typedef struct {
  int64_t nulls, bools, numbers, strings, keys, objects, arrays;
} raw_yajl_counts;

/// libyajl's version as a number: 20100 is 2.1.0.
int raw_yajl_version(void);

// Each returns 0, or -1 if libyajl refuses the text.

/// One text, in one call.
int raw_yajl_whole(const void *bytes, size_t count, int checks_utf8);
/// One text, `chunk` bytes at a time.
int raw_yajl_chunks(const void *bytes, size_t count, size_t chunk, int checks_utf8);
/// One text from a file, read `chunk` bytes at a time. -2 if the file cannot be read.
int raw_yajl_file(const char *path, size_t chunk, int checks_utf8);

/// One text on each line, a handle for each. Returns how many lines are not blank, or -1.
int64_t raw_yajl_lines(const void *bytes, size_t count, int checks_utf8);
/// The same from a file, read `chunk` bytes at a time.
int64_t raw_yajl_lines_file(const char *path, size_t chunk, int checks_utf8);

/// What a program finds that asks each line of a log for two members.
typedef struct {
  /// How many lines are not blank, and how many of them have "level":"error" at the top.
  int64_t lines, errors;
  /// The sum of `latency_ms`, a number at the top, in the order of the lines; and the same of lines with an error.
  double latency, error_latency;
} raw_yajl_answer;

/// One text on each line of a file, a handle for each, read `chunk` bytes at a time; callbacks that look for two members.
/// Returns 0, -1 if a line is refused, -2 if the file cannot be read.
int raw_yajl_ask_lines_file(const char *path, size_t chunk, int checks_utf8, raw_yajl_answer *answer);

/// Counts the events. Never timed: it is there to check the answers of all others.
int raw_yajl_count(const void *bytes, size_t count, raw_yajl_counts *counts);

#endif
