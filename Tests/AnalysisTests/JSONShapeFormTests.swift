import JSONSift
import JSONSiftAnalysis
import TestSupport
import Testing

/// Records of a form that occurred before are counted on a faster path. The counts must not depend on it.
@Suite struct JSONShapeFormTests {
  @Test func `records of few forms have the defined shape through every API`() throws {
    var generator = SeededGenerator()
    for _ in 0..<40 {
      var options = JSONShape.Options()
      options.maxKeys = Int.random(in: 2...9, using: &generator)
      options.maxAlikeKeys = 1000
      options.maxExamples = Int.random(in: 0...4, using: &generator)
      let isCut = Bool.random(using: &generator)
      options.maxExampleBytes = isCut ? Int.random(in: 1...40, using: &generator) : 1000
      let forms = (0..<Int.random(in: 1...4, using: &generator)).map { _ in Self.form(depth: 3, &generator) }
      let texts = (0..<120).map { _ in Self.text(forms.randomElement(using: &generator) ?? "", &generator) }
      let records = try texts.map { try JSON(parsing: $0) }
      // Values in memory are counted one by one, whatever their forms.
      var counted = JSONShape(options: options)
      for record in records { counted.add(record) }
      let expected = counted.paths.map { ShapeReference.line($0) }
      if !isCut { #expect(expected == ShapeReference.lines(of: records, options), "\(generator)") }

      #expect(try Self.lines(of: texts, options) == expected, "\(generator)")

      var parts = try Self.reader(of: texts, options)
      var shape = JSONShape(options: options)
      while try parts.next() {
        if Int.random(in: 0..<9, using: &generator) == 0 { shape.merge(parts.takeShape()) }
      }
      shape.merge(parts.takeShape())
      #expect(shape.recordCount == texts.count)
      #expect(shape.paths.map { ShapeReference.line($0) } == expected, "\(generator)")
    }
  }

  @Test func `a record that differs from earlier ones only in its last value is counted as its own form`() throws {
    for last in ["2", "\"x\"", "true", "false", "null", "[]", "{}", "\"\\u0041\"", "-0.5e3"] {
      var texts = Array(repeating: #"{"a":true,"b":[false,{"c":"yes"}],"d":1}"#, count: 20)
      texts.insert(#"{"a":false,"b":[true,{"c":"no"}],"d":\#(last)}"#, at: 15)
      texts.append(#"{"a":false,"b":[true,{"c":"no"}],"e":\#(last)}"#)
      let expected = ShapeReference.lines(of: try texts.map { try JSON(parsing: $0) }, JSONShape.Options())
      #expect(try Self.lines(of: texts, JSONShape.Options()) == expected, "\(last)")
    }
  }

  @Test func `names of all lengths are distinguished by each of their bytes`() throws {
    for count in [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 40] {
      for index in 0..<count {
        var other = Array(repeating: Character("n"), count: count)
        other[index] = "m"
        let name = String(repeating: "n", count: count)
        var texts = Array(repeating: "{\"\(name)\":1}", count: 4)
        texts += ["{\"\(String(other))\":2}", "{\"\(name)\":3}"]
        var reader = try Self.reader(of: texts, JSONShape.Options())
        while try reader.next() {}
        #expect(reader.takeShape().paths.map(\.count) == [6, 5, 1], "\(count) at \(index)")
      }
    }
  }

  // MARK: Records

  private static func reader(of texts: [String], _ options: JSONShape.Options) throws -> JSONShape.Reader {
    try JSONShape.Reader(
      .bytes(Array((texts.joined(separator: "\n") + "\n").utf8)), options: options,
      records: JSONRecordOptions(framing: .lines))
  }

  private static func lines(of texts: [String], _ options: JSONShape.Options) throws -> [String] {
    var reader = try reader(of: texts, options)
    while try reader.next() {}
    return reader.takeShape().paths.map { ShapeReference.line($0) }
  }

  /// Returns a text with placeholders for scalars.
  private static func form(depth: Int, _ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &generator) {
    case 0: return "N"
    case 1: return "S"
    case 2: return "B"
    case 3: return "null"
    case 4: return "S"
    case 5: return Bool.random(using: &generator) ? "[]" : "{}"
    case 6:
      let count = Int.random(in: 0...4, using: &generator)
      return "[" + (0..<count).map { _ in form(depth: depth - 1, &generator) }.joined(separator: ",") + "]"
    default:
      let count = Int.random(in: 0...5, using: &generator)
      let names = ["a", "bb", "ccc", "eight ch", "nine char", "sixteen letters!", "seventeen letters", "\\u0061", "é"]
      return "{"
        + (0..<count).map { _ in
          "\"\(names.randomElement(using: &generator) ?? "")\":\(form(depth: depth - 1, &generator))"
        }.joined(separator: ",") + "}"
    }
  }

  private static func text(_ form: String, _ generator: inout SeededGenerator) -> String {
    var text = ""
    for character in form {
      switch character {
      case "N": text += number(&generator)
      case "S": text += string(&generator)
      case "B": text += Bool.random(using: &generator) ? "true" : "false"
      default: text.append(character)
      }
    }
    return text
  }

  private static func string(_ generator: inout SeededGenerator) -> String {
    let parts = ["a", "bcd", "é", "山", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "12345678", "\\\\", " "]
    let count = [0, 1, 2, 3, 8, 20].randomElement(using: &generator) ?? 0
    let kinds = Bool.random(using: &generator) ? 2 : parts.count
    return "\"" + (0..<count).map { _ in parts[Int.random(in: 0..<kinds, using: &generator)] }.joined() + "\""
  }

  private static func number(_ generator: inout SeededGenerator) -> String {
    var text = Int.random(in: 0..<3, using: &generator) == 0 ? "-" : ""
    let digits = [1, 1, 2, 3, 7, 8, 9, 15, 16, 17, 25].randomElement(using: &generator) ?? 1
    text += String(Int.random(in: digits == 1 ? 0...9 : 1...9, using: &generator))
    // Few different digits, so that many numbers are equal or have equal beginnings.
    for _ in 1..<digits { text += Bool.random(using: &generator) ? "0" : "1" }
    if Bool.random(using: &generator) {
      text += "."
      for _ in 0..<Int.random(in: 1...9, using: &generator) { text += Bool.random(using: &generator) ? "0" : "5" }
    }
    if Int.random(in: 0..<6, using: &generator) == 0 {
      text += ["e1", "E-2", "e+3", "e0"].randomElement(using: &generator) ?? ""
    }
    return text
  }
}
