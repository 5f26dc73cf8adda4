import ArgumentParser
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
    let path = RawArguments.launch.bytes(of: argument)
    name = path.printable
    guard path != [UInt8(ascii: "-")] else {
      throw failure(
        "--rejects -: expected a separate file, because standard output is for results; './-' is a file of that name")
    }
    guard !path.isEmpty else {
      throw failure("--rejects '': expected a file name, found an empty string")
    }
    let output = InputFile(path: path)
    // The output file would be truncated before it is read.
    guard !files.contains(where: { $0.isSameFile(as: output) }) else {
      throw failure("--rejects \(name): expected a file that is not an input")
    }
    do throws(JSONError) {
      writer = try JSONRejectWriter(pathBytes: path)
    } catch {
      throw failure("\(name): \(error.message)")
    }
  }

  /// Appends lines that `JSONRejectWriter` encoded.
  func write(_ lines: ArraySlice<UInt8>) throws(JSONError) {
    try recordingFailure { (rejects) throws(JSONError) in try rejects.writer?.write(lines: lines) }
  }

  func flush() throws(JSONError) {
    try recordingFailure { (rejects) throws(JSONError) in try rejects.writer?.flush() }
  }

  private func recordingFailure(_ body: (Rejects) throws(JSONError) -> Void) throws(JSONError) {
    do throws(JSONError) {
      try body(self)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Writes the buffered lines, and closes the file. Returns `false` on failure, and reports its error, unless an earlier one
  /// was reported.
  func finish() -> Bool {
    let isReported = hasFailed
    do throws(JSONError) {
      try recordingFailure { (rejects) throws(JSONError) in
        guard let writer = rejects.writer.take() else { return }
        try writer.close()
      }
      return true
    } catch {
      if !isReported { ErrorReport.write("\(name): \(error.message)") }
      return false
    }
  }
}
