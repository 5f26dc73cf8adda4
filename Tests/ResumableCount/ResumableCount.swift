import Foundation
import JSONSift

/// A program that is killed and resumes: it counts the visits of a log, writes bad records to a file, and stores its
/// progress. The tests of resuming run it.
///
///     ResumableCount FOLDER READER BATCH
///
/// FOLDER contains visits.ndjson. READER is `decoder`, `records` or `workers`. The state is stored after each BATCH
/// elements.
@main struct ResumableCount: ~Copyable {
  struct Visit: Codable, Sendable {
    var user: Int
    var ms: Double
  }

  /// The complete state of the program, in one file: a file that is replaced as a whole never contains a partial state.
  struct State: Codable {
    var reader: JSONCheckpoint?
    var rejects: JSONCheckpoint?
    var visits = 0
    var milliseconds = 0.0
    var bad = 0
    var starts = 0
  }

  private let folder: String
  private var state = State()
  private var rejects: JSONRejectWriter
  private let batch: Int
  private var elements = 0

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let batch = Int(arguments[3]) else { throw Failure.usage }
    var program = try ResumableCount(folder: arguments[1], batch: batch)
    try await program.run(arguments[2])
  }

  enum Failure: Error { case usage }

  private init(folder: String, batch: Int) throws {
    self.folder = folder
    self.batch = batch
    if FileManager.default.fileExists(atPath: folder + "/state.json") {
      state = try JSON(contentsOf: folder + "/state.json").decode(State.self)
    }
    state.starts += 1
    rejects = try JSONRejectWriter(path: folder + "/rejects.ndjson", resumingAt: state.rejects)
  }

  private mutating func run(_ reader: String) async throws {
    try FileHandle.standardOutput.write(contentsOf: Data("started\n".utf8))
    let path = folder + "/visits.ndjson"
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.reading.limits.recordBytes = 4096
    let records = JSONRecords(path, options: options, resumingAt: state.reader)
    switch reader {
    case "decoder":
      var visits = try JSONRecordReader(.path(path), options: options, resumingAt: state.reader)
      while let element = try visits.nextResult(as: Visit.self) { if try take(element) { try save(visits.checkpoint) } }
      try save(visits.checkpoint)
    case "records":
      let visits = records.decode(Visit.self).results.makeAsyncIterator()
      while let element = try await visits.next() { if try take(element) { try save(visits.checkpoint) } }
      try save(visits.checkpoint)
    case "workers":
      let visits = records.decode(Visit.self).workers(2).results.makeAsyncIterator()
      while let element = try await visits.next() { if try take(element) { try save(visits.checkpoint) } }
      try save(visits.checkpoint)
    default: throw Failure.usage
    }
  }

  /// Counts an element. Returns whether a batch is full.
  private mutating func take(_ element: Result<Visit, JSONBadRecord>) throws -> Bool {
    switch element {
    case .success(let visit):
      state.visits += 1
      state.milliseconds += visit.ms
    case .failure(let bad):
      state.bad += 1
      try rejects.write(bad, from: "visits.ndjson")
    }
    elements += 1
    return elements.isMultiple(of: batch)
  }

  private mutating func save(_ checkpoint: JSONCheckpoint) throws {
    state.reader = checkpoint
    state.rejects = try rejects.checkpoint()
    try JSON(encoding: state).write(to: folder + "/state.json")
  }
}
