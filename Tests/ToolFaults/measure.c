// measure FILE PROGRAM ARGUMENT...: runs the program, and writes to FILE its peak memory in KB, its processor time and its
// time in milliseconds. Exits with its status, or with 128 and the number of the signal that ended it.
//
// The peak of a process counts the memory that its parent held when it was started. This parent holds little.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fputs("usage: measure FILE PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  long start = now();
  pid_t child = fork();
  if (child < 0) {
    perror("measure");
    return 125;
  }
  if (child == 0) {
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    _exit(127);
  }
  int status;
  struct rusage use;
  if (wait4(child, &status, 0, &use) < 0) {
    perror("measure");
    return 125;
  }
  long spent = (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 + (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
  FILE *file = fopen(arguments[1], "w");
  if (!file) {
    perror(arguments[1]);
    return 125;
  }
  // macOS counts bytes.
#ifdef __APPLE__
  long peak = use.ru_maxrss / 1024;
#else
  long peak = use.ru_maxrss;
#endif
  fprintf(file, "%ld %ld %ld\n", peak, spent, now() - start);
  fclose(file);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
