// broken-tool: copies lines as `jsift records` would, with a defect that the environment variable BROKEN names. It shows
// that each check of Scripts/check faults can fail. With BROKEN=none it has no defect, and every check must pass.
//
// Good lines begin with '{' and end with '}'. The arguments -o FILE and --rejects FILE, and the last argument, which is the
// input, are those of jsift; the others do not matter.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *defect;
static const char *output, *rejects;
static char partial[4096];

static int is(const char *name) { return strcmp(defect, name) == 0; }

static void report(const char *name) {
  if (is("silent")) return;
  char text[8192];
  int size = snprintf(text, sizeof text, "jsift: %s: %s\n", name, strerror(errno));
  for (int i = 0; i < size && !is("raw-names"); i++) {
    if (text[i] == '\n' && i < size - 1) text[i] = '?';
  }
  if (write(2, text, (size_t)size) < 0) return;
}

static void fail(const char *name) {
  report(name);
  if (*partial && !is("leaves-part")) unlink(partial);
  _exit(is("wrong-status") ? 1 : 2);
}

static void put(int file, const char *name, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = write(file, bytes, size);
    if (count < 0) {
      if ((errno == EINTR || errno == EAGAIN) && !is("no-eintr")) continue;
      if (is("ignores-writes")) return;
      fail(name);
    }
    if (is("short-writes")) return;
    bytes += count;
    size -= (size_t)count;
  }
}

static void end(int file, const char *name) {
  if (close(file) != 0 && errno != EINTR && !is("ignores-close")) fail(name);
}

static int create(const char *name, int flags) {
  int file;
  do file = open(name, O_WRONLY | O_CREAT | flags, 0666);
  while (file < 0 && errno == EINTR);
  if (file < 0) fail(name);
  return file;
}

// Returns the content of a file, which is shorter than its size says if it was truncated.
static char *load(const char *name, size_t *size) {
  int file = 0;
  struct stat status;
  if (strcmp(name, "-") != 0) {
    do file = open(name, O_RDONLY);
    while (file < 0 && errno == EINTR);
  }
  if (file < 0 || fstat(file, &status) != 0) fail(name);
  *size = 0;
  if (is("maps") && status.st_size > 0) {
    *size = (size_t)status.st_size;
    return mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  size_t room = 1 << 16;
  char *bytes = malloc(room);
  // Memory that is missing loses the rest of the input.
  while (bytes || !is("ignores-memory")) {
    if (!bytes) abort();
    if (is("trusts-size") && *size >= (size_t)status.st_size) break;
    ssize_t count = read(file, bytes + *size, room - *size);
    if (count < 0) {
      if ((errno == EINTR || errno == EAGAIN) && !is("no-eintr")) continue;
      if (!is("ignores-reads")) fail(name);
    }
    if (count <= 0) break;
    *size += (size_t)count;
    if (room - *size < room / 2) {
      char *more = realloc(bytes, room * 2);
      if (!more && is("ignores-memory")) break;
      bytes = more;
      room *= 2;
    }
  }
  if (file > 0) close(file);
  return bytes;
}

int main(int count, char **arguments) {
  defect = getenv("BROKEN");
  if (!defect) defect = "none";
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  if (is("locale")) setlocale(LC_ALL, "");
  const char *input = count > 1 ? arguments[count - 1] : "-";
  for (int i = 1; i + 1 < count; i++) {
    if (strcmp(arguments[i], "-o") == 0) output = arguments[i + 1];
    if (strcmp(arguments[i], "--rejects") == 0) rejects = arguments[i + 1];
  }
  int out = 1, bad = -1;
  const char *name = output ? output : "standard output";
  struct stat status;
  int isThere = output && stat(output, &status) == 0;
  if (output && !isThere && errno == ELOOP) fail(output);
  int isReplaced = output && !is("direct") && (!isThere || S_ISREG(status.st_mode));
  if (isReplaced) {
    const char *slash = strrchr(output, '/');
    int folder = slash ? (int)(slash + 1 - output) : 0;
    snprintf(partial, sizeof partial, "%.*s.%.200s.%d.part", folder, output, output + folder, (int)getpid());
    out = create(partial, O_EXCL);
  } else if (output) {
    out = create(output, is("direct") ? O_TRUNC : 0);
  }
  if (rejects) bad = create(rejects, O_TRUNC);
  size_t size;
  char *bytes = load(input, &size);
  if (is("locale")) {
    char text[32];
    put(out, name, text, (size_t)snprintf(text, sizeof text, "%.1f\n", 0.5));
  }
  if (is("rejects-placeholder") && rejects) {
    put(bad, rejects, "?", 1);
  }
  for (size_t start = 0; start < size;) {
    char *feed = memchr(bytes + start, '\n', size - start);
    size_t stop = feed ? (size_t)(feed - bytes) + 1 : size, last = stop - (feed ? 1 : 0);
    int isGood = last > start && bytes[start] == '{' && bytes[last - 1] == '}';
    // Documents have other lines, which are results.
    if (!rejects) isGood = 1;
    if (isGood) put(out, name, bytes + start, stop - start);
    if (!isGood && bad >= 0) put(bad, rejects, bytes + start, stop - start);
    start = stop;
  }
  if (is("rejects-placeholder") && rejects) {
    lseek(bad, 0, SEEK_SET);
    put(bad, rejects, "!", 1);
  }
  if (bad >= 0) end(bad, rejects);
  if (isReplaced && is("early-rename")) rename(partial, output);
  if (isReplaced && !is("no-sync")) {
    int result;
    do result = fsync(out);
    while (result != 0 && errno == EINTR);
    if (result != 0 && errno != EINVAL && errno != EROFS && !is("ignores-sync")) fail(output);
  }
  if (output) end(out, name);
  if (isReplaced && !is("early-rename") && rename(partial, output) != 0 && !is("ignores-rename")) fail(output);
  return 0;
}
