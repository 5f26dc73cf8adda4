import ArgumentParser
import JSONSift

/// The flag of the commands that write results.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write to this file: beside it first, and in its place when all is written. After an error it stays as it was.",
      valueName: "file"), completion: .file())
  var output: String?

  /// From now on results go to the file.
  ///
  /// - Parameters:
  ///   - files: What will be read.
  ///   - rejects: Where bad records go. It is not touched where it is the same file.
  func open(reading files: [InputFile], rejects: String?) throws {
    guard let output else { return }
    let path = RawArguments.launch.bytes(of: output)
    if path == [UInt8(ascii: "-")] { return }
    guard !path.isEmpty else { throw PathArguments.refusal("--output '': expected the name of a file, found none") }
    let target = InputFile(path: path)
    guard !files.contains(where: { $0.isSameFile(as: target) }) else {
      throw PathArguments.refusal(
        "--output \(target.displayName): expected another file than those that are read")
    }
    if let rejects {
      let other = InputFile(path: RawArguments.launch.bytes(of: rejects))
      // Of files that are yet to be made only the names can be compared.
      guard !other.isSameFile(as: target), other.path != target.path else {
        throw PathArguments.refusal("--output \(target.displayName): expected another file than that of --rejects")
      }
    }
    do throws(File.Failure) {
      unsafe Output.standard.file = try OutputFile(path)
    } catch {
      throw PathArguments.refusal("\(target.displayName): \(error.reason)")
    }
  }
}

/// The file that takes results. A signal that ends the program removes what is not complete.
final class OutputFile {
  let name: String
  private let file: ReplacementFile

  init(_ path: [UInt8]) throws(File.Failure) {
    name = SourceExcerpt.printable(path)
    file = try ReplacementFile(path) { create in
      Interruption.holdingBack {
        if let name = create() { Interruption.removes(name.map { CChar(bitPattern: $0) } + [0]) }
      }
    }
  }

  var descriptor: Int32 { file.descriptor }

  /// Whether there is something to leave as it was.
  var isReplacement: Bool { file.isReplacement }

  /// Puts the file in its place.
  func complete() throws(File.Failure) {
    try file.complete()
    Interruption.removes(nil)
  }

  /// Leaves what was there before.
  func discard() {
    file.discard()
    Interruption.removes(nil)
  }
}
