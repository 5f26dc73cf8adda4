import ArgumentParser
import JSONSift

/// The option `--summary`.
struct SummaryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the counts of the run to this file: a JSON object, '-' for standard error, when all output has been "
        + "written, only after a complete run, so not with exit status 2. The file is removed when the run begins.",
      valueName: "file"), completion: .file())
  var summary: String?

  /// Returns the summary of a run; `nil` if it is not requested.
  ///
  /// - Parameters:
  ///   - files: The files that will be read.
  ///   - rules: Further files that are read, which are no input.
  ///   - others: Other output files.
  ///   - limit: The maximum number of results.
  ///   - follow: Whether a file is followed.
  func open(
    reading files: [InputFile], rules: [InputFile] = [], others: [String?], limit: Int?, follow: Bool
  ) throws -> Summary? {
    guard let summary else { return nil }
    let options = [("--limit", limit != nil), ("--follow", follow)]
    if let (option, _) = options.first(where: { $0.1 }) {
      throw failure("--summary counts the whole input; use it without \(option)")
    }
    let target = try OutputFile.target(summary, of: "--summary", reading: files + rules)
    guard let path = target.path else { return Summary(nil, files) }
    guard File.status(at: path)?.kind != .folder else {
      throw failure("--summary \(target.displayName): expected a file, found a folder")
    }
    // The file would be replaced, with the output that it contains.
    for descriptor in 1...2 as ClosedRange<Int32> {
      guard let mine = File(borrowing: descriptor).status, mine.kind == .regular,
        File.status(at: path).map({ $0.isSameFile(as: mine) }) == true
      else { continue }
      throw failure(
        "--summary \(target.displayName): expected a file other than standard output and error; '-' is standard error")
    }
    guard !others.contains(where: { target.isSameOutput(as: $0) }) else {
      throw failure("--summary \(target.displayName): expected a file other than the other output files")
    }
    do throws(File.Failure) {
      // Opening shows before the run that the file can be written. A FIFO is opened once, at the end.
      if !target.isStream { try ReplacementFile(path).discardBoth() }
    } catch {
      throw failure("\(target.displayName): \(error.reason)")
    }
    return Summary(path, files)
  }
}

/// The counts of a complete run (`--summary`).
final class Summary {
  /// The summary to write after all output has been written.
  ///
  /// SAFETY: the tool uses it on one thread.
  nonisolated(unsafe) private static var complete: Summary?

  /// `nil` for standard error.
  private let path: [UInt8]?
  private let files: [InputFile]
  /// By file.
  let tallies: [InputTally]
  private var text: [UInt8] = []

  fileprivate init(_ path: [UInt8]?, _ files: [InputFile]) {
    self.path = path
    self.files = files
    tallies = files.map { $0.makeTally() }
  }

  /// Stores the counts of a complete run.
  ///
  /// - Parameters:
  ///   - rejects: The number of bad records.
  ///   - ruledOut: The number of lines that were not validated.
  ///   - withoutTime: The number of records without a time; `nil` if there was no window of time.
  func complete(results: Int, rejects: Int, ruledOut: Int, withoutTime: Int?, status: Int32) {
    var input = InputTally.Counts()
    for counts in tallies.map(\.counts) {
      if input.compressedBytes != nil || counts.compressedBytes != nil {
        // If one file is compressed, the bytes of the others are added as they are.
        input.compressedBytes = (input.compressedBytes ?? input.bytes) + (counts.compressedBytes ?? counts.bytes)
      }
      input.bytes += counts.bytes
      input.lineFeeds += counts.lineFeeds
      input.records += counts.records
    }
    let range = files.count == 1 ? files[0].part : nil
    let bounds = range.map { "[\($0.lowerBound),\($0.upperBound.map { "\($0)" } ?? "null")]" }
    var names: [UInt8] = []
    names.append(list: files) { $1.append(quoting: $0.name) }
    text.append(object: [
      ("files", .json(names)), ("range", bounds.map { .json(Array($0.utf8)) } ?? .absent),
      ("compressedBytes", Cell(input.compressedBytes)), ("bytes", Cell(input.bytes)),
      ("lineFeeds", Cell(input.lineFeeds)), ("records", Cell(input.records)), ("results", Cell(results)),
      ("rejects", Cell(rejects)), ("ruledOut", Cell(ruledOut)), ("withoutTime", Cell(withoutTime)),
      ("status", Cell(Int(status))),
    ])
    text.append(UInt8(ascii: "\n"))
    unsafe Self.complete = self
  }

  /// Writes the summary of a run that ends with `status`, unless it is the error status. Returns the exit status to use.
  static func write(after status: Int32) -> Int32 {
    guard status != Status.failed, let summary = unsafe complete else { return status }
    return OutputFile.write(summary.text, to: summary.path) ? status : Status.failed
  }
}
