/// Finds, in many lines at once, those for which a condition can hold.
struct TextSieve: Sendable {
  /// Needles of the rarest clause, and behind them the escapes that can hide one.
  private let rarest: NeedleSet
  /// The same of each other clause.
  private let others: [NeedleSet]
  /// The needles that are looked for first.
  let needles: [ConditionNeedle]
  /// Those that a line must have too.
  let otherNeedles: [[ConditionNeedle]]
  /// See ``ConditionWork``.
  let stepsPerByte: Int?

  /// `nil` if the condition can hold for a text of any bytes, as far as that is known.
  init?(_ condition: JSONCondition) {
    let found = ConditionNeedles(condition.filter)
    guard let first = found.clauses.first, let rarest = Self.set(of: first) else { return nil }
    self.rarest = rarest
    needles = first
    otherNeedles = Array(found.clauses.dropFirst())
    others = otherNeedles.compactMap { Self.set(of: $0) }
    stepsPerByte = ConditionWork.stepsPerByte(of: condition.filter)
  }

  private static func set(of clause: [ConditionNeedle]) -> NeedleSet? {
    var all: [[UInt8]] = []
    for needle in clause { all.append(needle.bytes) }
    for needle in clause { for escape in needle.escapes where !all.contains(escape) { all.append(escape) } }
    return NeedleSet(all)
  }

  /// Where the first line begins for which the condition can hold; `nil` if there is none.
  ///
  /// No needle has a line feed, so each lies in one line.
  ///
  /// - Parameter lines: Whole lines, one behind another.
  func firstCandidate(in lines: UnsafeRawBufferPointer) -> Int? {
    var start = 0
    while start < lines.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      guard let found = unsafe rarest.first(in: rest) else { return nil }
      let before = unsafe UnsafeRawBufferPointer(rebasing: rest[..<found.place])
      let line = unsafe ByteScan.lastLineFeed(before).map { start + $0 + 1 } ?? start
      if others.isEmpty { return line }
      let behind = unsafe UnsafeRawBufferPointer(rebasing: rest[found.place...])
      let end = unsafe ByteScan.lineFeed(behind).map { start + found.place + $0 } ?? lines.count
      if unsafe hasOthers(UnsafeRawBufferPointer(rebasing: lines[line..<end])) { return line }
      start = end + 1
    }
    return nil
  }

  private func hasOthers(_ line: UnsafeRawBufferPointer) -> Bool {
    for other in others where unsafe other.first(in: line) == nil { return false }
    return true
  }
}

extension JSONCondition {
  /// For people: the bytes that are looked for in lines before these are parsed, of each clause one must be there; the
  /// first clause is looked for first. Empty if there are none. See ``JSONPrefilter``.
  package var needles: [[String]] {
    guard let sieve = TextSieve(self) else { return [] }
    return ([sieve.needles] + sieve.otherNeedles).map { clause in
      clause.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }
}
