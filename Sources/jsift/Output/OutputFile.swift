import ArgumentParser
import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The flag of the commands that write results.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write to this file: beside it first, and in its place when all is written. After an error it stays as it was.",
      valueName: "file"), completion: .file())
  var output: String?

  /// From now on results go to the file.
  ///
  /// - Parameters:
  ///   - files: What will be read.
  ///   - rejects: Where bad records go; that file is there by now.
  func open(reading files: [InputFile], rejects: String?) throws {
    guard let output else { return }
    let path = RawArguments.launch.bytes(of: output)
    if path == [UInt8(ascii: "-")] { return }
    guard !path.isEmpty else { throw PathArguments.refusal("--output '': expected the name of a file, found none") }
    let target = InputFile(path: path)
    guard !files.contains(where: { $0.isSameFile(as: target) }) else {
      throw PathArguments.refusal(
        "--output \(target.displayName): expected another file than those that are read")
    }
    if let rejects, InputFile(path: RawArguments.launch.bytes(of: rejects)).isSameFile(as: target) {
      throw PathArguments.refusal("--output \(target.displayName): expected another file than that of --rejects")
    }
    do {
      unsafe Output.standard.file = try OutputFile(path)
    } catch {
      throw PathArguments.refusal("\(target.displayName): \(error.reason)")
    }
  }
}

/// A file that is written beside its place, and put there when it is complete. What is no regular file, such as a FIFO or
/// a terminal, is written to as it is.
final class OutputFile {
  struct Failure: Error {
    let number: Int32
    var reason: String { unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)" }
  }

  let descriptor: Int32
  let name: String
  /// The path, and that of the file beside it while there is one. Both end with a zero.
  private let path: [CChar]
  private var temporary: [CChar]?

  init(_ path: [UInt8]) throws(Failure) {
    name = SourceExcerpt.printable(path)
    guard !path.contains(0), !path.isEmpty else { throw Failure(number: ENOENT) }
    let given = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    let isThere = unsafe stat(given, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      self.path = given
      descriptor = unsafe openFile(given, O_WRONLY | O_CLOEXEC, 0)
      guard descriptor >= 0 else { throw Failure(number: errno) }
      return
    }
    // What a link leads to is replaced, and not the link.
    self.path = isThere ? Self.resolved(given) : given
    var beside: [CChar] = []
    var opened: Int32 = -1
    // A run that was killed leaves its file, and a later one can have the same process number. So can one of another
    // machine or container that writes into the same folder at this moment, so what is there stays.
    var attempt = 0
    var number: Int32 = 0
    repeat {
      let name = Self.beside(self.path, attempt)
      Interruption.holdingBack {
        opened = unsafe openFile(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        number = errno
        if opened >= 0 { Interruption.removes(name) }
      }
      beside = name
      attempt += 1
    } while opened < 0 && number == EEXIST && attempt < Self.maxAttempts
    guard opened >= 0 else { throw Failure(number: number) }
    descriptor = opened
    if isThere { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    temporary = beside
  }

  private static let maxAttempts = 1000

  /// Puts the file in its place, when the disk has its bytes: after a crash of the machine there must not be an empty file in
  /// the place of the one before.
  func complete() throws(Failure) {
    if temporary != nil { try sync() }
    guard close(descriptor) == 0 else { throw Failure(number: errno) }
    guard let temporary else { return }
    guard unsafe rename(temporary, path) == 0 else { throw Failure(number: errno) }
    self.temporary = nil
    Interruption.removes(nil)
  }

  private func sync() throws(Failure) {
    while fsync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      // A file system that cannot do it.
      case EINVAL, ENOTSUP: return
      case let number: throw Failure(number: number)
      }
    }
  }

  /// Leaves what was there before.
  func discard() {
    guard let temporary else { return }
    _ = unsafe unlink(temporary)
    self.temporary = nil
    Interruption.removes(nil)
  }

  /// Whether there is something to leave.
  var isReplacement: Bool { temporary != nil }

  /// A name in the same folder: only there can a file be put in the place of another at once.
  private static func beside(_ path: [CChar], _ attempt: Int) -> [CChar] {
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    let start = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
    // A name may have 255 bytes.
    let own = path[start...].dropLast().prefix(200)
    let mark = ".\(getpid())\(attempt > 0 ? ".\(attempt)" : "").part".utf8.map { CChar(bitPattern: $0) }
    return path[..<start] + [CChar(bitPattern: UInt8(ascii: "."))] + own + mark + [0]
  }

  private static func resolved(_ path: [CChar]) -> [CChar] {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe Array(UnsafeBufferPointer(start: found, count: strlen(found) + 1))
  }
}

/// `open` with a mode; inside the class its name means something else.
private func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}
