import JSONSift
import JSONSiftAnalysis

#if Compression
  import JSONSiftCompression
#endif

/// A file to read, or standard input.
struct InputFile: Sendable {
  let path: [UInt8]?
  /// Whether the form of the input is guessed, and not named by `--input`.
  var hasGuessedFraming = true
  /// The offset at which reading begins.
  var start = 0
  /// The part of the file that is requested; `nil` for all of it.
  var part: JSONInputRange?
  /// The range in which the requested lines begin, if there are any.
  var lines: JSONInputRange?
  /// The range in which the records of a window of time begin, if it was searched for, and the check of their order.
  var window: (range: JSONInputRange, order: TimeOrderCheck)?
  /// The size and time that the file must have; `nil` for any file.
  var expectation: FileExpectation?
  /// The open file and the part of it that is read, if an index rules out other parts.
  var indexed: (file: OpenFile, range: JSONInputRange)?
  /// The open document and the position at which reading begins, if an index of its elements knows one.
  var elements: (file: OpenFile, rest: DocumentRest)?
  /// What is new in the file since the last run with a state, if it is read with one.
  var fresh: ReadPart?
  /// Whether a pattern has selected the file.
  var isOfPattern = false
  /// Whether nothing in the file is new.
  var isUnchanged = false
  /// The bytes of a stream whose start was read before; `nil` if it was not.
  private var replayed: JSONSource?
  /// Whether the previous file in the list is an earlier part of the same file.
  var isContinuation = false

  /// Returns the files of the arguments. `-`, or no argument, is standard input.
  static func list(_ names: [String]) -> [InputFile] {
    if names.isEmpty { return [InputFile(path: nil)] }
    return names.flatMap { RawArguments.launch.files(of: $0) }.map { InputFile(argument: $0) }
  }

  /// Returns the files whose names match, if the name has wildcards and is not that of a file.
  func matchingPattern() -> [InputFile] {
    guard let path, case .pattern(let pattern) = FollowPlan.Target(path) else { return [self] }
    let found = pattern.files()
    return found.isEmpty
      ? [self]
      : found.map {
        var file = InputFile(path: $0)
        file.isOfPattern = true
        return file
      }
  }

  /// Creates the file of an argument. `-` is standard input, or standard output.
  init(argument: [UInt8]) { self.init(path: argument == [UInt8(ascii: "-")] ? nil : argument) }

  private init(path: [UInt8]?) { self.path = path }

  /// The part of the file that is read; `nil` for all of it.
  var range: JSONInputRange? { indexed?.range ?? window?.range ?? lines ?? part ?? fresh?.range }

  /// Whether the records are known to be lines.
  var isKnownLines: Bool { indexed != nil || fresh != nil }

  /// Returns a new count of what is read of the file.
  func makeTally() -> InputTally { fresh?.tally ?? InputTally(for: window?.order) }

  /// The bytes of the file, not decompressed.
  var source: JSONSource {
    if let replayed { return replayed }
    guard let path else { return .standardInput }
    if isUnchanged { return .bytes([]) }
    if let fresh { return fresh.source }
    if let file = indexed?.file ?? elements?.file { return file.source }
    let source = JSONSource.path(bytes: path)
    return expectation.map { source.expecting($0) } ?? source
  }

  /// The name as given, `-` for standard input. Bytes that are not UTF-8 become U+FFFD.
  var name: String { path.map { String(decoding: $0, as: UTF8.self) } ?? "-" }

  /// The name for messages: one line, even if the file name contains control characters.
  var displayName: String { path.map { $0.isEmpty ? "''" : $0.printable } ?? "standard input" }
}

extension InputFile {
  /// Returns the first bytes of the file, not decompressed: `count`, or all if there are fewer. A stream is then read on from
  /// memory.
  mutating func readHead(_ count: Int) throws(File.Failure) -> [UInt8] {
    let stream = try OpenStream(path)
    var head: [UInt8] = []
    while head.count < count {
      let more = try stream.next(count - head.count)
      if more.isEmpty { break }
      head += more
    }
    guard path == nil || isStream else { return head }
    var unread: [UInt8]? = head
    replayed = .chunks {
      if let head = unread.take(), !head.isEmpty { return head }
      let more = try File.Failure.converting(try stream.next(OpenStream.chunk)) {
        JSONError(.unreadable, at: 0, system: $0.number)
      }
      return more.isEmpty ? nil : more
    }
    return head
  }

  /// A file that is read in order.
  private final class OpenStream {
    static let chunk = 1 << 18
    private let file: File

    init(_ path: [UInt8]?) throws(File.Failure) {
      if let path { file = try File(path: path) } else { file = File(borrowing: 0) }
    }

    /// Returns the next bytes, at most `count`; none at the end.
    func next(_ count: Int) throws(File.Failure) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: min(count, Self.chunk))
      var span = bytes.mutableSpan
      let read = try unsafe span.withUnsafeMutableBytes { (buffer) throws(File.Failure) in
        try unsafe file.read(into: buffer)
      }
      bytes.removeLast(bytes.count - read)
      return bytes
    }
  }

  /// The size of a regular file. For standard input, the number of bytes after the current position.
  var size: Int? {
    guard let size = regularStatus?.size else { return nil }
    guard path == nil else { return size }
    return max(size - (File(borrowing: 0).position ?? 0), 0)
  }

  /// The number of bytes from the beginning of the range to its end; without a range, the size of the file.
  var readSize: Int? {
    if isUnchanged { return 0 }
    guard let range, let size else { return size }
    return max(min(range.upperBound ?? size, size) - range.lowerBound, 0)
  }

  /// Returns whether both are the same regular file.
  func isSameFile(as other: InputFile) -> Bool {
    guard let mine = regularStatus, let theirs = other.regularStatus else { return false }
    return mine.isSameFile(as: theirs)
  }

  /// Returns whether the file has the name of another output file, or is the same.
  func isSameOutput(as argument: String?) -> Bool {
    guard let other = argument.map({ InputFile(path: RawArguments.launch.bytes(of: $0)) }) else { return false }
    if other.isSameFile(as: self) || other.path == path { return true }
    // Files that do not exist yet can only be compared by folder and name.
    guard let (folder, name) = place, let (otherFolder, otherName) = other.place, name == otherName,
      let mine = File.status(at: folder), let theirs = File.status(at: otherFolder)
    else { return false }
    return mine.isSameFile(as: theirs)
  }

  /// The folder and the name in it.
  private var place: (folder: [UInt8], name: ArraySlice<UInt8>)? {
    guard let path else { return nil }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return ([UInt8(ascii: ".")], path[...]) }
    return (Array(path[...slash]), path[(slash + 1)...])
  }

  private var regularStatus: FileStatus? { status.flatMap { $0.kind == .regular ? $0 : nil } }

  /// The permissions that a file with parts of these files may have.
  static func permissions(of files: [InputFile]) -> UInt32 {
    files.reduce(0o777) { $0 & ($1.status?.permissionsOfExcerpts ?? 0o666) }
  }

  /// Makes every file that is created from now on at most as open as these files: results, rejects, summaries and temporary
  /// files hold their content. Pipes and devices restrict nothing, and an existing output file keeps its permissions.
  static func protect(_ files: [InputFile]) {
    let permissions = permissions(of: files)
    _ = umask(umask(0o777) | mode_t(truncatingIfNeeded: ~permissions & 0o777))
  }

  /// Takes the permissions from an existing file that `limit` does not have.
  func restrict(to limit: UInt32) throws {
    guard let path, let status = regularStatus, status.permissions & 0o777 & ~limit != 0 else { return }
    let result = unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name -> Int32 in
      guard let base = name.baseAddress else { return -1 }
      return unsafe chmod(base, mode_t(truncatingIfNeeded: status.permissions & limit))
    }
    guard result == 0 else { throw failure("\(displayName): \(File.Failure(number: errno).reason)") }
  }

  /// Whether the file exists.
  var exists: Bool { status != nil }

  /// Whether the file exists and is not a regular file: a pipe, a FIFO, a device.
  var isStream: Bool { status.map { $0.kind != .regular } ?? false }

  /// Rejects a file that is not a regular one.
  ///
  /// - Parameter option: The option that needs one.
  func requireRegular(for option: String) throws {
    guard isStream else { return }
    throw failure("\(option): \(displayName): expected a regular file, found another kind of file")
  }

  private var status: FileStatus? { path.map { File.status(at: $0) } ?? File(borrowing: 0).status }
}

/// Counts the bytes of a file that workers have read. For a compressed file, these are compressed bytes.
struct ReadProgress {
  #if Compression
    let bytes = DecompressionProgress()
  #endif
  private var reported = 0

  /// Returns the number of bytes read since the last call.
  ///
  /// - Parameter found: The number of content bytes, which is the result if compression is not built in.
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
