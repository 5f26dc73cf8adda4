import JSONSift

/// Does it cost the same to reach an element of a long array, or a member of a big object, wherever it stands?
///
/// Every index and every key is asked for once. If one cost as much as its place, twice the size would take four times
/// as long.
struct IndexAndLookup {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  func run() throws {
    report.begin("lookup", "every element by index, every member by key")
    print(column("", 30) + right("ms", 9) + right("ns each", 9) + "   at the double size")
    let count = arguments.elements
    try compare("json[index]", Self.array, count) { json, count in
      var sum = 0
      for index in 0..<count { sum += json[index].int ?? 0 }
      return sum
    }
    // The keys are made before the clock starts.
    let keys = (0..<2 * count).map { "member number \($0)" }
    try compare("json[key]", Self.object, count) { json, count in
      var sum = 0
      for key in keys[..<count] { sum += json[key].int ?? 0 }
      return sum
    }
  }

  private func compare(
    _ name: String, _ make: (Int) -> [UInt8], _ count: Int, _ sum: @escaping (JSON, Int) -> Int
  ) throws {
    let (small, large) = (make(count), make(2 * count))
    var samples: (small: [Double], large: [Double]) = ([], [])
    for _ in 0..<arguments.effort.rounds {
      samples.small.append(try measure(name, small, count, sum))
      samples.large.append(try measure(name, large, 2 * count, sum))
    }
    let ratio = Spread(zip(samples.small, samples.large).map { $1 / $0 })
    for (count, times) in [(count, samples.small), (2 * count, samples.large)] {
      let spread = Spread(times)
      let each = spread.median / Double(count) * 1e9
      print(
        column("  \(name), \(count)", 30) + right(fixed(spread.median * 1e3, 2), 9) + right(fixed(each, 1), 9))
      report.add("\(count)", name, "seconds", spread)
      report.add("\(count)", name, "ns each", each)
    }
    print(column("", 48) + "   x \(text(ratio))")
    report.wanted("\(name), time at the double size", ratio.median, atMost: 2.5)
  }

  /// Parses anew each time, outside the clock: the table that the first access makes is part of the price.
  private func measure(_ name: String, _ bytes: [UInt8], _ count: Int, _ sum: (JSON, Int) -> Int) throws -> Double {
    let json = try JSON(parsing: bytes)
    var found = 0
    let time = seconds { found = sum(json, count) }
    try check(found, is: count * (count - 1) / 2, "\(name), \(count)")
    return time
  }

  private static func array(_ count: Int) -> [UInt8] {
    Array("[\((0..<count).map(String.init).joined(separator: ","))]".utf8)
  }

  private static func object(_ count: Int) -> [UInt8] {
    Array("{\((0..<count).map { "\"member number \($0)\":\($0)" }.joined(separator: ","))}".utf8)
  }
}
