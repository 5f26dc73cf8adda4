import Foundation
import JSONSift

/// A run of the library in a simulated world with faults, and the check of what must hold after it.
///
/// - Nothing is lost or returned twice: the records are those of the bytes that the reads returned, in order.
/// - A run succeeds only if no essential call has failed, and the input was read to its end. It fails only after a fault.
/// - The output is the old file or the complete new one, and a complete one is on the disk. No temporary file is left.
/// - The file of rejects is complete if the run succeeds, and is never more than its beginning otherwise.
/// - Each descriptor is closed once.
package struct FaultRun {
  package let seed: UInt64
  package let kind: Kind
  private let hasLongInputs: Bool

  /// What the run does with its input.
  package enum Kind: Int, CaseIterable, Sendable {
    /// Reads records on one thread, and writes them and the rejects.
    case records
    /// Reads all of a document, and writes it.
    case document
    /// Follows a file that other processes change.
    case follow
    /// Ends in the middle, and goes on at the checkpoints.
    case resume
    /// Reads with an index, by offsets.
    case index
    /// Changes the layout of a document or of lines.
    case reformat
    /// Reads blocks of lines with several workers.
    case blocks
    /// Reads as a task, or with several tasks.
    case tasks
  }

  /// - Parameters:
  ///   - seed: Selects the kind, the input and the faults.
  ///   - hasLongInputs: Whether some inputs are longer than 8 MiB, so that other threads read ahead. They take long in debug
  ///     builds.
  package init(seed: UInt64, hasLongInputs: Bool = true) {
    self.seed = seed
    self.hasLongInputs = hasLongInputs
    // Following and blocks of lines need more variety than the others.
    let kinds: [Kind] = [.records, .records, .document, .follow, .follow, .resume, .index, .reformat, .blocks, .tasks]
    kind = kinds[Int(seed % UInt64(kinds.count))]
  }

  /// Runs, and returns what did not hold; empty if all is well.
  package nonisolated(nonsending) func violations() async -> [String] {
    let world = SimulatedWorld(seed: seed)
    var generator = SeededGenerator(seed: seed)
    _ = generator.next()
    let scenario = FaultScenario(world, &generator, kind, hasLongInputs)
    var violations: [String]
    if kind == .tasks {
      violations = await scenario.runTasks()
    } else if kind == .blocks {
      // It waits for tasks, so it must not block a thread of the pool: on one core the pool has only one.
      violations = await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: scenario.run()) }.start()
      }
    } else {
      violations = scenario.run()
    }
    violations += world.offences
    let left = world.end()
    if left > 0 { violations.append("\(left) descriptors are still open") }
    Self.counts.withLock { counts in for (fault, count) in world.faultCounts { counts[fault, default: 0] += count } }
    return violations.map { "\(kind): \($0)" }
  }

  /// How often each fault has happened in all runs.
  package static var faultCounts: [String: Int] { counts.withLock { $0 } }
  private static let counts = FaultCounts()
}

/// Unchecked `Sendable`: the lock protects the counts.
private final class FaultCounts: @unchecked Sendable {
  private let lock = NSLock()
  private var counts: [String: Int] = [:]

  func withLock<Result>(_ body: (inout [String: Int]) -> Result) -> Result { lock.withLock { body(&counts) } }
}

/// The lines of a simulated input. A line is good if it is complete: the beginning of a line is bad.
enum FaultInput {
  static func lines(_ count: Int, from first: Int = 0, length: Int = 24, _ generator: inout SeededGenerator) -> [UInt8]
  {
    var bytes: [UInt8] = []
    for number in first..<(first + count) {
      let text = String(repeating: "x", count: Int(generator.next() % UInt64(length)))
      // One line in four is bad.
      let end = generator.next() % 4 == 0 ? "\"!" : "\"}"
      bytes += "{\"n\":\(number),\"s\":\"\(text)\(end)\n".utf8
    }
    // The last line need not end with a line feed.
    if generator.next() % 4 == 0, !bytes.isEmpty { bytes.removeLast() }
    return bytes
  }

  /// The good and the bad lines of a text. Two lines without a line feed between them are a bad one.
  static func records(_ bytes: [UInt8]) -> (good: [[UInt8]], bad: [[UInt8]]) {
    let lines = lines(of: bytes)
    return (lines.filter(isGood), lines.filter { !isGood($0) })
  }

  /// The lines that are not empty. Fast also in debug builds, since some inputs are long.
  static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = index(of: 0x0A, in: bytes, from: start) ?? bytes.count
      if end > start { lines.append(Array(bytes[start..<end])) }
      start = end + 1
    }
    return lines
  }

  private static func index(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      guard let found = unsafe memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  static func isGood(_ line: [UInt8]) -> Bool {
    line.suffix(2) == Array("\"}".utf8)[...] && index(of: UInt8(ascii: "{"), in: line, from: 1) == nil
  }

  static func document(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var text = "["
    for number in 0..<count {
      text += number == 0 ? "" : ","
      text += "{\"n\":\(number),\"s\":\"\(String(repeating: "y", count: Int(generator.next() % 40)))\"}"
    }
    return Array((text + "]").utf8)
  }

  /// Lines of more than 8 MiB: a thread reads such a file ahead.
  static let longLines: [UInt8] = {
    let text = String(repeating: "z", count: 8000)
    return (0..<1300).flatMap { Array("{\"n\":\($0),\"s\":\"\(text)\"}\n".utf8) }
  }()

  /// A document of more than 8 MiB: a second thread reads half of it.
  static let longDocument: [UInt8] = {
    let text = String(repeating: "z", count: 8000)
    return Array(("[" + (0..<1100).map { "{\"n\":\($0),\"s\":\"\(text)\"}" }.joined(separator: ",") + "]").utf8)
  }()
}
