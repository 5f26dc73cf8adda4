import JSONSift

/// Reads the elements or members of one container as records. It passes the texts of their values, if these are at names.
package struct ElementRows {
  private let condition: JSONCondition?
  private let options: JSONOptions
  /// `nil` if elements must be read as values.
  private let rows: TextRows?
  /// The item after the rows that were passed last: an element that must be read as a value, an error, or the end.
  private var value: JSON?
  private var failure: JSONError?
  private var hasEnded = false
  private var misses = TimeMisses()

  /// The maximum number of elements that one call passes, so that the caller can pass on the collected values in
  /// between.
  private static let batch = 256

  /// - Parameters:
  ///   - condition: Selects elements.
  ///   - options: How the elements are read.
  ///   - kept: The paths from each element whose values are passed.
  package init(where condition: JSONCondition?, _ options: JSONOptions, keeping kept: [JSONPath]) {
    // An invalid path is an error of the value for which it is evaluated.
    rows = (try? TextRows(kept, where: condition, options)) ?? nil
    self.condition = condition
    self.options = options
  }

  /// Passes the values of the next records, or of the next elements if there are elements, as
  /// `JSONMatches.borrowRows(_:endRow:)` does.
  static func borrow(
    _ elements: inout ElementRows?, of matches: inout JSONMatches,
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    if elements == nil { return unsafe matches.borrowRows(body, endRow: endRow) }
    return unsafe elements?.borrowRows(of: &matches, body, endRow: endRow) ?? 0
  }

  /// Passes the values of the next elements, as `JSONMatches.borrowRows(_:endRow:)` does for records.
  mutating func borrowRows(
    of elements: inout JSONMatches, _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void,
    endRow: () -> Bool
  ) -> Int {
    guard let rows, value == nil, failure == nil, !hasEnded else { return 0 }
    for count in 0..<Self.batch {
      var outcome = TextRows.Outcome.excluded
      unsafe advance(&elements) { text in
        outcome = unsafe rows.borrow(text, body)
        return outcome == .unknown
      }
      if value != nil { return count }
      if outcome == .borrowed && !endRow() || failure != nil || hasEnded { return count + 1 }
    }
    return Self.batch
  }

  /// Advances to the next element.
  ///
  /// - Parameter becomesValue: Receives its text, and returns whether it is to become a value.
  private mutating func advance(_ elements: inout JSONMatches, _ becomesValue: (UnsafeRawBufferPointer) -> Bool) {
    do throws(JSONError) {
      hasEnded = try unsafe !elements.borrowNext { _, text in
        guard unsafe becomesValue(text) else { return }
        do throws(JSONError) {
          value = try unsafe JSON(parsing: text, options: options)
        } catch {
          // Not reached: the text is a part of an input that was read with these options.
          failure = error
        }
      }
    } catch {
      failure = error
    }
  }

  /// Returns the next element that satisfies the condition; `nil` at the end of the block or file.
  package mutating func next(of elements: inout JSONMatches) throws(JSONError) -> JSON? {
    while let value = try nextValue(of: &elements) {
      if try condition?.holds(for: value, limits: options.limits, &misses) ?? true {
        return value
      }
    }
    return nil
  }

  private mutating func nextValue(of elements: inout JSONMatches) throws(JSONError) -> JSON? {
    guard rows != nil else { return try elements.next()?.value }
    // Elements whose texts were passed can no longer be requested as values.
    while value == nil, failure == nil, !hasEnded { unsafe advance(&elements) { _ in true } }
    defer { (value, failure, hasEnded) = (nil, nil, false) }
    if let failure { throw failure }
    return value
  }

  /// Returns the elements that a window of time excluded because they have no time, since the last call.
  package mutating func takeTimeMisses() -> TimeMisses {
    var all = rows?.takeTimeMisses() ?? TimeMisses()
    all.add(misses)
    misses = TimeMisses()
    return all
  }
}
