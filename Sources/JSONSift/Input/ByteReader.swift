/// Reads for a ``JSONSource`` of another module.
package protocol ByteReader: AnyObject {
  /// Reads up to `buffer.count` bytes; 0 is the end. `offset` counts those before, for the error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int
  /// The last read has found nothing, and that is not the end.
  var wouldBlock: Bool { get }
  /// A read does not wait for somebody who writes.
  var canReadAtOnce: Bool { get }
  /// How many bytes of its own input are left, if that is known and no read waits for somebody who writes: then another
  /// thread may do all further reads.
  var restOfInput: Int? { get }
  /// From now on another thread reads. Returns what was to be done before and after each read of the input: that is for
  /// the thread that uses the bytes.
  func takeReadHooks() -> ReadHooks
}

extension ByteReader {
  package var restOfInput: Int? { nil }
  package func takeReadHooks() -> ReadHooks { ReadHooks() }
}

/// What is done around each read of an input.
package struct ReadHooks {
  package var before: (() -> Void)?
  /// Gets the number of bytes.
  package var after: ((Int) -> Void)?
  /// How many bytes of the input are used, if another thread reads it. May be asked from any thread.
  package var usedBytes: @Sendable () -> Int = { 0 }
  /// How many of them `after` has been given.
  package var reportedBytes = 0

  package init() {}
}

/// The reader of another module, on a thread that reads ahead.
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
