/// Reads the records of a stream whose bytes are pushed: by a socket, a decoder, a callback.
///
/// ```swift
/// var reader = try JSONRecordPushReader()
/// reader.feed(chunk)
/// while let record = try reader.next() { handle(record) }   // all that are complete
/// reader.finish()
/// while let record = try reader.next() { handle(record) }   // the last one
/// ```
///
/// `nil` means that there is no complete record until more bytes arrive; after ``finish()`` it means the end. The records,
/// errors, lines and offsets are the same as with a ``JSONRecordReader``, however the bytes are cut into chunks. Bytes are
/// held until they are read: if the records are taken after each chunk, at most one chunk and one record are in memory.
public struct JSONRecordPushReader: ~Copyable {
  private var reader: JSONRecordReader?
  /// The bytes, while the guess of the framing needs more of them.
  private var window: ReadWindow?
  private let options: JSONRecordOptions
  private let checkpointBefore: JSONCheckpoint?

  /// Creates a reader that waits for the first bytes.
  ///
  /// - Parameters:
  ///   - options: How the stream is cut, and how bad records are handled.
  ///   - checkpoint: The position of the first byte that will be fed, if it is not the first of the stream.
  /// - Throws: ``JSONError/Code/invalidPath`` if the path of ``JSONFraming/children(of:)`` is invalid, or can select several
  ///   values.
  public init(
    options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    let checkpoint = checkpoint?.clamped
    self.options = options
    checkpointBefore = checkpoint
    let framing = try options.knownFraming(resumingAt: checkpoint) ?? .automatic
    let window = ReadWindow(pushedFrom: checkpoint?.byteOffset ?? 0)
    if framing == .automatic {
      self.window = consume window
      reader = nil
    } else {
      self.window = nil
      reader = try JSONRecordReader(window, framing: framing, options: options, at: checkpoint)
    }
  }

  /// Appends the next bytes of the stream. Does nothing after ``finish()``.
  ///
  /// - Complexity: O(their number).
  public mutating func feed(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe window?.push(bytes)
      unsafe reader?.push(bytes)
    }
  }

  /// Appends the next bytes of the stream: an array, a slice, `Data`, a view of a buffer.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    let isFed: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe feed(UnsafeRawBufferPointer(buffer).bytes)
    }
    if isFed == nil { unsafe feed(Array(bytes).span.bytes) }
  }

  /// Marks the end of the stream.
  public mutating func finish() {
    window?.close()
    reader?.window.close()
  }

  /// Returns the next complete record; `nil` if more bytes are needed, or at the end. See ``JSONRecordReader/next()``.
  public mutating func next() throws(JSONError) -> JSONRecord? {
    try guess()
    return try reader?.next() ?? Optional.none
  }

  /// Returns the next record or bad record; see ``JSONRecordReader/nextResult()``.
  public mutating func nextResult() throws(JSONError) -> Result<JSONRecord, JSONBadRecord>? {
    try guess()
    return try reader?.nextResult() ?? Optional.none
  }

  private mutating func guess() throws(JSONError) {
    guard reader == nil, let framing = window?.guessedFraming(name: nil), let window = window.take() else { return }
    reader = try JSONRecordReader(window, framing: framing, options: options, at: checkpointBefore)
  }

  /// How the stream is cut; ``JSONFraming/automatic`` while it is unknown.
  public var framing: JSONFraming { reader.borrow { $0.framing } ?? .automatic }

  /// The number of bad records so far; see ``JSONRecordReader/errorCount``.
  public var errorCount: Int { reader.borrow { $0.errorCount } ?? 0 }

  /// Where reading continues; see ``JSONRecordReader/checkpoint``. The bytes after it must be fed again.
  public var checkpoint: JSONCheckpoint {
    reader.borrow { $0.checkpoint } ?? checkpointBefore ?? JSONCheckpoint(byteOffset: 0)
  }

  /// Returns the line and column of an error that the last call threw; see ``JSONRecordReader/position(of:)``.
  public func position(of error: JSONError) -> JSONError.Position {
    reader?.position(of: error) ?? JSONError.Position(byteOffset: error.byteOffset, line: 1, column: 1)
  }

  /// Returns the bad record of an error; see ``JSONRecordReader/badRecord(of:)``. A record that is too long contains only
  /// the bytes fed so far.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader?.badRecord(of: error) }
}
