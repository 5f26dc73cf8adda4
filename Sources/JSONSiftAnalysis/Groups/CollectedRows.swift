import JSONSift

/// The group of each record, and the numbers found in it, in the order of the input.
///
/// Nothing is added up here. ``Groups`` iterates over the records of all batches, so it can stop at the exact record that
/// exceeds the maximum number of groups, and the results do not depend on how the input was split.
package struct CollectedRows: Sendable {
  /// A value that a path selected in a record.
  struct Number: PathValue {
    let double: Double
    let mantissa: Int64
    /// The length of the number's text in `texts`, where it follows the text of the previous number.
    let textCount: UInt32
    /// The exponent for the mantissa, or one of the constants below.
    let exponent: Int8
    let isFurther: Bool

    /// A number with more digits than a mantissa; only its text is exact.
    static let long: Int8 = 1
    /// A value that is not a number, or is beyond the range of Double. It has no text.
    static let wrong: Int8 = 2
    /// The path selected nothing.
    static let missing: Int8 = 3

    static var absent: Number { Number(exponent: missing) }

    /// A value without text.
    init(exponent: Int8, isFurther: Bool = false) {
      (double, mantissa, textCount) = (0, 0, 0)
      self.exponent = exponent
      self.isFurther = isFurther
    }

    /// A number with a text of this length.
    init(_ short: NumberText.Short?, _ double: Double, textCount: Int, isFurther: Bool) {
      self.double = double
      mantissa = short?.mantissa ?? 0
      exponent = short?.exponent ?? Self.long
      self.textCount = UInt32(truncatingIfNeeded: textCount)
      self.isFurther = isFurther
    }

    /// Whether it is a number.
    var isNumber: Bool { exponent <= Self.long }

    /// The number, if it has the short form.
    var short: NumberText.Short? {
      exponent <= 0 ? NumberText.Short(mantissa: mantissa, exponent: exponent) : nil
    }
  }

  /// A group that a record belongs to.
  struct Group: Sendable {
    private let bits: UInt32

    /// - Parameter isFurther: Whether the record belongs to another group before.
    init(_ index: Int, isFurther: Bool) { bits = UInt32(truncatingIfNeeded: index) &<< 1 | (isFurther ? 1 : 0) }

    /// The index of its key.
    var index: Int { Int(bits &>> 1) }
    var isFurther: Bool { bits & 1 != 0 }
  }

  /// The keys of the groups, as ``GroupKey`` encodes them, in the order of their first occurrence.
  var keys = GroupKeys()
  /// The groups of the records, in their order: each has one or more.
  private(set) var groups: [Group] = []
  /// The number of records.
  private(set) var count = 0
  private(set) var numbers: PathValues<Number>
  private(set) var texts: [UInt8] = []
  /// The values that are counted by their hashes.
  private(set) var distinct: PathValues<HashedValue>
  /// By key: the message of its first record. Empty without templates.
  private(set) var examples: [MessageExample] = []
  /// The number of examples whose line is known, and the length of all of them.
  private var lineCount = 0
  private var exampleBytes = 0
  /// The start of the texts of the current record.
  private var firstText = 0

  /// - Parameters:
  ///   - paths: The number of paths that select numbers.
  ///   - distinct: The number of paths whose distinct values are counted.
  init(paths: Int, distinct: Int) {
    numbers = PathValues(paths: paths)
    self.distinct = PathValues(paths: distinct)
  }

  /// The size in bytes at which the rows are passed on.
  static let maxBytes = 1 << 20

  var isFull: Bool { byteCount >= Self.maxBytes }

  /// The approximate size in bytes.
  var byteCount: Int {
    groups.count &* MemoryLayout<Group>.stride &+ numbers.byteCount &+ texts.count &+ keys.byteCount
      &+ distinct.byteCount &+ exampleBytes
  }

  /// Creates empty rows with the same paths, and room for as many records and numbers as `others` contains.
  init(like others: borrowing CollectedRows) {
    self.init(paths: others.numbers.paths, distinct: others.distinct.paths)
    groups.reserveCapacity(others.groups.count)
    numbers.reserve(others.numbers)
    texts.reserveCapacity(others.texts.count)
    distinct.reserve(others.distinct)
  }

  /// Adds a value that a path selected in the current record. Paths must be added in their order.
  mutating func add(_ text: UnsafeRawBufferPointer, ofPath path: Int) {
    let isFurther = numbers.begin(path: path)
    let first = unsafe text.first ?? 0
    let mayBeNumber = first == UInt8(ascii: "-") || first &- 0x30 < 10
    let short = mayBeNumber ? unsafe NumberText.short(text) : nil
    let double = mayBeNumber ? unsafe short?.double ?? NumberBytes.double(text) : .nan
    guard double.isFinite else {
      return numbers.append(Number(exponent: Number.wrong, isFurther: isFurther))
    }
    unsafe texts.append(contentsOf: text)
    numbers.append(Number(short, double, textCount: text.count, isFurther: isFurther))
  }

  /// Adds a value whose hash is counted, in the same way.
  mutating func add(distinct text: UnsafeRawBufferPointer, ofPath path: Int) {
    unsafe distinct.add(text, ofPath: path)
  }

  /// Adds the current record to the group at an index, which it was not added to before.
  ///
  /// - Parameter isFurther: Whether it was added to another group.
  mutating func add(toGroup number: Int, isFurther: Bool = false) {
    groups.append(Group(number, isFurther: isFurther))
  }

  /// By key: the number of its records, for rows without values that are added up.
  var countsByKey: [Int] {
    var counts = [Int](repeating: 0, count: keys.count)
    for group in groups { counts[group.index] &+= 1 }
    return counts
  }

  /// Adds the message of the current record as the example of each new key. Returns whether there is one.
  mutating func addExamples(_ message: [UInt8]) -> Bool {
    guard examples.count < keys.count else { return false }
    while examples.count < keys.count {
      examples.append(MessageExample(text: message))
      exampleBytes &+= message.count &+ MemoryLayout<MessageExample>.stride
    }
    return true
  }

  /// Sets the line of the examples that have been added since the last call.
  mutating func setLine(_ line: Int?) {
    for index in lineCount..<examples.count { examples[index].line = line }
    lineCount = examples.count
  }

  /// Completes the current record, which was added to its groups.
  mutating func endRecord() {
    numbers.endRecord()
    firstText = texts.count
    distinct.endRecord()
    count &+= 1
  }

  /// Removes the current record after an error.
  mutating func dropRecord() {
    numbers.dropRecord()
    texts.removeLast(texts.count - firstText)
    distinct.dropRecord()
  }
}

/// The first message of a group, as it is spelled.
package struct MessageExample: Sendable {
  /// The text of the value; empty if the record has none.
  package let text: [UInt8]
  /// The line on which its record begins; `nil` for an element of a document.
  package internal(set) var line: Int?
  /// The number of the input.
  package internal(set) var input = 0
}

/// The values by which a record is grouped, as bytes: the canonical text of each, separated by line feeds. An absent value has
/// an empty text.
struct GroupKey {
  private(set) var bytes: [UInt8] = []
  /// The same with the texts of the values as they are spelled, without line breaks; used if one of them is not canonical.
  private var spelled: [UInt8] = []
  private var isSpelled = false
  private var values = 0
  private var messages = ConstantMessages()

  init() {}

  private static let separator = UInt8(ascii: "\n")

  /// The values as they are spelled; `nil` if that is their canonical text.
  var spelling: ArraySlice<UInt8>? { isSpelled ? spelled[...] : nil }

  /// Removes the values of the previous record.
  mutating func begin() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    values = 0
    isSpelled = false
  }

  /// Adds the value at an index. Values that are skipped are absent.
  mutating func add(_ text: UnsafeRawBufferPointer, _ number: Int) {
    fill(to: number)
    if number > 0 { separate() }
    values = number &+ 1
    let start = bytes.count
    if unsafe text.isCanonicalScalar {
      unsafe bytes.append(contentsOf: text)
    } else {
      unsafe bytes.append(canonical: text)
      if !isSpelled, unsafe !bytes[start...].elementsEqual(text) {
        isSpelled = true
        spelled.removeAll(keepingCapacity: true)
        spelled += bytes[..<start]
      }
    }
    // Every line break in a text is between tokens.
    if isSpelled { unsafe spelled += text.lazy.filter { $0 != Self.separator && $0 != UInt8(ascii: "\r") } }
  }

  /// Adds the template of a message as the value at an index.
  mutating func add(templateOf message: UnsafeRawBufferPointer, _ number: Int) {
    fill(to: number)
    if number > 0 { separate() }
    values = number &+ 1
    let start = bytes.count
    unsafe messages.append(templateOf: message, to: &bytes)
    if isSpelled { spelled += bytes[start...] }
  }

  /// Adds the first value, as bytes without line feeds.
  mutating func add(first text: [UInt8]) {
    values = 1
    bytes += text
  }

  /// Marks the values before an index as absent, unless they were added.
  mutating func fill(to number: Int) {
    while values < number {
      if values > 0 { separate() }
      values &+= 1
    }
  }

  private mutating func separate() {
    bytes.append(Self.separator)
    if isSpelled { spelled.append(Self.separator) }
  }

  /// Returns the texts of the values; the text of an absent value is empty.
  static func texts(_ key: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    key.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// Returns the number of the interval with which a key begins; `nil` for records without a time.
  static func interval(_ key: ArraySlice<UInt8>) -> Int128? {
    Int128(String(decoding: key.prefix { $0 != separator }, as: UTF8.self))
  }
}
