// compare_meter FILE PROGRAM ARGUMENT...
//
// Runs a program that prints a number on each line, and prints one line about it:
//
//     status lines sum others seconds first-result-seconds cpu-seconds peak-bytes
//
// `sum` is that of the numbers in thousandths, so that it does not depend on how a Double is spelt; `others` are lines
// that are no numbers; of one that is longer than any number `sum` has its bytes, so that a text is another answer than a
// part of it. The clock runs from before the program starts until it has ended; the first result is there when
// its line has come through the pipe. FILE is read before, untimed, so that nobody pays for a disk. What the program
// says on standard error is shown where COMPARE_METER_STDERR is set.
//
// In C and small, because on Linux the memory of who starts a program counts as the program's.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Longer than any run takes; a program that hangs must not hang the benchmark.
static const unsigned limit_seconds = 900;

static char buffer[1 << 16];

typedef struct {
  char text[64];
  size_t count;
  /// How many bytes follow those of `text`.
  int64_t more;
} line;

typedef struct {
  int64_t lines, sum, others;
  double first;
} result;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void warm(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ssize_t got;
  do got = read(descriptor, buffer, sizeof buffer);
  while (got > 0 || (got < 0 && errno == EINTR));
  close(descriptor);
}

static void end_line(line *current, result *found, double start) {
  if (found->first == 0) found->first = now() - start;
  found->lines++;
  size_t count = current->count;
  current->count = 0;
  int64_t whole = 0;
  size_t digits = 0;
  // Whole numbers, which most lines are, need no conversion by the library.
  while (digits < count && digits < 15 && current->text[digits] >= '0' && current->text[digits] <= '9')
    whole = whole * 10 + (current->text[digits++] - '0');
  if (digits > 0 && digits == count) {
    found->sum += whole * 1000;
    return;
  }
  if (count == 0 || count == sizeof current->text) {
    found->others++;
    if (count > 0) found->sum += ((int64_t)count + current->more) * 1000;
    current->more = 0;
    return;
  }
  current->text[count] = 0;
  char *end;
  double value = strtod(current->text, &end);
  if (end != current->text + count || !(fabs(value) < 1e15)) found->others++;
  else found->sum += llround(value * 1000);
}

static void add(const char *bytes, size_t count, line *current, result *found, double start) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n') {
      end_line(current, found, start);
    } else if (current->count < sizeof current->text) {
      current->text[current->count++] = bytes[i];
    } else {
      // The rest of a long line is no number: whoever prints a text is not to wait for this program.
      const char *end = memchr(bytes + i, '\n', count - i);
      size_t rest = end ? (size_t)(end - bytes) - i : count - i;
      current->more += (int64_t)rest;
      i += rest - 1;
    }
  }
}

int main(int count, char *arguments[]) {
  if (count < 3) return fputs("usage: compare_meter FILE PROGRAM ARGUMENT...\n", stderr), 2;
  warm(arguments[1]);
  int ends[2];
  if (pipe(ends) != 0) return 2;
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (!getenv("COMPARE_METER_STDERR")) {
      int nowhere = open("/dev/null", O_WRONLY);
      if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    }
    alarm(limit_seconds);
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) return 2;

  line current = {.count = 0, .more = 0};
  result found = {0};
  for (;;) {
    ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    add(buffer, (size_t)got, &current, &found, start);
  }
  if (current.count) end_line(&current, &found, start);

  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return 2;
  double seconds = now() - start;
  double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
               + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
#ifdef __linux__
  int64_t peak = (int64_t)usage.ru_maxrss * 1024;
#else
  int64_t peak = (int64_t)usage.ru_maxrss;
#endif
  printf(
      "%d %lld %lld %lld %.6f %.6f %.6f %lld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, (long long)found.lines,
      (long long)found.sum, (long long)found.others, seconds, found.first, cpu, (long long)peak);
  return 0;
}
