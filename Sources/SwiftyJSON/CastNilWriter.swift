import JSONSift

/// Writes the format that SwiftyJSON documents for `castNilToNSNull`: one line, `": "` between key and value, `","`
/// between members, unescaped slashes.
enum CastNilWriter {
  /// A container that is being written.
  private struct Level {
    var children: JSON.Iterator
    let isArray: Bool
    var isFirst = true
  }

  /// Returns the text; for a scalar, its plain text. Returns `nil` if values are nested more than `depth` levels deep,
  /// counting the innermost, or if one of them cannot be represented in JSON.
  ///
  /// - Complexity: O(length of the text). The stack is on the heap, so no `depth` is too large.
  static func text(of json: JSON, depth: Int) -> String? {
    guard json.type == .array || json.type == .dictionary else {
      // A number that JSON cannot represent has no text either.
      return json.type == .number && leaf(json) == nil ? nil : json.scalarText
    }
    var text: [UInt8] = []
    var open: [Level] = []
    func begin(_ json: JSON) {
      text.append(UInt8(ascii: json.type == .array ? "[" : "{"))
      open.append(Level(children: json.makeIterator(), isArray: json.type == .array))
    }
    begin(json)
    while let level = open.last {
      guard let (key, value) = open[open.count - 1].children.next() else {
        text.append(UInt8(ascii: level.isArray ? "]" : "}"))
        open.removeLast()
        continue
      }
      guard open.count < depth else { return nil }
      if !level.isFirst { text.append(UInt8(ascii: ",")) }
      open[open.count - 1].isFirst = false
      if !level.isArray {
        guard let key = leaf(key.jsonValue) else { return nil }
        text += key
        text += [UInt8(ascii: ":"), UInt8(ascii: " ")]
      }
      if value.type == .array || value.type == .dictionary {
        begin(value)
      } else {
        guard let value = leaf(value) else { return nil }
        text += value
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func leaf(_ json: JSON) -> [UInt8]? {
    var options = JSONWriterOptions.swiftyJSONCompatible(isPretty: false)
    options.slashes = .plain
    return try? json.bytes(options)
  }
}
