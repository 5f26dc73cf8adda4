import JSONSift

/// What is asked of some records, in the order of the input: the group of each, and the numbers found in it.
///
/// Nothing is added up here. The one who puts all parts together goes over the records once more, so it can stop at the very
/// record that is one too many, and the results do not depend on how the input was cut.
struct GroupRows: Sendable {
  /// What a path has found in a record.
  struct Number: BitwiseCopyable {
    let double: Double
    let mantissa: Int64
    /// This many bytes of `texts` are the text of the number, behind that of the number before it.
    let textCount: UInt32
    /// That of the mantissa; or one of the constants below.
    let exponent: Int8
    /// It is not the first value that the path has found in its record.
    let isFurther: Bool

    /// A number with more digits than a mantissa; its text says them.
    static let long: Int8 = 1
    /// Something that is no number, or none that a Double can hold. It has no text.
    static let wrong: Int8 = 2
    /// Nothing.
    static let absent: Int8 = 3

    /// The number, if it is of the common form.
    var short: NumberText.Short? {
      exponent <= 0 ? NumberText.Short(mantissa: mantissa, exponent: exponent) : nil
    }
  }

  /// The keys of the groups, as ``GroupKey`` writes them, in the order in which they come first.
  private(set) var keys = GroupKeys()
  /// Of each record: the number of its group.
  private(set) var groups: [UInt32] = []
  /// Of each record and each path one or more, in the order of the paths.
  private(set) var numbers: [Number] = []
  private(set) var texts: [UInt8] = []

  /// How many paths ask for numbers.
  let paths: Int
  /// The path whose values come next in the record that is being added.
  private var nextPath = 0
  /// Where the numbers and texts of that record begin.
  private var firstNumber = 0
  private var firstText = 0

  init(paths: Int) { self.paths = paths }

  /// How many records there are.
  var count: Int { groups.count }

  /// More than this is not gathered before it is handed on.
  private static let largest = 1 << 20

  var isFull: Bool {
    groups.count &* 4 &+ numbers.count &* MemoryLayout<Number>.stride &+ texts.count &+ keys.byteCount >= Self.largest
  }

  /// Makes room for as many records and numbers as others have.
  mutating func reserve(_ others: borrowing GroupRows) {
    groups.reserveCapacity(others.groups.count)
    numbers.reserveCapacity(others.numbers.count)
    texts.reserveCapacity(others.texts.count)
  }

  /// Adds a value that a path has found in the record that is being added. Paths come in their order.
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

  /// The record that is being added is complete, and belongs to the group with a key.
  mutating func endRecord<Key: RandomAccessCollection<UInt8>>(_ key: Key) where Key.Index == Int {
    endRecord(inGroup: number(of: key))
  }

  /// The number of the group with a key, which is added if it is not there.
  mutating func number<Key: RandomAccessCollection<UInt8>>(of key: Key) -> Int where Key.Index == Int {
    keys.number(of: key)
  }

  /// The same for the number of a group.
  mutating func endRecord(inGroup number: Int) {
    while nextPath < paths { addAbsent() }
    nextPath = 0
    firstNumber = numbers.count
    firstText = texts.count
    groups.append(UInt32(truncatingIfNeeded: number))
  }

  /// The record is not counted: an error has come up.
  mutating func dropRecord() {
    nextPath = 0
    numbers.removeLast(numbers.count - firstNumber)
    texts.removeLast(texts.count - firstText)
  }
}

/// The values by which a record is grouped, as bytes: of each its text without line breaks, and a line feed between two of them.
/// A value that is absent has no text.
struct GroupKey {
  private(set) var bytes: [UInt8] = []
  private var values = 0

  private static let separator = UInt8(ascii: "\n")

  /// Forgets the values of the record before.
  mutating func begin() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    values = 0
  }

  /// Adds the value of a number, from 0. Values that are left out are absent.
  mutating func add(_ text: UnsafeRawBufferPointer, _ number: Int) {
    fill(to: number)
    if number > 0 { bytes.append(Self.separator) }
    values = number &+ 1
    unsafe bytes.append(withoutBreaks: text)
  }

  /// The values before a number are absent if they have not been added.
  mutating func fill(to number: Int) {
    while values < number {
      if values > 0 { bytes.append(Self.separator) }
      values &+= 1
    }
  }

  /// Whether the text of a value is a key by itself, where records are grouped by one value.
  static func isKey(_ text: UnsafeRawBufferPointer) -> Bool {
    // Line breaks stand only between tokens.
    let first = unsafe text.first ?? 0
    return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
  }

  /// The texts of the values; an empty one is that of a value that is absent.
  static func texts(_ key: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    key.split(separator: separator, omittingEmptySubsequences: false)
  }
}
