import Foundation
import JSONSift
import TestSupport
import Testing

/// Random texts and rules: an edit equals the edit of a tree, however the text arrives, and however it is divided among readers.
@Suite struct EditPropertyTests {
  private static let names = ["a", "b", "c", "a b", "\u{E9}"]

  private struct Random {
    var generator: SeededGenerator

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
    mutating func blanks() -> String { chance(70) ? "" : pick([" ", "  ", "\n  ", "\t", " \r\n"]) }

    mutating func key() -> String {
      let name = pick(EditPropertyTests.names)
      guard chance(20) else { return "\"\(name)\"" }
      return "\""
        + name.unicodeScalars.map {
          "\\u" + String(repeating: "0", count: 4 - String($0.value, radix: 16).count)
            + String($0.value, radix: 16)
        }.joined() + "\""
    }

    /// Returns a text in JSON with some of its characters as escapes.
    mutating func spelled(_ text: String) -> String {
      let share = pick([0, 30, 100])
      return text.utf16.map { unit in
        guard chance(share) else {
          return unit == 0x2F && chance(50) ? "\\/" : String(decoding: [unit], as: UTF16.self)
        }
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + (chance(50) ? digits : digits.uppercased())
      }.joined()
    }

    mutating func text(depth: Int = 0, blank: Bool = true) -> String {
      let kind = number(0..<(depth > 4 ? 6 : 10))
      switch kind {
      case 0: return "\(number(-20..<300))"
      case 1: return pick(["1.50", "1E+2", "-0", "12345678901234567890"])
      case 2: return pick(["true", "false", "null"])
      case 3, 4:
        return pick([
          "\"x\"", "\"\"", "\"\\u0041b\\n\"", "\"\u{E9}\\\"q\"",
          "\"long \(String(repeating: "y", count: number(0..<90)))\"",
        ])
      case 5: return pick(blank ? ["{}", "[]", "{ }", "[ \n]"] : ["{}", "[ ]"])
      default:
        let isObject = chance(60)
        var result = isObject ? "{" : "["
        let count = number(1..<5)
        for index in 0..<count {
          if index > 0 { result += (blank ? blanks() : "") + "," }
          result += blank ? blanks() : ""
          if isObject { result += key() + (blank ? blanks() : "") + ":" + (blank ? blanks() : "") }
          result += text(depth: depth + 1, blank: blank)
        }
        return result + (blank ? blanks() : "") + (isObject ? "}" : "]")
      }
    }

    mutating func path(filters: Bool) -> EditPath {
      var path = EditPath(segments: [])
      for _ in 0..<number(1..<4) {
        let step: EditStep
        switch number(0..<(filters ? 10 : 8)) {
        case 0...3: step = .name(pick(EditPropertyTests.names))
        case 4, 5: step = .wildcard
        case 6: step = .index(number(0..<3))
        case 7: step = .slice(number(0..<2), chance(50) ? number(0..<4) : nil, number(1..<3))
        case 8: step = chance(50) ? .index(number(-2..<0)) : .slice(nil, number(-2..<0), pick([1, -1]))
        default: step = .filter(pick(["@.a", "@ > 5", "@ == 'x' || @[0]", "count(@.*) > 1"]))
        }
        path.segments.append((isDescendant: chance(25), step: step))
      }
      return path
    }
  }

  private struct Rules {
    var deleted: [EditPath] = []
    var masked: [EditPath] = []
    var set: [(path: EditPath, text: String)] = []
    var renamed: [EditPath] = []

    var rules: [JSONEdit.Rule] {
      get throws {
        try deleted.map { .delete(try JSONPath($0.text)) } + masked.map { .mask(try JSONPath($0.text)) }
          + set.map { .set(try JSONPath($0.path.text), to: try JSON(parsing: Array($0.text.utf8))) }
          + renamed.map { .rename(try JSONPath($0.text), to: "n\"w") }
      }
    }

    /// Returns the text that the edit must write.
    func edited(_ text: String) throws -> String {
      let tree = EditTree.parse(text)
      // All paths refer to the input.
      let renamed = try renamed.flatMap { try $0.select(in: tree) }
      let set = try set.map { (try $0.path.select(in: tree), $0.text) }
      let masked = try masked.flatMap { try $0.select(in: tree) }
      let deleted = try deleted.flatMap { try $0.select(in: tree) }
      for (tree, index) in renamed where tree.children[index].key != nil { tree.children[index].key = "\"n\\\"w\"" }
      for (found, text) in set.reversed() {
        for (tree, index) in found { Self.replace(tree.children[index].value, text) }
      }
      for (tree, index) in masked { Self.replace(tree.children[index].value, "\"***\"") }
      for (tree, index) in deleted { tree.children[index].isDeleted = true }
      return tree.written
    }

    private static func replace(_ tree: EditTree, _ text: String) {
      tree.isReplaced = true
      tree.text = text
    }
  }

  private static func rewrite(_ edit: JSONEdit, _ source: JSONSource, _ framing: JSONFraming) throws -> String {
    try rewrite(edit, source, JSONRecordOptions(framing: framing))
  }

  private static func rewrite(_ edit: JSONEdit, _ source: JSONSource, _ records: JSONRecordOptions) throws -> String {
    var text: [UInt8] = []
    try edit.rewrite(source, records: records) { chunk in
      unsafe chunk.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func rules(_ random: inout Random, filters: Bool) -> Rules {
    var rules = Rules()
    for _ in 0..<random.number(0..<3) { rules.deleted.append(random.path(filters: filters)) }
    for _ in 0..<random.number(0..<3) { rules.masked.append(random.path(filters: filters)) }
    for index in 0..<random.number(0..<2) {
      var path = random.path(filters: filters)
      // Creation is tested separately.
      path.segments.append((isDescendant: false, step: .wildcard))
      rules.set.append((path, "[ \(index), {}]"))
    }
    for _ in 0..<random.number(0..<2) { rules.renamed.append(random.path(filters: filters)) }
    return rules
  }

  /// The number of texts that each test generates; `JSONSIFT_TEST_ROUNDS` sets it.
  private static let rounds =
    ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? (isDebug ? 150 : 20_000)

  @Test func `an edit of a document in any chunks equals the edit of a tree`() throws {
    let seed = SeededGenerator()
    var random = Random(generator: seed)
    for round in 0..<Self.rounds {
      let text = random.text()
      let rules = Self.rules(&random, filters: random.chance(40))
      let all = try rules.rules
      guard !all.isEmpty else { continue }
      let edit = try JSONEdit(all)
      let expected = try rules.edited(text)
      let shown = "\(seed), round \(round): \(all.map(\.description)) on \(text)"
      for size in [nil, 1, random.number(2..<9), 64] as [Int?] {
        let found = try Self.rewrite(edit, .chunks(Chunks(Array(" \(text)\n".utf8), size: size)), .document)
        #expect(found == " \(expected)\n", "\(shown) in chunks of \(size ?? 0)")
        if found != " \(expected)\n" { return }
      }
      let value = try edit.edited(JSON(parsing: Array(text.utf8)))
      #expect(try value == JSON(parsing: Array(expected.utf8)), "\(shown)")
    }
  }

  @Test func `an edit of lines in any chunks equals the edit of a tree for each line`() throws {
    let seed = SeededGenerator()
    var random = Random(generator: seed)
    for round in 0..<(Self.rounds + 4) / 5 {
      let rules = Self.rules(&random, filters: random.chance(40))
      let all = try rules.rules
      guard !all.isEmpty else { continue }
      let edit = try JSONEdit(all)
      var input = ""
      var expected = ""
      for _ in 0..<random.number(1..<30) {
        let text = random.text(blank: false)
        let end = random.pick(["\n", "\r\n", " \n", "\n\n", "\n \n"])
        input += text + end
        expected += try rules.edited(text) + end
      }
      for size in [nil, 1, random.number(2..<200)] as [Int?] {
        let found = try Self.rewrite(edit, .chunks(Chunks(Array(input.utf8), size: size)), .lines)
        #expect(
          found == expected, "\(seed), round \(round): \(all.map(\.description)) in chunks of \(size ?? 0) on \(input)")
        if found != expected { return }
      }
      // As workers do, several readers edit a part each.
      let cuts = [0] + (0..<random.number(1..<4)).map { _ in random.number(0..<input.utf8.count + 1) }.sorted()
      var found = ""
      for (start, end) in zip(cuts, cuts.dropFirst() + [input.utf8.count]) where start < end {
        var records = JSONRecordOptions(framing: .lines)
        records.range = JSONInputRange(start..<end)
        found += try Self.rewrite(edit, .bytes(Array(input.utf8)), records)
      }
      #expect(found == expected, "\(seed), round \(round): \(all.map(\.description)) cut at \(cuts) on \(input)")
      if found != expected { return }
    }
  }

  /// A secret in every spelling of a string and key, among random texts: rules of names, values and patterns find it.
  @Test func `a planted secret is in no output and no receipt`() throws {
    let seed = SeededGenerator()
    var random = Random(generator: seed)
    let secret = "Sec-ret/\u{E9}9"
    var options = JSONEdit.Options()
    (options.editsInside, options.keepsPrefix, options.notesStrings) = (true, true, true)
    let edits = try [
      JSONEdit([.mask(values: [secret])], options: options),
      JSONEdit([.mask(patterns: ["Sec-ret/.9"])], options: options),
      JSONEdit([.mask(values: ["Sec-ret"]), .rename("$..a", to: "b")], options: options),
    ]
    for round in 0..<(Self.rounds + 4) / 5 {
      var input = ""
      for _ in 0..<random.number(1..<8) {
        var text = random.text(blank: false)
        let planted = random.spelled(secret)
        switch random.number(0..<6) {
        case 0: text = "{\"\(planted)\":\(text),\"\(planted)\":1}"
        case 1: text = "[\(text),\"x\(planted)y\"]"
        case 2:
          let inner = "{\"k\":[\"\(planted)\",\(text)]}"
          text = "{\"a\":\"\(inner.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"}"
        case 3: text = "at \(secret) [7] {\"a\":\(text)}"
        case 4: text = "{\"a\":\"\(planted)\",\"a\":\(text)"
        default: text = text.replacing("\"x\"", with: "\"\(planted)\"")
        }
        input += text + "\n"
      }
      var records = JSONRecordOptions(framing: .lines)
      records.skipsPrefix = true
      records.recovery = .skip
      for edit in edits {
        for size in [nil, 1, random.number(2..<60)] as [Int?] {
          var output: [UInt8] = []
          let receipt = try edit.rewrite(.chunks(Chunks(Array(input.utf8), size: size)), records: records) { chunk in
            unsafe chunk.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
          }
          let text = String(decoding: output, as: UTF8.self)
          // No escape other than those of the secret has these characters.
          let found = [text, "\(receipt)"].contains { $0.contains("Sec-ret") || $0.contains("u0053") }
          #expect(!found, "\(seed), round \(round) in chunks of \(size ?? 0): \(input) became \(text), \(receipt)")
          if found { return }
        }
      }
    }
  }
}

extension JSONEdit.Rule {
  fileprivate var description: String { label }
}
