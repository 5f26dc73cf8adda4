#include "raw_yajl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

int raw_yajl_version(void) { return yajl_version(); }

// MARK: Callbacks that do nothing

static int on_null(void *context) { return (void)context, 1; }
static int on_bool(void *context, int value) { return (void)context, (void)value, 1; }
static int on_number(void *context, const char *text, size_t count) {
  return (void)context, (void)text, (void)count, 1;
}
static int on_text(void *context, const unsigned char *text, size_t count) {
  return (void)context, (void)text, (void)count, 1;
}
static int on_bracket(void *context) { return (void)context, 1; }

static yajl_callbacks empty_callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_text,
    .yajl_start_map = on_bracket,
    .yajl_map_key = on_text,
    .yajl_end_map = on_bracket,
    .yajl_start_array = on_bracket,
    .yajl_end_array = on_bracket,
};

static yajl_handle new_handle(yajl_callbacks *callbacks, void *context, int checks_utf8) {
  yajl_handle handle = yajl_alloc(callbacks, NULL, context);
  if (handle && !checks_utf8) yajl_config(handle, yajl_dont_validate_strings, 1);
  return handle;
}

static int parse_whole(yajl_callbacks *callbacks, void *context, const void *bytes, size_t count, int checks_utf8) {
  yajl_handle handle = new_handle(callbacks, context, checks_utf8);
  if (!handle) return -1;
  int is_right = yajl_parse(handle, bytes, count) == yajl_status_ok && yajl_complete_parse(handle) == yajl_status_ok;
  yajl_free(handle);
  return is_right ? 0 : -1;
}

// MARK: One text

int raw_yajl_whole(const void *bytes, size_t count, int checks_utf8) {
  return parse_whole(&empty_callbacks, NULL, bytes, count, checks_utf8);
}

int raw_yajl_chunks(const void *bytes, size_t count, size_t chunk, int checks_utf8) {
  yajl_handle handle = new_handle(&empty_callbacks, NULL, checks_utf8);
  if (!handle) return -1;
  const unsigned char *next = bytes;
  int is_right = 1;
  while (is_right && count > 0) {
    size_t chunk = count < chunk ? count : chunk;
    is_right = yajl_parse(handle, next, chunk) == yajl_status_ok;
    next += chunk;
    count -= chunk;
  }
  is_right = is_right && yajl_complete_parse(handle) == yajl_status_ok;
  yajl_free(handle);
  return is_right ? 0 : -1;
}

static ssize_t read_some(int descriptor, void *buffer, size_t count) {
  ssize_t got;
  do got = read(descriptor, buffer, count);
  while (got < 0 && errno == EINTR);
  return got;
}

int raw_yajl_file(const char *path, size_t chunk, int checks_utf8) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  unsigned char *buffer = malloc(chunk);
  yajl_handle handle = new_handle(&empty_callbacks, NULL, checks_utf8);
  int result = descriptor >= 0 && buffer && handle ? 0 : -2;
  while (result == 0) {
    ssize_t got = read_some(descriptor, buffer, chunk);
    if (got == 0) break;
    if (got < 0) result = -2;
    else if (yajl_parse(handle, buffer, (size_t)got) != yajl_status_ok) result = -1;
  }
  if (result == 0 && yajl_complete_parse(handle) != yajl_status_ok) result = -1;
  if (handle) yajl_free(handle);
  free(buffer);
  if (descriptor >= 0) close(descriptor);
  return result;
}

// MARK: One text on each line

static int is_blank(const unsigned char *line, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') return 0;
  return 1;
}

/// What is done with a line. Returns 0 if it is refused.
typedef int (*line_work)(const unsigned char *line, size_t count, int checks_utf8, void *context);

static int parse_line(const unsigned char *line, size_t count, int checks_utf8, void *context) {
  return (void)context, raw_yajl_whole(line, count, checks_utf8) == 0;
}

/// Works on a line and counts it unless it is blank. Returns 0 if it is refused.
static int take_line(
    const unsigned char *line, size_t count, int checks_utf8, line_work work, void *context, int64_t *lines) {
  if (count == 0 || (*line <= ' ' && is_blank(line, count))) return 1;
  *lines += 1;
  return work(line, count, checks_utf8, context);
}

int64_t raw_yajl_lines(const void *bytes, size_t count, int checks_utf8) {
  const unsigned char *next = bytes, *end = next + count;
  int64_t lines = 0;
  while (next < end) {
    const unsigned char *feed = memchr(next, '\n', (size_t)(end - next));
    if (!feed) feed = end;
    if (!take_line(next, (size_t)(feed - next), checks_utf8, parse_line, NULL, &lines)) return -1;
    next = feed + 1;
  }
  return lines;
}

static int64_t each_line_of_file(const char *path, size_t chunk, int checks_utf8, line_work work, void *context) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  size_t capacity = chunk, used = 0;
  unsigned char *buffer = malloc(capacity);
  int64_t lines = descriptor >= 0 && buffer ? 0 : -2;
  while (lines >= 0) {
    if (used == capacity) {
      // A line that is longer than the window.
      unsigned char *larger = realloc(buffer, capacity * 2);
      if (!larger) lines = -2;
      if (!larger) break;
      buffer = larger;
      capacity *= 2;
    }
    ssize_t got = read_some(descriptor, buffer + used, capacity - used);
    if (got < 0) lines = -2;
    if (got <= 0) break;
    const unsigned char *next = buffer, *end = buffer + used + (size_t)got, *feed;
    while (lines >= 0 && (feed = memchr(next, '\n', (size_t)(end - next)))) {
      if (!take_line(next, (size_t)(feed - next), checks_utf8, work, context, &lines)) lines = -1;
      next = feed + 1;
    }
    used = (size_t)(end - next);
    memmove(buffer, next, used);
  }
  if (lines >= 0 && !take_line(buffer, used, checks_utf8, work, context, &lines)) lines = -1;
  free(buffer);
  if (descriptor >= 0) close(descriptor);
  return lines;
}

int64_t raw_yajl_lines_file(const char *path, size_t chunk, int checks_utf8) {
  return each_line_of_file(path, chunk, checks_utf8, parse_line, NULL);
}

// MARK: Two members of each line

/// What has been seen of one line. Only members of the outermost object are wanted.
typedef struct {
  int depth;
  enum { other_key, level_key, latency_key } key;
  int is_error;
  double latency;
} line_state;

static int ask_other(void *context) { return ((line_state *)context)->key = other_key, 1; }
static int ask_bool(void *context, int value) { return (void)value, ask_other(context); }

static int ask_key(void *context, const unsigned char *text, size_t count) {
  line_state *state = context;
  state->key = other_key;
  if (state->depth != 1) return 1;
  if (count == 5 && memcmp(text, "level", 5) == 0) state->key = level_key;
  else if (count == 10 && memcmp(text, "latency_ms", 10) == 0) state->key = latency_key;
  return 1;
}

static int ask_string(void *context, const unsigned char *text, size_t count) {
  line_state *state = context;
  if (state->key == level_key && count == 5 && memcmp(text, "error", 5) == 0) state->is_error = 1;
  return ask_other(context);
}

static int ask_number(void *context, const char *text, size_t count) {
  line_state *state = context;
  char copy[64];
  if (state->key == latency_key && count < sizeof copy) {
    // The text of libyajl has no end of its own.
    memcpy(copy, text, count);
    copy[count] = 0;
    state->latency = strtod(copy, NULL);
  }
  return ask_other(context);
}

static int ask_open(void *context) { return ((line_state *)context)->depth++, ask_other(context); }
static int ask_close(void *context) { return ((line_state *)context)->depth--, ask_other(context); }

static yajl_callbacks asking_callbacks = {
    .yajl_null = ask_other,
    .yajl_boolean = ask_bool,
    .yajl_number = ask_number,
    .yajl_string = ask_string,
    .yajl_start_map = ask_open,
    .yajl_map_key = ask_key,
    .yajl_end_map = ask_close,
    .yajl_start_array = ask_open,
    .yajl_end_array = ask_close,
};

static int ask_line(const unsigned char *line, size_t count, int checks_utf8, void *context) {
  line_state state = {.depth = 0, .key = other_key};
  if (parse_whole(&asking_callbacks, &state, line, count, checks_utf8) != 0) return 0;
  raw_yajl_answer *answer = context;
  answer->latency += state.latency;
  if (state.is_error) {
    answer->errors++;
    answer->error_latency += state.latency;
  }
  return 1;
}

int raw_yajl_ask_lines_file(const char *path, size_t chunk, int checks_utf8, raw_yajl_answer *answer) {
  memset(answer, 0, sizeof *answer);
  answer->lines = each_line_of_file(path, chunk, checks_utf8, ask_line, answer);
  return answer->lines < 0 ? (int)answer->lines : 0;
}

// MARK: Counting

static int count_null(void *context) { return ((raw_yajl_counts *)context)->nulls++, 1; }
static int count_bool(void *context, int value) { return (void)value, ((raw_yajl_counts *)context)->bools++, 1; }
static int count_number(void *context, const char *text, size_t count) {
  return (void)text, (void)count, ((raw_yajl_counts *)context)->numbers++, 1;
}
static int count_string(void *context, const unsigned char *text, size_t count) {
  return (void)text, (void)count, ((raw_yajl_counts *)context)->strings++, 1;
}
static int count_key(void *context, const unsigned char *text, size_t count) {
  return (void)text, (void)count, ((raw_yajl_counts *)context)->keys++, 1;
}
static int count_object(void *context) { return ((raw_yajl_counts *)context)->objects++, 1; }
static int count_array(void *context) { return ((raw_yajl_counts *)context)->arrays++, 1; }

static yajl_callbacks counting_callbacks = {
    .yajl_null = count_null,
    .yajl_boolean = count_bool,
    .yajl_number = count_number,
    .yajl_string = count_string,
    .yajl_start_map = count_object,
    .yajl_map_key = count_key,
    .yajl_end_map = on_bracket,
    .yajl_start_array = count_array,
    .yajl_end_array = on_bracket,
};

int raw_yajl_count(const void *bytes, size_t count, raw_yajl_counts *counts) {
  memset(counts, 0, sizeof *counts);
  return parse_whole(&counting_callbacks, counts, bytes, count, 1);
}
