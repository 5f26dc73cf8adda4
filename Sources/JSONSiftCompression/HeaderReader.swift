#if Compression
  internal import JSONSift

  extension JSONError {
    /// The error of headers that contradict each other or the data; its words have the offset in the compressed input.
    static func damagedInput(_ words: String) -> JSONError {
      JSONError(code: .damagedCompression, byteOffset: 0, reason: words)
    }
  }

  /// Reads small numbers at any offset of a compressed input, a few hundred bytes at a time.
  struct HeaderReader {
    private let input: PositionalInput
    private var held: [UInt8] = []
    /// The offset of the held bytes.
    private var start = 0

    private static let readBytes = 512

    init(_ input: PositionalInput) { self.input = input }

    /// The size of the input in bytes.
    var size: Int { input.size }

    /// Returns the little-endian number in `count` bytes, at most 8; `nil` if the input ends before, or if the number is too
    /// large for `Int`.
    mutating func number(at offset: Int, count: Int) throws(JSONError) -> Int? {
      guard offset >= 0, count <= size, offset <= size - count else { return nil }
      if offset < start || offset + count > start + held.count { try hold(offset) }
      let first = offset - start
      guard first >= 0, first + count <= held.count else { return nil }
      var value: UInt64 = 0
      for (index, byte) in held[first..<(first + count)].enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
      return Int(exactly: value)
    }

    private mutating func hold(_ offset: Int) throws(JSONError) {
      start = offset
      held = [UInt8](repeating: 0, count: min(Self.readBytes, size - offset))
      var count = 0
      while count < held.count {
        let from = count
        let result = unsafe held.withUnsafeMutableBytes { bytes in
          Result { () throws(JSONError) in
            try unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[from...]), at: offset + from)
          }
        }
        count += try result.get()
      }
    }
  }
#endif
