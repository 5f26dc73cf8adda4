import JSONSift

/// The input of a stream: the source of a file, and the part of it that is read.
struct Input {
  let source: JSONSource
  var checkpoint: JSONCheckpoint?
  var range: JSONInputRange?
  /// Whether the input is known to be one document.
  var isDocument = false
  /// The position at which reading of the document begins; `nil` for its start.
  var rest: DocumentRest? {
    didSet { isDocument = isDocument || rest != nil }
  }
  /// Whether the records are known to be lines, because the file has an index.
  var isIndexed = false

  /// Returns the options of a command with the range of this input.
  func options(_ options: JSONRecordOptions) -> JSONRecordOptions {
    var options = options
    options.range = range
    if isDocument {
      options.isGuessed = options.framing == .automatic
      options.framing = .document
    }
    if isIndexed { options.framing = .lines }
    return options
  }
}

/// The file of rejected records (`--rejects`).
final class Rejects {
  /// `nil` once the file is complete.
  private var writer: JSONRejectWriter?
  let name: String
  private(set) var hasFailed = false

  init(_ argument: String, reading files: [InputFile]) throws {
    guard let path = try OutputFile.target(argument, of: "--rejects", reading: files).path else {
      throw failure(
        "--rejects -: expected a separate file, because standard output is for results; './-' is a file of that name")
    }
    name = path.printable
    writer = try JSONError.converting(try JSONRejectWriter(pathBytes: path)) { [name] in
      failure("\(name): \($0.message)")
    }
  }

  /// Appends lines that `JSONRejectWriter` encoded. Returns `false` on failure.
  func write(_ lines: ArraySlice<UInt8>, flushing: Bool) -> Bool {
    succeeds { (rejects) throws(JSONError) in
      try rejects.writer?.write(lines: lines)
      if flushing { try rejects.writer?.flush() }
    }
  }

  /// Writes the buffered lines, and closes the file. Returns `false` on failure.
  func finish() -> Bool { succeeds { (rejects) throws(JSONError) in try rejects.writer.take()?.close() } }

  /// Returns whether `body` succeeds. Reports the first error.
  private func succeeds(_ body: (Rejects) throws(JSONError) -> Void) -> Bool {
    do throws(JSONError) {
      try body(self)
      return true
    } catch {
      if !hasFailed { ErrorReport.write("\(name): \(error.message)") }
      hasFailed = true
      return false
    }
  }
}
