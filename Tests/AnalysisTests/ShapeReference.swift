import Foundation
import JSONSift
import JSONSiftAnalysis

/// The shape of records by its definition: all values of a path are collected first, and then examined.
struct ShapeReference {
  private struct Value {
    let json: JSON
    let record: Int
    let ordinal: Int
  }

  private let options: JSONShape.Options
  private var rows: [String] = []
  private var ordinal = 0

  /// Returns a line for each path, in the form of `line(_:)`.
  static func lines(of records: [JSON], _ options: JSONShape.Options) -> [String] {
    var reference = ShapeReference(options: options)
    var values: [Value] = []
    // Values are numbered in the order of the text, as a traversal of each record visits them.
    for (number, record) in records.enumerated() {
      values.append(Value(json: record, record: number, ordinal: reference.ordinal))
      reference.ordinal += 1_000_000
    }
    reference.add(values, at: "$", parents: nil, isBelowMap: false, records: Set(values.map(\.record)).count)
    return reference.rows
  }

  private init(options: JSONShape.Options) { self.options = options }

  private mutating func add(
    _ values: [Value], at path: String, parents: Int?, isBelowMap: Bool, isMapMember: Bool = false, records: Int
  ) {
    let isInMap = isBelowMap || isMapMember
    func count(_ type: JSONType) -> Int { values.filter { $0.json.type == type }.count }
    let objects = values.filter { $0.json.type == .dictionary }
    let numbers = values.filter { $0.json.type == .number }
    func extreme(_ isBetter: (Decimal, Decimal) -> Bool) -> String? {
      var best: Value?
      for number in numbers {
        guard let known = best else {
          best = number
          continue
        }
        if isBetter(number.json.decimal ?? 0, known.json.decimal ?? 0) { best = number }
      }
      return best.map { String(decoding: $0.json.rawBytes, as: UTF8.self) }
    }
    func range(_ counts: [Int]) -> String {
      guard let minCount = counts.min(), let maxCount = counts.max() else { return "-" }
      return "\(minCount)...\(maxCount)"
    }
    var members: [(name: String, value: Value)] = []
    var elements: [Value] = []
    for value in values {
      var offset = value.ordinal
      switch value.json.type {
      case .dictionary:
        value.json.forEachMember { name, json in
          offset += 1
          members.append((name, Value(json: json, record: value.record, ordinal: offset)))
          offset += Self.size(of: json) - 1
        }
      case .array:
        for element in value.json.arrayValue {
          offset += 1
          elements.append(Value(json: element, record: value.record, ordinal: offset))
          offset += Self.size(of: element) - 1
        }
      default: break
      }
    }
    var names: [String] = []
    for member in members where !names.contains(member.name) { names.append(member.name) }
    let isMap = names.count > options.maxKeys
    var examples: [String] = []
    for value in values where [.string, .number, .bool].contains(value.json.type) {
      let text = String(decoding: value.json.rawBytes, as: UTF8.self)
      if examples.count < options.maxExamples, !examples.contains(text) { examples.append(text) }
    }
    rows.append(
      [
        path, "\(count(.null)) \(count(.bool)) \(count(.number)) \(count(.string)) \(count(.array)) \(objects.count)",
        isBelowMap ? "-" : "\(records)", parents.map { "\($0)" } ?? "-", extreme(<) ?? "-", extreme(>) ?? "-",
        range(values.compactMap { $0.json.string?.unicodeScalars.count }),
        range(values.filter { $0.json.type == .array }.map { $0.json.count }),
        range(objects.map { $0.json.count }),
        objects.isEmpty ? "-" : isMap ? "more than \(options.maxKeys)" : "\(names.count)",
        examples.joined(separator: ","),
      ].joined(separator: " | "))
    if !elements.isEmpty {
      add(
        elements, at: path + "[*]", parents: nil, isBelowMap: isInMap, records: Set(elements.map(\.record)).count)
    }
    if isMap {
      let all = members.map(\.value)
      // For the map itself, the number of records in which it has a member is known.
      let known = Set(all.map(\.record)).count
      add(all, at: path + ".*", parents: objects.count, isBelowMap: isInMap, isMapMember: true, records: known)
    } else {
      for name in names {
        let all = members.filter { $0.name == name }.map(\.value)
        add(
          all, at: path + "['\(name)']", parents: objects.count, isBelowMap: isInMap,
          records: Set(all.map(\.record)).count)
      }
    }
  }

  /// Returns the number of values in a value, including itself.
  private static func size(of json: JSON) -> Int {
    var size = 1
    if json.type == .array { for element in json.arrayValue { size += self.size(of: element) } }
    if json.type == .dictionary { json.forEachMember { size += self.size(of: $1) } }
    return size
  }

  /// Returns the compared properties of a path.
  static func line(_ path: JSONShape.Path) -> String {
    func range(_ range: ClosedRange<Int>?) -> String { range.map { "\($0.lowerBound)...\($0.upperBound)" } ?? "-" }
    // Names in the tests are letters: the reference writes them in brackets.
    var text = ""
    for step in path.path.split(separator: ".", omittingEmptySubsequences: false) {
      if text.isEmpty {
        text = String(step)
      } else if step.hasPrefix("*") {
        text += "." + step
      } else {
        let name = step.prefix { $0 != "[" }
        text += "['\(name)']" + step.dropFirst(name.count)
      }
    }
    return [
      text,
      "\(path.nullCount) \(path.boolCount) \(path.numberCount) \(path.stringCount) \(path.arrayCount) "
        + "\(path.objectCount)",
      path.recordCount.map { "\($0)" } ?? "-", path.parentCount.map { "\($0)" } ?? "-", path.minNumber ?? "-",
      path.maxNumber ?? "-", range(path.characters), range(path.elements), range(path.members),
      path.objectCount == 0 ? "-" : path.hasMoreKeys ? "more than \(path.keyCount ?? -1)" : "\(path.keyCount ?? -1)",
      path.examples.joined(separator: ","),
    ].joined(separator: " | ")
  }
}

extension JSON {
  /// Calls `body` for every member in the order of the text, including duplicates.
  fileprivate func forEachMember(_ body: (String, JSON) -> Void) {
    for (key, value) in self { body(key, value) }
  }
}
