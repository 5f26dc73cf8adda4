import JSONSift

/// The elements or members of one container as records. It lends the texts of their values, if these are at names.
struct ElementStream: ResultStream, ~Copyable {
  private var elements: MatchStream
  private let condition: JSONCondition?
  private let options: JSONOptions
  /// `nil` if elements must be read as values.
  private let rows: TextRows?
  /// The item after the rows that were lent last: an element that must be read as a value, an error, or the end.
  private var value: JSON?
  private var failure: JSONError?
  private var hasEnded = false
  private var misses = TimeMisses()

  /// The maximum number of elements that one call lends, so that the caller can pass on the collected values in
  /// between.
  private static let batch = 256

  /// - Parameters:
  ///   - elements: The path of the elements.
  ///   - condition: Selects elements.
  ///   - kept: The paths from each element whose values are lent.
  init(
    _ elements: JSONPath, where condition: JSONCondition?, in input: Input, _ options: JSONRecordOptions,
    keeping kept: [JSONPath]
  ) throws(JSONError) {
    let rows = try TextRows(kept, where: condition, options.reading)
    self.elements = try MatchStream([NamedPath(name: "", path: elements)], where: nil, in: input, options)
    self.rows = rows
    self.condition = condition
    self.options = options.reading
  }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard let rows, value == nil, failure == nil, !hasEnded else { return 0 }
    for count in 0..<Self.batch {
      var outcome = TextRows.Outcome.excluded
      unsafe advance { text in
        outcome = unsafe rows.lend(text, body)
        return outcome == .unknown
      }
      if value != nil { return count }
      if outcome == .lent && !endRow() || failure != nil || hasEnded { return count + 1 }
    }
    return Self.batch
  }

  /// Advances to the next element.
  ///
  /// - Parameter becomesValue: Receives its text, and returns whether it is to become a value.
  private mutating func advance(_ becomesValue: (UnsafeRawBufferPointer) -> Bool) {
    do throws(JSONError) {
      hasEnded = try unsafe !elements.lendNext { _, text in
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

  mutating func next() throws(JSONError) -> Found? {
    while let value = try nextValue() {
      if try condition?.holds(for: value, limits: options.limits, &misses) ?? true {
        return Found(value: value, line: nil, match: nil)
      }
    }
    return nil
  }

  private mutating func nextValue() throws(JSONError) -> JSON? {
    guard rows != nil else { return try elements.next()?.value }
    // Elements whose texts were lent can no longer be requested as values.
    while value == nil, failure == nil, !hasEnded { unsafe advance { _ in true } }
    if let value {
      self.value = nil
      return value
    }
    defer { failure = nil }
    if let failure { throw failure }
    return nil
  }

  var framing: JSONFraming { elements.framing }
  var doubts: ProofDoubts { elements.doubts }

  mutating func takeTimeMisses() -> TimeMisses {
    var all = rows?.takeTimeMisses() ?? TimeMisses()
    all.add(misses)
    misses = TimeMisses()
    return all
  }

  func position(of error: JSONError) -> JSONError.Position { elements.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { elements.excerpt(of: error) }
  var stopReason: String? { elements.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { elements.badRecord(of: error) }

  mutating func begin(_ block: LineBlock) {
    hasEnded = false
    elements.begin(block)
  }

  mutating func end(_ block: LineBlock) { elements.end(block) }
  mutating func resume(_ rest: DocumentRest) throws(JSONError) { try elements.resume(rest) }
  var documentLines: LineCount { elements.documentLines }
}
