import TestSupport
import Testing

@testable import JSONSift

/// Documents whose children are divided into blocks are read like whole ones.
@Suite struct ChildBlockTests {
  /// A reader of the whole document, for comparison.
  private struct Whole {
    var found: [ChildrenInTurn.Found] = []
    var failure: String?

    init(_ paths: [JSONPath], _ bytes: [UInt8], _ options: JSONOptions) throws {
      var matches = try JSONMatches(
        of: paths.map { ($0.description, $0) }, in: .bytes(bytes), options: options)
      do throws(JSONError) {
        while let match = try matches.next() { found.append(ChildrenInTurn.Found(match)) }
      } catch {
        failure = describe(error, matches.position(of: error), matches.excerpt(of: error))
      }
    }
  }

  private struct Totals {
    var divided = 0
    var repeated = 0
    var failed = 0
  }

  private static let paths = [
    "$[*]", "$.*", "$.items[*]", "$.items[*].id", "$.items.*", "$.items.*.id", "$[*][*]", "$[*].id", "$[?@.id > 3]",
    "$.items[?@.id > 3].a", "$.items[*][0]", "$[*][-1]", "$.items[1:3]", "$.items[-2:]", "$.z", "$.items[*].a.b",
    "$..id", "$.items[*]..a", "$[*].items[*]", "$.*[*].id", "$.*[*]",
  ]

  @Test(arguments: 0..<4)
  func `blocks of any size, cut at any comma, give the matches and errors of one reader`(part: UInt64) throws {
    var random = SeededGenerator(seed: part &* 1_000_003 &+ 17)
    var totals = Totals()
    for number in 0..<5000 {
      var text = DividedText()
      text.document(&random)
      var bytes = text.bytes
      if Bool.random(using: &random) { damage(&bytes, &random) }
      var options = JSONOptions()
      if Int.random(in: 0..<10, using: &random) == 0 { options.limits.depth = 4 }
      let paths = try (0..<Int.random(in: 0...2, using: &random)).map { _ in
        try JSONPath(Self.paths.randomElement(using: &random) ?? "$[*]")
      }
      let readBytes = Int.random(in: 8...300, using: &random)
      let divided = try ChildrenInTurn(
        of: paths, in: bytes, options, workers: Int.random(in: 1...3, using: &random), readBytes: readBytes)
      let whole = try Whole(paths, bytes, options)
      let failure = divided.failure.map { describe($0.error, $0.position, $0.excerpt) }
      totals.divided += divided.blocks > 1 ? 1 : 0
      totals.repeated += divided.hasReadAgain ? 1 : 0
      totals.failed += failure == nil ? 0 : 1
      guard divided.found != whole.found || failure != whole.failure else { continue }
      Issue.record(
        """
        document \(number) of part \(part), \(readBytes) bytes, paths \(paths): \(String(decoding: bytes, as: UTF8.self))
        divided: \(divided.found) \(failure ?? "")
        whole: \(whole.found) \(whole.failure ?? "")
        """)
      return
    }
    // The test is about documents that were divided, damaged ones among them.
    #expect(totals.divided > 1000, "\(totals)")
    #expect(totals.repeated > 100, "\(totals)")
    #expect(totals.failed > 1000, "\(totals)")
  }

  @Test(arguments: [
    #"{"a":[ITEMS],"b":[ITEMS],"c":[ITEMS]}"#, #"[ITEMS,{"id":0,"a":[ITEMS]},ITEMS,{"id":[ITEMS]}]"#,
    #"[[ITEMS],[ITEMS],[ITEMS]]"#,
  ])
  func `elements that begin like those of the array, in other arrays, are not taken for them`(text: String) throws {
    let items = (0..<40).map { #"{"id":\#($0),"a":"\#($0 % 7)"}"# }.joined(separator: ",")
    let bytes = Array(text.replacing("ITEMS", with: items).utf8)
    let paths: [JSONPath] = ["$.*[*].id", "$[*].id", "$.a[*].id", "$[*].a[*].id"]
    var repeated = 0
    for readBytes in stride(from: 150, to: 900, by: 3) {
      for path in paths {
        let divided = try ChildrenInTurn(of: [path], in: bytes, JSONOptions(), workers: 2, readBytes: readBytes)
        let whole = try Whole([path], bytes, JSONOptions())
        #expect(divided.found == whole.found)
        #expect(divided.failure == nil)
        repeated += divided.hasReadAgain ? 1 : 0
      }
    }
    #expect(repeated > 10)
  }
}

private func describe(_ error: JSONError, _ position: JSONError.Position, _ excerpt: JSONError.Excerpt?) -> String {
  "\(error.code) \(error.message) \(position) \(excerpt.map { "\($0)" } ?? "no excerpt")"
}

private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
  guard !bytes.isEmpty else { return }
  let index = Int.random(in: 0..<bytes.count, using: &random)
  switch Int.random(in: 0..<4, using: &random) {
  case 0: bytes.remove(at: index)
  case 1: bytes.insert(Array(#"[]{},:"\1 x"#.utf8).randomElement(using: &random) ?? 0, at: index)
  case 2: bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
  default: bytes.removeLast(bytes.count - index)
  }
}

/// Random JSON with one container that is longer than the others.
private struct DividedText {
  var bytes: [UInt8] = []

  mutating func document(_ random: inout SeededGenerator) {
    space(&random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: container(isObject: false, &random)
    case 1: container(isObject: true, &random)
    case 2:
      append(#"{"a":"#)
      value(2, &random)
      append(#","items":"#)
      container(isObject: Bool.random(using: &random), &random)
      append(#","z":"#)
      value(2, &random)
      append("}")
    default:
      append(#"[{"items":"#)
      container(isObject: false, &random)
      append("},7]")
    }
    space(&random)
  }

  private mutating func container(isObject: Bool, _ random: inout SeededGenerator) {
    append(isObject ? "{" : "[")
    let isUniform = Bool.random(using: &random)
    for index in 0..<Int.random(in: 0...40, using: &random) {
      if index > 0 { append(",") }
      if isUniform, !isObject {
        record(2, &random)
        continue
      }
      space(&random)
      if isObject {
        string(&random)
        append(":")
      }
      value(3, &random)
      space(&random)
    }
    append(isObject ? "}" : "]")
  }

  private mutating func value(_ depth: Int, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 0: append("\(Int.random(in: -9...999, using: &random))")
    case 1: append(["true", "null", "1.5e3", "-0"].randomElement(using: &random) ?? "0")
    case 2, 3, 4: string(&random)
    case 5, 6: record(depth, &random)
    default:
      append("[")
      for index in 0..<Int.random(in: 0...3, using: &random) {
        if index > 0 { append(", ") }
        value(depth - 1, &random)
      }
      append("]")
    }
  }

  private mutating func record(_ depth: Int, _ random: inout SeededGenerator) {
    append(#"{"id":"#)
    append("\(Int.random(in: 0...9, using: &random))")
    for name in ["a", "b", "id"] where Int.random(in: 0..<3, using: &random) == 0 {
      append(",\"\(name)\":")
      value(depth - 1, &random)
    }
    append("}")
  }

  private mutating func string(_ random: inout SeededGenerator) {
    let parts = ["a", "],[", #"\""#, #"\\"#, "{", ",", "é", #"\u0041"#, "id", "}", ""]
    append(
      "\""
        + (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined() + "\"")
  }

  private mutating func space(_ random: inout SeededGenerator) {
    if Int.random(in: 0..<4, using: &random) == 0 {
      append([" ", "\n", "\r\n ", "\t"].randomElement(using: &random) ?? "")
    }
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }
}
