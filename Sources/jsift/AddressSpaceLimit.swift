/// The limit of address space, `ulimit -v`.
enum AddressSpaceLimit {
  /// Lets all threads allocate from one arena if there is a limit. Otherwise glibc reserves 64 MiB of address space for
  /// each thread, and the program needs about 260 MiB. It never uses most of them. Other C libraries reserve none.
  static func adapt() {
    #if canImport(Glibc)
      var limit = rlimit()
      let resource = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
      guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return }
      // The module Glibc does not contain malloc.h.
      guard let function = unsafe dlsym(nil, "mallopt") else { return }
      let maxArenas: Int32 = -8  // M_ARENA_MAX
      _ = unsafe unsafeBitCast(function, to: (@convention(c) (Int32, Int32) -> Int32).self)(maxArenas, 1)
    #endif
  }
}
