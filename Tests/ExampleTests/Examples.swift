import Foundation
import Synchronization
import Testing

/// A swift block of a page, as a function.
struct Example: Sendable, CustomTestStringConvertible {
  let page: String
  let line: Int
  /// What it must print, if the page says it.
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

  /// The commands, each with the lines that are shown below it.
  var commands: [(command: String, output: String)] {
    var commands: [(command: String, output: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // A line of a table of paths can begin with `$` too.
      if line.hasPrefix("$ "), !line.hasPrefix("$  ") {
        commands.append((String(line.dropFirst(2)), ""))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output += line + "\n"
      }
    }
    // Blocks part their commands by empty lines.
    return commands.map { command in
      var output = command.output
      while output == "\n" || output.hasSuffix("\n\n") { output.removeLast() }
      return (command.command, output)
    }
  }
}

/// What one example sees and says.
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

// MARK: What the generated code calls

/// In the place of the standard library's: the output of an example is compared.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Stage.current?.print(items.map { "\($0)" }.joined(separator: separator) + terminator)
}

/// The path of a file that an example names.
func inFolder(_ name: String) -> String { Stage.current?.folder.appending(path: name).path ?? name }

/// Examples declare what they only show.
func use<Value: ~Copyable & ~Escapable>(_ value: borrowing Value) {}

/// A page says what the value of an expression is.
func claim<Value>(_ value: Value, _ text: String, line: Int) {
  let page = Stage.current?.page ?? "?"
  let found = shown(value)
  #expect(found == text, "\(page):\(line)")
}

/// A page says what was printed last.
func claimPrinted(_ text: String, line: Int) {
  let page = Stage.current?.page ?? "?"
  let last = Stage.current?.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last ?? "nothing"
  #expect(last == text, "\(page):\(line)")
}

/// A value as pages write it: strings in quotes, optionals as what is in them.
private func shown(_ value: Any) -> String {
  if let text = value as? String { return "\"\(text)\"" }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { shown($0.value) } ?? "nil" }
  return "\(value)"
}
