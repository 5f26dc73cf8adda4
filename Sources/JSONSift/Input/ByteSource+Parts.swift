/// Reads at any offset of an input, and parts of a compressed one.
extension ByteSource {
  /// Stores the number of compressed bytes of an input that was read to its end.
  func countCompressedBytes(_ tally: InputTally) {
    if let count = reader?.compressedBytes { tally.setCompressed(count) }
  }

  /// Returns the input for reads at any offset; `nil` if it must be read from its start. It borrows the file of this source.
  ///
  /// - Parameter count: The number of bytes that were read in sequence before.
  package func positional(afterReading count: Int) -> PositionalInput? {
    guard following == nil, reader == nil, ahead == nil else { return nil }
    if let memory { return PositionalInput(memory) }
    if let nonblocking { return nonblocking.positional(afterReading: count) }
    return file.borrow { PositionalInput($0, at: fileOffset ?? $0.position, afterReading: count) } ?? nil
  }

  /// Reads at an offset of the input, and calls the closures around each read.
  package mutating func read(
    _ input: PositionalInput, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    beforeRead()
    let count = try unsafe input.read(into: buffer, at: offset)
    afterRead(count)
    return count
  }

  /// Begins a part of a compressed input; see ``ByteReader/begin(_:_:)``.
  mutating func begin(_ range: JSONInputRange, _ separator: RecordSeparator) throws(JSONError) -> CompressedPart? {
    guard let part = try reader?.begin(range, separator) else { return nil }
    // Only the beginning of the input shows whether it was compressed twice.
    isHeadKnown = !part.isFirst
    isAtEnd = false
    wouldBlock = false
    return part
  }

  mutating func foundRecordOfPart() { reader?.foundRecordOfPart() }
}
