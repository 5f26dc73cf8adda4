/// A condition that can be evaluated from the texts of values, without a document: it compares the values at paths of names
/// with literals and windows of time.
///
/// It gives the same answers as ``PathContext/test(_:_:)``.
struct TextCondition {
  fileprivate indirect enum Test {
    case any([Test])
    case all([Test])
    case not(Test)
    case exists(query: Int)
    case comparison(query: Int, PathComparison, Literal)
    case window(queries: Range<Int>, TimeBounds)
  }

  fileprivate struct Literal {
    let value: JSON
    /// The bytes, if it is a string.
    var string: [UInt8]?
    /// The value, if it is a number that a Double distinguishes from all other short numbers.
    var number: Double?
  }

  fileprivate let test: Test
  let queryCount: Int
  /// The queries of the time, if there is a window.
  private var timeQueries: Range<Int>?

  /// Returns `nil` if the condition contains a function, or a comparison other than of a path with a literal or a window.
  ///
  /// - Parameters:
  ///   - filter: The condition.
  ///   - first: The number of the first query. The queries are numbered in the order of ``PathFilter/queries``.
  init?(_ filter: PathFilter, from first: Int) {
    var count = 0
    guard let test = Self.test(filter, first, &count) else { return nil }
    self.test = test
    queryCount = count
    timeQueries = Self.timeQueries(test)
  }

  private static func timeQueries(_ test: Test) -> Range<Int>? {
    switch test {
    case .window(let queries, _): queries
    case .all(let parts): parts.lazy.compactMap { timeQueries($0) }.first
    case .any, .not, .exists, .comparison: nil
    }
  }

  private static func test(_ filter: PathFilter, _ first: Int, _ count: inout Int) -> Test? {
    switch filter {
    case .or(let parts):
      let tests = parts.compactMap { test($0, first, &count) }
      return tests.count == parts.count ? .any(tests) : nil
    case .and(let parts):
      let tests = parts.compactMap { test($0, first, &count) }
      return tests.count == parts.count ? .all(tests) : nil
    case .not(let part): return test(part, first, &count).map { .not($0) }
    case .exists:
      count += 1
      return .exists(query: first + count - 1)
    case .window(let queries, let bounds):
      let start = first + count
      count += queries.count
      return .window(queries: start..<(start + queries.count), bounds)
    case .comparison(.query, let comparison, .literal(let value)):
      count += 1
      return .comparison(query: first + count - 1, comparison, Literal(value))
    case .comparison(.literal(let value), let comparison, .query):
      count += 1
      return .comparison(query: first + count - 1, comparison.flipped, Literal(value))
    case .comparison, .function: return nil
    }
  }

  /// Returns the text of the value in place of a time, of a record without one; `nil` if there is no value.
  func valueInPlaceOfTime(_ text: (_ query: Int) -> UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer? {
    for query in timeQueries ?? 0..<0 { if let found = unsafe text(query) { return unsafe found } }
    return nil
  }

  /// Returns whether the condition holds.
  ///
  /// - Parameters:
  ///   - lacksTime: Set to true if no time was found for a window.
  ///   - text: Returns the text of the value that a query selects, which is JSON; `nil` if there is no such value.
  func holds(_ lacksTime: inout Bool, _ text: (_ query: Int) -> UnsafeRawBufferPointer?) -> Bool {
    unsafe Self.holds(test, &lacksTime, text)
  }

  private static func holds(
    _ test: Test, _ lacksTime: inout Bool, _ text: (_ query: Int) -> UnsafeRawBufferPointer?
  ) -> Bool {
    switch test {
    case .any(let parts): return parts.contains { unsafe holds($0, &lacksTime, text) }
    case .all(let parts): return parts.allSatisfy { unsafe holds($0, &lacksTime, text) }
    case .not(let part): return unsafe !holds(part, &lacksTime, text)
    case .exists(let query): return unsafe text(query) != nil
    case .window(let queries, let bounds):
      for query in queries {
        if let time = unsafe text(query).flatMap({ unsafe bounds.time(of: $0) }) { return bounds.contains(time) }
      }
      lacksTime = true
      return false
    case .comparison(let query, let comparison, let literal):
      guard let found = unsafe text(query) else { return comparison == .notEqual }
      return unsafe comparison.holds(for: literal.order(of: found))
    }
  }
}

/// The order of two values.
private enum TextOrder {
  case before, equal, after
  /// The values differ and have no order.
  case different
}

extension PathComparison {
  fileprivate func holds(for order: TextOrder) -> Bool {
    switch self {
    case .equal: order == .equal
    case .notEqual: order != .equal
    case .less: order == .before
    case .lessOrEqual: order == .before || order == .equal
    case .greater: order == .after
    case .greaterOrEqual: order == .after || order == .equal
    }
  }
}

extension TextCondition.Literal {
  init(_ value: JSON) {
    self.value = value
    if let text = value.string {
      string = Array(text.utf8)
    } else if value.type == .number {
      number = value.numberText.flatMap { text in
        var text = text
        return text.withUTF8 { unsafe Self.shortNumber(UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Returns the order of the value with this text relative to the literal.
  fileprivate func order(of text: UnsafeRawBufferPointer) -> TextOrder {
    let first = unsafe text.first ?? 0
    if let number {
      guard first == ASCII.minus || first.isDigit else { return .different }
      if let found = unsafe Self.shortNumber(text) {
        return found < number ? .before : found == number ? .equal : .after
      }
    } else if let string {
      guard first == ASCII.quote else { return .different }
      if let order = unsafe Self.order(UnsafeRawBufferPointer(rebasing: text.dropFirst().dropLast()), string) {
        return order
      }
    }
    return unsafe valueOrder(text)
  }

  /// Returns the order of a string's inner text relative to the literal; `nil` if it has escapes. UTF-8 bytes have the order
  /// of their characters.
  private static func order(_ inside: UnsafeRawBufferPointer, _ string: [UInt8]) -> TextOrder? {
    guard unsafe inside.firstOffset(of: ASCII.backslash) == nil else { return nil }
    let order = unsafe string.withUnsafeBytes { unsafe inside.lexicalOrder($0) }
    return order == 0 ? .equal : order < 0 ? .before : .after
  }

  /// Returns the nearest Double of a number with at most 15 digits and no exponent. Such numbers have the order of their
  /// Doubles.
  private static func shortNumber(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 17, unsafe !text.contains(where: { $0 | 0x20 == ASCII.lowerE }) else { return nil }
    let digits = unsafe text.count { $0.isDigit }
    return digits <= 15 ? unsafe NumberBytes.double(text) : nil
  }

  /// Compares by the rules for all values.
  private func valueOrder(_ text: UnsafeRawBufferPointer) -> TextOrder {
    guard let found = unsafe try? JSON(parsing: text), let isSame = found.isSameScalar(value) else { return .different }
    if isSame { return .equal }
    switch (found.type, value.type) {
    case (.number, .number): return found.exactOrder(value).map { $0 < 0 ? .before : .after } ?? .different
    case (.string, .string): return found.stringOrder(value) < 0 ? .before : .after
    default: return .different
    }
  }
}
