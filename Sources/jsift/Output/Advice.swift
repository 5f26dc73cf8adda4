import JSONSift

/// What to do about input that is not what its reader expects.
enum Advice {
  private static let prefix = "--skip-prefix skips the text before the record on each line"
  private static let values = "--input values reads one value after another"

  // MARK: Bad lines

  /// Returns how the records of a file of lines could be read, after one of them was bad; `nil` if nothing is known.
  static func about(_ bad: JSONBadRecord, of file: InputFile) -> String? {
    guard !bad.isTruncated else { return nil }
    let line = bad.rawBytes
    if let comma = line.lastIndex(where: { $0 > UInt8(ascii: " ") }), line[comma] == UInt8(ascii: ","),
      (try? JSON(parsing: line[..<comma])) != nil
    {
      return "the comma at the end of each line is removed with: sed 's/,[[:space:]]*$//'\(pipe(file))"
    }
    let chunks = line.split(separator: 0)
    if chunks.count > 1, chunks.allSatisfy({ (try? JSON(parsing: $0)) != nil }) {
      return
        "NUL bytes divide the records; lines are made with: tr '\\0' '\\n'\(file.path == nil ? "" : " <")\(pipe(file))"
    }
    var options = JSONRecordOptions()
    options.skipsPrefix = true
    if records(of: line, options, { $0.prefix.contains { $0 > UInt8(ascii: " ") && $0 < 0x7F } }) == 1 { return prefix }
    options.skipsPrefix = false
    options.framing = .values
    return records(of: line, options) { _ in true } > 1 ? values : nil
  }

  /// Returns the number of records of a text; 0 if one of them is bad, or is not what the caller wants.
  private static func records(
    of text: [UInt8], _ options: JSONRecordOptions, _ isWanted: (borrowing JSONRecord) -> Bool
  ) -> Int {
    do throws(JSONError) {
      var reader = try JSONRecordReader(.bytes(text), options: options)
      var count = 0
      while let record = try reader.next() {
        guard isWanted(record) else { return 0 }
        count += 1
      }
      return count
    } catch {
      return 0
    }
  }

  // MARK: Documents

  /// Returns what to do with a document that ends or fails at once, because it is something else; `nil` if nothing is known.
  static func about(
    _ error: JSONError, in file: InputFile, at position: JSONError.Position, _ excerpt: JSONError.Excerpt
  ) -> String? {
    let found = excerpt.text.dropFirst(excerpt.caret)
    if error.code == .trailingContent, let byte = found.utf8.first, "{[\"".utf8.contains(byte) { return values }
    // The text is no JSON from its first word on.
    let codes: [JSONError.Code] = [.unexpectedByte, .invalidLiteral, .invalidNumber, .trailingContent]
    guard position.line == 1, codes.contains(error.code) else { return nil }
    if excerpt.text.hasPrefix("<") { return "this looks like HTML or XML, and not like JSON" }
    if excerpt.text.hasPrefix("HTTP/") { return "curl writes only the body without -i (--include)" }
    if ["event:", "data:", "id:", "retry:"].contains(where: excerpt.text.hasPrefix) { return prefix }
    guard let bracket = excerpt.text.firstIndex(where: { "{[".contains($0) }), found.startIndex < bracket else {
      return nil
    }
    return script(excerpt.text).map { "this looks like JavaScript; the value is read with: sed \($0)\(pipe(file))" }
      ?? prefix
  }

  /// Returns the expressions for sed that remove what a script has around its value; `nil` if the line is no script.
  private static func script(_ line: String) -> String? {
    let end = "-e '$s/;[[:space:]]*$//'"
    if line.hasPrefix("export default") { return "-e '1s/^export default//' \(end)" }
    guard let bracket = line.utf8.firstIndex(where: { "{[".utf8.contains($0) }) else { return nil }
    let before = line[..<bracket].utf8.last { $0 != UInt8(ascii: " ") }
    if before == UInt8(ascii: "(") { return "-e '1s/^[^(]*(//' -e '$s/)[;[:space:]]*$//'" }
    let sides = line.split(separator: "=", maxSplits: 1)
    guard sides.count == 2, let value = sides[1].utf8.first(where: { $0 != UInt8(ascii: " ") }),
      "{[".utf8.contains(value)
    else { return nil }
    return "-e '1s/^[^=]*=//' \(end)"
  }

  private static func pipe(_ file: InputFile) -> String {
    "\(file.path == nil ? "" : " " + Shell.file(file.displayName)) | jsift …"
  }
}
