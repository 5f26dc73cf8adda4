import ArgumentParser
import JSONSift
import JSONSiftAnalysis

/// When the index of a file is used.
enum IndexPolicy: String, ExpressibleByArgument, CaseIterable {
  case auto, grow, never
}

extension IndexPolicy {
  /// The changes of a file after which its index is still used.
  var trust: JSONBlockIndex.Trust { self == .grow ? .grown : .unchanged }

  /// Returns the start of the last line that the index of a file knows at or before a line or record; the first line if
  /// no index can be used.
  func lineStart(upTo number: Int, counting unit: LineUnit, in path: [UInt8]) -> CountedPosition {
    guard self != .never, let index = IndexOption.positions(of: path),
      let _ = OpenFile(path, of: index, trusting: trust)
    else { return CountedPosition() }
    return index.lineStart(upTo: number, counting: unit)
  }
}

/// The option `--index` of commands with a condition.
struct IndexOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When the index FILE.jsidx, which jsift index writes, is used for --where, --line, --record and elements of a "
        + "document: auto if FILE has not changed since it was indexed, grow also if lines were only appended.",
      valueName: "auto|grow|never"))
  var index = IndexPolicy.auto

  /// The name of the index of a file.
  static func path(of file: [UInt8]) -> [UInt8] { file + ".jsidx".utf8 }

  /// Returns the index of a file without its values, which can be megabytes; `nil` if there is none, or if it is damaged.
  fileprivate static func positions(of path: [UInt8]) -> JSONBlockIndex? {
    // A condition on `@` alone: no index has values for it, so only the blocks are read.
    guard File.status(at: Self.path(of: path)) != nil, let condition = try? JSONCondition("@") else { return nil }
    return try? JSONBlockIndex(contentsOf: Self.path(of: path), for: condition)
  }

  /// Replaces each file that has an index with the parts of it that can satisfy the condition.
  ///
  /// An index knows nothing about bad records between these parts, so it is not used where they matter.
  func narrow(_ files: [InputFile], to condition: JSONCondition?, _ reading: ReadingOptions) -> [InputFile] {
    guard let condition, index != .never, reading.prefilter != .never, reading.mayUseIndex(of: .ndjson) else {
      return files
    }
    // With these options a line that was bad when it was indexed can be a record.
    let readsBadLines = reading.skipPrefix || reading.loneSurrogates == .replace
    return files.flatMap { parts(of: $0, condition, includingBadRecords: readsBadLines) ?? [$0] }
  }

  /// Returns the parts of a file that can satisfy the condition; `nil` if no index can be used, or if it rules out nothing.
  private func parts(
    of file: InputFile, _ condition: JSONCondition, includingBadRecords readsBadLines: Bool
  ) -> [InputFile]? {
    guard let path = file.indexedPath, File.status(at: Self.path(of: path)) != nil else { return nil }
    let name = Self.path(of: path).printable
    let blocks: JSONBlockIndex
    do throws(JSONError) {
      blocks = try JSONBlockIndex(contentsOf: Self.path(of: path), for: condition)
    } catch {
      ErrorReport.write("\(name): not used: \(error.message)")
      return nil
    }
    guard let indexed = OpenFile(path, of: blocks, trusting: index.trust) else {
      let hint = index == .grow ? "" : ", or --index grow uses the index if lines were only appended"
      ErrorReport.write(
        "\(name): not used: \(file.displayName) has changed since it was indexed; jsift index \(Shell.file(file.displayName)) "
          + "indexes it again\(hint)")
      return nil
    }
    let ranges = blocks.ranges(where: condition, includingBadRecords: readsBadLines)
    guard ranges.count > 1 || ranges.contains(where: { $0.lowerBound > 0 }) else { return nil }
    return ranges.enumerated().map { number, range in
      var part = file
      part.indexed = (indexed, range)
      part.isContinuation = number > 0
      return part
    }
  }
}

extension ResultCommand {
  /// Makes the reading of each document begin near the first element that the paths select, if an index knows its
  /// position.
  ///
  /// Nothing before that is validated, so the index is not used where all errors matter.
  func jump(_ files: [InputFile], to paths: [NamedPath], _ policy: IndexPolicy = .auto) -> [InputFile] {
    // A summary counts all of the input.
    guard policy != .never, !results.follow, summary.summary == nil, reading.mayUseIndex(of: .json) else {
      return files
    }
    return files.map { file in
      guard let path = file.indexedPath, let index = IndexOption.positions(of: path), let container = index.container,
        let element = paths.map({ $0.path.firstElement(of: container) }).min(by: Self.isBefore) ?? nil,
        let indexed = OpenFile(path, of: index, trusting: .unchanged),
        let rest = index.rest(beforeElement: element, in: indexed)
      else { return file }
      var later = file
      later.elements = (indexed, rest)
      return later
    }
  }

  /// Returns whether `first` is less than `second`. `nil`, a path that may select any element, is less than every
  /// element.
  private static func isBefore(_ first: Int?, _ second: Int?) -> Bool {
    second.map { second in first.map { $0 < second } ?? true } ?? false
  }
}

extension ReadingOptions {
  /// Whether an index may be used for input of a form: text that is not read may have errors, so not if all of them matter.
  fileprivate func mayUseIndex(of form: InputForm) -> Bool {
    steps.isEmpty && onError == .skip && rejects == nil && maxErrors == nil && fromOffset == nil
      && (input == .auto || input == form)
  }
}

extension InputFile {
  /// The path, if any part of the file may be read; otherwise `nil`.
  fileprivate var indexedPath: [UInt8]? { range == nil && expectation == nil && size != nil ? path : nil }
}
