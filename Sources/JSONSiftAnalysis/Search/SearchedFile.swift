import JSONSift

/// A regular file of records that is read at chosen offsets, to find a part of it without reading the rest.
package struct SearchedFile: ~Copyable {
  /// The number of bytes of the file.
  let size: Int
  /// How the records are cut: as requested, or as the first bytes of the file show.
  let framing: JSONFraming
  /// Keeps the descriptor open that `input` borrows.
  private let file: File
  private let input: PositionalInput
  private var memory = RawMemory(capacity: 0)

  /// The number of bytes that show whether the input is compressed, and from which the framing is guessed.
  private static let headBytes = 1 << 16

  /// Opens a file.
  ///
  /// - Throws: `JSONError.Code.unreadable`, also if it is not a regular file; `JSONError.Code.compressedInput`.
  init(_ path: [UInt8], _ framing: JSONFraming) throws(JSONError) {
    let file = try File.reading(path)
    guard let input = PositionalInput(file, at: 0, afterReading: 0) else { throw .noRandomAccess(isCompressed: false) }
    self.framing = try Self.framing(of: .path(bytes: path), framing)
    size = input.size
    self.file = file
    self.input = input
  }

  /// Returns how the records of a source are cut: as requested, or as its first bytes show.
  ///
  /// - Throws: `JSONError.Code.compressedInput` if the source is compressed, and does not decompress.
  package static func framing(of source: JSONSource, _ framing: JSONFraming) throws(JSONError) -> JSONFraming {
    var head = try ReadWindow(source, readBytes: Self.headBytes)
    _ = try head.fill()
    return framing == .automatic ? try head.guessFraming(name: source.name) : framing
  }

  /// Returns whether a path names a regular, uncompressed file that is one document, judged by its name and first
  /// bytes.
  package static func isDocument(_ path: [UInt8]) -> Bool {
    do throws(JSONError) {
      return try SearchedFile(path, .automatic).framing == .document
    } catch {
      return false
    }
  }

  /// Reads up to `count` bytes at an offset. The result is empty at the end of the file, and valid until the next call.
  ///
  /// - Throws: `JSONError.Code.unreadable`, also if the file has become shorter.
  mutating func bytes(at offset: Int, count: Int) throws(JSONError) -> UnsafeRawBufferPointer {
    if memory.capacity < count { memory = RawMemory(capacity: count) }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory.base, count: count)
    let read = try unsafe input.read(into: buffer, at: offset)
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<read])
  }
}
