import ArgumentParser
import JSONSift
import JSONSiftAnalysis

/// The search for the window of time in files that are sorted by time (`--sorted`).
extension TimeWindow {
  /// Finds the bytes of each file in which the records of the window begin, if the files are sorted.
  ///
  /// - Throws: An exit code, after a message, if a file cannot be searched, or is not sorted.
  ///
  /// - Parameter skipsOthers: Whether a file that cannot be searched is read as a whole.
  func narrow(_ files: inout [InputFile], _ reading: ReadingOptions, skippingOthers skipsOthers: Bool = false) throws {
    guard let slack else { return }
    if reading.fromOffset != nil {
      throw failure("--sorted: expected --range N- instead of --from-offset N")
    }
    guard reading.input == .auto || reading.input == .ndjson else {
      throw failure("--sorted: expected records that are lines, found --input \(reading.input.rawValue)")
    }
    if let joining = reading.joining {
      throw failure("--sorted: expected records that are lines, found \(joining), which puts lines together")
    }
    guard Nesting.launch.steps.isEmpty else {
      throw failure("--sorted: expected records that are lines, found --unwrap or --each, which read all of the file")
    }
    for index in files.indices where !skipsOthers || files[index].path != nil && !files[index].isStream {
      try narrow(&files[index], reading, slack, skipsOthers)
    }
  }

  private func narrow(_ file: inout InputFile, _ reading: ReadingOptions, _ slack: Int128, _ skipsOthers: Bool) throws {
    guard let path = file.path else { throw failure("--sorted: expected a named file, found standard input") }
    // The run reports a file that does not exist.
    guard file.exists else { return }
    try file.requireRegular(for: "--sorted")
    var options = reading.recordOptions
    options.range = file.part
    let outcome: TimeBisection.Outcome?
    do throws(JSONError) {
      if let input = try Self.times(of: path, window, options, reading) {
        var search = try TimeBisection(input, slack: slack)
        outcome = try search.find()
      } else {
        outcome = nil
      }
    } catch {
      ErrorReport.write(error, file: file)
      throw ExitCode(Status.failed)
    }
    switch outcome {
    case .found(let range, let order): file.window = (range, order)
    case .disorder(let disorder):
      ErrorReport.write(Self.message(disorder, in: file))
      throw ExitCode(Status.failed)
    case .framing(let framing):
      throw failure("--sorted: \(Self.needsLines(file, framing))")
    case nil:
      if skipsOthers { return }
      throw failure(
        "--sorted: \(file.displayName): expected a file that is not compressed, or is compressed in several frames as by "
          + "bgzip or pzstd; without --sorted all of it is read")
    }
  }

  /// Returns the times of a file; `nil` if it is compressed and cannot be searched.
  private static func times(
    of path: [UInt8], _ window: JSONTimeWindow, _ options: JSONRecordOptions, _ reading: ReadingOptions
  ) throws(JSONError) -> (any TimedInput)? {
    do throws(JSONError) {
      return try LineTimes(path, window, options)
    } catch {
      guard error.code == .compressedInput else { throw error }
    }
    #if Compression
      return try FrameTimes(path, window, options, reading.decompressionLimits)
    #else
      return nil
    #endif
  }

  /// The end of a message for a file whose records are not lines.
  static func needsLines(_ file: InputFile, _ framing: JSONFraming) -> String {
    let found = framing == .document ? "one document" : "values in another framing (\(framing))"
    return
      "\(file.displayName): expected records that are lines, found \(found); use --input ndjson if its lines are records"
  }

  /// The message for a file that is not sorted.
  static func message(_ disorder: TimeDisorder, in file: InputFile) -> String {
    "\(file.displayName): --sorted: expected times in order, found \(position(disorder.second)) after "
      + "\(position(disorder.first)); use a larger --slack, or read all records without --sorted"
  }

  private static func position(_ position: TimePosition) -> String {
    "\(position.time.text) in the record at byte \(position.byteOffset)"
      + (position.frame.map { " of the text from the frame at byte \($0) on" } ?? "")
  }
}
