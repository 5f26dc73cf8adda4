/// A regular file, or bytes in memory, read at any offset. Reads are independent of each other, and any thread may read.
///
/// A file is borrowed: its source must outlive this value.
package struct PositionalInput: Sendable {
  private enum Content: Sendable {
    case file(Int32, origin: Int)
    case bytes([UInt8])
  }

  private let content: Content
  /// The number of bytes of the input.
  package let size: Int

  package init(_ bytes: [UInt8]) {
    content = .bytes(bytes)
    size = bytes.count
  }

  /// Returns `nil` for anything but a regular file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - position: The offset in the file of the next sequential read; `nil` if it has none.
  ///   - count: The number of bytes of the input that were read before that position.
  package init?(_ file: borrowing File, at position: Int?, afterReading count: Int) {
    guard let end = file.regularSize(), let position else { return nil }
    let origin = max(position - count, 0)
    content = .file(file.descriptor, origin: origin)
    size = max(end - origin, 0)
  }

  /// Reads up to `buffer.count` bytes at an offset of the input, and returns their number.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if the read fails, or if the input has become shorter. The offset of the error
  ///   counts bytes of the input.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    let wanted = min(buffer.count, max(size - offset, 0))
    guard wanted > 0 else { return 0 }
    switch content {
    case .bytes(let bytes):
      unsafe buffer.copyBytes(from: bytes[offset..<(offset + wanted)])
      return wanted
    case .file(let descriptor, let origin):
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let count = try File.Failure.converting(
        try unsafe File(borrowing: descriptor).read(into: room, at: origin + offset)
      ) { ByteSource.readFailure($0, at: offset) }
      guard count > 0 else { throw ByteSource.tooShort(offset, size) }
      return count
    }
  }
}
