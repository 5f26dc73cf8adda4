import ArgumentParser
import JSONSift
import JSONSiftAnalysis

/// The options for a part of a file, as typed: for one of several runs that share the file.
struct RangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read the records whose line begins in bytes a to b: at byte a or later and before byte b, the last one to its end; "
        + "adjacent ranges read each record once. a- extends to the end of the file. In zstd and BGZF files a and b count "
        + "compressed bytes, and select frames.",
      valueName: "a-b"))
  var range: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Read part i of n parts of about the same size, from 1/n to n/n; see --range.", valueName: "i/n")
  )
  var split: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read the records that begin on line n, or on lines a to b; a- extends to the end. The lines before are counted, "
        + "from the start of the file or from the nearest line in its index FILE.jsidx.", valueName: "n|a-b"))
  var line: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read record n, or records a to b, counted from 1; a- extends to the end. Blank lines do not count, bad records "
        + "do. The records before are counted in the same way as lines with --line.", valueName: "n|a-b"))
  var record: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of the first line that begins in the range; without it, lines are counted from 1.", valueName: "n"))
  var firstLine: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The offset in the decompressed text of the first line that begins in the range; used for compressed files that do "
        + "not state the size of the text of each frame.", valueName: "n"))
  var firstOffset: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The expected size of the file in bytes. If the file has another size before the first read or after the last, "
        + "the exit status is 2.", valueName: "n"))
  var expectSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The expected modification time of the file: seconds since 1970 in UTC, such as 1764072000 or 1764072000.25. "
        + "Only the given decimal places are compared. If the file has another time before the first read or after the "
        + "last, the exit status is 2.", valueName: "t"))
  var expectMtime: String?

  func validate() throws {
    try require("--expect-size", expectSize, atLeast: 0)
    if let expectMtime, FileTime(expectMtime) == nil {
      throw ValidationError(
        "--expect-mtime takes seconds since 1970 with at most 9 decimal places, such as 1764072000.25, not "
          + NumberRange.shown(expectMtime))
    }
    if range != nil, split != nil {
      throw ValidationError("--range and --split both select bytes; use only one of them")
    }
    if let range, NumberRange.bounds(range) == nil {
      throw ValidationError(
        "--range takes two offsets in bytes, such as 0-4096, or 4096- up to the end, not \(NumberRange.shown(range))")
    }
    if let range, let (start, last) = NumberRange.bounds(range), let end = last, start > end {
      throw ValidationError("--range takes a start that is not after its end, not \(range)")
    }
    if let split, Self.part(split) == nil {
      throw ValidationError(
        "--split takes a part and the number of parts, such as 1/4, not \(NumberRange.shown(split))")
    }
    if let split, let (number, count) = Self.part(split), !(1...max(count, 1)).contains(number) || count < 1 {
      throw ValidationError("--split takes a part from 1 to the number of parts, not \(split)")
    }
    if let (text, unit) = numbers {
      let others = [
        ("--range", range != nil), ("--split", split != nil), ("--record", unit == .line && record != nil),
      ]
      if let (other, _) = others.first(where: { $0.1 }) {
        throw ValidationError("--\(unit) and \(other) both select records; use only one of them")
      }
      guard let (first, last) = NumberRange.numbers(text), first > 0, first <= last ?? .max else {
        throw ValidationError(
          "--\(unit) takes a number or a range, counted from 1, such as 40, 40-60 or 40- (to the end), not "
            + NumberRange.shown(text)
        )
      }
    }
    for (noun, number, least) in [("line", firstLine, 1), ("offset", firstOffset, 0)] where number != nil {
      try require("--first-\(noun)", number, atLeast: least)
      guard range != nil || split != nil else {
        throw ValidationError("--first-\(noun) is the \(noun) at which a range begins; use it with --range or --split")
      }
    }
  }

  /// The option that selects a part of the file; `nil` for the whole file.
  private var option: String? { range != nil ? "--range" : split != nil ? "--split" : numbers.map { "--\($0.unit)" } }

  /// The numbers of the lines or records that are selected, as typed; `nil` if none are.
  private var numbers: (text: String, unit: LineUnit)? { line.map { ($0, .line) } ?? record.map { ($0, .record) } }

  /// The option that specifies the expected file; `nil` if there is none.
  private var expectation: String? { expectSize != nil ? "--expect-size" : expectMtime != nil ? "--expect-mtime" : nil }

  /// Rejects options that have no meaning for a part of a file.
  func check(_ reading: ReadingOptions, limit: Int?, follow: Bool = false) throws {
    if let expectation, follow {
      throw failure("\(expectation): expected a file that does not change, found --follow")
    }
    guard let option else { return }
    var others: [(String, Bool)] = [("--from-offset", reading.fromOffset != nil), ("--follow", follow)]
    if numbers == nil { others += [("--limit", limit != nil), ("--max-errors", reading.maxErrors != nil)] }
    if let (other, _) = others.first(where: { $0.1 }) {
      throw failure("\(option) reads a part of the file to its end; use it without \(other)")
    }
    if let joining = reading.joining {
      throw failure("\(option): expected records that are lines, found \(joining), which puts lines together")
    }
    guard reading.input == .json || reading.input == .values else { return }
    throw failure("\(option): expected records that are lines, found --input \(reading.input.rawValue)")
  }

  /// Sets the range and the expectation of the file.
  func apply(to files: inout [InputFile], _ reading: ReadingOptions, _ policy: IndexPolicy = .auto) throws {
    guard let option = option ?? expectation else { return }
    guard files.count == 1 else { throw failure("\(option): expected one file, found \(files.count)") }
    guard files[0].path != nil else { throw failure("\(option): expected a named file, found standard input") }
    if expectation != nil {
      files[0].expectation = FileExpectation(size: expectSize, modified: expectMtime.flatMap { FileTime($0) })
    }
    var selected: JSONInputRange
    if let (start, end) = range.flatMap({ NumberRange.bounds($0) }) {
      selected = end.map { JSONInputRange(start..<$0) } ?? JSONInputRange(start...)
    } else if let (number, count) = split.flatMap({ Self.part($0) }) {
      // A file without a size cannot be opened, or has no ranges: the reader reports that.
      selected = JSONInputRange(part: number, of: count, size: expectSize ?? files[0].size ?? 0)
    } else {
      if let (text, unit) = numbers, let (first, last) = NumberRange.numbers(text) {
        files[0].lines = try Self.find(first, last, counting: unit, in: files[0], reading, policy)
      }
      return
    }
    if let firstLine { selected.firstLine = firstLine }
    selected.firstOffset = firstOffset
    files[0].part = selected
  }

  /// Finds lines or records of a file.
  ///
  /// - Throws: An exit code, after a message.
  private static func find(
    _ first: Int, _ last: Int?, counting unit: LineUnit, in file: InputFile, _ reading: ReadingOptions,
    _ policy: IndexPolicy
  ) throws -> JSONInputRange? {
    // The run reports a file that does not exist.
    guard let path = file.path, file.exists else { return nil }
    try file.requireRegular(for: "--\(unit)")
    let outcome: LineSearch.Outcome
    do throws(JSONError) {
      var search = try LineSearch(
        path, reading.recordOptions.framing,
        from: policy.lineStart(upTo: first, counting: unit, in: path))
      outcome = try search.find(first, through: last, counting: unit)
    } catch {
      guard error.code != .compressedInput else {
        throw failure("--\(unit): \(file.displayName): expected a file that is not compressed")
      }
      ErrorReport.write(error, file: file)
      throw ExitCode(Status.failed)
    }
    switch outcome {
    case .found(let range): return range
    case .tooFew(let count):
      throw failure(
        "--\(unit): \(file.displayName): expected \(unit) \(first), found \(count) \(unit)\(count == 1 ? "" : "s")")
    case .framing(let framing):
      throw failure("--\(unit): \(TimeWindow.needsLines(file, framing))")
    }
  }

  private static func part(_ text: String) -> (Int, Int)? {
    guard let (first, second) = NumberRange.halves(text, "/"), let index = Int(digits: first),
      let count = Int(digits: second)
    else { return nil }
    return (index, count)
  }
}
