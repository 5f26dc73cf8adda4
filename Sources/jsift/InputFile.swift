import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file to read, or standard input.
struct InputFile: Sendable {
  let path: [UInt8]?

  /// `-` and no file at all mean standard input.
  static func list(_ names: [String]) -> [InputFile] {
    if names.isEmpty { return [InputFile(path: nil)] }
    return names.map { name in
      let path = RawArguments.launch.bytes(of: name)
      return InputFile(path: path == [UInt8(ascii: "-")] ? nil : path)
    }
  }

  var source: JSONSource { path.map { JSONSource.path(bytes: $0) } ?? .standardInput }

  /// The name as it was given, `-` for standard input. Bytes that are no UTF-8 are U+FFFD.
  var name: String { path.map { String(decoding: $0, as: UTF8.self) } ?? "-" }

  /// The name as messages show it: one line, whatever bytes the file system holds.
  var displayName: String {
    path.map { SourceExcerpt.printable($0) } ?? "standard input"
  }
}

extension InputFile {
  /// The size of a regular file.
  var size: Int? { regularStatus.map { Int($0.st_size) } }

  /// Whether both are one regular file.
  func isSameFile(as other: InputFile) -> Bool {
    guard let mine = regularStatus, let theirs = other.regularStatus else { return false }
    return mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev
  }

  private var regularStatus: stat? {
    var status = stat()
    let found =
      if let path {
        unsafe (path + [0]).withUnsafeBytes { bytes in
          unsafe stat(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), &status)
        }
      } else {
        unsafe fstat(0, &status)
      }
    return found == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
  }
}
