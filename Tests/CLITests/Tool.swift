import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The exit status and the output of a run of the tool.
struct Outcome {
  /// The exit status, or the negative number of the signal that terminated it.
  let status: Int32
  let out: [UInt8]
  let err: String

  var text: String { String(decoding: out, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// Expects what is given of standard output, of the messages and of the exit status.
  func expect(
    text: String? = nil, err: String? = nil, status: Int32? = nil, at place: SourceLocation = #_sourceLocation
  ) {
    if let text { #expect(self.text == text, sourceLocation: place) }
    if let err { #expect(self.err == err, sourceLocation: place) }
    if let status { #expect(self.status == status, sourceLocation: place) }
  }
}

/// The programs that the build placed next to the tests.
enum Tool {
  /// Returns the path of a program, `jsift` by default. SwiftPM builds it because the test target depends on it.
  /// `JSIFT` in the environment is another `jsift`, such as an optimized one.
  static func path(of program: String = "jsift") throws -> String {
    if program == "jsift", let other = ProcessInfo.processInfo.environment["JSIFT"] { return other }
    for start in starts {
      var folder = start.resolvingSymlinksInPath().deletingLastPathComponent()
      // On Linux the tests are a program in the same folder; on macOS they are in a bundle, three folders deeper.
      for _ in 0..<4 {
        let tool = folder.appendingPathComponent(program).path
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: tool, isDirectory: &isFolder), !isFolder.boolValue,
          FileManager.default.isExecutableFile(atPath: tool)
        {
          return tool
        }
        folder.deleteLastPathComponent()
      }
    }
    throw NotBuilt(program: program, searched: starts.map(\.path))
  }

  struct NotBuilt: Error {
    let program: String
    let searched: [String]
  }

  private final class Marker {}

  private static var starts: [URL] {
    #if canImport(Darwin)
      [Bundle(for: Marker.self).bundleURL, URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])]
    #else
      [URL(fileURLWithPath: "/proc/self/exe"), URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])]
    #endif
  }

  /// Starts the tool with a pipe as standard input.
  static func start(_ arguments: [String]) throws -> Child {
    try Child(path(), arguments.map { Array($0.utf8) }, hasInput: true)
  }
}

/// Runs `jsift` to its end.
func run(_ arguments: [String], stdin: [UInt8]? = nil) throws -> Outcome {
  try run(bytes: arguments.map { Array($0.utf8) }, stdin: stdin)
}

func run(_ arguments: [String], stdin: String) throws -> Outcome {
  try run(arguments, stdin: Array(stdin.utf8))
}

func run(bytes arguments: [[UInt8]], stdin: [UInt8]? = nil) throws -> Outcome {
  try outcome(of: Child(Tool.path(), arguments, hasInput: stdin != nil), stdin: stdin)
}

/// Runs a shell command line; in it, `$JSIFT` is the tool.
func shell(_ command: String, in folder: Folder? = nil, stdin: String? = nil) throws -> Outcome {
  let tool = try Tool.path().replacing("'", with: "'\\''")
  let changeDirectory = folder.map { "cd '\($0.path.replacing("'", with: "'\\''"))' || exit 99\n" } ?? ""
  let script = "JSIFT='\(tool)'\n\(changeDirectory)\(command)"
  let child = try Child("/bin/sh", [Array("-c".utf8), Array(script.utf8)], hasInput: stdin != nil)
  return outcome(of: child, stdin: stdin.map { Array($0.utf8) })
}

private func outcome(of child: Child, stdin: [UInt8]?) -> Outcome {
  let status = child.finish(feeding: stdin ?? [])
  return Outcome(status: status, out: child.out, err: String(decoding: child.err, as: UTF8.self))
}

/// Returns the arguments of a command line, at whose blanks it is divided except inside of single quotes.
func words(_ line: String) -> [String] {
  line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
    index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
  }
}

/// The folder of one test. Messages contain file names as given on the command line, so tests of messages remove the
/// folder's path with ``cut(_:)``.
struct Folder {
  let path: String

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = self.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  func path(_ name: String) -> String { path + "/" + name }

  /// Returns the text of a file in the folder.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  /// Creates a FIFO and returns its path.
  func fifo(_ name: String) throws -> String {
    let path = self.path(name)
    guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemFailure(call: "mkfifo", number: errno) }
    return path
  }

  /// Returns a text in blocks of BGZF of `count` bytes, with the empty block at the end: members by gzip with their size in
  /// the extra field.
  func blocks(of text: String, _ count: Int) throws -> [UInt8] {
    let chunks = stride(from: 0, to: text.utf8.count, by: count).map { Array(text.utf8.dropFirst($0).prefix(count)) }
    return try (chunks + [[]]).flatMap { chunk in
      _ = try file("chunk", chunk)
      let member = try shell("gzip -n -c chunk", in: self).out
      let last = member.count + 7
      let size = [UInt8(truncatingIfNeeded: last), UInt8(truncatingIfNeeded: last >> 8)]
      return [0x1F, 0x8B, 8, 4] + member[4..<10] + [6, 0, 0x42, 0x43, 2, 0] + size + member[10...]
    }
  }

  /// Returns a message without the path of the folder.
  func cut(_ message: String) -> String { message.replacing(path + "/", with: "") }
}

/// Creates a folder for a test, and removes it afterwards.
func withFolder<Result>(_ body: (Folder) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("jsift-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(Folder(path: url.path))
}
