import Foundation
import JSONSift
import SwiftyJSON
import TestSupport

/// A value without a JSON form.
var noJSON: Any { Date(timeIntervalSince1970: 0) }

/// Returns one value of every type.
func specimen(of type: Type) -> JSON {
  switch type {
  case .number: JSON(7)
  case .string: JSON("7")
  case .bool: JSON(true)
  case .array: JSON([7])
  case .dictionary: JSON(["k": 7])
  case .null: JSON.null
  case .unknown: JSON(noJSON)
  }
}

let allTypes: [Type] = [.number, .string, .bool, .array, .dictionary, .null, .unknown]

/// Returns the value of a JSON text of any type.
func parsed(_ text: String) throws -> JSON { try JSON(data: Data(text.utf8), options: .fragmentsAllowed) }

/// Returns a value that is built, not parsed, equal to that of a text set through the documented setters and literals.
func built(_ text: String) throws -> JSON {
  JSON(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
}

/// Returns whether a number object represents a Bool.
func isBool(_ number: NSNumber) -> Bool {
  number === NSNumber(value: true) || number === NSNumber(value: false)
}

/// Returns the difference between two trees of Foundation objects, or `nil`. `1` and `true` differ, strings are compared by
/// their bytes, and floating numbers by their bits.
func difference(between left: Any, and right: Any) -> String? {
  if let left = left as? String, let right = right as? String {
    return isSame(left, right) ? nil : "the strings \(left.debugDescription) and \(right.debugDescription)"
  }
  if left is NSNull, right is NSNull { return nil }
  if let left = left as? [Any], let right = right as? [Any] {
    guard left.count == right.count else { return "arrays of \(left.count) and \(right.count)" }
    for (index, pair) in zip(left, right).enumerated() {
      if let difference = difference(between: pair.0, and: pair.1) { return "[\(index)] \(difference)" }
    }
    return nil
  }
  if let left = left as? [String: Any], let right = right as? [String: Any] {
    guard left.count == right.count else { return "dictionaries of \(left.count) and \(right.count)" }
    for (key, value) in left {
      guard let other = right[key] else { return "the key \(key.debugDescription) is in one of them" }
      if let difference = difference(between: value, and: other) { return "[\(key.debugDescription)] \(difference)" }
    }
    return nil
  }
  if let left = left as? NSNumber, let right = right as? NSNumber {
    guard isBool(left) == isBool(right) else { return "\(left) and \(right), of which one is a Bool" }
    return sameNumber(left, right) ? nil : "the numbers \(left) and \(right)"
  }
  return "\(type(of: left)) and \(type(of: right))"
}

/// Compares texts, because Foundation's own conversions between decimals, integers and Doubles are not exact on Linux.
private func sameNumber(_ left: NSNumber, _ right: NSNumber) -> Bool {
  let texts = [left.stringValue, right.stringValue]
  if texts[0] == texts[1] { return true }
  // Up to 17 digits may be a Double: Foundation decides by the length of the text.
  let digits = texts.map { $0.prefix { $0 != "e" }.filter(\.isNumber).trimmingCharacters(in: ["0"]) }
  // If the written exponent exceeds 127, Foundation uses a Double, even if a decimal could hold the number.
  let keepsMore = left is NSDecimalNumber && !(right is NSDecimalNumber)
  guard keepsMore || digits.allSatisfy({ $0.count <= 17 }) else { return false }
  guard let doubles = [Double(texts[0]), Double(texts[1])] as? [Double] else { return false }
  return doubles[0].bitPattern == doubles[1].bitPattern
}

/// Returns the bytes of a JSON text without the white space between its tokens. It only recognizes the ends of strings.
func withoutBlanks(_ text: some Sequence<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var inString = false
  var escaped = false
  for byte in text {
    if inString {
      result.append(byte)
      if escaped {
        escaped = false
      } else if byte == UInt8(ascii: "\\") {
        escaped = true
      } else if byte == UInt8(ascii: "\"") {
        inString = false
      }
    } else if !" \t\r\n".utf8.contains(byte) {
      result.append(byte)
      inString = byte == UInt8(ascii: "\"")
    }
  }
  return result
}

extension JSONWriterOptions {
  /// Everything decoded and written again.
  static func normalized(sortsKeys: Bool = false) -> JSONWriterOptions {
    var options = JSONWriterOptions()
    options.spelling = .normalized
    options.sortsKeys = sortsKeys
    return options
  }
}

/// Returns the error that `body` throws, or `nil`.
func thrownError(_ body: () throws -> Void) -> (any Error)? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// Returns the documented error that `body` throws, or `nil` if it throws another error or no error.
func swiftyError(_ body: () throws -> Void) -> SwiftyJSONError? { thrownError(body) as? SwiftyJSONError }

/// A user's own step of a path.
enum Step: String, JSONSubscriptType {
  case list, name, first
  var jsonKey: JSONKey { self == .first ? .index(0) : .key(rawValue) }
}
