import JSONSift

/// An index of a file with one record on each line. It summarizes the values of a few paths in each block of the file, so
/// that a search reads only the blocks that can contain a match.
///
/// ```swift
/// func printRecords(ofUser id: Int) throws {
///   let index = try JSONBlockIndex(of: "events.ndjson", paths: ["$.user.id", "$.time"])
///   try index.write(to: "events.ndjson.jsidx")
///   let condition = try JSONCondition("@.user.id == \(id)")
///   for range in index.ranges(where: condition) {
///     var options = JSONRecordOptions()
///     options.range = range
///     var reader = try JSONRecordReader(.path("events.ndjson"), options: options)
///     while let record = try reader.next() {
///       if try condition.holds(for: record.value) { print(record.line) }
///     }
///   }
/// }
/// ```
///
/// For each block of about a megabyte, and for each path, the index has the types of the values, the bounds of numbers and
/// strings, and a Bloom filter of both. It is useful for values that occur in few blocks, such as identifiers, and for values
/// that grow with the file, such as times. For blocks of a megabyte it takes at most one percent of the file: 1.5 bytes for each
/// different value of a block, fewer if several paths have many of them, and none for values that grow with the file.
///
/// For one document, ``init(of:elementsOf:workers:)`` indexes the positions of the elements of an array, so that a reader can begin
/// near any of them; see ``entry(beforeElement:)``.
///
/// A block with a record that exceeds a limit is always read, because another reader may have other limits. The bytes after
/// the last line feed are always read, because that line can still grow.
public struct JSONBlockIndex: Sendable {
  /// A block of complete lines, or of complete elements with the comma after each. It ends where the next one begins.
  struct Block: Sendable, Hashable {
    let start: CountedPosition
    /// Whether it contains a record that a reader with other limits may accept, or a value that could not be read.
    let isUncertain: Bool
    /// Whether it contains a record that is not JSON.
    let hasBadRecords: Bool
  }

  /// The paths whose values are indexed, each with names and indexes only.
  public let paths: [JSONPath]
  /// The path of the array whose elements are indexed; `nil` for a file of lines.
  public let container: JSONPath?
  /// The file that was indexed.
  let identity: FileIdentity
  /// The end of the last block: the end of the last complete line, or the position after the last indexed comma of the
  /// array.
  let end: CountedPosition
  /// The hash of the first 64 KiB of the file, and of the last 64 KiB before `end`.
  let fingerprint: UInt64
  let blocks: [Block]
  /// For each path, a sketch for each block.
  let sketches: [[ValueSketch]]
  /// The permissions that a file with the index has at most.
  package var permissions: UInt32 = 0o7777

  /// Returns the ranges of the file that can contain records that satisfy a condition, in order. Each consists of complete
  /// lines, and has the number of its first line. The last one extends to the end of the file, so that appended records are
  /// found.
  ///
  /// Everything between the ranges is known not to satisfy the condition. A condition on paths that are not indexed returns
  /// one range for the whole file.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - includesBadRecords: Whether blocks with records that are not JSON are in the ranges, too: for a reader that reports
  ///     these, or that reads them in its own way (`JSONRecordOptions.skipsPrefix`).
  /// - Complexity: O(number of blocks × number of comparisons in the condition).
  public func ranges(
    where condition: JSONCondition, includingBadRecords includesBadRecords: Bool = false
  )
    -> [JSONInputRange]
  {
    let test = ConditionParts(condition, paths)
    var ranges: [JSONInputRange] = []
    var begin: CountedPosition?
    for (number, block) in blocks.enumerated() {
      let isWanted =
        block.isUncertain || includesBadRecords && block.hasBadRecords || test.mayHold { sketches[$0][number] }
      if isWanted, begin == nil { begin = block.start }
      guard !isWanted, let first = begin else { continue }
      ranges.append(JSONInputRange(fromLine: first.line, at: first.offset, to: block.start.offset))
      begin = nil
    }
    let last = begin ?? end
    ranges.append(JSONInputRange(fromLine: last.line, at: last.offset, to: nil))
    return ranges
  }

  /// Returns the start of the last line that the index knows at or before a line or record.
  ///
  /// - Parameters:
  ///   - number: The number of a line or record, from 1.
  ///   - unit: The unit of `number`.
  package func lineStart(upTo number: Int, counting unit: LineUnit) -> CountedPosition {
    container == nil ? lastPosition { unit.number(at: $0) <= number } : CountedPosition()
  }

  /// Returns the last known position that satisfies a predicate. The predicate must be true up to some position and
  /// false after it.
  func lastPosition(where isUpTo: (CountedPosition) -> Bool) -> CountedPosition {
    if isUpTo(end) { return end }
    let after = blocks.firstIndex { !isUpTo($0.start) } ?? blocks.endIndex
    return after > 0 ? blocks[after - 1].start : CountedPosition()
  }

  /// The condition on a file under which its index is used.
  public enum Trust: Sendable {
    /// The file has the same device, inode, size and times as when it was indexed.
    case unchanged
    /// The file has the same device and inode, is at least as long, and has the same first and last bytes in the part that
    /// was indexed. For files to which lines are only appended: a change between these bytes is not noticed.
    case grown
  }

  /// Returns whether the index describes the file at a path.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - trust: The condition on the file.
  public func isValid(for path: String, trusting trust: Trust = .unchanged) -> Bool {
    OpenFile(Array(path.utf8), of: self, trusting: trust) != nil
  }

  func describes(_ file: borrowing File, trusting trust: Trust) throws(JSONError) -> Bool {
    guard let status = file.status, let found = FileIdentity(status) else { return false }
    if found == identity { return true }
    switch trust {
    case .unchanged: return false
    case .grown:
      guard found.isSameFile(as: identity), found.size >= identity.size else { return false }
      return try Self.fingerprint(of: file, before: end.offset) == fingerprint
    }
  }
}

/// The properties that identify a file and its state: they differ for another file, and after a change.
struct FileIdentity: Sendable, Hashable {
  var device: UInt64
  var inode: UInt64
  var size: Int
  var modified: FileTime
  var changed: FileTime

}

extension FileIdentity {
  /// Returns `nil` if it is not a regular file.
  init?(_ status: FileStatus) {
    guard status.kind == .regular else { return nil }
    self.init(
      device: status.device, inode: status.inode, size: status.size, modified: status.modified,
      changed: status.changed)
  }

  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

extension OpenFile {
  /// Opens a file. Returns `nil` if the index does not describe it, or if it cannot be opened.
  package convenience init?(_ path: [UInt8], of index: JSONBlockIndex, trusting trust: JSONBlockIndex.Trust) {
    do throws(JSONError) {
      let file = try File.reading(path)
      guard try index.describes(file, trusting: trust) else { return nil }
      self.init(file)
    } catch {
      return nil
    }
  }
}
