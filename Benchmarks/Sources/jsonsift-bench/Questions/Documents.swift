import CRawYajl
import Foundation
import JSONSift

/// How fast is a whole document read, compared with libyajl called from C, and with `JSONSerialization`?
struct Documents {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let events = "JSONSift events"
  private static let reused = "JSONSift tape, reused"
  private static let fresh = "JSONSift tape, fresh"
  private static let peer = "JSONSerialization"
  static let baselines = ["yajl", "yajl, no UTF-8 check"]

  /// Raw libyajl with its check of UTF-8 and without; `parse` is told which.
  static func baselineSides(_ parse: @escaping (Int32) -> Int) -> [Side] {
    zip(baselines, [1, 0] as [Int32]).map { name, checks in Side(name) { blackHole(parse(checks)) } }
  }

  func run() throws {
    report.begin("documents", "whole documents in memory, against libyajl with callbacks that do nothing")
    var ratios: [String: [[Double]]] = [:]
    var lowest = (ratio: Double.infinity, document: "")
    var peerLowest = (ratio: Double.infinity, document: "")
    for document in try Corpus.load(arguments.files, report: report) {
      guard let hasPeer = try checkAnswers(document) else { continue }
      let rows = try measure(document, hasPeer: hasPeer)
      for row in rows where row.ratios.count == Self.baselines.count {
        ratios[row.name, default: []].append(row.ratios.map(\.median))
        if row.name == Self.reused, row.ratios[0].median < lowest.ratio {
          lowest = (row.ratios[0].median, document.name)
        }
      }
      if let ratio = try hasPeer ? measurePeer(document) : nil, ratio < peerLowest.ratio {
        peerLowest = (ratio, document.name)
      }
    }
    summarise(ratios, lowest, peerLowest)
  }

  private func summarise(
    _ ratios: [String: [[Double]]], _ lowest: (ratio: Double, document: String),
    _ peerLowest: (ratio: Double, document: String)
  ) {
    print("\nGeometric means")
    for (name, values) in ratios.sorted(by: { $0.key < $1.key }) {
      let means = Self.baselines.indices.map { baseline in geometricMean(values.map { $0[baseline] }) }
      let texts = zip(Self.baselines, means).map { "x \($0) \(fixed($1, 3))" }
      print(column("  " + name, 30) + texts.joined(separator: "   "))
      for (baseline, mean) in zip(Self.baselines, means) { report.add("geometric mean", name, "x \(baseline)", mean) }
    }
    if let values = ratios[Self.reused] {
      report.wanted("\(Self.reused) x yajl, lowest (\(lowest.document))", lowest.ratio, atLeast: 0.9)
      report.wanted("\(Self.reused) x yajl, geometric mean", geometricMean(values.map { $0[0] }), atLeast: 0.95)
    }
    if peerLowest.ratio < .infinity {
      report.wanted("\(Self.reused) x \(Self.peer), lowest (\(peerLowest.document))", peerLowest.ratio, atLeast: 4)
    }
  }

  // MARK: Answers

  /// Compares what all sides find.
  ///
  /// - Returns: Whether the peer can take part; `nil` if there is nothing to compare.
  private func checkAnswers(_ document: Corpus) throws -> Bool? {
    let name = document.name
    let bytes = document.bytes
    guard let expected = EventCounts(yajl: bytes) else {
      report.note("\(name): libyajl refuses it; left out")
      return nil
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      guard Self.isStricter(error.code) else { throw WrongAnswer(description: "\(name), tape: \(error)") }
      report.note("\(name): libyajl takes it; JSONSift is stricter and does not (\(error)); left out")
      return nil
    }
    try check(EventCounts(walking: json), is: expected, "\(name), tape")
    try check(EventCounts(walking: ReusedParser().parse(bytes)), is: expected, "\(name), tape of a reused parser")
    var reader = JSONPushReader(CountingHandler())
    try reader.feed(bytes)
    try reader.finish()
    try check(reader.handler.counts, is: expected, "\(name), events")
    try checkTape(json, expected, document)
    return try checkPeer(json, expected, document)
  }

  /// What libyajl lets pass, or what the default limits stop.
  private static func isStricter(_ code: JSONError.Code) -> Bool {
    let codes: [JSONError.Code] = [
      .loneSurrogate, .invalidUTF8, .depthLimit, .stringLimit, .keyLimit, .numberLimit, .recordLimit, .tapeLimit,
    ]
    return codes.contains(code)
  }

  /// Prints the size of the tape, and holds the documentation to it.
  private func checkTape(_ json: JSON, _ counts: EventCounts, _ document: Corpus) throws {
    let header = json.tapeBytes - 8 * counts.scalarsAndKeys - 24 * counts.containers
    guard 0...64 ~= header else {
      throw WrongAnswer(
        description: "\(document.name): a tape of \(json.tapeBytes) bytes is not 8 for each of "
          + "\(counts.scalarsAndKeys) scalars and keys and 24 for each of \(counts.containers) containers")
    }
    let share = Double(json.tapeBytes) / Double(max(document.bytes.count, 1))
    report.note("")
    report.note(
      "\(document.name): tape \(json.tapeBytes) bytes, \(fixed(share * 100, 1)) % of the document: \(header) + 8 x "
        + "\(counts.scalarsAndKeys) scalars and keys + 24 x \(counts.containers) containers")
    report.add(document.name, "tape", "bytes", Double(json.tapeBytes))
    report.add(document.name, "tape", "share of the document", share)
  }

  private func checkPeer(_ json: JSON, _ expected: EventCounts, _ document: Corpus) throws -> Bool {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(document.bytes), options: .fragmentsAllowed)
    } catch {
      report.note("\(document.name): JSONSerialization refuses it, and is left out")
      return false
    }
    let found = EventCounts(walking: value)
    if found == expected { return true }
    // A dictionary holds one of several members with one name. That explains a difference, or nothing does.
    try check(found, is: EventCounts(walking: json, unique: true), "\(document.name), JSONSerialization")
    report.note("\(document.name): JSONSerialization drops \(expected.keys - found.keys) duplicate members")
    return true
  }

  // MARK: Times

  private func baselines(_ document: Corpus) -> [Side] {
    let bytes = document.bytes
    return Self.baselineSides { Int(raw_yajl_whole(bytes, bytes.count, $0)) }
  }

  private func tape(_ document: Corpus) -> Side {
    let parser = ReusedParser()
    let bytes = document.bytes
    return Side(Self.reused) { blackHole(try parser.parse(bytes).tapeBytes) }
  }

  private func measure(_ document: Corpus, hasPeer: Bool) throws -> [Comparison] {
    let bytes = document.bytes
    let sides = [
      Side(Self.events) {
        var reader = JSONPushReader(CountingHandler())
        try reader.feed(bytes)
        try reader.finish()
        blackHole(reader.handler.counts.total)
      },
      tape(document),
      Side(Self.fresh) { blackHole(try JSON(parsing: bytes).tapeBytes) },
    ]
    let rows = try compare(
      sides, to: baselines(document), rounds: arguments.effort.rounds, effort: arguments.effort)
    report.table(document.name, bytes: bytes.count, baselines: Self.baselines, rows)
    return rows
  }

  /// - Returns: How many times as fast as the peer the tape is.
  private func measurePeer(_ document: Corpus) throws -> Double? {
    let data = Data(document.bytes)
    let side = Side(Self.peer) {
      try draining {
        let value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        blackHole((value as? [Any])?.count ?? 1)
      }
    }
    let rows = try compare(
      [side], to: baselines(document) + [tape(document)], rounds: arguments.effort.peerRounds, effort: arguments.effort)
    guard let row = rows.last, let ratio = row.ratios.last?.inverse else { return nil }
    let rate = Double(document.bytes.count) / row.seconds.median / 1e6
    print(
      column("  " + row.name, 30) + right(fixed(rate, rate < 100 ? 1 : 0), 8) + "   "
        + row.ratios.dropLast().map { column(text($0), 30) }.joined())
    print("  the reused tape is \(text(ratio)) times as fast as \(Self.peer)")
    report.add(document.name, Self.peer, "MB/s", rate)
    for (baseline, spread) in zip(Self.baselines, row.ratios) {
      report.add(document.name, Self.peer, "x \(baseline)", spread)
    }
    report.add(document.name, Self.reused, "x \(Self.peer)", ratio)
    return ratio.median
  }
}

/// Frees what Apple's Foundation would keep until somebody drains it.
func draining(_ body: () throws -> Void) rethrows {
  #if canImport(ObjectiveC)
    try autoreleasepool(invoking: body)
  #else
    try body()
  #endif
}
