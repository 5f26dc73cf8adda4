/// Finds, in many lines at once, those for which a condition can hold.
struct LiteralPrefilter: Sendable {
  /// Needles of the rarest clause, and behind them the escapes that can hide one.
  private let rarest: LiteralSet
  /// The same of each other clause.
  private let others: [LiteralSet]
  /// The needles that are looked for first.
  let literals: [RequiredLiteral]
  /// Those that a line must have too.
  let otherLiterals: [[RequiredLiteral]]
  /// See ``ConditionWork``.
  let stepsPerByte: Int?

  /// `nil` if the condition can hold for a text of any bytes, as far as that is known.
  init?(_ condition: JSONCondition) {
    let found = RequiredLiterals(condition.filter)
    guard let first = found.clauses.first, let rarest = Self.set(of: first) else { return nil }
    self.rarest = rarest
    literals = first
    otherLiterals = Array(found.clauses.dropFirst())
    others = otherLiterals.compactMap { Self.set(of: $0) }
    stepsPerByte = ConditionWork.stepsPerByte(of: condition.filter)
  }

  private static func set(of clause: [RequiredLiteral]) -> LiteralSet? {
    var all: [[UInt8]] = []
    for literal in clause { all.append(literal.bytes) }
    for literal in clause { for escape in literal.escapes where !all.contains(escape) { all.append(escape) } }
    return LiteralSet(all)
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
  package var literals: [[String]] {
    guard let literalFilter = LiteralPrefilter(self) else { return [] }
    return ([literalFilter.literals] + literalFilter.otherLiterals).map { clause in
      clause.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }
}
