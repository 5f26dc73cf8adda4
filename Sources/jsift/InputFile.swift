import JSONSift

/// A file to read, or standard input.
struct InputFile: Sendable {
  let path: [UInt8]?

  /// `-` and no file at all mean standard input.
  static func list(_ names: [String]) -> [InputFile] {
    if names.isEmpty { return [InputFile(path: nil)] }
    return names.map { name in
      let path = RawArguments.launch.bytes(of: name)
      return InputFile(path: path == [UInt8(ascii: "-")] ? nil : path)
    }
  }

  var source: JSONSource { path.map { JSONSource.path(bytes: $0) } ?? .standardInput }

  /// The name as it was given, `-` for standard input. Bytes that are no UTF-8 are U+FFFD.
  var name: String { path.map { String(decoding: $0, as: UTF8.self) } ?? "-" }

  /// The name as messages show it: one line, whatever bytes the file system holds.
  var displayName: String {
    path.map { SourceExcerpt.printable($0) } ?? "standard input"
  }
}
