import JSONSift

/// A reader of the bytes of an index, from their start. Each property returns `nil` if too few bytes are left.
struct IndexBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// The hash of the bytes that are left.
  var hash: UInt64 { unsafe rest.withUnsafeBytes { unsafe SketchHash.of($0) } }

  /// Removes a hash from the end. Returns whether it is the hash of the bytes before it.
  mutating func takeHash() -> Bool {
    guard rest.count >= 8 else { return false }
    var last = IndexBytes(Array(rest.suffix(8)))
    rest.removeLast(8)
    return last.number == hash
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  var byte: UInt8? { mutating get { rest.popFirst() } }

  var number: UInt64? {
    mutating get {
      bytes(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// A number that can be a size or an offset.
  var count: Int? { mutating get { number.flatMap { $0 < 1 << 62 ? Int($0) : nil } } }

  var position: CountedPosition? {
    mutating get {
      guard let offset = count, let line = count, let lineStart = count, let before = count, line > 0,
        lineStart <= offset
      else { return nil }
      return CountedPosition(offset: offset, line: line, lineStart: lineStart, count: before)
    }
  }

  /// A sequence of at most 255 bytes, with its length in the byte before it.
  var shortBytes: [UInt8]? { mutating get { byte.flatMap { bytes(Int($0)) }.map { Array($0) } } }
}

/// An entry of the header: the range and the hash of one section.
struct IndexSection {
  /// The text of the path; empty for the section with the blocks.
  let text: ArraySlice<UInt8>
  let range: Range<Int>
  let hash: UInt64

  /// Returns `nil` if the section is not inside a file of this size.
  init?(_ header: inout IndexBytes, of size: Int) {
    guard let length = header.count, let text = header.bytes(length), let start = header.count,
      let count = header.count, let hash = header.number, start <= size, count <= size - start
    else { return nil }
    self.text = text
    range = start..<(start + count)
    self.hash = hash
  }
}

extension FileIdentity {
  var words: [UInt64] {
    [device, inode, UInt64(max(size, 0))]
      + [modified, changed].flatMap {
        [UInt64(bitPattern: Int64($0.seconds)), UInt64(bitPattern: Int64($0.nanoseconds))]
      }
  }

  init?(_ header: inout IndexBytes) {
    guard let device = header.number, let inode = header.number, let size = header.count,
      let modified = FileTime(&header), let changed = FileTime(&header)
    else { return nil }
    self.init(device: device, inode: inode, size: size, modified: modified, changed: changed)
  }
}

extension FileTime {
  fileprivate init?(_ header: inout IndexBytes) {
    guard let seconds = header.number, let nanoseconds = header.number else { return nil }
    self.init(seconds: Int(Int64(bitPattern: seconds)), nanoseconds: Int(Int64(bitPattern: nanoseconds)))
  }
}

extension [UInt8] {
  mutating func append(_ position: CountedPosition) {
    for number in [position.offset, position.line, position.lineStart, position.count] {
      append(number: UInt64(number))
    }
  }

  mutating func append(number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  /// The hash that an index stores for its header and for each section.
  var sketchHash: UInt64 { unsafe withUnsafeBytes { unsafe SketchHash.of($0) } }
}
