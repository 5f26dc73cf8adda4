import Foundation
import JSONSift
import SwiftyJSON

extension FuzzTarget {
  /// Compares the values of SwiftyJSON's API with `JSONSerialization`, with their own texts and with each other, and calls
  /// every accessor and setter, which must not trap.
  static let swifty = FuzzTarget(name: "swifty") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let choices = input.choices(3)
    let text = input.text
    let data = Data(text)
    let json = try? JSON(data: data, options: .fragmentsAllowed)
    _ = JSON(parseJSON: words(text))
    guard let json else { return }
    guard isComparable(json, text) else { return callAll(json, choices) }
    if let reference = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
      try expectSame(json.object, reference, at: "$")
    } else {
      throw Difference("JSONSerialization rejects it", words(text), json)
    }
    try expect(JSON(json.object) == json, "the value of its own objects", json)
    try expectEqual("the hash of an equal value", JSON(json.object).hashValue, json.hashValue)
    for raw in [json.rawString(), json.rawString([.jsonSerialization: JSONSerialization.WritingOptions.sortedKeys])] {
      guard let raw, json.type == .array || json.type == .dictionary else { continue }
      try expect(JSON(parseJSON: raw) == json, "the raw string", (raw, json))
    }
    var changed = json
    change(&changed, choices)
    try expectOrder(json, changed)
    callAll(json, choices)
    callAll(changed, choices)
  }
}

/// The intended differences from Foundation: duplicate keys, and numbers that a Double or a decimal rounds.
private func isComparable(_ json: JSON, _ text: [UInt8]) -> Bool {
  func isPlain(_ json: JSON, _ depth: Int) -> Bool {
    guard depth < 400 else { return false }
    switch json.type {
    case .number:
      let number = json.numberText ?? ""
      return number.utf8.count <= 12 && !number.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    case .dictionary, .array:
      return json.allSatisfy { isPlain($0.1, depth + 1) && $0.0.utf8.allSatisfy { $0 < 0x80 && $0 > 0 } }
    case .string: return !json.stringValue.unicodeScalars.contains("\u{FEFF}")
    default: return true
    }
  }
  return text.count > 4 && !text.contains(0) && !text.starts(with: [0xEF, 0xBB, 0xBF]) && isPlain(json, 0)
    && !Tree(json).hasDuplicates
}

private func expectSame(_ left: Any, _ right: Any, at path: String) throws(Difference) {
  switch (left, right) {
  case (let left as String, let right as String):
    try expect(left.utf8.elementsEqual(right.utf8), "the strings at \(path)", (left, right))
  case (is NSNull, is NSNull): return
  case (let left as [Any], let right as [Any]):
    try expectEqual("the count at \(path)", left.count, right.count)
    for index in left.indices { try expectSame(left[index], right[index], at: "\(path)[\(index)]") }
  case (let left as [String: Any], let right as [String: Any]):
    try expectEqual("the keys at \(path)", left.keys.sorted(), right.keys.sorted())
    for (key, value) in left { try expectSame(value, right[key] as Any, at: "\(path).\(key)") }
  case (let left as NSNumber, let right as NSNumber):
    try expectEqual("the type at \(path)", isBool(left), isBool(right))
    try expectEqual("the number at \(path)", left.doubleValue, right.doubleValue)
  default: throw Difference("the types at \(path)", type(of: left), type(of: right))
  }
}

private func isBool(_ number: NSNumber) -> Bool {
  number === NSNumber(value: true) || number === NSNumber(value: false)
}

/// Two values are ordered in at most one way, and equal values have equal hashes.
private func expectOrder(_ left: JSON, _ right: JSON) throws(Difference) {
  let facts = [left < right, left == right, left > right]
  try expect(facts.filter { $0 }.count <= 1, "at most one relation", (left, right, facts))
  try expectEqual("equality is symmetric", left == right, right == left)
  if left == right { try expectEqual("the hashes of equal values", left.hashValue, right.hashValue) }
  try expect(left == left && !(left < left), "a value equals itself", left)
}

private func change(_ json: inout JSON, _ choices: [Int]) {
  let path: [JSONSubscriptType] = choices[0] & 1 == 0 ? ["a", 0] : [choices[0] >> 1, "b"]
  switch choices[1] % 10 {
  case 0: json[path] = JSON(choices[2])
  case 1: json[path].string = "set"
  case 2: json[path].int = nil
  case 3: json["a"].arrayObject = [1, "two", NSNull()]
  case 4: json["a"].dictionaryObject = ["k": [true]]
  case 5: try? json.merge(with: JSON(["a": ["b": 1]]))
  case 6: json[0].double = 0.1
  case 7: json["a"]["b"]["c"].object = NSNumber(value: choices[2])
  case 8: json.arrayObject = []
  default: json["a"].url = Foundation.URL(string: "https://example.net/")
  }
}

/// Calls what could trap.
private func callAll(_ json: JSON, _ choices: [Int], _ depth: Int = 0) {
  guard depth < 20 else { return }
  _ = (json.int8Value, json.uInt8Value, json.int16, json.uInt16Value, json.int32Value, json.uInt32, json.int64Value)
  _ = (json.uInt64Value, json.intValue, json.uInt, json.doubleValue, json.float, json.boolValue, json.stringValue)
  _ = (json.number, json.numberValue, json.url, json.null, json.error, json.exists(), json.decimal)
  _ = (json.arrayValue.count, json.dictionaryValue.count, json.description.count, json.rawString([.encoding: 1]))
  _ = (json[choices[0]], json["a"], json[[choices[1], "a"]], json.exactly(Int8.self), json.exactly(Float.self))
  var index = json.startIndex
  while index != json.endIndex, depth < 3 {
    callAll(json[index].1, choices, depth + 1)
    index = json.index(after: index)
  }
}
