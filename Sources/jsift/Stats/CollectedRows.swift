import JSONSift

/// The group of each record, and the numbers found in it, in the order of the input.
///
/// Nothing is added up here. ``Groups`` iterates over the records of all parts, so it can stop at the exact record that
/// exceeds the maximum number of groups, and the results do not depend on how the input was split.
struct CollectedRows: Sendable {
  /// A value that a path selected in a record.
  struct Number: BitwiseCopyable {
    let double: Double
    let mantissa: Int64
    /// The length of the number's text in `texts`, where it follows the text of the previous number.
    let textCount: UInt32
    /// The exponent for the mantissa, or one of the constants below.
    let exponent: Int8
    /// Whether it is not the first value that the path selected in this record.
    let isFurther: Bool

    /// A number with more digits than a mantissa; only its text is exact.
    static let long: Int8 = 1
    /// A value that is not a number, or is beyond the range of Double. It has no text.
    static let wrong: Int8 = 2
    /// The path selected nothing.
    static let absent: Int8 = 3

    /// The number, if it has the short form.
    var short: NumberText.Short? {
      exponent <= 0 ? NumberText.Short(mantissa: mantissa, exponent: exponent) : nil
    }
  }

  /// The keys of the groups, as ``GroupKey`` encodes them, in the order of their first occurrence.
  private(set) var keys = GroupKeys()
  /// By record: the number of its group.
  private(set) var groups: [UInt32] = []
  /// By record and path: one or more values, in the order of the paths.
  private(set) var numbers: [Number] = []
  private(set) var texts: [UInt8] = []
  /// The values that are counted by their hashes.
  var distinct: CollectedValues

  /// The number of paths that select numbers.
  let paths: Int
  /// The next expected path in the current record.
  private var nextPath = 0
  /// The start of the numbers and texts of the current record.
  private var firstNumber = 0
  private var firstText = 0

  /// - Parameters:
  ///   - paths: The number of paths that select numbers.
  ///   - distinct: The number of paths whose distinct values are counted.
  init(paths: Int, distinct: Int) {
    self.paths = paths
    self.distinct = CollectedValues(paths: distinct)
  }

  /// The number of records.
  var count: Int { groups.count }

  /// The size in bytes at which the rows are passed on.
  private static let maxBytes = 1 << 20

  var isFull: Bool {
    groups.count &* 4 &+ numbers.count &* MemoryLayout<Number>.stride &+ texts.count &+ keys.byteCount
      &+ distinct.byteCount >= Self.maxBytes
  }

  /// Reserves capacity for as many records and numbers as `others` contains.
  mutating func reserve(_ others: borrowing CollectedRows) {
    groups.reserveCapacity(others.groups.count)
    numbers.reserveCapacity(others.numbers.count)
    texts.reserveCapacity(others.texts.count)
    distinct.reserve(others.distinct)
  }

  /// Adds a value that a path selected in the current record. Paths must be added in their order.
  mutating func add(_ text: UnsafeRawBufferPointer, ofPath path: Int) {
    while nextPath < path { addAbsent() }
    let isFurther = nextPath > path
    nextPath = path &+ 1
    let first = unsafe text.first ?? 0
    guard first == UInt8(ascii: "-") || first &- 0x30 < 10 else { return addWrong(isFurther) }
    let short = unsafe NumberText.short(text)
    let double = unsafe short?.double ?? NumberBytes.double(text)
    guard double.isFinite else { return addWrong(isFurther) }
    unsafe texts.append(contentsOf: text)
    numbers.append(
      Number(
        double: double, mantissa: short?.mantissa ?? 0, textCount: UInt32(truncatingIfNeeded: text.count),
        exponent: short?.exponent ?? Number.long, isFurther: isFurther))
  }

  private mutating func addWrong(_ isFurther: Bool) {
    numbers.append(Number(double: 0, mantissa: 0, textCount: 0, exponent: Number.wrong, isFurther: isFurther))
  }

  private mutating func addAbsent() {
    numbers.append(Number(double: 0, mantissa: 0, textCount: 0, exponent: Number.absent, isFurther: false))
    nextPath &+= 1
  }

  /// Completes the current record, which belongs to the group with a key.
  mutating func endRecord<Key: RandomAccessCollection<UInt8>>(_ key: Key) where Key.Index == Int {
    endRecord(inGroup: number(of: key))
  }

  /// Returns the number of the group with a key. Adds the group if it is new.
  mutating func number<Key: RandomAccessCollection<UInt8>>(of key: Key) -> Int where Key.Index == Int {
    keys.number(of: key)
  }

  /// Completes the current record, which belongs to the group with a number.
  mutating func endRecord(inGroup number: Int) {
    while nextPath < paths { addAbsent() }
    nextPath = 0
    firstNumber = numbers.count
    firstText = texts.count
    distinct.endRecord()
    groups.append(UInt32(truncatingIfNeeded: number))
  }

  /// Removes the current record after an error.
  mutating func dropRecord() {
    nextPath = 0
    numbers.removeLast(numbers.count - firstNumber)
    texts.removeLast(texts.count - firstText)
    distinct.dropRecord()
  }
}

/// The values by which a record is grouped, as bytes: the text of each without line breaks, separated by line feeds. An
/// absent value has an empty text.
struct GroupKey {
  private(set) var bytes: [UInt8] = []
  private var values = 0

  private static let separator = UInt8(ascii: "\n")

  /// Removes the values of the previous record.
  mutating func begin() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    values = 0
  }

  /// Adds the value at an index. Values that are skipped are absent.
  mutating func add(_ text: UnsafeRawBufferPointer, _ number: Int) {
    fill(to: number)
    if number > 0 { bytes.append(Self.separator) }
    values = number &+ 1
    unsafe bytes.append(withoutBreaks: text)
  }

  /// Adds the first value, as bytes without line feeds.
  mutating func add(first text: [UInt8]) {
    values = 1
    bytes += text
  }

  /// Marks the values before an index as absent, unless they were added.
  mutating func fill(to number: Int) {
    while values < number {
      if values > 0 { bytes.append(Self.separator) }
      values &+= 1
    }
  }

  /// Returns whether the text of a value is a key without further encoding, if records are grouped by one value.
  static func isKey(_ text: UnsafeRawBufferPointer) -> Bool {
    // Line breaks occur only between tokens.
    let first = unsafe text.first ?? 0
    return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
  }

  /// Returns the texts of the values; the text of an absent value is empty.
  static func texts(_ key: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    key.split(separator: separator, omittingEmptySubsequences: false)
  }
}
