/// The records that a window of time excludes because they have no time.
package struct TimeMisses: Sendable {
  /// The first of such records.
  package struct First: Sendable {
    /// The line on which it begins; `nil` for a child of a document.
    package let line: Int?
    /// The start of the value in place of a time; empty if there is no value.
    package let text: [UInt8]
  }

  package private(set) var count = 0
  package private(set) var first: First?

  private static let maxTextBytes = 80

  package init() {}

  /// Adds a record, with the text of the value in place of its time; `nil` if there is no value.
  mutating func add(_ text: UnsafeRawBufferPointer?, line: Int?) {
    count += 1
    if first == nil {
      first = unsafe First(line: line, text: text.map { unsafe Array($0.prefix(Self.maxTextBytes)) } ?? [])
    }
  }

  /// Adds a record, with the value in place of its time.
  mutating func add(_ value: JSON?, line: Int?) {
    guard let value, first == nil else { return unsafe add(Optional<UnsafeRawBufferPointer>.none, line: line) }
    unsafe value.borrowRawBytes { unsafe add($0, line: line) }
  }

  /// Adds records that follow in the input.
  package mutating func add(_ others: TimeMisses) {
    count += others.count
    if first == nil { first = others.first }
  }

  /// Returns these records together with others of the same lines, and starts again.
  mutating func taken(with others: TimeMisses?) -> TimeMisses {
    guard var others, others.count > 0 else { return take() }
    guard count > 0 else { return others }
    let isLater = (first?.line ?? 0) < (others.first?.line ?? 0)
    var all = take()
    if isLater {
      all.add(others)
      return all
    }
    others.add(all)
    return others
  }

  /// Returns these records, and starts again.
  mutating func take() -> TimeMisses {
    guard count > 0 else { return self }
    defer { self = TimeMisses() }
    return self
  }
}
