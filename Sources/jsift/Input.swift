import ArgumentParser
import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a command opens: a file as it is read in this run, and where in it.
struct Input {
  let source: JSONSource
  let checkpoint: JSONCheckpoint?
}

/// A signal that asks the program to end, where it would wait for ever: what was found is written, and the exit status is
/// that of a run that has come to its end.
enum Interruption {
  /// SAFETY: set by a signal handler, and read by the one thread.
  nonisolated(unsafe) private(set) static var hasCome = false

  static func listen() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { _ in unsafe Interruption.hasCome = true }
      #else
        unsafe action.__sigaction_handler.sa_handler = { _ in unsafe Interruption.hasCome = true }
      #endif
      // Without SA_RESTART: a wait ends. A second signal ends the program at once.
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
  }
}

/// Bad records that are put aside.
final class Rejects {
  private var writer: JSONRejectWriter
  let name: String

  init(_ argument: String, reading files: [InputFile]) throws {
    let path = RawArguments.launch.bytes(of: argument)
    name = SourceExcerpt.printable(path)
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

  func write(_ record: JSONBadRecord, _ file: InputFile) throws(JSONError) { try writer.write(record, file: file.name) }

  func flush() throws(JSONError) { try writer.flush() }

  /// Writes what is left. Tells if that cannot be done, and returns false.
  func finish() -> Bool {
    do throws(JSONError) {
      try flush()
      return true
    } catch {
      ErrorReport.write("jsift: \(name): \(error.message)")
      return false
    }
  }
}
