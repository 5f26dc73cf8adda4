/// The positions of every ``stride``-th record of a file with one record on each line: for reading record k without reading
/// the records before it.
///
/// ```swift
/// let index = try JSONRecordIndex(of: .path("events.ndjson"))
/// try save(JSONEncoder().encode(index))
/// let record = try index.record(1_000_000, in: "events.ndjson")
/// ```
///
/// Records count from 0; blank lines do not count. A bad line counts: the index knows only lines. It is made in one pass
/// that only searches for line feeds, and takes two numbers for every ``stride`` records.
public struct JSONRecordIndex: Sendable, Hashable, Codable {
  /// The number of records between two entries of the index.
  public let stride: Int
  /// The number of records in the input.
  public private(set) var count = 0
  /// The number of bytes in the input.
  public private(set) var byteCount = 0
  /// The offsets and lines of the records 0, `stride`, 2 × `stride`, …
  private var offsets: [Int] = []
  private var lines: [Int] = []

  /// Reads a whole input and indexes it.
  ///
  /// - Parameters:
  ///   - source: The file, or another source of its bytes.
  ///   - stride: The number of records between two entries. A larger one makes a smaller index, and a longer search after an
  ///     entry.
  /// - Throws: ``JSONError/Code/unreadable``.
  public init(of source: JSONSource, every stride: Int = 1024) throws(JSONError) {
    self.stride = max(stride, 1)
    var window = try ReadWindow(source)
    var lines = RecordLineScanner()
    while try window.fill() {
      unsafe lines.add(window.bytes, at: window.offset) { add($0) }
      window.use(window.count)
    }
    lines.finish { add($0) }
    byteCount = window.offset
  }

  private mutating func add(_ start: LinePosition) {
    if count % stride == 0 {
      offsets.append(start.offset)
      lines.append(start.line)
    }
    count += 1
  }

  /// Returns the last entry of the index at or before a record, as a checkpoint, and the number of records between them;
  /// `nil` if there is no such record. A ``JSONRecordReader`` can resume at the checkpoint.
  ///
  /// - Complexity: O(1).
  public func entry(before record: Int) -> (checkpoint: JSONCheckpoint, recordsBetween: Int)? {
    // A decoded index may contain any values.
    guard record >= 0, record < count, stride > 0 else { return nil }
    let entry = record / stride
    guard offsets.indices.contains(entry), lines.indices.contains(entry) else { return nil }
    return (JSONCheckpoint(byteOffset: offsets[entry], line: lines[entry]), record % stride)
  }

  /// Reads one record of the indexed file.
  ///
  /// - Parameters:
  ///   - record: The number of the record, from 0.
  ///   - path: The file.
  ///   - options: Limits, and the handling of lone surrogates.
  /// - Returns: The record with its line and offset; `nil` if there is no such record.
  /// - Throws: ``JSONError``: if the record is bad, if the file cannot be read, or if it is shorter than it was.
  /// - Complexity: O(``stride``) lines are skipped, and one is parsed.
  public func record(
    _ record: Int, in path: String, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> JSONRecord? {
    let file = try File.Failure.converting(try File(path: Array(path.utf8))) {
      JSONError(.unreadable, at: 0, system: $0.number).naming(path)
    }
    return try withExtendedLifetime(file) { (file) throws(JSONError) in
      try JSONError.converting(try self.record(record, in: file.descriptor, options: options)) {
        $0.isOfFile ? $0.naming(path) : $0
      }
    }
  }

  /// Reads one record through an open descriptor. The descriptor's position does not change, so several threads can read at
  /// the same time.
  public func record(
    _ record: Int, in descriptor: Int32, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> JSONRecord? {
    guard let (checkpoint, between) = entry(before: record) else { return nil }
    if let size = File(borrowing: descriptor).regularSize(), size < byteCount {
      throw JSONError(.unreadable, at: size, .changedFile(wanted: byteCount))
    }
    let window = try ReadWindow(.file(descriptor, at: 0), startingAt: checkpoint.byteOffset, readBytes: Self.readBytes)
    var reader = try JSONRecordReader(
      window, framing: .lines, options: JSONRecordOptions(framing: .lines, reading: options), at: checkpoint)
    guard try reader.skipLines(between) else { return nil }
    return try reader.next()
  }

  /// Small, because only a few lines are read.
  private static let readBytes = 1 << 16
}
