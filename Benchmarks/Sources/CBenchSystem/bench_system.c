#include "bench_system.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

uint64_t bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static volatile int64_t hole;

void bench_black_hole(int64_t value) { hole = value; }

int64_t bench_peak_memory(void) {
#ifdef __linux__
  // Not ru_maxrss: on Linux a process inherits that from the one that started
  // it, and we hold hundreds of megabytes.
  FILE *status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  char line[256];
  long long kilobytes = 0;
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1) break;
  fclose(status);
  return (int64_t)kilobytes * 1024;
#else
  struct rusage usage;
  // Bytes on Darwin.
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss : 0;
#endif
}

int bench_run_child(char *const arguments[], char *output, size_t capacity) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child;
  int refused = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);

  size_t used = 0;
  char rest[256];
  while (!refused) {
    // What does not fit is read too: the child must not wait for us.
    size_t room = used < capacity - 1 ? capacity - 1 - used : 0;
    ssize_t got = room ? read(ends[0], output + used, room) : read(ends[0], rest, sizeof rest);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (room) used += (size_t)got;
  }
  output[used] = 0;
  close(ends[0]);
  if (refused) return -1;

  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A line that is being read.
typedef struct {
  int64_t number;
  int digits, is_other;
} line;

static void end_line(line *current, bench_program *program) {
  if (current->digits && !current->is_other) {
    program->lines++;
    program->sum += current->number;
  } else {
    program->others++;
  }
  *current = (line){0};
}

static void add_lines(const char *bytes, size_t count, line *current, bench_program *program) {
  for (size_t i = 0; i < count; i++) {
    int digit = bytes[i] - '0';
    if (bytes[i] == '\n') {
      end_line(current, program);
    } else if (digit >= 0 && digit <= 9 && current->digits < 18) {
      current->number = current->number * 10 + digit;
      current->digits++;
    } else {
      current->is_other = 1;
    }
  }
}

int bench_run_program(char *const arguments[], bench_program *program) {
  *program = (bench_program){0};
  int ends[2];
  if (pipe(ends) != 0) return -1;
  // Not posix_spawn: that passes our memory to the child, and on Linux its
  // peak would begin at ours. The copy that fork makes is small, since what
  // is mapped from files is not copied.
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[0], arguments);
    _exit(127);
  }
  close(ends[1]);

  static char buffer[1 << 16];
  line current = {0};
  while (child > 0) {
    ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    add_lines(buffer, (size_t)got, &current, program);
  }
  if (current.digits || current.is_other) end_line(&current, program);
  close(ends[0]);
  if (child < 0) return -1;

  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return -1;
#ifdef __linux__
  program->peak = (int64_t)usage.ru_maxrss * 1024;
#else
  program->peak = (int64_t)usage.ru_maxrss;
#endif
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t bench_line_end(const void *bytes, size_t count) {
  const char *found = memchr(bytes, '\n', count);
  return found ? (size_t)(found - (const char *)bytes) : count;
}

void bench_flush_each_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

void bench_write(const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = write(STDOUT_FILENO, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) _exit(2);
    bytes = (const char *)bytes + done;
    count -= (size_t)done;
  }
}

void bench_fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

void *bench_read_file(const char *path, ptrdiff_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *bytes = NULL;
  long size = -1;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
    bytes = malloc((size_t)size + 1);
  if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  *count = size;
  return bytes;
}

void bench_free(void *bytes) { free(bytes); }

__attribute__((noinline)) void bench_measured(void (*work)(void *), void *context) {
  work(context);
  // Or the call becomes a jump, and nobody sees it return.
  hole = 0;
}
