/// Where every so many-th record of a file with one record on each line begins: for a look at record k without reading
/// those before it.
///
/// ```swift
/// let index = try JSONRecordIndex(of: .path("events.ndjson"))
/// try save(JSONEncoder().encode(index))
/// let record = try index.record(1_000_000, in: "events.ndjson")
/// ```
///
/// Records count from 0, and blank lines are none. A bad line counts: the index knows only lines. It is made in one pass
/// that looks for line feeds and nothing else, and takes two numbers for every ``stride`` records.
public struct JSONRecordIndex: Sendable, Hashable, Codable {
  /// How many records lie from one place of the index to the next.
  public let stride: Int
  /// How many records the input had.
  public private(set) var count = 0
  /// How many bytes it had.
  public private(set) var byteCount = 0
  /// Of the records 0, `stride`, 2 × `stride`, …
  private var offsets: [Int] = []
  private var lines: [Int] = []

  /// Reads an input as a whole.
  ///
  /// - Parameters:
  ///   - source: The file, or what has its bytes.
  ///   - stride: The larger it is, the smaller is the index, and the longer the search behind one of its places.
  /// - Throws: ``JSONError/Code/unreadable``.
  public init(of source: JSONSource, every stride: Int = 1024) throws(JSONError) {
    self.stride = max(stride, 1)
    var window = try ReadWindow(source)
    var line = 1
    // Bytes of the line that are known to be blank.
    var isBlank = true
    var lineOffset = 0
    while try window.fill() {
      var start = 0
      let bytes = unsafe window.bytes
      while start < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        let feed = unsafe ByteScan.lineFeed(rest)
        let text = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(feed ?? rest.count)])
        if isBlank, unsafe !Self.isBlank(text, at: window.offset + start) {
          isBlank = false
          add(lineOffset, line)
        }
        guard let feed else { break }
        start += feed + 1
        line += 1
        lineOffset = window.offset + start
        isBlank = true
      }
      window.use(bytes.count)
    }
    byteCount = window.offset
  }

  /// Most lines say so with their first byte.
  private static func isBlank(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let first = unsafe bytes.first else { return true }
    if first > ASCII.space, first != 0xEF { return false }
    let mark = unsafe offset == 0 && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
    return unsafe ByteScan.whitespacePrefix(text) == text.count
  }

  private mutating func add(_ offset: Int, _ line: Int) {
    if count % stride == 0 {
      offsets.append(offset)
      lines.append(line)
    }
    count += 1
  }

  /// The last place of the index that is not behind a record, and how many records lie between; `nil` if there is no such
  /// record. A ``JSONRecordReader`` can go on from there.
  ///
  /// - Complexity: O(1).
  public func place(before record: Int) -> (checkpoint: JSONCheckpoint, recordsBetween: Int)? {
    // What was read back may say anything.
    guard record >= 0, record < count, stride > 0 else { return nil }
    let place = record / stride
    guard offsets.indices.contains(place), lines.indices.contains(place) else { return nil }
    return (JSONCheckpoint(byteOffset: offsets[place], line: lines[place]), record % stride)
  }

  /// Reads one record of the file that the index was made of.
  ///
  /// - Returns: The record with its line and offset; `nil` if there are not so many.
  /// - Throws: ``JSONError``: if the record is bad, if the file cannot be read, or if it is shorter than it was.
  /// - Complexity: O(``stride``) lines are gone over, and one is parsed.
  public func record(
    _ record: Int, in path: String, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> JSONRecord? {
    let file: File
    do throws(File.Failure) {
      file = try File(path: Array(path.utf8))
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
    return try withExtendedLifetime(file) { (file) throws(JSONError) in
      try self.record(record, in: file.descriptor, options: options)
    }
  }

  /// The same by an open descriptor. Where it stands is not changed, so many threads can ask at one time.
  public func record(
    _ record: Int, in descriptor: Int32, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> JSONRecord? {
    guard let (checkpoint, between) = place(before: record) else { return nil }
    if let size = File(borrowing: descriptor).regularSize(), size < byteCount {
      throw JSONError(
        .unreadable, at: size, .changedFile(wanted: byteCount))
    }
    let window = try ReadWindow(
      .file(descriptor, at: 0), startingAt: checkpoint.byteOffset, readBytes: Self.readBytes)
    var reader = try JSONRecordReader(
      window, framing: .lines, options: JSONRecordOptions(framing: .lines, reading: options), at: checkpoint)
    guard try reader.passLines(between) else { return nil }
    return try reader.next()
  }

  /// Small: a few lines are wanted.
  private static let readBytes = 1 << 16
}
