import ArgumentParser
import JSONSift

/// What a command opens: a file as it is read in this run, and where in it.
struct Input {
  let source: JSONSource
  let checkpoint: JSONCheckpoint?
}

/// Bad records that are put aside.
final class Rejects {
  /// `nil` when the file is complete.
  private var writer: JSONRejectWriter?
  let name: String
  private(set) var hasFailed = false

  init(_ argument: String, reading files: [InputFile]) throws {
    let path = RawArguments.launch.bytes(of: argument)
    name = SourceExcerpt.printable(path)
    guard path != [UInt8(ascii: "-")] else {
      throw PathArguments.refusal(
        "--rejects -: expected a file of their own, for standard output is for results; './-' is a file of that name")
    }
    guard !path.isEmpty else { throw PathArguments.refusal("--rejects '': expected the name of a file, found none") }
    let output = InputFile(path: path)
    // It would be emptied before it is read.
    guard !files.contains(where: { $0.isSameFile(as: output) }) else {
      throw PathArguments.refusal("--rejects \(name): expected another file than those that are read")
    }
    do throws(JSONError) {
      writer = try JSONRejectWriter(pathBytes: path)
    } catch {
      throw PathArguments.refusal("\(name): \(error.message)")
    }
  }

  /// Adds lines that `JSONRejectWriter` has made.
  func write(_ lines: ArraySlice<UInt8>) throws(JSONError) {
    try noting { (rejects) throws(JSONError) in try rejects.writer?.write(lines: lines) }
  }

  func flush() throws(JSONError) {
    try noting { (rejects) throws(JSONError) in try rejects.writer?.flush() }
  }

  private func noting(_ body: (Rejects) throws(JSONError) -> Void) throws(JSONError) {
    do throws(JSONError) {
      try body(self)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Writes what is left, and closes the file. Tells if that cannot be done, and returns false.
  func finish() -> Bool {
    do throws(JSONError) {
      try noting { (rejects) throws(JSONError) in
        guard let writer = rejects.writer.take() else { return }
        try writer.close()
      }
      return true
    } catch {
      ErrorReport.write("jsift: \(name): \(error.message)")
      return false
    }
  }
}
