import Foundation
import Synchronization

/// Does memory depend on how long a stream is? A log that is stored nowhere flows through a FIFO into the tool with two
/// workers: once of the size that is asked for, once of a part of it.
struct EndlessLog {
  private let bytes: Int
  private let report: Report

  init(bytes: Int, _ report: Report) {
    self.bytes = bytes
    self.report = report
  }

  /// The shorter stream is a tenth of the longer, but long enough that all memory has been touched that ever is.
  private var lengths: [Int] { [max(bytes / 10, 100_000_000), bytes] }

  func run() throws {
    guard let jsift = ProcessInfo.processInfo.environment["JSONSIFT_BENCH_JSIFT"] else {
      return report.note("no jsift: the endless log is left out; use run with --huge")
    }
    let words = ["program", jsift, "$.user.id", "--where", "@.level == 'error'", "--input", "ndjson", "-j", "2"]
    var peaks: [Double] = []
    print("\na log out of a FIFO into \(words.dropFirst(2).joined(separator: " "))")
    for length in lengths {
      let feed = try Feed(length)
      let found = try Worker.run(words + [feed.path])
      let answer = try feed.finish()
      try check(found.answer, is: answer, "a log of \(megabytes(length)) out of a FIFO")
      peaks.append(Double(found.peakBytes) / 1e6)
      print(
        column("  \(megabytes(length))", 30) + right(fixed(found.seconds, 2), 8)
          + right(fixed(Double(length) / found.seconds / 1e6, 0), 8) + right(fixed(peaks[peaks.count - 1], 1), 9))
      report.add("endless log", megabytes(length), "peak MB", peaks[peaks.count - 1])
    }
    report.wanted("peak MB", peaks.max() ?? 0, atMost: 64)
    report.wanted("peak of the longer x that of the shorter", (peaks.last ?? 0) / (peaks.first ?? 1), atMost: 1.05)
  }
}

/// A thread that writes a log into a FIFO, and knows what must be found in it.
private final class Feed: Sendable {
  let path: String
  private let outcome = Mutex<Result<Worker.Answer, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  struct CannotFeed: Error, CustomStringConvertible {
    let path: String
    let number: Int32
    var description: String { "cannot write into \(path): \(String(cString: strerror(number)))" }
  }

  init(_ length: Int) throws {
    let folder = ProcessInfo.processInfo.environment["JSONSIFT_BENCH_TEMPORARY"] ?? NSTemporaryDirectory()
    path = URL(fileURLWithPath: folder).appendingPathComponent("jsonsift-bench-\(getpid())-\(length).fifo").path
    // Whoever reads may go away: that is an error of a write.
    signal(SIGPIPE, SIG_IGN)
    guard mkfifo(path, 0o600) == 0 else { throw CannotFeed(path: path, number: errno) }
    Thread.detachNewThread { [self] in
      let found = Result { try write(length) }
      outcome.withLock { $0 = found }
      isDone.signal()
    }
  }

  deinit { unlink(path) }

  private func write(_ length: Int) throws -> Worker.Answer {
    guard let file = fopen(path, "w") else { throw CannotFeed(path: path, number: errno) }
    defer { fclose(file) }
    var records = LogRecords(.long)
    try records.lines(of: length) { block in
      guard fwrite(block, 1, block.count, file) == block.count else { throw CannotFeed(path: path, number: errno) }
    }
    return Worker.Answer(count: records.answer.errors, sum: Double(records.answer.errorUserIDs))
  }

  /// What must have been found, when all has been read.
  func finish() throws -> Worker.Answer {
    isDone.wait()
    return try outcome.withLock { try $0?.get() } ?? Worker.Answer(count: 0, sum: 0)
  }
}
