internal import Foundation
internal import JSONSift

/// The encodings that JSONSerialization accepts.
enum JSONTextEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool, markBytes: Int)
  case utf32(isBigEndian: Bool, markBytes: Int)

  /// Detects the encoding from the byte order mark, otherwise from the positions of zero bytes: the first character of
  /// JSON text is ASCII, and JSON text contains U+0000 only as an escape.
  init(startOf data: Data) {
    let head = data.prefix(4)
    func byte(_ index: Int) -> UInt8? { index < head.count ? head[head.startIndex + index] : nil }
    switch (byte(0), byte(1), byte(2), byte(3)) {
    case (0xFF, 0xFE, 0, 0): self = .utf32(isBigEndian: false, markBytes: 4)
    case (0, 0, 0xFE, 0xFF): self = .utf32(isBigEndian: true, markBytes: 4)
    case (0xFF, 0xFE, _, _): self = .utf16(isBigEndian: false, markBytes: 2)
    case (0xFE, 0xFF, _, _): self = .utf16(isBigEndian: true, markBytes: 2)
    case (0, 0, 0, .some): self = .utf32(isBigEndian: true, markBytes: 0)
    case (.some, 0, 0, 0): self = .utf32(isBigEndian: false, markBytes: 0)
    case (0, .some(1...), _, _): self = .utf16(isBigEndian: true, markBytes: 0)
    case (.some(1...), 0, _, _): self = .utf16(isBigEndian: false, markBytes: 0)
    default: self = .utf8
    }
  }

  /// Returns the text as UTF-8 without its byte order mark. UTF-8 is copied unchanged.
  ///
  /// - Throws: ``JSONError`` with the offset in `data` of the first invalid code unit sequence.
  func transcoded(_ data: Data) throws(JSONError) -> [UInt8] {
    switch self {
    case .utf8: return Array(data)
    case .utf16(let isBigEndian, let markBytes):
      return try Self.utf8(
        Units<UInt16>(data.dropFirst(markBytes), isBigEndian: isBigEndian), markBytes: markBytes, UTF16.self)
    case .utf32(let isBigEndian, let markBytes):
      return try Self.utf8(
        Units<UInt32>(data.dropFirst(markBytes), isBigEndian: isBigEndian), markBytes: markBytes, UTF32.self)
    }
  }

  private static func utf8<Codec: UnicodeCodec>(
    _ units: Units<Codec.CodeUnit>, markBytes: Int, _ codec: Codec.Type
  ) throws(JSONError) -> [UInt8] {
    let width = MemoryLayout<Codec.CodeUnit>.size
    func rejected(at unit: Int) -> JSONError {
      JSONError(
        code: JSONError.Code(name: "invalidUTF\(width * 8)"), byteOffset: markBytes + unit * width,
        reason: "expected UTF-\(width * 8), found bytes that are no character")
    }
    var units = units
    var decoder = Codec()
    var text: [UInt8] = []
    text.reserveCapacity(units.count)
    var start = 0
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      case .error: throw rejected(at: start)
      case .emptyInput:
        guard units.isWhole else { throw rejected(at: units.position) }
        return text
      }
      start = units.position
    }
  }

  /// Decodes bytes into code units.
  private struct Units<Unit: FixedWidthInteger>: IteratorProtocol {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    /// The number of code units read.
    private(set) var position = 0

    init(_ data: Data, isBigEndian: Bool) {
      bytes = Array(data)
      self.isBigEndian = isBigEndian
    }

    var count: Int { bytes.count / MemoryLayout<Unit>.size }
    /// Whether the bytes end at a code unit boundary.
    var isWhole: Bool { bytes.count % MemoryLayout<Unit>.size == 0 }

    mutating func next() -> Unit? {
      guard position < count else { return nil }
      let width = MemoryLayout<Unit>.size
      let start = position * width
      position += 1
      var unit: Unit = 0
      for index in 0..<width {
        let significance = isBigEndian ? width - 1 - index : index
        unit |= Unit(bytes[start + index]) << Unit(significance * 8)
      }
      return unit
    }
  }
}
