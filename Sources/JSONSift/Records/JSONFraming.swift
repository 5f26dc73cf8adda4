/// How a stream is cut into records.
public enum JSONFraming: Sendable, Hashable {
  /// A guess from the source's name and first line; see ``guess(name:head:isWhole:)``.
  case automatic
  /// One value on each line. Blank lines are passed over; a line may end with a carriage return. What is wrong on one
  /// line cannot change what the next one means.
  case lines
  /// One value after another, with white space between them where two scalars would run together. After an error there
  /// is no safe place to go on.
  case values
  /// The whole input is one value.
  case document

  /// A guess from the name of a file and its first bytes.
  ///
  /// An empty input is an empty stream. The endings `.ndjson`, `.jsonl`, `.ndj` and `.log` mean lines, and `.json` and `.geojson` a document. Otherwise the
  /// first line tells: a whole value on it and more behind it means lines; another value on it means values.
  ///
  /// - Parameters:
  ///   - name: The name, or nil for a stream without one.
  ///   - head: The first bytes of the input.
  ///   - isWhole: `head` is all there is.
  public static func guess(name: String?, head: [UInt8], isWhole: Bool) -> JSONFraming {
    if head.isEmpty { return .lines }
    let ending = name.flatMap { name in name.lastIndex(of: ".").map { name[$0...].lowercased() } }
    switch ending {
    case ".ndjson", ".jsonl", ".ndj", ".log": return .lines
    case ".json", ".geojson": return .document
    default: break
    }
    let start = head.firstIndex { !$0.isJSONWhitespace && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } ?? head.endIndex
    let line = head[start...].prefix { $0 != ASCII.lineFeed }
    guard !line.isEmpty else { return .lines }
    let rest = head[line.endIndex...]
    guard !rest.isEmpty || isWhole else { return .document }
    do throws(JSONError) {
      _ = try JSON(parsing: line)
      return rest.contains { !$0.isJSONWhitespace } || !isWhole ? .lines : .document
    } catch {
      if holdsRecords(rest) { return .lines }
      return error.code == .trailingContent || error.code == .invalidNumber ? .values : .document
    }
  }

  /// Whether the next two lines are an array or object each, as in a stream of lines whose first is damaged. One such line
  /// is no proof: a document can be written so.
  private static func holdsRecords(_ rest: ArraySlice<UInt8>) -> Bool {
    let lines = rest.split(separator: ASCII.lineFeed, maxSplits: 2)
    return lines.count >= 2
      && lines.prefix(2).allSatisfy { line in
        guard let json = try? JSON(parsing: line) else { return false }
        return json.type == .array || json.type == .dictionary
      }
  }
}
