/// Finds, among many lines at once, those for which a condition can hold.
struct LiteralPrefilter: Sendable {
  /// The literals of the rarest clause, followed by the escapes that can spell one. A *clause* is a set of alternative
  /// literals.
  private let rarest: LiteralSet
  /// The same for each other clause.
  private let others: [LiteralSet]
  /// The literals of the rarest clause, which are searched first.
  let literals: [RequiredLiteral]
  /// The literals of the other clauses, which a line must contain too.
  let otherLiterals: [[RequiredLiteral]]
  /// The work of the condition; `nil` if it can grow faster than a text.
  let work: ConditionWork?

  /// Creates a prefilter; `nil` if no literal is known to be required.
  init?(_ condition: JSONCondition) {
    let found = RequiredLiterals(condition.filter)
    guard let first = found.clauses.first, let rarest = Self.set(of: first) else { return nil }
    self.rarest = rarest
    literals = first
    otherLiterals = Array(found.clauses.dropFirst())
    others = otherLiterals.compactMap { Self.set(of: $0) }
    work = ConditionWork(of: condition.filter)
  }

  private static func set(of clause: [RequiredLiteral]) -> LiteralSet? {
    var all: [[UInt8]] = []
    for literal in clause { all.append(literal.bytes) }
    for literal in clause { for escape in literal.escapes where !all.contains(escape) { all.append(escape) } }
    return LiteralSet(all)
  }

  /// Returns the offset of the first line for which the condition can hold; `nil` if there is no such line.
  ///
  /// No literal contains a line feed, so each occurrence lies in one line.
  ///
  /// - Parameter lines: Complete lines, one after another.
  func firstCandidate(in lines: UnsafeRawBufferPointer) -> Int? {
    var start = 0
    while start < lines.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      guard let found = unsafe rarest.first(in: rest) else { return nil }
      let before = unsafe UnsafeRawBufferPointer(rebasing: rest[..<found.offset])
      let line = unsafe ByteScan.lastLineFeed(before).map { start + $0 + 1 } ?? start
      if others.isEmpty { return line }
      let following = unsafe UnsafeRawBufferPointer(rebasing: rest[found.offset...])
      let end = unsafe ByteScan.lineFeed(following).map { start + found.offset + $0 } ?? lines.count
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
  /// The literals that are searched in lines before these are parsed, for display. A line must contain at least one literal
  /// of each clause; the first clause is searched first. Empty if no literal is required. See ``JSONRecordOptions/Prefilter``.
  package var literals: [[String]] {
    guard let literalFilter = LiteralPrefilter(self) else { return [] }
    return ([literalFilter.literals] + literalFilter.otherLiterals).map { clause in
      clause.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }
}
