import Foundation

/// Texts that are no JSON, each for one reason, to see who notices. The flaw is a member that no question asks for.
struct Flaws {
  static let all: [(name: String, value: [UInt8])] = [
    ("[1,]", Array("[1,]".utf8)),
    ("01", Array("01".utf8)),
    ("{\"a\" 1}", Array("{\"a\" 1}".utf8)),
    ("nulL", Array("nulL".utf8)),
    ("[{]}", Array("[{]}".utf8)),
    ("\\q", Array("\"\\q\"".utf8)),
    ("lone \\ud800", Array("\"\\ud800\"".utf8)),
    ("raw control character", [0x22, 0x01, 0x22]),
    ("stray UTF-8 byte", [0x22, 0xFF, 0x22]),
    ("over-long UTF-8", [0x22, 0xC0, 0xAF, 0x22]),
    ("surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22]),
  ]
  /// What all must take.
  static let none = Array("[1]".utf8)

  /// Some records as one document or as lines. The first has the flaw.
  static func records(_ value: [UInt8], asLines: Bool) throws -> CompareInput {
    var records = LogRecords(.long)
    let text = asLines ? records.lines(of: 3000) : records.document(of: 3000)
    let mark = Array("{\"ts\"".utf8)
    guard let place = text.indices.first(where: { text[$0...].starts(with: mark) }) else {
      throw Worker.Failed(description: "the generated records have no time")
    }
    let flawed = text[...place] + Array("\"flaw\":".utf8) + value + [0x2C] + text[(place + 1)...]
    return try CompareInput(TemporaryFile("flaw", bytes: Array(flawed)), flawed.count, records.answer)
  }

  /// A text by itself, for questions about any file.
  static func text(_ value: [UInt8]) throws -> CompareInput {
    let bytes = Array("{\"flaw\":".utf8) + value + Array("}\n".utf8)
    return try CompareInput(TemporaryFile("flaw", bytes: bytes), bytes.count, LogRecords.Answer())
  }
}
