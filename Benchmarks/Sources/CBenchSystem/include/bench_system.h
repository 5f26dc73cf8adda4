// What a benchmark asks the system for. In C, because Swift would need a
// variant for each platform's C library.
#ifndef BENCH_SYSTEM_H
#define BENCH_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/// CLOCK_MONOTONIC in nanoseconds: nobody sets it back while we measure.
uint64_t bench_now(void);

/// Takes a result, so that the optimiser cannot prove that nobody needs
/// it: it does not see into this file.
void bench_black_hole(int64_t value);

/// The most memory that this process has had, in bytes; 0 if the system does
/// not tell.
int64_t bench_peak_memory(void);

/// Runs a program with its arguments (the last is NULL), waits for it, and
/// stores the first `capacity` - 1 bytes of its standard output, with a 0
/// behind them. Returns its exit status, or -1 if it did not run or was
/// killed.
int bench_run_child(char *const arguments[], char *output, size_t capacity);

/// What a program wrote, and what it took.
typedef struct {
  /// Lines that are whole numbers, and their sum.
  int64_t lines, sum;
  /// Lines that are anything else.
  int64_t others;
  /// The most memory that it had, in bytes.
  int64_t peak;
} bench_program;

/// Runs a program, found in PATH, with its arguments (the last is NULL), and
/// adds up the lines of its standard output. Returns its exit status, or -1
/// if it did not run or was killed.
///
/// Call it from a process that has one thread and little memory: on Linux
/// part of that memory counts as the program's.
int bench_run_program(char *const arguments[], bench_program *program);

/// Where byte 0x0A stands from `bytes` on, or `count`.
size_t bench_line_end(const void *bytes, size_t count);

/// Makes standard output go out line by line. Swift 6 does not let one name
/// `stdout`.
void bench_flush_each_line(void);

/// Writes all bytes to standard output, or ends the process with status 2.
void bench_write(const void *bytes, size_t count);

/// Says what is wrong on standard error, and ends the process with status 1.
void bench_fail(const char *message) __attribute__((noreturn));

/// The bytes of a file, for `bench_free`; NULL if it cannot be read.
void *bench_read_file(const char *path, ptrdiff_t *count);
void bench_free(void *bytes);

/// Calls `work`. A tool that counts instructions is told the name of this
/// function.
void bench_measured(void (*work)(void *), void *context);

#endif
