import JSONSift

/// The times of the lines of a file that is not compressed.
package final class LineTimes: TimedInput {
  package let source: JSONSource
  package let window: JSONTimeWindow
  package let options: JSONRecordOptions
  package var size: Int { file.size }
  package var framing: JSONFraming { file.framing }

  private var file: SearchedFile
  /// The number of bytes of each of the first four reads of a step; later reads are longer.
  private let probeBytes: Int
  /// The maximum number of bytes of one read, in a long line or a long run of lines without a time.
  private static let maxReadBytes = 1 << 20
  /// The largest number of bytes that a step has read.
  private(set) var maxStepBytes = 0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - window: The window.
  ///   - options: How records are read, and the range of the file.
  ///   - probeBytes: The number of bytes of a read; smaller in tests.
  /// - Throws: `JSONError.Code.unreadable`, also if it is not a regular file; `JSONError.Code.compressedInput`.
  package init(
    _ path: [UInt8], _ window: JSONTimeWindow, _ options: JSONRecordOptions,
    probeBytes: Int = Sizes.of(1 << 14, fuzzing: 16)
  ) throws(JSONError) {
    file = try SearchedFile(path, options.knownFraming)
    source = .path(bytes: path)
    self.window = window
    self.options = options
    self.probeBytes = probeBytes
  }

  /// Returns the first record with a time whose line begins from an offset on and before another one.
  package func firstTime(from start: Int, before end: Int) throws(JSONError) -> TimedRecord? {
    // The byte before the offset decides whether a line begins there.
    var offset = max(start - 1, 0)
    var reader: TimeReader?
    if start == 0 { reader = try TimeReader(window, options, at: 0) }
    var read = 0
    defer { maxStepBytes = max(maxStepBytes, read) }
    var found: (position: TimePosition, end: Int)?
    // At most one more read follows, for the record after it.
    var isLast = false
    while offset < file.size, !isLast {
      isLast = found != nil
      let wanted = read < 4 * probeBytes ? probeBytes : min(read, Self.maxReadBytes)
      let bytes = try unsafe file.bytes(at: offset, count: wanted)
      guard unsafe !bytes.isEmpty else { break }
      var first = 0
      if reader == nil {
        guard offset < end else { return nil }
        if let feed = unsafe ByteScan.lineFeed(bytes) {
          first = feed + 1
          reader = try TimeReader(window, options, at: offset + first)
        }
      }
      unsafe reader?.push(UnsafeRawBufferPointer(rebasing: bytes[first...]))
      offset += bytes.count
      read += bytes.count
      if offset >= file.size { reader?.close() }
      while let line = try reader?.next() {
        guard found != nil || line.range.lowerBound < end else { return nil }
        guard let position = line.position else { continue }
        if let found {
          return TimedRecord(found.position, start: found.position.byteOffset, end: found.end, before: position)
        }
        found = (position, line.range.upperBound)
      }
    }
    return found.map { TimedRecord($0.position, start: $0.position.byteOffset, end: $0.end, before: nil) }
  }
}
