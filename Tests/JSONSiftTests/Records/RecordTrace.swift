import JSONSift
import TestSupport
import Testing

/// Returns the elements of a reader for a source, one line per record or error. After an error that ends the stream, the
/// next call must throw it again.
func trace(_ source: JSONSource, _ framing: JSONFraming, options: JSONOptions = JSONOptions()) throws -> [String] {
  var reader = try JSONRecordReader(source, framing: framing, options: options)
  var lines: [String] = []
  while lines.count < 10_000 {
    do {
      guard let record = try reader.next() else { return lines }
      lines.append("\(record.line) \(record.byteRange) \(record.value.rawText)")
    } catch {
      let position = reader.position(of: error)
      lines.append(
        "\(error.code)@\(error.byteOffset) record line \(reader.line) at \(position.line):\(position.column)")
      guard framing != .lines, framing != .textSequence else { continue }
      var again: JSONError?
      do { _ = try reader.next() } catch let second { again = second }
      if again != error { lines.append("then \(String(describing: again))") }
      return lines
    }
  }
  return lines
}

func trace(_ text: String, _ framing: JSONFraming, options: JSONOptions = JSONOptions()) throws -> [String] {
  try trace(.bytes(Array(text.utf8)), framing, options: options)
}

/// Compares the elements of a text, read as a whole and in chunks of every size, with the expected ones.
func expectTrace(_ text: String, _ framing: JSONFraming, _ expected: [String]) throws {
  #expect(try trace(text, framing) == expected)
  let different = try (1...max(text.utf8.count, 1)).filter { size in
    try trace(.chunks(chunks(of: Array(text.utf8), size: size)), framing) != expected
  }
  #expect(different.isEmpty, "sizes of chunks that differ")
}
