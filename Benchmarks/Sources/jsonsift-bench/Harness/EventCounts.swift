import CRawYajl
import Foundation
import JSONSift

/// How many values of each kind a document has: the answer that all sides must agree on.
struct EventCounts: Equatable {
  var nulls = 0
  var bools = 0
  var numbers = 0
  var strings = 0
  var keys = 0
  var objects = 0
  var arrays = 0

  var containers: Int { objects + arrays }
  var scalarsAndKeys: Int { nulls + bools + numbers + strings + keys }
  /// So that the optimiser sees every count used.
  var total: Int { scalarsAndKeys + containers }

  init() {}

  /// By libyajl itself. `nil` if it refuses the text.
  init?(yajl bytes: [UInt8]) {
    var counts = raw_yajl_counts()
    guard raw_yajl_count(bytes, bytes.count, &counts) == 0 else { return nil }
    nulls = Int(counts.nulls)
    bools = Int(counts.bools)
    numbers = Int(counts.numbers)
    strings = Int(counts.strings)
    keys = Int(counts.keys)
    objects = Int(counts.objects)
    arrays = Int(counts.arrays)
  }

  /// By walking a value.
  ///
  /// - Parameter unique: Of equal keys only the last counts, as in a dictionary.
  init(walking json: JSON, unique: Bool = false) { add(json, unique) }

  private mutating func add(_ json: JSON, _ unique: Bool) {
    switch json.type {
    case .null, .unknown: nulls += 1
    case .bool: bools += 1
    case .number: numbers += 1
    case .string: strings += 1
    case .array:
      arrays += 1
      for (_, element) in json { add(element, unique) }
    case .dictionary:
      objects += 1
      if unique {
        for member in json.dictionaryValue.values { add(member, unique) }
        keys += json.dictionaryValue.count
      } else {
        keys += json.count
        for (_, member) in json { add(member, unique) }
      }
    }
  }

  /// By walking what `JSONSerialization` has made.
  init(walking value: Any) { add(value) }

  private mutating func add(_ value: Any) {
    switch value {
    case let members as [String: Any]:
      objects += 1
      keys += members.count
      for member in members.values { add(member) }
    case let elements as [Any]:
      arrays += 1
      for element in elements { add(element) }
    case is String: strings += 1
    case is NSNull: nulls += 1
    // A Bool is a number to Foundation. Only its C type tells: `c`, char.
    case let number as NSNumber: if number.objCType.pointee == 0x63 { bools += 1 } else { numbers += 1 }
    default: break
    }
  }
}

/// Counts events. Nothing is kept, so this is what the events themselves cost.
struct CountingHandler: JSONEventHandler {
  var counts = EventCounts()

  mutating func startObject(at offset: Int) throws(JSONError) -> Bool {
    counts.objects &+= 1
    return true
  }
  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool {
    counts.keys &+= 1
    return true
  }
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool {
    counts.arrays &+= 1
    return true
  }
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool {
    counts.strings &+= 1
    return true
  }
  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool {
    counts.numbers &+= 1
    return true
  }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool {
    counts.bools &+= 1
    return true
  }
  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool {
    counts.nulls &+= 1
    return true
  }
}

/// A parser that closures can share.
final class ReusedParser {
  private var parser = JSONParser()

  func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON { try parser.parse(bytes) }
}
