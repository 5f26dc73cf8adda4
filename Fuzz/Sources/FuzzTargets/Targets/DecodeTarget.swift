import Foundation
import JSONSift

extension FuzzTarget {
  /// Decodes a text as one of several types, with our decoder and with Foundation's; then encodes the value with both
  /// encoders, and decodes that again. The differences that `Documentation/Codable.md` lists are left out.
  static let decode = FuzzTarget(name: "decode") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let choice = input.choice()
    let text = input.text
    let type = DecodedType.all[choice % DecodedType.all.count]
    try type.check(text, choice / 64 % 2 == 1)
  }
}

/// A type that is decoded and encoded.
private struct DecodedType: Sendable {
  let check: @Sendable (_ text: [UInt8], _ usesStrategies: Bool) throws(Difference) -> Void

  static let all = [
    DecodedType(Loose.self), DecodedType([Loose].self), DecodedType(Members.self), DecodedType([Members].self),
    DecodedType([String: Loose].self), DecodedType([Int].self), DecodedType([Double?].self), DecodedType(Choice.self),
    DecodedType([String: [Choice]].self), DecodedType(Chain.self), DecodedType([UInt8].self), DecodedType(String.self),
    DecodedType([Kind: Int].self), DecodedType(Decimal.self),
  ]

  init<Value: Codable & Equatable & SendableMetatype>(_ type: Value.Type) {
    check = { (text, usesStrategies) throws(Difference) in
      let (ours, theirs) = (JSONSiftDecoder(), JSONDecoder())
      if usesStrategies {
        ours.keyDecodingStrategy = .convertFromSnakeCase
        theirs.keyDecodingStrategy = .convertFromSnakeCase
        ours.dateDecodingStrategy = .iso8601
        theirs.dateDecodingStrategy = .iso8601
        ours.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        theirs.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      }
      let decoded = Result { try ours.decode(type, from: text) }
      // A value decodes as its text does.
      if let json = try? JSON(parsing: text) {
        let fromValue = Result { try ours.decode(type, from: json) }
        switch (fromValue, decoded) {
        case (.success(let left), .success(let right)):
          try expect(isSame(left, right), "\(type) from a value and from text", (left, right))
        default:
          try expectEqual("\(type) from a value and from text", words(of: fromValue), words(of: decoded))
        }
      } else {
        try expect((try? decoded.get()) == nil, "decoded from invalid text")
        return
      }
      if let value = try? decoded.get() { try expectEncoded(value) }
      guard isComparable(text) else { return }
      let reference = Result { try theirs.decode(type, from: Data(text)) }
      // Errors are compared by the tests of `Coding`: which of several comes first depends on the order of a hash table.
      switch (decoded, reference) {
      case (.success(let ours), .success(let theirs)):
        try expect(isSame(ours, theirs), "\(type), ours and Foundation's", (ours, theirs))
      case (.failure, .failure): break
      default: throw Difference("\(type), ours and Foundation's", decoded, reference)
      }
    }
  }
}

/// Returns whether no documented difference from Foundation can occur: no duplicate keys, no number beyond a Double's exact
/// integers or with an exponent, no byte order mark, and no depth near the limit.
private func isComparable(_ text: [UInt8]) -> Bool {
  guard let json = try? JSON(parsing: text), !text.starts(with: [0xEF, 0xBB, 0xBF]) else { return false }
  // Foundation guesses UTF-16 and UTF-32 from zero bytes.
  guard text.count > 4, !text.contains(0) else { return false }
  func isPlain(_ json: JSON, _ depth: Int) -> Bool {
    guard depth < 400 else { return false }
    switch json.type {
    case .number:
      let number = json.numberText ?? ""
      return number.utf8.count <= 15
        && !number.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") || $0 == UInt8(ascii: ".") }
        || number.utf8.count <= 8 && !number.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } && !number.hasSuffix("0")
    case .dictionary, .array: return json.allSatisfy { isPlain($0.1, depth + 1) && $0.0.utf8.allSatisfy { $0 < 0x80 } }
    default: return true
    }
  }
  return isPlain(json, 0) && !hasAlikeNames(json)
}

/// Whether two names of one object are equal, or become so by the strategy for keys.
private func hasAlikeNames(_ json: JSON) -> Bool {
  if json.type == .dictionary, Set(json.map { $0.0.lowercased().filter { $0 != "_" } }).count < json.count {
    return true
  }
  return json.contains { hasAlikeNames($0.1) }
}

/// Compares texts too: a NaN does not equal itself. The text of a dictionary with a NaN has its members in any order.
private func isSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
  if left == right { return true }
  let (leftText, rightText) = ("\(left)", "\(right)")
  return leftText == rightText || leftText.contains("nan") && leftText.utf8.sorted() == rightText.utf8.sorted()
}

/// The error of a decoder with its path; empty for a value.
private func words<Value>(of result: Result<Value, any Error>) -> String {
  guard case .failure(let error) = result else { return "" }
  func words(_ kind: String, _ context: DecodingError.Context) -> String {
    "\(kind) at \(context.codingPath.map(\.stringValue))"
  }
  return switch error {
  case DecodingError.typeMismatch(let type, let context): words("typeMismatch \(type)", context)
  case DecodingError.valueNotFound(let type, let context): words("valueNotFound \(type)", context)
  case DecodingError.keyNotFound(let key, let context): words("keyNotFound \(key.stringValue)", context)
  case DecodingError.dataCorrupted(let context): words("dataCorrupted", context)
  default: "\(error)"
  }
}

/// A value is read again as it was written, by each decoder from the text of each encoder.
private func expectEncoded<Value: Codable & Equatable>(_ value: Value) throws(Difference) {
  let encoder = JSONSiftEncoder()
  encoder.outputFormatting = .sortedKeys
  guard let bytes = try? encoder.bytes(of: value) else { return }
  let again = Result { try JSONSiftDecoder().decode(Value.self, from: bytes) }
  guard case .success(let again) = again else { throw Difference("the encoded text is read", words(bytes), again) }
  // A type that tries Int before Double reads a whole Double as an Int, and writes it without an exponent.
  let rewritten = (try? encoder.bytes(of: again)) ?? []
  let third = (try? JSONSiftDecoder().decode(Value.self, from: rewritten)).flatMap { try? encoder.bytes(of: $0) } ?? []
  try expectEqual("the encoded text, encoded again and again", words(third), words(rewritten))
  let theirs = JSONEncoder()
  theirs.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let reference = try? theirs.encode(value) else { return }
  let ofTheirs = Result { try JSONSiftDecoder().decode(Value.self, from: Array(reference)) }
  guard case .success(let ofTheirs) = ofTheirs else {
    throw Difference("Foundation's text is read", words(Array(reference)), ofTheirs)
  }
  let fromTheirs = (try? encoder.bytes(of: ofTheirs)) ?? []
  try expect(
    fromTheirs == bytes || fromTheirs == rewritten, "Foundation's text, encoded again",
    (words(fromTheirs), words(bytes)))
}

private enum Kind: String, Codable, CodingKeyRepresentable { case a, b, longName }

private enum Choice: Codable, Equatable {
  case none
  case circle(radius: Double)
  case pair(Int, String?)
}

private struct Members: Codable, Equatable {
  var a: Int?
  var b: [String: Bool]?
  var longName: String?
  var c: Kind?
  var d: [Int8?]?
  var date: Date?
  var url: URL?
  var float: Float?
  var choice: Choice?
}

private final class Chain: Codable, Equatable {
  var a: UInt16
  var next: Chain?

  static func == (left: Chain, right: Chain) -> Bool { left.a == right.a && left.next == right.next }
}

/// Any value: it tries one type after another, so an error in one attempt must not change the next.
private indirect enum Loose: Codable, Equatable {
  case null, bool(Bool), integer(Int), number(Double), string(String), array([Loose])
  case object([String: Loose])

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [Loose] = []
      while !list.isAtEnd { elements.append(try list.decode(Loose.self)) }
      self = .array(elements)
    } else {
      self = .object(try single.decode([String: Loose].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .null: try single.encodeNil()
    case .bool(let value): try single.encode(value)
    case .integer(let value): try single.encode(value)
    case .number(let value): try single.encode(value)
    case .string(let value): try single.encode(value)
    case .array(let elements): try single.encode(elements)
    case .object(let members): try single.encode(members)
    }
  }
}

extension Loose: CustomStringConvertible {
  /// The members in the order of their names, since a dictionary has none.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .array(let elements): "\(elements)"
    case .object(let members): "{" + members.map { "\($0): \($1)" }.sorted().joined(separator: ", ") + "}"
    }
  }
}
