import Foundation
import TestSupport
import Testing

/// Transcripts of the real tool, in `Fixtures/tool`: command lines, and the output and status of each.
///
/// After a change of the tool `Scripts/pages transcripts` writes them again; review the difference.
@Suite struct TranscriptTests {
  private static let folder = "Fixtures/tool"
  private static let commands = [
    "get", "records", "merge", "each", "check", "shape", "format", "stats", "edit", "index", "report",
  ]
  private static let isWriting = ProcessInfo.processInfo.environment["JSONSIFT_WRITE_TRANSCRIPTS"] != nil

  /// A command line, and the lines below it.
  private struct Step {
    let command: String
    var answer: [String] = []
  }

  private static func steps(of name: String) throws -> [Step] {
    var steps: [Step] = []
    let text = String(decoding: try PackageFiles.bytes(of: "\(folder)/\(name).txt"), as: UTF8.self)
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if !steps.isEmpty {
        steps[steps.count - 1].answer.append(line)
      }
    }
    return steps
  }

  /// Runs a command line in the folder of the inputs. Lines of standard output are indented, lines of standard error
  /// have a mark.
  private static func answer(_ command: String) throws -> [String] {
    try withFolder { folder in
      let inputs = PackageFiles.root.appending(path: "\(Self.folder)/input")
      for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path) {
        try FileManager.default.copyItem(atPath: inputs.appending(path: name).path, toPath: folder.path(name))
      }
      let result = try shell(
        "jsift() { \"$JSIFT\" \"$@\"; }\nunset NO_COLOR CLICOLOR_FORCE COLUMNS\nexport JSIFT LC_ALL=C\n" + command,
        in: folder)
      let out = result.text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
      let err = result.err.split(separator: "\n", omittingEmptySubsequences: false).map { "! " + $0 }
      return Self.lines(out, "  ") + Self.lines(err, "! ") + ["? \(result.status)"]
    }
  }

  /// An empty text after the last line feed is not a line; any other text is marked as a line without a line feed.
  private static func lines(_ parts: [String], _ mark: String) -> [String] {
    guard let last = parts.last, last != mark else { return Array(parts.dropLast()) }
    return parts + [mark + "\\ no line feed"]
  }

  @Test(arguments: commands + ["jsift"])
  func `each command line has the recorded output and status`(name: String) throws {
    let isCompressing = try run(["get", "--help-all"]).text.contains("--max-decompressed-bytes")
    let steps = try Self.steps(of: name)
    #expect(steps.count > 5)
    var written = ""
    for step in steps {
      let isOfCompression = step.command.contains("--max-decompressed-bytes") || step.command.contains(".zst")
      let isSkipped = isOfCompression && !isCompressing
      let found = isSkipped ? step.answer : try Self.answer(step.command)
      if !Self.isWriting { #expect(found == step.answer, "\(step.command)") }
      written += (["$ " + step.command] + found).joined(separator: "\n") + "\n\n"
    }
    if Self.isWriting {
      let file = PackageFiles.root.appending(path: "\(Self.folder)/\(name).txt")
      try Data(written.dropLast().utf8).write(to: file)
    }
  }

  @Test func `each flag of each command occurs in a command line`() throws {
    let defined = try CommandDefinition.ofTool().commands
    #expect(defined.map(\.commandName).sorted() == Self.commands.sorted())
    for command in defined {
      let words = try Self.steps(of: command.commandName).flatMap { $0.command.split(separator: " ").map(String.init) }
      let flags = command.shown.filter { $0.kind != "positional" }
      #expect(flags.count > (command.commandName == "index" ? 3 : 10))
      for flag in flags {
        let names = (flag.names ?? []).map(\.text)
        #expect(names.contains { words.contains($0) }, "jsift \(command.commandName) \(names)")
      }
    }
  }
}
