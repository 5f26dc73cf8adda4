/// One line of the files in `Fixtures/conformance`, which `Fixtures/README.md` describes.
package struct ConformanceCase: Sendable, CustomStringConvertible {
  package let input: [UInt8]
  package let expected: Outcome
  /// A description of what the case tests.
  package let sentence: String
  package let file: String
  /// The line number, from 1.
  package let line: Int

  package var description: String { "\(file):\(line) (\(sentence))" }

  package static let files = ["accept.tsv", "reject.tsv", "implementation-defined.tsv"]

  /// Returns the cases of one file.
  package static func all(in file: String) throws -> [ConformanceCase] {
    let text = String(decoding: try PackageFiles.bytes(of: "Fixtures/conformance/\(file)"), as: UTF8.self)
    var cases: [ConformanceCase] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      cases.append(try ConformanceCase(line: line, number: index + 1, file: file))
    }
    return cases
  }

  /// Returns the cases of all three files.
  package static func all() throws -> [ConformanceCase] { try files.flatMap(all(in:)) }

  /// A line that does not have the format described in `Fixtures/README.md`.
  package struct Malformed: Error, CustomStringConvertible { package let description: String }

  private init(line: Substring, number: Int, file: String) throws {
    var columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    if file == "accept.tsv", columns.count == 2 { columns.insert("accept", at: 1) }
    guard columns.count == 3, let expected = Outcome(columns[1]), let input = Self.decode(Array(columns[0].utf8))
    else { throw Malformed(description: "\(file):\(number): a line with other columns or another encoding") }
    self.input = input
    self.expected = expected
    self.sentence = String(columns[2])
    self.file = file
    self.line = number
  }

  /// Decodes the column INPUT; returns `nil` if it is malformed.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    if text == Array("%()".utf8) { return [] }
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "%") else {
        guard 0x21...0x7E ~= text[index] else { return nil }
        bytes.append(text[index])
        index += 1
        continue
      }
      if index + 1 < text.count, text[index + 1] == UInt8(ascii: "(") {
        guard let comma = text[index...].firstIndex(of: UInt8(ascii: ",")),
          let close = text[comma...].firstIndex(of: UInt8(ascii: ")")),
          let count = Int(String(decoding: text[(index + 2)..<comma], as: UTF8.self)),
          let repeated = decode(Array(text[(comma + 1)..<close])), !repeated.isEmpty
        else { return nil }
        bytes.reserveCapacity(bytes.count + count * repeated.count)
        for _ in 0..<count { bytes += repeated }
        index = close + 1
        continue
      }
      guard index + 2 < text.count,
        let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
      index += 3
    }
    return bytes
  }
}
