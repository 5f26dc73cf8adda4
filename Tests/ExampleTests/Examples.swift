import Foundation
import Synchronization
import Testing

/// A swift block of a page, as a function.
struct Example: Sendable, CustomTestStringConvertible {
  let page: String
  let line: Int
  /// The expected output, if the page states it.
  let output: String?
  let isRun: Bool
  let body: @Sendable () async throws -> Void

  var testDescription: String { "\(page):\(line)" }
}

/// A console block of a page.
struct Console: Sendable, CustomTestStringConvertible {
  let page: String
  let line: Int
  let text: String

  var testDescription: String { "\(page):\(line)" }

  /// The commands, each with its output.
  var commands: [(command: String, output: String)] {
    var commands: [(command: String, output: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // A line of a table of paths can also begin with `$`.
      if line.hasPrefix("$ "), !line.hasPrefix("$  ") {
        commands.append((String(line.dropFirst(2)), ""))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output += line + "\n"
      }
    }
    // Blank lines separate the commands of a block.
    return commands.map { command in
      var output = command.output
      while output == "\n" || output.hasSuffix("\n\n") { output.removeLast() }
      return (command.command, output)
    }
  }
}

/// The folder and output of one running example.
final class Stage: Sendable {
  @TaskLocal static var current: Stage?

  let page: String
  let folder: URL
  private let printed = Mutex("")

  init(page: String) throws {
    self.page = page
    folder = FileManager.default.temporaryDirectory.appending(path: "jsonsift-examples-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: PackageFolder.examples, to: folder)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func print(_ text: String) { printed.withLock { $0 += text } }

  var output: String { printed.withLock { $0 } }
}

enum PackageFolder {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let examples = root.appending(path: "Fixtures/examples")
}

// MARK: Functions that the generated code calls

/// Replaces the standard library's function, so that the output of an example can be compared.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Stage.current?.print(items.map { "\($0)" }.joined(separator: separator) + terminator)
}

/// Returns the path of a file that an example names.
func inFolder(_ name: String) -> String { Stage.current?.folder.appending(path: name).path ?? name }

/// Uses a value that an example only declares.
func use<Value: ~Copyable & ~Escapable>(_ value: borrowing Value) {}

/// Checks the value of an expression against the page.
func claim<Value>(_ value: Value, _ text: String, line: Int) {
  let page = Stage.current?.page ?? "?"
  let found = shown(value)
  #expect(found == text, "\(page):\(line)")
}

/// Checks the last printed text against the page.
func claimPrinted(_ text: String, line: Int) {
  let page = Stage.current?.page ?? "?"
  let last = Stage.current?.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last ?? "nothing"
  #expect(last == text, "\(page):\(line)")
}

/// Formats a value as pages do: strings in quotes, optionals as their wrapped value.
private func shown(_ value: Any) -> String {
  if let text = value as? String { return "\"\(text)\"" }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { shown($0.value) } ?? "nil" }
  return "\(value)"
}
