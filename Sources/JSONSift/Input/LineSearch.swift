/// Finds lines of a file by their numbers. Line feeds are counted from the start of the file, or from a line whose start an
/// index knows.
package struct LineSearch: ~Copyable {
  private let file: File
  private let size: Int
  private var memory: RawMemory
  /// An offset, and the number of the line that contains it. No line before is searched for.
  private var known: LinePosition
  /// Whether the byte before is a line feed.
  private var isLineStart = true
  /// How the records are cut. In another framing than ``JSONFraming/lines`` a record can begin in the middle of a line.
  private let framing: JSONFraming

  private static let readBytes = Sizes.of(1 << 18, fuzzing: 16)
  /// The number of bytes that show whether the input is compressed, and from which the framing is guessed.
  private static let headBytes = 1 << 16

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - framing: The framing that was requested.
  ///   - known: A line whose start is known. No line before it can be found.
  /// - Throws: ``JSONError/Code/unreadable``, also if it is not a regular file; ``JSONError/Code/compressedInput``.
  package init(
    _ path: [UInt8], _ framing: JSONFraming, from known: (offset: Int, line: Int) = (0, 1)
  ) throws(JSONError) {
    let file = try File.reading(path)
    guard let size = file.regularSize() else {
      throw JSONError(.unreadable, at: 0, .noRandomAccess(isCompressed: false))
    }
    let source = JSONSource.path(bytes: path)
    var head = try ReadWindow(source, readBytes: Self.headBytes)
    _ = try head.fill()
    self.framing = framing == .automatic ? try head.guessFraming(name: source.name) : framing
    self.file = file
    self.size = size
    memory = RawMemory(capacity: Self.readBytes)
    self.known = LinePosition(offset: known.offset, line: known.line)
  }

  /// What was found.
  package enum Outcome {
    /// The bytes in which the lines begin. The range has the number of the first line.
    case found(JSONInputRange)
    /// The file has only this number of lines.
    case tooFew(lines: Int)
    /// The records are not lines.
    case framing(JSONFraming)
  }

  /// Finds lines.
  ///
  /// - Parameters:
  ///   - first: The number of the first line, from 1.
  ///   - last: The number of the last line, not before the first; `nil` for all lines up to the end. The file may have fewer.
  /// - Throws: ``JSONError/Code/unreadable``.
  package mutating func find(_ first: Int, through last: Int?) throws(JSONError) -> Outcome {
    guard framing == .lines else { return .framing(framing) }
    guard let start = try start(of: first) else { return .tooFew(lines: isLineStart ? known.line - 1 : known.line) }
    var range = JSONInputRange(start...)
    if let last, let end = try last < .max ? self.start(of: last + 1) : nil { range = JSONInputRange(start..<end) }
    range.firstLine = first
    return .found(range)
  }

  /// Returns the offset at which a line begins; `nil` if the file ends before. The end of the file after a line feed begins no
  /// line, unless the file is empty.
  private mutating func start(of line: Int) throws(JSONError) -> Int? {
    while known.line < line {
      let bytes = try unsafe readBytes(at: known.offset)
      guard let last = unsafe bytes.last else { return nil }
      let found = unsafe ByteScan.countLineFeeds(bytes)
      guard known.line + found >= line else {
        known = LinePosition(offset: known.offset + bytes.count, line: known.line + found)
        isLineStart = last == ASCII.lineFeed
        continue
      }
      var rest = unsafe bytes
      while known.line < line, let feed = unsafe ByteScan.lineFeed(rest) {
        known = LinePosition(offset: known.offset + feed + 1, line: known.line + 1)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(feed + 1)...])
      }
      isLineStart = true
    }
    return known.offset < size || size == 0 ? known.offset : nil
  }

  private mutating func readBytes(at offset: Int) throws(JSONError) -> UnsafeRawBufferPointer {
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory.base, count: min(memory.capacity, size - offset))
    do throws(File.Failure) {
      let read = try unsafe file.read(into: buffer, at: offset)
      return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<read])
    } catch {
      throw JSONError(.unreadable, at: offset, .readFailure(error.number))
    }
  }
}
