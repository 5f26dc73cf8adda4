import JSONSift
import TestSupport
import Testing

/// A decoder caches the member names of the previous object, and the indices of the requested ones.
@Suite struct MemberNameTests {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Lengths on both sides of 4, 8 and 16 bytes; names that agree in their first and last eight bytes; names that differ
  /// only in their last or first byte.
  private static let names: [String] = [
    "", "a", "b", "ab", "ba", "abc", "abd", "abcd", "abce", "xbcd", "abcdefg", "abcdefh", "abcdefgh", "abcdefgi",
    "xbcdefgh", "abcdefghi", "abcdefghj", "é", "éé", "ééé", "\u{0}", "a\u{0}", "0123456789abcde", "0123456789abcdef",
    "0123456789abcdeg", "0123456789abcdefg", "0123456789abcdefh", "01234567MIDDLE89abcdef", "01234567middle89abcdef",
    "\"", "\\", "f00", "f01", "f02", "f03", "f10", "f20",
  ]

  /// Requests names in an order that the object itself determines.
  private struct Probe: Decodable, Equatable {
    var found: [Int?] = []
    var inner: [Probe] = []

    init(_ json: JSON) {
      let start = json["start"].intValue
      for turn in 0..<names.count { found.append(json[Self.name(turn, start)].int) }
      if json["inner"].exists() { inner = [Probe(json["inner"])] }
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Name.self)
      let start = try members.decode(Int.self, forKey: Name(stringValue: "start"))
      for turn in 0..<names.count {
        found.append(try members.decodeIfPresent(Int.self, forKey: Name(stringValue: Self.name(turn, start))))
      }
      if let probe = try members.decodeIfPresent(Probe.self, forKey: Name(stringValue: "inner")) { inner = [probe] }
    }

    private static func name(_ turn: Int, _ start: Int) -> String {
      // A step without a common factor with the number of names reaches all of them.
      names[(start + turn * (start % 3 == 0 ? 1 : 5)) % names.count]
    }
  }

  private static func text(_ form: [String], _ start: Int, inner: String?, _ source: inout SeededGenerator) -> String {
    var members = ["\"start\":\(start)"]
    for name in form {
      var text = ""
      for scalar in name.unicodeScalars {
        if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 || source.pick(400) == 0 {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      members.append("\"\(text)\":\(source.pick(1000))")
    }
    if let inner { members.insert("\"inner\":\(inner)", at: source.pick(members.count)) }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test func `objects of equal and of changing shapes decode as each does alone`() throws {
    var source = SeededGenerator()
    #expect(!Self.names.count.isMultiple(of: 5))
    let rounds = isDebug ? 1_000 : 60_000
    var form: [String] = []
    var lines = ""
    for round in 0..<rounds {
      switch source.pick(8) {
      case 0: form = (0..<source.pick(30)).map { _ in Self.names[source.pick(Self.names.count)] }
      case 1: form = Self.names.filter { _ in source.pick(2) == 0 }
      case 2: if !form.isEmpty { form[source.pick(form.count)] = Self.names[source.pick(Self.names.count)] }
      case 3: if !form.isEmpty { form.removeLast() }
      case 4: form.append(Self.names[source.pick(Self.names.count)])
      case 5 where round % 9 == 0: form += form + Self.names
      default: break
      }
      if form.count > 90 { form.removeFirst(form.count - 90) }
      let inner = source.pick(3) == 0 ? Self.text(form.reversed(), source.pick(40), inner: nil, &source) : nil
      lines += Self.text(form, source.pick(40), inner: inner, &source) + "\n"
    }
    let bytes = Array(lines.utf8)
    var values = try JSONRecordReader(.bytes(bytes))
    var decoded = try JSONRecordReader(.bytes(bytes))
    var members = 0
    for round in 0..<rounds {
      let value = try #require(try values.next())
      let expected = Probe(value.value)
      let found = try decoded.next(as: Probe.self)
      guard found == expected else {
        Issue.record(
          "\(source), record \(round): \(String(decoding: value.value.rawBytes, as: UTF8.self)): \(String(describing: found)), not \(expected)"
        )
        return
      }
      members += expected.found.count { $0 != nil }
    }
    #expect(members > rounds * 3)
  }
}
