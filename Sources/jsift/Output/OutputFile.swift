import ArgumentParser
import JSONSift
import JSONSiftAnalysis

/// The option `--output`.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write to this file. It is replaced only when the run succeeds; after an error it is unchanged.",
      valueName: "file"), completion: .file())
  var output: String?

  /// Redirects results to the file.
  ///
  /// - Parameters:
  ///   - files: The files that will be read.
  ///   - rejects: The file of bad records. It must be another file, and is not opened here.
  func open(reading files: [InputFile], rejects: String?) throws {
    guard let output else { return }
    let path = RawArguments.launch.bytes(of: output)
    if path == [UInt8(ascii: "-")] { return }
    guard !path.isEmpty else {
      throw failure("--output '': expected a file name, found an empty string")
    }
    let target = InputFile(path: path)
    guard !files.contains(where: { $0.isSameFile(as: target) }) else {
      throw failure("--output \(target.displayName): expected a file that is not an input")
    }
    if let rejects {
      let other = InputFile(path: RawArguments.launch.bytes(of: rejects))
      // Files that do not exist yet can only be compared by name.
      guard !other.isSameFile(as: target), other.path != target.path else {
        throw failure("--output \(target.displayName): expected a file other than --rejects")
      }
    }
    do throws(File.Failure) {
      unsafe Output.standard.file = try OutputFile(path)
    } catch {
      throw failure("\(target.displayName): \(error.reason)")
    }
  }
}

/// The file for results. A signal that ends the program removes an incomplete file.
final class OutputFile {
  let name: String
  private let file: ReplacementFile

  /// - Parameter limit: The permissions that the file has at most.
  init(_ path: [UInt8], atMost limit: UInt32 = 0o7777) throws(File.Failure) {
    name = path.printable
    file = try ReplacementFile(path, atMost: limit) { create in
      Interruption.withSignalsBlocked {
        if let name = create() { Interruption.setPartialFile(name.map { CChar(bitPattern: $0) } + [0]) }
      }
    }
  }

  var descriptor: Int32 { file.descriptor }

  /// Whether completing the file replaces an existing one.
  var isReplacement: Bool { file.isReplacement }

  /// Moves the complete file to its final name.
  func complete() throws(File.Failure) {
    try file.complete()
    Interruption.setPartialFile(nil)
  }

  /// Writes an index, and completes the file.
  func write(_ index: JSONBlockIndex) throws(File.Failure) {
    do throws(File.Failure) {
      try index.write(to: file)
    } catch {
      discard()
      throw error
    }
    try complete()
  }

  /// Removes the new file, and keeps the previous one.
  func discard() {
    file.discard()
    Interruption.setPartialFile(nil)
  }
}
