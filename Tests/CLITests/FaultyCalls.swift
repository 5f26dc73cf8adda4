#if os(Linux)
  import Foundation
  import Testing

  /// A preloaded library that makes system calls fail, for failures that a test cannot cause otherwise.
  ///
  /// `FAIL_FSYNC=1` fails each `fsync`; `FAIL_CLOSE=NAME` fails each `close` of a file whose path ends with NAME, after
  /// closing it; `FAIL_PREAD=NAME` fails each read of such a file at an offset; `KILL_AT=N` ends the program at the N-th call
  /// that opens, reads, writes, renames or truncates, before the call.
  enum FaultyCalls {
    private static let source = #"""
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      #include <stdatomic.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>

      static atomic_long calls;

      static void note(void) {
        const char *last = getenv("KILL_AT");
        if (last && atomic_fetch_add(&calls, 1) + 1 == atol(last)) _exit(137);
      }

      int open(const char *path, int flags, ...) {
        note();
        va_list rest;
        va_start(rest, flags);
        int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
        va_end(rest);
        return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
      }

      ssize_t read(int descriptor, void *buffer, size_t size) {
        note();
        return ((ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read"))(descriptor, buffer, size);
      }

      ssize_t write(int descriptor, const void *buffer, size_t size) {
        note();
        return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(descriptor, buffer, size);
      }

      int rename(const char *path, const char *target) {
        note();
        return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(path, target);
      }

      int ftruncate(int descriptor, off_t size) {
        note();
        return ((int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate"))(descriptor, size);
      }

      int fsync(int descriptor) {
        note();
        if (getenv("FAIL_FSYNC")) {
          errno = EIO;
          return -1;
        }
        return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
      }

      // Whether the path of the file ends with the value of the variable.
      static int is_named(int descriptor, const char *variable) {
        const char *name = getenv(variable);
        if (!name) return 0;
        char link[64], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, path, sizeof path - 1);
        size_t end = strlen(name);
        if (length < 0 || (size_t)length < end) return 0;
        path[length] = 0;
        return strcmp(path + length - end, name) == 0;
      }

      int close(int descriptor) {
        int fails = is_named(descriptor, "FAIL_CLOSE");
        int result = ((int (*)(int))dlsym(RTLD_NEXT, "close"))(descriptor);
        if (!fails) return result;
        errno = ENOSPC;
        return -1;
      }

      ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) {
        note();
        if (is_named(descriptor, "FAIL_PREAD")) {
          errno = EIO;
          return -1;
        }
        return ((ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread"))(descriptor, buffer, count, offset);
      }
      """#

    /// Builds the library `libfaults.so` in a folder.
    static func build(in folder: Folder) throws {
      _ = try folder.file("faults.c", source)
      let build = try CLITests.shell(
        "$(command -v clang || command -v cc) -shared -fPIC -o libfaults.so faults.c -ldl && rm faults.c", in: folder)
      try #require(build.status == 0, "\(build.err)")
    }

    /// Runs a command line like `shell`; the prefix `$FAULTS` before the tool loads the library.
    static func shell(_ command: String, in folder: Folder, stdin: String? = nil) throws -> Outcome {
      try build(in: folder)
      return try CLITests.shell("FAULTS=\"env LD_PRELOAD=$PWD/libfaults.so\"\n\(command)", in: folder, stdin: stdin)
    }
  }
#endif
