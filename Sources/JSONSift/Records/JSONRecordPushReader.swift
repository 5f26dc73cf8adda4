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
/// `nil` means that there is no complete record until more bytes come; after ``finish()`` it is the end. The records, errors,
/// lines and offsets are those of a ``JSONRecordReader``, whatever the chunks are. What is fed is held until it is read: take
/// the records after each chunk, and no more is in memory than one chunk and one record.
public struct JSONRecordPushReader: ~Copyable {
  private var reader: JSONRecordReader?
  /// While the framing is a guess that waits for more bytes.
  private var window: ReadWindow?
  private let options: JSONRecordOptions
  private let checkpointBefore: JSONCheckpoint?

  /// A reader that waits for the first bytes.
  ///
  /// - Parameters:
  ///   - options: How the stream is cut, and what becomes of bad records.
  ///   - checkpoint: Where the first byte that will be fed stands, if it is not the first of the stream.
  /// - Throws: ``JSONError/Code/invalidPath`` if the path of ``JSONFraming/children(of:)`` is none, or can select several
  ///   values.
  public init(
    options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    let checkpoint = checkpoint?.held
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

  /// Takes the next bytes of the stream. After ``finish()`` nothing is taken any more.
  ///
  /// - Complexity: O(their number).
  public mutating func feed(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe window?.push(bytes)
      unsafe reader?.push(bytes)
    }
  }

  /// Takes the next bytes of the stream: an array, a slice, `Data`, a view of a buffer.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    let isFed: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe feed(UnsafeRawBufferPointer(buffer).bytes)
    }
    if isFed == nil { unsafe feed(Array(bytes).span.bytes) }
  }

  /// Says that no bytes follow.
  public mutating func finish() {
    window?.close()
    reader?.window.close()
  }

  /// The next record that is complete; `nil` if there is none before more bytes come, or at all. See
  /// ``JSONRecordReader/next()``.
  public mutating func next() throws(JSONError) -> JSONRecord? {
    try guess()
    return try reader?.next() ?? Optional.none
  }

  /// The next record or bad one; see ``JSONRecordReader/nextElement()``.
  public mutating func nextElement() throws(JSONError) -> JSONRecordElement<JSONRecord>? {
    try guess()
    return try reader?.nextElement() ?? Optional.none
  }

  private mutating func guess() throws(JSONError) {
    guard reader == nil, let framing = window?.guessedFraming(name: nil), let window = window.take() else { return }
    reader = try JSONRecordReader(window, framing: framing, options: options, at: checkpointBefore)
    reader?.validatePushed()
  }

  /// How the stream is cut; ``JSONFraming/automatic`` while that is not known.
  public var framing: JSONFraming {
    switch reader {
    case .some(let reader): reader.framing
    case .none: .automatic
    }
  }

  /// See ``JSONRecordReader/errorCount``.
  public var errorCount: Int {
    switch reader {
    case .some(let reader): reader.errorCount
    case .none: 0
    }
  }

  /// See ``JSONRecordReader/checkpoint``. Bytes behind it must be fed again.
  public var checkpoint: JSONCheckpoint {
    switch reader {
    case .some(let reader): reader.checkpoint
    case .none: checkpointBefore ?? JSONCheckpoint(byteOffset: 0)
    }
  }

  /// See ``JSONRecordReader/position(of:)``.
  public func position(of error: JSONError) -> SourcePosition {
    switch reader {
    case .some(let reader): reader.position(of: error)
    case .none: SourcePosition(byteOffset: error.byteOffset, line: 1, column: 1)
    }
  }

  /// See ``JSONRecordReader/badRecord(of:)``. Of a record that is too long it has what has been fed.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader?.badRecord(of: error) }
}

extension JSONRecordReader {
  mutating func push(_ bytes: UnsafeRawBufferPointer) {
    unsafe window.push(bytes)
    validatePushed()
  }

  mutating func validatePushed() {
    if cutsLines, !isPassing { validateWholeLines() }
  }
}
