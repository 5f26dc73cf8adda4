#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor to wait for, and what has happened to it.
package typealias PollEntry = pollfd

// Calls whose names are methods inside of the type.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
private func systemPoll(_ entries: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32) -> Int32 {
  unsafe poll(entries, count, milliseconds)
}
private func systemRename(_ path: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>) -> Int32 {
  unsafe rename(path, target)
}

/// The system calls themselves.
package struct OperatingSystem: SystemCalls {
  package init() {}

  package func open(_ path: [UInt8], _ flags: Int32, permissions: UInt32) -> Int {
    let mode = mode_t(truncatingIfNeeded: permissions)
    return unsafe withText(path) { path in
      Self.result(unsafe systemOpen(path, flags, mode))
    }
  }

  package func close(_ descriptor: Int32) -> Int { Self.result(systemClose(descriptor)) }

  package func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    Self.result(unsafe systemRead(descriptor, buffer.baseAddress, buffer.count))
  }

  package func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    Self.result(unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    Self.result(unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count))
  }

  package func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int {
    Self.result(Int(lseek(descriptor, off_t(offset), origin)))
  }

  package func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int {
    var found = stat()
    let result = Self.result(unsafe fstat(descriptor, &found))
    if result >= 0 { status = FileStatus(found) }
    return result
  }

  package func status(at path: [UInt8], _ status: inout FileStatus) -> Int {
    var found = stat()
    let result = unsafe withText(path) { Self.result(unsafe stat($0, &found)) }
    if result >= 0 { status = FileStatus(found) }
    return result
  }

  package func truncate(_ descriptor: Int32, to size: Int) -> Int { Self.result(ftruncate(descriptor, off_t(size))) }

  package func synchronize(_ descriptor: Int32) -> Int { Self.result(fsync(descriptor)) }

  package func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int {
    Self.result(fchmod(descriptor, mode_t(truncatingIfNeeded: permissions)))
  }

  package func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int {
    Self.result(unsafe systemPoll(entries.baseAddress, nfds_t(entries.count), milliseconds))
  }

  package func rename(_ path: [UInt8], to target: [UInt8]) -> Int {
    unsafe withText(path) { path in
      unsafe withText(target) { target in
        Self.result(unsafe systemRename(path, target))
      }
    }
  }

  package func remove(_ path: [UInt8]) -> Int { unsafe withText(path) { Self.result(unsafe unlink($0)) } }

  package func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe withText(path) { path in
      let text = unsafe buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self)
      return Self.result(unsafe readlink(path, text, buffer.count))
    }
  }

  package func resolve(_ path: [UInt8]) -> [UInt8]? {
    guard let found = unsafe withText(path, { unsafe realpath($0, nil) }) else { return nil }
    defer { unsafe free(found) }
    // SAFETY: `realpath` returns a string that ends with a zero byte.
    return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  package func entries(of folder: [UInt8]) -> [FolderEntry] {
    guard let stream = unsafe withText(folder, { unsafe opendir($0) }) else { return [] }
    defer { _ = unsafe closedir(stream) }
    var found: [FolderEntry] = []
    while let entry = unsafe readdir(stream) {
      // SAFETY: the name ends with a zero byte, and is read before the next entry.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name == [ASCII.dot] || name == [ASCII.dot, ASCII.dot] { continue }
      let type = Int(unsafe entry.pointee.d_type)
      let isFolder = type == Int(DT_DIR) || type == Int(DT_UNKNOWN) && isFolder(folder + [ASCII.slash] + name)
      found.append(FolderEntry(name, isFolder: isFolder))
    }
    return found
  }

  /// Returns whether a path is a folder, and not a link to one: some file systems do not tell it with the name.
  private func isFolder(_ path: [UInt8]) -> Bool {
    var found = stat()
    let result = unsafe withText(path) { unsafe lstat($0, &found) }
    return result == 0 && found.st_mode & S_IFMT == S_IFDIR
  }

  package func lock(_ descriptor: Int32) -> Int { Self.result(flock(descriptor, LOCK_EX | LOCK_NB)) }

  package func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer? {
    guard let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), unsafe address != MAP_FAILED
    else { return nil }
    return unsafe UnsafeRawBufferPointer(start: address, count: count)
  }

  /// Ends the mapping of a file.
  static func unmap(_ bytes: UnsafeRawBufferPointer) {
    _ = unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// The number of processors that are online.
  static var processors: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  package func pause(nanoseconds: Int, for descriptor: Int32) {
    var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    _ = unsafe nanosleep(&time, nil)
  }

  private static func result(_ value: Int) -> Int { value >= 0 ? value : -Int(errno) }

  private static func result(_ value: Int32) -> Int { result(Int(value)) }

  /// Calls `body` with the path as a C string.
  private func withText<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = Int(status.st_size)
    permissions = UInt32(status.st_mode & 0o7777)
    hasOwnGroup = status.st_gid == getegid()
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.modified = FileTime(seconds: Int(modified.tv_sec), nanoseconds: Int(modified.tv_nsec))
    self.changed = FileTime(seconds: Int(changed.tv_sec), nanoseconds: Int(changed.tv_nsec))
  }
}
