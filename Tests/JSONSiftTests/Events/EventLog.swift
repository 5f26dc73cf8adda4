@testable import JSONSift

/// Records the events that it receives. It can stop or fail at one of them.
struct EventLog: JSONEventHandler {
  static let failure = JSONError(code: .unreadable, byteOffset: 77, reason: "the handler has had enough")

  private(set) var lines: [String] = []
  var stopsAfter = Int.max
  var failsAfter = Int.max

  private mutating func note(_ line: String) throws(JSONError) -> Bool {
    lines.append(line)
    if lines.count == failsAfter { throw Self.failure }
    return lines.count < stopsAfter
  }

  mutating func startObject(at offset: Int) throws(JSONError) -> Bool { try note("{ \(offset)") }
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool { try note("} \(offset)") }
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool { try note("[ \(offset)") }
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool { try note("] \(offset)") }

  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool { try text("key", key) }
  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool { try text("string", string) }
  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool { try text("number", number) }

  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool {
    try note("\(value) \(byteRange)")
  }

  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool { try note("null \(byteRange)") }

  private mutating func text(_ kind: String, _ text: borrowing JSONText) throws(JSONError) -> Bool {
    let mark = text.isEscaped ? " escaped" : ""
    return try note("\(kind) <\(text.string)> \(text.byteRange)\(mark)")
  }
}
