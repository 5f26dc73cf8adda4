import Foundation
import JSONSift

/// The expected output of `jsift stats`, computed from known values in the simplest way.
struct StatsReference {
  /// The expected content of a column.
  enum Expected: Equatable {
    case text(String)
    /// A number within 0.1 %.
    case near(Double)
  }

  private struct Numbers {
    var texts: [String] = []
    var absent = 0
    var wrong = 0
  }

  private struct Group {
    let key: [String?]
    var count = 0
    var numbers: [Numbers]
  }

  let names: [String]
  let keys: [String]
  private var groups: [Group] = []
  private var indexes: [[String?]: Int] = [:]

  init(of names: [String], by keys: [String]) {
    self.names = names
    self.keys = keys
  }

  /// Adds a record: the JSON texts of the values that each path selects.
  mutating func add(_ found: [[String]], by key: [String?]) {
    // The spellings of equal values in the records of the tests.
    let value = key.map { text in ["1.0": "1", "\"\\u0069nfo\"": "\"info\""][text ?? ""] ?? text }
    let index = indexes[value, default: groups.count]
    if index == groups.count {
      indexes[value] = index
      groups.append(Group(key: key, numbers: names.map { _ in Numbers() }))
    }
    groups[index].count += 1
    for (path, texts) in found.enumerated() {
      if texts.isEmpty { groups[index].numbers[path].absent += 1 }
      for text in texts {
        let isNumber = text.first.map { $0 == "-" || $0.isNumber } ?? false
        if isNumber, let double = Double(text), double.isFinite {
          groups[index].numbers[path].texts.append(text)
        } else {
          groups[index].numbers[path].wrong += 1
        }
      }
    }
  }

  /// Returns the rows, each with the names of its columns.
  func rows() throws -> [[(String, Expected)]] {
    var rows: [[(String, Expected)]] = []
    for group in groups {
      let head = zip(keys, group.key).compactMap { name, text in text.map { (name, Expected.text($0)) } }
      guard !names.isEmpty else {
        rows.append(head + [("count", .text("\(group.count)"))])
        continue
      }
      for (name, numbers) in zip(names, group.numbers) {
        rows.append([("name", .text("\"\(name)\""))] + head + (try columns(numbers)))
      }
    }
    return rows
  }

  private func columns(_ numbers: Numbers) throws -> [(String, Expected)] {
    let tail: [(String, Expected)] = [("absent", .text("\(numbers.absent)")), ("wrong", .text("\(numbers.wrong)"))]
    let count = numbers.texts.count
    guard count > 0 else { return [("count", .text("0"))] + tail }
    let doubles = numbers.texts.map { Double($0) ?? .nan }
    let values = try numbers.texts.map { try JSON(parsing: $0) }
    var (minIndex, maxIndex) = (0, 0)
    for index in 1..<max(count, 1) {
      // Numbers with the same Double are compared by value.
      if doubles[index] < doubles[minIndex] || doubles[index] == doubles[minIndex] && values[index] < values[minIndex] {
        minIndex = index
      }
      if doubles[index] > doubles[maxIndex] || doubles[index] == doubles[maxIndex] && values[index] > values[maxIndex] {
        maxIndex = index
      }
    }
    let sum = PlainSum(numbers.texts)
    let sorted = doubles.sorted()
    let percentiles = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map { name, share in
      let number = sorted[max(Int((share * Double(count)).rounded(.up)), 1) - 1]
      return (name, count > 1000 ? Expected.near(number) : .text(JSON(number == 0 ? 0 : number).stringValue))
    }
    let mean = sum.double / Double(count)
    // The sum of numbers can exceed the range of Double.
    let means: [(String, Expected)] = mean.isFinite ? [("mean", .text(JSON(mean).stringValue))] : []
    return [
      ("count", .text("\(count)")), ("sum", .text(sum.text)), ("min", .text(numbers.texts[minIndex])),
      ("max", .text(numbers.texts[maxIndex])),
    ] + means + percentiles + tail
  }

  /// Returns the differences between the rows and the lines that the tool has written; empty if there are none.
  func problems(in lines: [String]) throws -> [String] {
    let rows = try rows()
    guard rows.count == lines.count else { return ["\(lines.count) lines, not \(rows.count)"] }
    var problems: [String] = []
    for (line, row) in zip(lines, rows) {
      let found = try JSON(parsing: line)
      let members = found.map { ($0.0, $0.1) }
      guard members.map(\.0) == row.map(\.0) else {
        problems.append("\(line): not the columns \(row.map(\.0))")
        continue
      }
      for ((name, value), (_, expected)) in zip(members, row) {
        switch expected {
        case .text(let text):
          let isRight = try value.type == .number ? value.numberText == text : value == JSON(parsing: text)
          if !isRight { problems.append("\(line): \(name) is not \(text)") }
        case .near(let number):
          let distance = abs((value.double ?? .nan) - number)
          if !(distance <= abs(number) * 0.001) { problems.append("\(line): \(name) is not near \(number)") }
        }
      }
    }
    return problems
  }
}

/// The sum of decimals, digit by digit.
struct PlainSum {
  private var isNegative = false
  private var digits: [Int] = []
  private var exponent = -400
  private var isExact = true

  init(_ texts: [String]) {
    // Digits from 10^-400 up, for positive and negative numbers separately.
    var columns = [[Int](repeating: 0, count: 800), [Int](repeating: 0, count: 800)]
    for text in texts {
      var mantissa = text.prefix { $0 != "e" && $0 != "E" }
      var power = Int(text.dropFirst(mantissa.count + 1)) ?? 0
      let side = mantissa.first == "-" ? 1 : 0
      if side == 1 { mantissa.removeFirst() }
      if let point = mantissa.firstIndex(of: ".") {
        power -= mantissa.distance(from: point, to: mantissa.endIndex) - 1
        mantissa.remove(at: point)
      }
      for digit in mantissa.reversed() {
        let number = digit.wholeNumberValue ?? 0
        // The tool keeps no digits below this.
        if number != 0, power < -360 { isExact = false } else if number != 0 { columns[side][power + 400] += number }
        power += 1
      }
    }
    let (above, below) = (Self.carried(columns[0]), Self.carried(columns[1]))
    isNegative = above.reversed().lexicographicallyPrecedes(below.reversed())
    var borrow = 0
    for (left, right) in isNegative ? zip(below, above) : zip(above, below) {
      let difference = left - right - borrow
      borrow = difference < 0 ? 1 : 0
      digits.append(difference + borrow * 10)
    }
    while digits.last == 0 { digits.removeLast() }
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    exponent += zeros
    digits.reverse()
  }

  private static func carried(_ columns: [Int]) -> [Int] {
    var carry = 0
    return columns.map { column in
      defer { carry = (column + carry) / 10 }
      return (column + carry) % 10
    }
  }

  private var digitText: String { digits.map(String.init).joined() }

  var double: Double { digits.isEmpty ? 0 : Double("\(isNegative ? "-" : "")\(digitText)e\(exponent)") ?? .nan }

  /// All digits, if there are at most 38 and no number has lost digits; otherwise the nearest Double.
  var text: String {
    guard isExact, digits.count <= 38, -128...127 ~= exponent || digits.isEmpty else {
      return double.isFinite ? JSON(double).stringValue : "null"
    }
    guard !digits.isEmpty else { return "0" }
    let zeros = String(repeating: "0", count: max(exponent, 0))
    var text = digitText + zeros
    if exponent < 0 {
      text = String(repeating: "0", count: max(1 - exponent - text.count, 0)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: exponent))
    }
    return (isNegative ? "-" : "") + text
  }
}
