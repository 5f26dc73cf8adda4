/// How a stream is cut into records.
public enum JSONFraming: Sendable, Hashable {
  /// A guess from the source's name and first line; see ``guess(name:head:)``.
  case automatic
  /// One value on each line. Blank lines are passed over; a line may end with a carriage return. What is wrong on one
  /// line cannot change what the next one means.
  case lines
  /// One value after another, with white space between them where two scalars would run together. After an error there
  /// is no safe place to go on.
  case values
  /// JSON text sequences (RFC 7464): a record separator, 0x1E, stands before each value. A bad value ends at the next
  /// separator, and reading goes on there.
  case sequence
  /// The elements of one array or the members of one object, as soon as each is complete: the container may be of any size
  /// and need not end. The path has names and indexes only. What stands before the container is checked, what follows it is
  /// checked too. After an error there is no safe place to go on.
  case children(of: JSONPath)
  /// The whole input is one value.
  case document

  /// A guess from the name of a file and its first lines. It depends on nothing but these.
  ///
  /// A record separator as the first byte means a text sequence. The endings `.ndjson`, `.jsonl`, `.ndj` and `.log` mean
  /// lines. `.json` and `.geojson` mean a document, unless the first line is a whole value and more stands behind it.
  /// Otherwise an empty input is a stream without records, and of any other one the first line that is not blank tells: a
  /// whole value means lines, two values side by side mean values, and all else a document; unless the two lines behind it
  /// are an array or object each, for then the first is a damaged one of many.
  ///
  /// - Parameters:
  ///   - name: The name, or nil for a stream without one.
  ///   - head: The first bytes of the input: three lines, or all there is.
  public static func guess(name: String?, head: [UInt8]) -> JSONFraming {
    if head.isEmpty { return ofFile(named: name) ?? .lines }
    if head.first == ASCII.recordSeparator { return .sequence }
    let line = firstLine(of: head)
    switch ofFile(named: name) {
    case .lines: return .lines
    case .document:
      let hasMore = head[line.endIndex...].contains { !$0.isJSONWhitespace }
      return hasMore && (try? JSON(parsing: line)) != nil ? .lines : .document
    default: break
    }
    if line.isEmpty { return .lines }
    do throws(JSONError) {
      _ = try JSON(parsing: line)
      return .lines
    } catch {
      if holdsRecords(head[line.endIndex...].dropFirst()) { return .lines }
      return error.code == .trailingContent || error.code == .invalidNumber ? .values : .document
    }
  }

  /// What the ending of a file's name says, if it says anything.
  static func ofFile(named name: String?) -> JSONFraming? {
    switch name.flatMap({ name in name.lastIndex(of: ".").map { name[$0...].lowercased() } }) {
    case ".ndjson", ".jsonl", ".ndj", ".log": .lines
    case ".json", ".geojson": .document
    default: nil
    }
  }

  /// The first line that is not blank, without its line feed.
  static func firstLine(of head: [UInt8]) -> ArraySlice<UInt8> {
    let start = head.firstIndex { !$0.isJSONWhitespace } ?? head.endIndex
    return head[start...].prefix { $0 != ASCII.lineFeed }
  }

  /// Whether the next two lines are an array or object each. One such line is no proof: a document can be written so.
  private static func holdsRecords(_ rest: ArraySlice<UInt8>) -> Bool {
    let lines = rest.split(separator: ASCII.lineFeed, maxSplits: 2, omittingEmptySubsequences: false)
    return lines.count >= 2
      && lines.prefix(2).allSatisfy { line in
        guard let json = try? JSON(parsing: line) else { return false }
        return json.type == .array || json.type == .dictionary
      }
  }
}
