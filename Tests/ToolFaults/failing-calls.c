// A library that makes one call of a program fail. Scripts/check faults builds it and loads it with LD_PRELOAD.
//
// FAULT        CALL:N:EFFECT. The N-th call of CALL, counted from 1, has the effect: a number is the value of errno, and
//              s1 to s9 shortens a read or write to that number of bytes. N+ means the N-th and each later call.
//              CALL is malloc (with its relatives), read, write, rename, close, fsync, open, mmap or thread.
// FAULT_PATH   counts only calls on files whose path contains this text.
// FAULT_COUNT  a file that receives the number of counted calls when the program exits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { NONE, MALLOC, READ, WRITE, RENAME, CLOSE, FSYNC, OPEN, MMAP, THREAD };

static enum call wanted;
static long first;
static int repeats;
static int number;
static size_t length;
static const char *part;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
  static const char *names[] = {"", "malloc", "read", "write", "rename", "close", "fsync", "open", "mmap", "thread"};
  const char *text = getenv("FAULT");
  part = getenv("FAULT_PATH");
  if (!text) return;
  for (enum call call = MALLOC; call <= THREAD; call++) {
    size_t size = strlen(names[call]);
    if (strncmp(text, names[call], size) != 0 || text[size] != ':') continue;
    char *end;
    first = strtol(text + size + 1, &end, 10);
    repeats = *end == '+';
    if (repeats) end++;
    if (*end == ':' && end[1] == 's') {
      length = (size_t)atoi(end + 2);
    } else if (*end == ':') {
      number = atoi(end + 1);
    }
    // Last, because the program may have called something before.
    wanted = call;
  }
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  if (!path) return;
  char text[24];
  int size = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
  long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  syscall(SYS_write, file, text, (size_t)size);
  syscall(SYS_close, file);
}

static int is_of_path(int descriptor, const char *path) {
  if (!part) return 1;
  char link[40], found[4096];
  if (!path) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long size = syscall(SYS_readlinkat, AT_FDCWD, link, found, sizeof found - 1);
    if (size < 0) return 0;
    found[size] = 0;
    path = found;
  }
  return strstr(path, part) != NULL;
}

// Returns whether this call has the fault.
static int is_faulty(enum call call, int descriptor, const char *path) {
  if (call != wanted || !is_of_path(descriptor, path)) return 0;
  long count = atomic_fetch_add(&calls, 1) + 1;
  return first > 0 && (count == first || (repeats && count > first));
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// The result of a call that fails, or a shorter length.
#define FAIL_OR_SHORTEN(call, descriptor, size) \
  if (is_faulty(call, descriptor, NULL)) {      \
    if (!length) {                              \
      errno = number;                           \
      return -1;                                \
    }                                           \
    if (size > length) size = length;           \
  }

ssize_t read(int descriptor, void *bytes, size_t size) {
  FAIL_OR_SHORTEN(READ, descriptor, size)
  return syscall(SYS_read, descriptor, bytes, size);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
  FAIL_OR_SHORTEN(READ, descriptor, size)
  return syscall(SYS_pread64, descriptor, bytes, size, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) { return pread64(descriptor, bytes, size, offset); }

ssize_t write(int descriptor, const void *bytes, size_t size) {
  FAIL_OR_SHORTEN(WRITE, descriptor, size)
  return syscall(SYS_write, descriptor, bytes, size);
}

int rename(const char *from, const char *to) {
  if (is_faulty(RENAME, -1, from)) {
    errno = number;
    return -1;
  }
  return REAL(rename)(from, to);
}

// A failed close has closed the descriptor.
int close(int descriptor) {
  int isFaulty = is_faulty(CLOSE, descriptor, NULL);
  int result = REAL(close)(descriptor);
  if (!isFaulty) return result;
  errno = number;
  return -1;
}

int fsync(int descriptor) {
  if (is_faulty(FSYNC, descriptor, NULL)) {
    errno = number;
    return -1;
  }
  return REAL(fsync)(descriptor);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  if (is_faulty(OPEN, -1, path)) {
    errno = number;
    return -1;
  }
  return REAL(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  return open64(path, flags, mode);
}

void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  if (is_faulty(MMAP, descriptor, NULL)) {
    errno = number;
    return MAP_FAILED;
  }
  return REAL(mmap64)(address, size, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return mmap64(address, size, protection, flags, descriptor, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (is_faulty(THREAD, -1, "")) return number;
  return REAL(pthread_create)(thread, attributes, body, argument);
}

// MARK: Allocation

// dlsym allocates, so these call the functions of the C library by their other names.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int has_no_memory(void) {
  if (!is_faulty(MALLOC, -1, "")) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return has_no_memory() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return has_no_memory() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return has_no_memory() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return has_no_memory() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}
