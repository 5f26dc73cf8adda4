import ArgumentParser
import JSONSift

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
  ///   - limit: The permissions that the file has at most.
  func open(reading files: [InputFile], rejects: String?, atMost limit: UInt32 = 0o7777) throws {
    guard let output else { return }
    let target = try OutputFile.target(output, of: "--output", reading: files)
    guard let path = target.path else { return }
    guard !target.isSameOutput(as: rejects) else {
      throw failure("--output \(target.displayName): expected a file other than --rejects")
    }
    unsafe Output.standard.file = try File.Failure.converting(try OutputFile(path, atMost: limit)) {
      failure("\(target.displayName): \($0.reason)")
    }
  }
}

/// The file for results. A signal that ends the program removes an incomplete file.
final class OutputFile {
  let name: String
  private let file: ReplacementFile
  private let isSecond: Bool

  /// - Parameters:
  ///   - limit: The permissions that the file has at most.
  ///   - isSecond: Whether there may be another file for results, which is not renamed yet.
  init(_ path: [UInt8], atMost limit: UInt32 = 0o7777, isSecond: Bool = false) throws(File.Failure) {
    name = path.printable
    self.isSecond = isSecond
    file = try ReplacementFile(path, atMost: limit) { create in
      Interruption.withSignalsBlocked {
        if let name = create() {
          Interruption.setPartialFile(name.map { CChar(bitPattern: $0) } + [0], isSecond: isSecond)
        }
      }
    }
  }

  /// Returns the file that an option names; standard input stands for standard output.
  static func target(_ argument: String, of option: String, reading files: [InputFile]) throws -> InputFile {
    let target = InputFile(argument: RawArguments.launch.bytes(of: argument))
    if target.path?.isEmpty == true {
      throw failure("\(option) '': expected a file name, found an empty string")
    }
    // It would be truncated before it is read.
    guard target.path == nil || !files.contains(where: { $0.isSameFile(as: target) }) else {
      throw failure("\(option) \(target.displayName): expected a file that is not an input")
    }
    return target
  }

  var descriptor: Int32 { file.descriptor }

  /// The path of the file that is replaced, without symbolic links.
  var target: [UInt8] { file.path }

  /// Whether completing the file replaces an existing one.
  var isReplacement: Bool { file.isReplacement }

  /// Brings the content to the disk, and closes the file.
  func close() throws(File.Failure) { try file.close() }

  /// Moves the complete file to its final name.
  func complete() throws(File.Failure) {
    try file.complete()
    Interruption.setPartialFile(nil, isSecond: isSecond)
  }

  /// Writes a text about the run to a file, or to standard error without a path. Returns whether it is written.
  ///
  /// - Parameters:
  ///   - limit: The permissions that the file has at most.
  ///   - isSecond: Whether there may be another file for results, which is not renamed yet.
  static func write(_ text: [UInt8], to path: [UInt8]?, atMost limit: UInt32 = 0o7777, isSecond: Bool = false) -> Bool {
    guard let path else {
      ErrorReport.put(String(decoding: text, as: UTF8.self))
      return true
    }
    do throws(File.Failure) {
      try OutputFile(path, atMost: limit, isSecond: isSecond).write { (file) throws(File.Failure) in
        try unsafe text.span.withUnsafeBytes { (bytes) throws(File.Failure) in try unsafe file.write(bytes) }
      }
      return true
    } catch {
      ErrorReport.write("\(path.printable): \(error.reason)")
      return false
    }
  }

  /// Writes the whole file, and completes it.
  func write(_ body: (ReplacementFile) throws(File.Failure) -> Void) throws(File.Failure) {
    do throws(File.Failure) {
      try body(file)
    } catch {
      discard()
      throw error
    }
    try complete()
  }

  /// Removes the new file, and keeps the previous one.
  func discard() {
    file.discard()
    Interruption.setPartialFile(nil, isSecond: isSecond)
  }
}
