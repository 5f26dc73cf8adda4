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

  /// A thousand records as one document or as lines. The second has the flaw; no question asks for it as a whole. So
  /// many, since a short text is read as a whole even by those who pass over most of a long one.
  static func records(_ value: [UInt8], asLines: Bool) throws -> CompareInput {
    var records = LogRecords(.long)
    let text = asLines ? records.lines(of: 1_000_000) : records.document(of: 1_000_000)
    let mark = Array("{\"ts\"".utf8)
    let starts = text.indices.prefix(10_000).filter { text[$0...].starts(with: mark) }
    guard starts.count > 1 else { throw Worker.Failed(description: "the generated records are not as they were") }
    let flawed = text[...starts[1]] + Array("\"flaw\":".utf8) + value + [0x2C] + text[(starts[1] + 1)...]
    return try CompareInput(TemporaryFile("flaw", bytes: Array(flawed)), flawed.count, records.answer)
  }

  /// A text by itself, for questions about any file.
  static func text(_ value: [UInt8]) throws -> CompareInput {
    let bytes = Array("{\"flaw\":".utf8) + value + Array("}\n".utf8)
    return try CompareInput(TemporaryFile("flaw", bytes: bytes), bytes.count, LogRecords.Answer())
  }
}
