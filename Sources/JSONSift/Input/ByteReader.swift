/// Reads the bytes of a ``JSONSource``; implemented by another module, for example one that decompresses.
package protocol ByteReader: AnyObject {
  /// Reads up to `buffer.count` bytes and returns their number; 0 is the end. `offset` is the number of bytes before them,
  /// for errors.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int
  /// Whether the last read found no bytes although the input has not ended.
  var wouldBlock: Bool { get }
  /// Whether a read returns without waiting for the process that writes the input.
  var canReadAtOnce: Bool { get }
  /// The number of bytes left in the underlying input, if it is known and no read waits for another process. Another thread
  /// may then do all further reads.
  var remainingInput: Int? { get }
  /// The number of bytes left; `nil` if bytes cannot be skipped without reading them.
  var rest: Int? { get }
  /// Whether the input is compressed. Known after the first read.
  var isCompressed: Bool { get }
  /// Skips the next bytes; `target` is the offset after them. Returns `false` if they must be read.
  func skip(_ count: Int, of target: Int) throws(JSONError) -> Bool
  /// Begins a part of the input: moves to the first frame that begins in the range. Further reads return the text of the
  /// frames that begin in the range, and the text after them up to the first separator. Nothing is read after the frames
  /// before ``foundRecordOfPart()`` is called, except in the first part.
  ///
  /// - Returns: `nil` if the input is not compressed, or cannot be read from any offset. Then the reader has not moved.
  func begin(_ range: JSONInputRange, _ separator: RecordSeparator) throws(JSONError) -> CompressedPart?
  /// Reports that a record begins in the part.
  func foundRecordOfPart()
  /// At the end of a compressed input or part, the number of its bytes; `nil` for an input that is not compressed.
  var compressedBytes: Int? { get }
  /// Where the bytes lie in the input, if a step has made them.
  var origins: TextOrigins? { get }
  /// Prepares the reader for reads on another thread. Returns the hooks for before and after each read of the input, which
  /// the thread that uses the bytes calls.
  func takeReadHooks() -> ReadHooks
}

extension ByteReader {
  package var remainingInput: Int? { nil }
  package var rest: Int? { nil }
  package var isCompressed: Bool { false }
  package func skip(_ count: Int, of target: Int) throws(JSONError) -> Bool { false }
  package func begin(_ range: JSONInputRange, _ separator: RecordSeparator) throws(JSONError) -> CompressedPart? { nil }
  package func foundRecordOfPart() {}
  package var compressedBytes: Int? { nil }
  package var origins: TextOrigins? { nil }
  package func takeReadHooks() -> ReadHooks { ReadHooks() }
}

/// The closures to call around each read of an input.
package struct ReadHooks {
  /// Called before each read.
  package var before: (() -> Void)?
  /// Called after each read, with the number of bytes.
  package var after: ((Int) -> Void)?
  /// Returns the number of input bytes used so far, if another thread reads the input. Any thread may call it.
  package var usedBytes: @Sendable () -> Int = { 0 }
  /// The number of those bytes already passed to `after`.
  package var reportedBytes = 0

  package init() {}
}

/// Adapts a ``ByteReader`` to the thread that reads ahead.
final class AheadReader: AheadInput {
  private let reader: any ByteReader
  private var offset: Int

  init(_ reader: any ByteReader, at offset: Int) {
    self.reader = reader
    self.offset = offset
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try unsafe reader.read(into: buffer, at: offset)
    offset += count
    return count
  }
}
