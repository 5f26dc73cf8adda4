/// A JSON text as the plainest tree: members in order, with duplicates, and the range of each value.
struct ReferenceValue {
  enum Content {
    case null
    case bool(Bool)
    /// Only numbers that a Double represents exactly.
    case number(Double)
    case string([UInt32])
    case array([ReferenceValue])
    case object([(name: [UInt32], value: ReferenceValue)])
  }

  let content: Content
  let range: Range<Int>

  /// The children with the steps to them.
  var children: [(step: ReferenceStep, value: ReferenceValue)] {
    switch content {
    case .array(let elements): elements.enumerated().map { (.index($0.offset), $0.element) }
    case .object(let members): members.map { (.name($0.name), $0.value) }
    default: []
    }
  }
}

enum ReferenceStep: Hashable {
  case name([UInt32])
  case index(Int)

  /// The step as a normalized path writes it (RFC 9535, 2.7).
  var text: String {
    switch self {
    case .index(let index): return "[\(index)]"
    case .name(let name):
      var text = "['"
      for scalar in name {
        switch scalar {
        case 0x08: text += "\\b"
        case 0x09: text += "\\t"
        case 0x0A: text += "\\n"
        case 0x0C: text += "\\f"
        case 0x0D: text += "\\r"
        case 0x27: text += "\\'"
        case 0x5C: text += "\\\\"
        case 0..<0x20:
          let digits = String(scalar, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(Unicode.Scalar(scalar) ?? "?")
        }
      }
      return text + "']"
    }
  }
}

extension String {
  /// The code points of the characters.
  var scalarValues: [UInt32] { unicodeScalars.map(\.value) }
}

/// Reads JSON texts that are known to be valid.
struct ReferenceParser {
  private let bytes: [UInt8]
  private var offset = 0

  static func tree(of bytes: [UInt8]) -> ReferenceValue {
    var parser = ReferenceParser(bytes: bytes)
    parser.skipBlanks()
    return parser.value()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private mutating func skipBlanks() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(next) { offset += 1 }
  }

  private mutating func value() -> ReferenceValue {
    let start = offset
    let content: ReferenceValue.Content
    switch next {
    case UInt8(ascii: "{"):
      var members: [(name: [UInt32], value: ReferenceValue)] = []
      items(until: UInt8(ascii: "}")) { parser in
        let name = parser.string()
        parser.skipBlanks()
        parser.offset += 1
        parser.skipBlanks()
        members.append((name, parser.value()))
      }
      content = .object(members)
    case UInt8(ascii: "["):
      var elements: [ReferenceValue] = []
      items(until: UInt8(ascii: "]")) { elements.append($0.value()) }
      content = .array(elements)
    case UInt8(ascii: "\""): content = .string(string())
    case UInt8(ascii: "t"):
      offset += 4
      content = .bool(true)
    case UInt8(ascii: "f"):
      offset += 5
      content = .bool(false)
    case UInt8(ascii: "n"):
      offset += 4
      content = .null
    default:
      while "+-.eE0123456789".utf8.contains(next) { offset += 1 }
      content = .number(Double(String(decoding: bytes[start..<offset], as: UTF8.self)) ?? .nan)
    }
    return ReferenceValue(content: content, range: start..<offset)
  }

  private mutating func items(until end: UInt8, _ item: (inout ReferenceParser) -> Void) {
    offset += 1
    skipBlanks()
    while next != end {
      item(&self)
      skipBlanks()
      if next == UInt8(ascii: ",") {
        offset += 1
        skipBlanks()
      }
    }
    offset += 1
  }

  private mutating func string() -> [UInt32] {
    var units: [UInt8] = []
    var result: [UInt32] = []
    var high: UInt32?
    offset += 1
    while next != UInt8(ascii: "\"") {
      guard next == UInt8(ascii: "\\") else {
        units.append(next)
        offset += 1
        continue
      }
      result += String(decoding: units, as: UTF8.self).scalarValues
      units = []
      let escaped = bytes[offset + 1]
      offset += 2
      switch escaped {
      case UInt8(ascii: "b"): result.append(8)
      case UInt8(ascii: "f"): result.append(12)
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "u"):
        let unit = UInt32(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16) ?? 0
        offset += 4
        if (0xD800..<0xDC00).contains(unit) {
          high = unit
        } else if let first = high {
          result.append(0x10000 + (first - 0xD800) << 10 + unit - 0xDC00)
          high = nil
        } else {
          result.append(unit)
        }
      default: result.append(UInt32(escaped))
      }
    }
    offset += 1
    return result + String(decoding: units, as: UTF8.self).scalarValues
  }
}
