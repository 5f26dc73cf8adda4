import JSONSift

#if Compression
  import JSONSiftCompression
#endif

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
  /// Where in it the reading begins.
  var start = 0

  /// `-` and no file at all mean standard input.
  static func list(_ names: [String]) -> [InputFile] {
    if names.isEmpty { return [InputFile(path: nil)] }
    return names.flatMap { RawArguments.launch.files(of: $0) }.map { path in
      InputFile(path: path == [UInt8(ascii: "-")] ? nil : path)
    }
  }

  /// The bytes of the file, compressed if it is.
  var source: JSONSource { path.map { JSONSource.path(bytes: $0) } ?? .standardInput }

  /// The name as it was given, `-` for standard input. Bytes that are no UTF-8 are U+FFFD.
  var name: String { path.map { String(decoding: $0, as: UTF8.self) } ?? "-" }

  /// The name as messages show it: one line, whatever bytes the file system holds.
  var displayName: String {
    path.map { $0.isEmpty ? "''" : SourceExcerpt.printable($0) } ?? "standard input"
  }
}

extension InputFile {
  /// It is no file, and its name is a path to values.
  var looksLikePath: Bool {
    guard let path, path.first == UInt8(ascii: "$"), status == nil else { return false }
    return String(validating: path, as: UTF8.self).flatMap { try? JSONPath($0) } != nil
  }

  /// The size of a regular file; of standard input, from where it stands.
  var size: Int? {
    guard let size = regularStatus.map({ Int($0.st_size) }) else { return nil }
    guard path == nil else { return size }
    let position = lseek(0, 0, SEEK_CUR)
    return max(size - max(Int(position), 0), 0)
  }

  /// Whether both are one regular file.
  func isSameFile(as other: InputFile) -> Bool {
    guard let mine = regularStatus, let theirs = other.regularStatus else { return false }
    return mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev
  }

  private var regularStatus: stat? { status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0 : Optional.none } }

  /// It is there, and is no regular file: a pipe, a FIFO, a device.
  var isStream: Bool { status.map { $0.st_mode & S_IFMT != S_IFREG } ?? false }

  private var status: stat? {
    var status = stat()
    let found =
      if let path {
        unsafe (path + [0]).withUnsafeBytes { bytes in
          unsafe stat(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), &status)
        }
      } else {
        unsafe fstat(0, &status)
      }
    return found == 0 ? status : nil
  }
}

/// How many bytes of a file workers have read: of the file itself, compressed or not.
struct ReadProgress {
  #if Compression
    let bytes = DecompressionProgress()
  #endif
  private var reported = 0

  /// How many have been read since the last call.
  ///
  /// - Parameter found: How many bytes of content there were.
  mutating func advance(_ found: Int) -> Int {
    #if Compression
      let all = bytes.compressedBytes
      defer { reported = all }
      return all - reported
    #else
      return found
    #endif
  }
}
