// compare_yajl JOB FILE [PLACE]: the questions of `run compare`, answered by libyajl from C as somebody writes it who
// wants just this answer. All bytes go through libyajl, with its own check of UTF-8, 256 KiB at a time.
//
//     count   how many records a document has        path    $.records[*].user.id
//     some    user.id of every 1000th                value   $.records[PLACE].user.id
//     filter  latency_ms of the lines that are errors    log     user.id of each line
//     descend $..id
//     lines   how many lines there are, each parsed with callbacks that do nothing: no answer, but a floor
//     whole   1 for a document that is JSON: a floor too
//     again   a document in memory, parsed PLACE times with callbacks that do nothing: how often that was, a floor too

#include "raw_yajl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

enum { chunk = 1 << 18 };

static void put(const char *text, size_t count) {
  static int is_later;
  fwrite(text, 1, count, stdout);
  fputc('\n', stdout);
  // The first result at once, the others as they fill a buffer.
  if (!is_later) fflush(stdout);
  is_later = 1;
}

static int is_text(const unsigned char *text, size_t count, const char *wanted) {
  return count == strlen(wanted) && memcmp(text, wanted, count) == 0;
}

// MARK: A document

/// Where we are in {"records":[{"user":{"id":0}}]}. Depth 1 is the outermost object.
typedef struct {
  int depth;
  int is_records, in_records, is_user, in_user, is_id;
  long index;
  enum { nothing, all, some, one, anywhere } wanted;
  long place;
} walk;

static int on_key(void *context, const unsigned char *text, size_t count) {
  walk *at = context;
  if (at->depth == 1) at->is_records = is_text(text, count, "records");
  else if (at->depth == 3 && at->in_records) at->is_user = is_text(text, count, "user");
  else if (at->depth == 4 && at->in_user) at->is_id = is_text(text, count, "id");
  return 1;
}

static int on_open_array(void *context) {
  walk *at = context;
  at->depth++;
  if (at->depth == 2 && at->is_records) at->in_records = 1;
  return 1;
}

static int on_close_array(void *context) {
  walk *at = context;
  if (at->depth == 2) at->in_records = 0;
  at->depth--;
  return 1;
}

static int on_open_map(void *context) {
  walk *at = context;
  at->depth++;
  if (at->depth == 3 && at->in_records) {
    at->index++;
    at->is_user = 0;
  } else if (at->depth == 4 && at->is_user) {
    at->in_user = 1;
    at->is_id = 0;
  }
  return 1;
}

static int on_close_map(void *context) {
  walk *at = context;
  if (at->depth == 4) at->in_user = 0;
  at->depth--;
  return 1;
}

static int on_number(void *context, const char *text, size_t count) {
  walk *at = context;
  if (at->depth != 4 || !at->in_user || !at->is_id) return 1;
  if (at->wanted == all || (at->wanted == some && at->index % 1000 == 0)
      || (at->wanted == one && at->index == at->place))
    put(text, count);
  return 1;
}

static yajl_callbacks walking = {
    .yajl_number = on_number,
    .yajl_start_map = on_open_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_close_map,
    .yajl_start_array = on_open_array,
    .yajl_end_array = on_close_array,
};

static int on_key_anywhere(void *context, const unsigned char *text, size_t count) {
  walk *at = context;
  at->is_id = is_text(text, count, "id");
  return 1;
}

static int on_open_anywhere(void *context) {
  walk *at = context;
  at->is_id = 0;
  return 1;
}

static int on_number_anywhere(void *context, const char *text, size_t count) {
  walk *at = context;
  if (at->is_id) put(text, count);
  at->is_id = 0;
  return 1;
}

static yajl_callbacks descending = {
    .yajl_number = on_number_anywhere,
    .yajl_start_map = on_open_anywhere,
    .yajl_map_key = on_key_anywhere,
    .yajl_start_array = on_open_anywhere,
};

static int document(const char *path, walk *at) {
  static unsigned char buffer[chunk];
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 2;
  yajl_handle handle = yajl_alloc(at->wanted == anywhere ? &descending : &walking, NULL, at);
  ssize_t got;
  int is_right = 1;
  while (is_right && (got = read(descriptor, buffer, chunk)) > 0)
    is_right = yajl_parse(handle, buffer, (size_t)got) == yajl_status_ok;
  is_right = is_right && yajl_complete_parse(handle) == yajl_status_ok;
  yajl_free(handle);
  close(descriptor);
  return is_right ? 0 : 1;
}

// MARK: A log

typedef struct {
  int depth;
  enum { other_key, level_key, latency_key, id_key } key;
  int is_error, in_user;
  /// The number that is asked for: `user.id` if `is_log`, else `latency_ms`.
  int is_log;
  char number[64];
  size_t count;
} record;

static int on_record_key(void *context, const unsigned char *text, size_t count) {
  record *at = context;
  at->key = other_key;
  if (at->is_log) {
    if (at->depth == 1) at->in_user = is_text(text, count, "user");
    else if (at->depth == 2 && at->in_user && is_text(text, count, "id")) at->key = id_key;
  } else if (at->depth == 1) {
    at->key = is_text(text, count, "level") ? level_key : is_text(text, count, "latency_ms") ? latency_key : other_key;
  }
  return 1;
}

static int on_record_string(void *context, const unsigned char *text, size_t count) {
  record *at = context;
  if (at->depth == 1 && at->key == level_key) at->is_error = is_text(text, count, "error");
  return 1;
}

static int on_record_number(void *context, const char *text, size_t count) {
  record *at = context;
  if (at->key == (at->is_log ? id_key : latency_key) && at->depth == 1 + at->is_log && count < sizeof at->number) {
    memcpy(at->number, text, count);
    at->count = count;
  }
  return 1;
}

static int on_open(void *context) { return ((record *)context)->depth++, 1; }
static int on_close(void *context) { return ((record *)context)->depth--, 1; }

static yajl_callbacks recording = {
    .yajl_number = on_record_number,
    .yajl_string = on_record_string,
    .yajl_start_map = on_open,
    .yajl_map_key = on_record_key,
    .yajl_end_map = on_close,
    .yajl_start_array = on_open,
    .yajl_end_array = on_close,
};

static int lines(const char *path, int is_log) {
  FILE *file = fopen(path, "r");
  if (!file) return 2;
  setvbuf(file, NULL, _IOFBF, chunk);
  char *text = NULL;
  size_t capacity = 0;
  ssize_t count;
  int is_right = 1;
  while (is_right && (count = getline(&text, &capacity, file)) > 0) {
    record at = {.is_log = is_log};
    yajl_handle handle = yajl_alloc(&recording, NULL, &at);
    is_right = yajl_parse(handle, (unsigned char *)text, (size_t)count) == yajl_status_ok
               && yajl_complete_parse(handle) == yajl_status_ok;
    yajl_free(handle);
    if (is_right && at.count && (is_log || at.is_error)) put(at.number, at.count);
  }
  free(text);
  fclose(file);
  return is_right ? 0 : 1;
}

static int again(const char *path, long count) {
  FILE *file = fopen(path, "r");
  if (!file || fseek(file, 0, SEEK_END) != 0) return 2;
  size_t size = (size_t)ftell(file);
  char *text = malloc(size + 1);
  rewind(file);
  if (!text || fread(text, 1, size, file) != size) return 2;
  for (long rest = count; rest > 0; rest--)
    if (raw_yajl_whole(text, size, 1) != 0) return 1;
  free(text);
  fclose(file);
  return printf("%ld\n", count), 0;
}

int main(int count, char *words[]) {
  if (count < 3) return 2;
  const char *job = words[1];
  if (strcmp(job, "filter") == 0) return lines(words[2], 0);
  if (strcmp(job, "log") == 0) return lines(words[2], 1);
  if (strcmp(job, "lines") == 0) {
    long long found = raw_yajl_lines_file(words[2], chunk, 1);
    return found < 0 ? 1 : (printf("%lld\n", found), 0);
  }
  if (strcmp(job, "whole") == 0) return raw_yajl_file(words[2], chunk, 1) == 0 ? (puts("1"), 0) : 1;
  if (strcmp(job, "again") == 0 && count > 3) return again(words[2], atol(words[3]));
  walk at = {.index = -1};
  if (strcmp(job, "path") == 0) at.wanted = all;
  else if (strcmp(job, "descend") == 0) at.wanted = anywhere;
  else if (strcmp(job, "some") == 0) at.wanted = some;
  else if (strcmp(job, "value") == 0 && count > 3) at.wanted = one, at.place = atol(words[3]);
  else if (strcmp(job, "count") != 0) return 2;
  int status = document(words[2], &at);
  if (status == 0 && strcmp(job, "count") == 0) printf("%ld\n", at.index + 1);
  return status;
}
