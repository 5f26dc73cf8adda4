// ExampleWriter [--main] ROOT OUTPUT PAGE...: writes sources of ExampleTests from the code blocks of pages. The plug-in
// ExampleSources runs it in each build in which a page has changed; the head of Scripts/pages describes the format of a page.
//
// With --main it makes OUTPUT/NAME/main.swift of each block that waits or declares a function: as a program, its variables
// belong to the main actor. Scripts/lint compiles these programs.
//
// One file of more than 400 lines: a function of another file could not read the variables of this one, for the same reason.
import Foundation

/// Whether programs are made.
let makesPrograms = CommandLine.arguments.dropFirst().first == "--main"

/// The program, the folder of the package, the folder that is filled, and the pages.
let arguments = CommandLine.arguments.filter { $0 != "--main" }

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// One fenced block, with the hidden comments that stand directly above it.
struct Block {
  var language = ""
  /// The line of its first line of code, from 1.
  var line = 0
  var code: [String] = []
  var setup: [String] = []
  var types: [String] = []
  var after: [String] = []
  /// The declaration whose members the block shows.
  var inside: String?
  var isFile = false
  /// A compilation condition under which the block is compiled.
  var condition: String?
  var continues = false
  var isOnlyCompiled = false
  var isIgnored = false
  /// A name that the block gives away: nothing may look at it later.
  var consumed: String?
  /// The file that the block shows.
  var fixture: String?
}

/// Reads the blocks of a page, in order. Hidden comments end with the block that they stand above.
func blocks(of text: String, page: String) throws -> [Block] {
  var blocks: [Block] = []
  var next = Block()
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  var place = 0
  while place < lines.count {
    let line = lines[place].trimmingCharacters(in: .whitespaces)
    if line.hasPrefix("<!--") {
      var comment = [String(line.dropFirst(4))]
      while !comment[comment.count - 1].contains("-->") {
        place += 1
        guard place < lines.count else { throw Failure(description: "\(page): a comment has no end") }
        comment.append(lines[place])
      }
      let last = comment.removeLast()
      comment.append(String(last[..<(last.range(of: "-->")?.lowerBound ?? last.endIndex)]))
      try note(comment, in: &next, page: page, line: place + 1)
    } else if line.hasPrefix("```swift ") {
      // Of a doc comment: its set-up stands on the line of the fence.
      next.language = "swift"
      next.line = place + 2
      next.isOnlyCompiled = true
      for note in line.dropFirst(9).split(separator: "\u{1}") {
        if note.hasPrefix("skip:") {
          next.isIgnored = true
        } else if note.hasPrefix("inside:") {
          next.inside = note.dropFirst(7).trimmingCharacters(in: .whitespaces)
        } else if note.hasPrefix("consumed:") {
          next.consumed = note.dropFirst(9).trimmingCharacters(in: .whitespaces)
        } else if note.hasPrefix("after:") {
          next.after.append(String(note.dropFirst(6)))
        } else if note.hasPrefix("types:") {
          next.types.append(note.dropFirst(6).trimmingCharacters(in: .whitespaces))
        } else {
          next.setup.append(String(note))
        }
      }
      place += 1
      while place < lines.count, lines[place] != "```" {
        next.code.append(lines[place])
        place += 1
      }
      blocks.append(next)
      next = Block()
    } else if line.hasPrefix("```"), line.count > 3 || !line.hasSuffix("````") {
      next.language = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      next.line = place + 2
      let indentation = lines[place].prefix { $0 == " " }.count
      place += 1
      while place < lines.count, lines[place].trimmingCharacters(in: .whitespaces) != "```" {
        next.code.append(String(lines[place].dropFirst(min(indentation, lines[place].prefix { $0 == " " }.count))))
        place += 1
      }
      guard place < lines.count else { throw Failure(description: "\(page):\(next.line): a block has no end") }
      blocks.append(next)
      next = Block()
    } else if !line.isEmpty {
      // Prose: whatever was said above it was not about a block.
      guard next.setup.isEmpty, next.types.isEmpty, next.after.isEmpty, !next.isFile, !next.continues else {
        throw Failure(description: "\(page):\(place + 1): a hidden comment must stand directly above its block")
      }
      // An output block must follow its code at once.
      blocks.append(Block(language: "prose", line: place + 1))
    }
    place += 1
  }
  return blocks
}

func note(_ comment: [String], in block: inout Block, page: String, line: Int) throws {
  let first = comment[0].trimmingCharacters(in: .whitespaces)
  func rest(_ word: String) -> [String] {
    ([String(first.dropFirst(word.count))] + comment.dropFirst()).filter { !$0.allSatisfy(\.isWhitespace) }
  }
  if first.hasPrefix("setup:") {
    block.setup += rest("setup:")
  } else if first.hasPrefix("after:") {
    block.after += rest("after:")
  } else if first.hasPrefix("inside:") {
    block.inside = rest("inside:").joined()
  } else if first.hasPrefix("fixture:") {
    block.fixture = rest("fixture:").joined().trimmingCharacters(in: .whitespaces)
  } else if first.hasPrefix("if:") {
    block.condition = rest("if:").joined().trimmingCharacters(in: .whitespaces)
  } else if first.hasPrefix("consumed:") {
    block.consumed = rest("consumed:").joined().trimmingCharacters(in: .whitespaces)
  } else if first == "file" {
    block.isFile = true
  } else if first == "continues" {
    block.continues = true
  } else if first == "compiled, not run" {
    block.isOnlyCompiled = true
  } else if first.hasPrefix("not compiled:") || first.hasPrefix("not run:") {
    block.isIgnored = true
  } else if first.hasPrefix("types:") {
    block.types += rest("types:")
  }
}

/// `text` as a Swift literal.
func literal(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// A line of an example as it is compiled: names of files become paths in the folder of the run, and a claim
/// (`// → TEXT` behind an expression, a declaration or a call of `print`) becomes a check.
func compiled(_ line: String, at place: Int) -> String {
  var code = line
  var claim: String?
  if let arrow = code.range(of: "// → ") {
    claim = String(code[arrow.upperBound...])
    code = String(code[..<arrow.lowerBound])
    while code.last == " " { code.removeLast() }
  }
  code = code.replacing(#/"([A-Za-z][\w*-]*\.(?:json|ndjson|log|gz|zst|txt|state))"/#) { "inFolder(\"\($0.1)\")" }
  guard let claim else { return code }
  let body = code.trimmingCharacters(in: .whitespaces)
  if body.contains("print(") { return "\(code); claimPrinted(\(literal(claim)), line: \(place))" }
  if let match = body.prefixMatch(of: #/(?:let|var) (\w+)/#) {
    return "\(code); claim(\(match.1), \(literal(claim)), line: \(place))"
  }
  let indentation = String(code.prefix { $0 == " " })
  return "\(indentation)claim(\(body), \(literal(claim)), line: \(place))"
}

/// The names that a block declares at its left edge. A reader need not be told that an example uses them.
func declared(_ lines: [String]) -> [String] {
  lines.compactMap { line in
    guard let match = line.prefixMatch(of: #/(?:guard )?(?:let|var) (\w+)/#) else { return nil }
    return String(match.1)
  }
}

/// Writes the programs of a page: each block as it stands, with the declarations of the page.
func writePrograms(of page: String, text: String, type: String) throws {
  // What the tests have, too; see Tests/ExampleTests/Examples.swift.
  var declarations = [
    "func inFolder(_ name: String) -> String { name }", "func use<Value>(_ value: Value) {}",
    "func claimPrinted(_ text: String, line: Int) {}",
  ]
  var programs: [(line: Int, lines: [String])] = []
  let imports = text.matches(of: #/(?:^|\n)import (?:JSONSift|SwiftyJSON|SGYSwiftJSON)\b/#).map { String($0.0) }
  for block in try blocks(of: text, page: page) {
    declarations += block.types
    guard block.language == "swift", !block.isIgnored, block.inside == nil, block.condition == nil else { continue }
    if block.isFile {
      declarations += block.code
    } else if block.continues, !programs.isEmpty {
      programs[programs.count - 1].lines += block.setup + block.code + block.after
    } else {
      programs.append((block.line, block.setup + block.code + block.after))
    }
  }
  for program in programs {
    // A block that returns is a part of a function.
    guard program.lines.contains(where: { $0.contains("await") || $0.contains(#/\bfunc /#) }),
      !program.lines.contains(where: { !$0.hasPrefix(" ") && $0.contains(#/\breturn\b/#) })
    else { continue }
    let folder = "\(arguments[2])/\(type)-\(program.line)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lines = ["import Foundation", "import JSONSift"] + imports + declarations + program.lines
    try lines.map { $0 + "\n" }.joined().write(toFile: folder + "/main.swift", atomically: true, encoding: .utf8)
  }
}

/// The source for one page; `nil` if it has no example.
func source(of page: String, text: String, type: String) throws -> String? {
  var imports: Set<String> = ["JSONSift", "Foundation"]
  var types: [String] = []
  var extensions: [String] = []
  var functions: [(line: Int, body: [String], names: [String], output: String?, isRun: Bool)] = []
  var consoles: [(line: Int, code: [String])] = []
  var declaredTypes: Set<String> = []

  // An example in a doc comment knows the module that it belongs to.
  if page.hasPrefix("Sources/"), page.hasSuffix(".swift"), let module = page.split(separator: "/").dropFirst().first {
    imports.insert(String(module))
  }

  // The compiler wants the last part of each name to be one of its own, and guides have names of other pages too.
  let name = page + (page.contains(".docc/") ? " (guide)" : page.hasSuffix(".swift") ? " (doc comment)" : "")

  func add(file lines: [String], from place: Int) {
    var isExtension = false
    var isInside = false
    for (number, line) in lines.enumerated() {
      if let match = line.prefixMatch(of: #/import (\w+)/#) {
        imports.insert(String(match.1))
        continue
      }
      if line.first.map({ $0.isLetter || $0 == "@" }) == true, !isInside || line.hasPrefix("}") == false {
        isExtension = line.hasPrefix("extension ")
        isInside = true
        if let match = line.firstMatch(of: #/(?:struct|class|enum|actor) (\w+)/#), !isExtension {
          declaredTypes.insert(String(match.1))
        }
      }
      let mark = "#sourceLocation(file: \(literal(name)), line: \(place + number))"
      if isExtension {
        var line = line
        if let match = line.prefixMatch(of: #/extension (\w+)/#), declaredTypes.contains(String(match.1)) {
          line = "extension \(type).\(match.1)" + line.dropFirst(match.0.count)
        }
        extensions += [mark, line]
      } else {
        types += [mark, line.hasPrefix("func ") || line.hasPrefix("let ") ? "static " + line : line]
      }
    }
  }

  var last: Block?
  for block in try blocks(of: text, page: page) {
    defer { last = block }
    if let fixture = block.fixture {
      let file = try String(contentsOfFile: "\(arguments[1])/Fixtures/examples/\(fixture)", encoding: .utf8)
      guard file == block.code.map({ $0 + "\n" }).joined() else {
        throw Failure(description: "\(page):\(block.line): this is not what Fixtures/examples/\(fixture) has")
      }
    }
    add(file: block.types, from: block.line)
    switch block.language {
    case "swift":
      if block.isIgnored { continue }
      if block.isFile {
        add(file: block.code, from: block.line)
        continue
      }
      var body: [String] = []
      for line in block.setup {
        if let match = line.prefixMatch(of: #/import (\w+)/#) {
          imports.insert(String(match.1))
        } else {
          body.append(line)
        }
      }
      if let inside = block.inside { body.append(inside + " {") }
      body.append("#sourceLocation(file: \(literal(name)), line: \(block.line))")
      for (number, line) in block.code.enumerated() {
        if let match = line.prefixMatch(of: #/(?:@\w+ )?import (\w+)/#) {
          imports.insert(String(match.1))
          body.append("")
        } else {
          body.append(compiled(line, at: block.line + number))
        }
      }
      body.append("#sourceLocation()")
      if block.inside != nil { body.append("}") }
      body += block.after
      var names = block.inside == nil ? declared(block.code).filter { $0 != block.consumed } : []
      if let condition = block.condition {
        body = ["#if \(condition)"] + body + names.map { "use(\($0))" } + ["#endif"]
        names = []
      }
      if block.continues {
        guard !functions.isEmpty else { throw Failure(description: "\(page):\(block.line): continues what?") }
        functions[functions.count - 1].body += body
        functions[functions.count - 1].names += names
      } else {
        functions.append((block.line, body, names, nil, !block.isOnlyCompiled))
      }
    case "text", "json":
      // Directly behind code: what it prints.
      guard let last, last.language == "swift", !last.isFile, !last.isIgnored, !last.isOnlyCompiled,
        block.language == "text"
      else { continue }
      functions[functions.count - 1].output = block.code.map { $0 + "\n" }.joined()
    case "console":
      if !block.isIgnored { consoles.append((block.line, block.code)) }
    default: continue
    }
  }

  guard !functions.isEmpty || !consoles.isEmpty else { return nil }
  var text = "// Made from \(page) by Tests/ExampleWriter.\n// swift-format-ignore-file\n\n"
  for module in imports.sorted() { text += "import \(module)\n" }
  text += "\nenum \(type) {\n  static let all: [Example] = [\n"
  for (number, function) in functions.enumerated() {
    let output = function.output.map { literal($0) } ?? "nil"
    text += "    Example(page: \(literal(page)), line: \(function.line), output: \(output), "
    text += "isRun: \(function.isRun), body: example\(number + 1)),\n"
  }
  text += "  ]\n\n  static let consoles: [Console] = [\n"
  for console in consoles {
    let commands = literal(console.code.joined(separator: "\n"))
    text += "    Console(page: \(literal(page)), line: \(console.line), text: \(commands)),\n"
  }
  text += "  ]\n"
  text += types.map { $0 + "\n" }.joined()
  if !types.isEmpty { text += "#sourceLocation()\n" }
  for (number, function) in functions.enumerated() {
    text += "\n  static func example\(number + 1)() async throws {\n"
    text += function.body.map { ($0.isEmpty || $0.hasPrefix("#") ? $0 : "    " + $0) + "\n" }.joined()
    for name in function.names where name != "_" { text += "    use(\(name))\n" }
    text += "  }\n"
  }
  text += "}\n"
  if !extensions.isEmpty { text += "\n" + extensions.map { $0 + "\n" }.joined() + "#sourceLocation()\n" }
  return text
}

/// What the blocks of doc comments need and do not show: for each source file, or for its block number so and so, lines of
/// set-up. "skip: WHY", "inside: DECLARATION", "types: CODE" and "after: CODE" mean what they mean in pages.
struct Setups {
  var lines: [String: [String]] = [:]

  init(of text: String) {
    var section = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) {
      if line.hasPrefix("## ") {
        section = String(line.dropFirst(3))
        lines[section] = []
      } else if !section.isEmpty {
        lines[section]?.append(line)
      }
    }
  }

  /// The page that the doc comments of a file make: nothing but their blocks, so that it changes only with them.
  func page(of source: String, file: String) -> String {
    var page = ""
    var number = 0
    var isInside = false
    for line in source.split(separator: "\n") {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix("///") else { continue }
      let text = trimmed.dropFirst(trimmed.hasPrefix("/// ") ? 4 : 3)
      if text == "```swift" {
        number += 1
        isInside = true
        page += "```swift \u{1}" + (lines["\(file) \(number)"] ?? lines[file] ?? []).joined(separator: "\u{1}") + "\n"
      } else if text == "```" {
        if isInside { page += "```\n" }
        isInside = false
      } else if isInside {
        page += Self.completed(String(text)) + "\n"
      }
    }
    return page
  }

  /// A line with what a reader fills in: the body of a loop, and what becomes of a value.
  private static func completed(_ line: String) -> String {
    var line = line
    if let match = line.firstMatch(of: #/for (?:try )?(?:await )?(\w+) in/#) {
      line = line.replacing("{ … }", with: "{ use(\(match.1)) }")
    }
    line = line.replacing("{ … }", with: "{}")
    if line.prefixMatch(of: #/json[\[.]/#) != nil, !line.contains(" = "), !line.contains("removeValue") {
      line = "_ = " + line
    }
    return line
  }
}

guard arguments.count > 3 else {
  FileHandle.standardError.write(Data("usage: ExampleWriter [--main] ROOT OUTPUT PAGE...\n".utf8))
  exit(2)
}
var types: [String] = []
var comments: [String: String] = [:]
do {
  let setups = Setups(
    of: try String(contentsOfFile: arguments[1] + "/Tests/ExampleTests/DocCommentSetups.txt", encoding: .utf8))
  for page in arguments[3...] {
    var text = try String(contentsOfFile: arguments[1] + "/" + page, encoding: .utf8)
    var module = ""
    var name = page.split(separator: "/").last.map(String.init) ?? page
    name = String(name.prefix { $0 != "." })
    if page.hasSuffix(".swift") {
      guard text.contains("/// ```swift") else { continue }
      text = setups.page(of: text, file: page)
      module = String(page.split(separator: "/").dropFirst().first ?? "")
      name = "\(module)_\(name.replacing("+", with: "_"))_"
    }
    if page.contains(".docc/") { name = "Guide" + name }
    let type = name + "Examples"
    if makesPrograms {
      if !page.hasSuffix(".swift") { try writePrograms(of: page, text: text, type: type) }
      continue
    }
    let source = try source(of: page, text: text, type: type)
    if source != nil { types.append(type) }
    if page.hasSuffix(".swift") {
      // One file for each module.
      comments[module, default: ""] += source ?? ""
    } else {
      // The plug-in expects a file for each page.
      let text = source ?? "// \(page) has no example.\n"
      try text.write(toFile: "\(arguments[2])/\(type).swift", atomically: true, encoding: .utf8)
    }
  }
  if makesPrograms { exit(0) }
  for (module, text) in comments {
    try text.write(toFile: "\(arguments[2])/Comments\(module).swift", atomically: true, encoding: .utf8)
  }
  var list = "// Made by Tests/ExampleWriter.\n// swift-format-ignore-file\n\n"
  list += "let allExamples: [Example] = [\n" + types.map { "  \($0).all,\n" }.joined() + "].flatMap { $0 }\n\n"
  list += "let allConsoles: [Console] = [\n" + types.map { "  \($0).consoles,\n" }.joined() + "].flatMap { $0 }\n"
  try list.write(toFile: "\(arguments[2])/AllExamples.swift", atomically: true, encoding: .utf8)
} catch {
  FileHandle.standardError.write(Data("ExampleWriter: \(error)\n".utf8))
  exit(1)
}
