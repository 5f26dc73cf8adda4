import JSONSift

/// The values of one column, in growing buffers.
///
/// Flags take a byte for each value here and become bits in a message, so that rows can be copied and dropped at any
/// position.
struct ArrowColumnData: Sendable {
  /// What the buffers contain.
  enum Layout {
    /// One or two 64-bit words for each value.
    case words(Int)
    /// One 32-bit number for each value.
    case days
    /// One byte for each value.
    case flags
    /// The bytes of all values, and the end of each value in them.
    case bytes
    /// The elements of all lists in a child, and the end of each list in it.
    case list
    /// Children, each with one value for each structure.
    case structure
  }

  let type: ArrowType
  let layout: Layout
  /// For structures: the names of the children.
  let names: [[UInt8]]
  /// By value: 0 for null, otherwise 1.
  private(set) var valid: [UInt8] = []
  private(set) var words: [Int64] = []
  private(set) var days: [Int32] = []
  private(set) var bytes: [UInt8] = []
  /// A 0, and the end of each value in `bytes` or in the child.
  private(set) var ends: [Int32] = []
  var children: [ArrowColumnData] = []

  var count: Int { valid.count }

  /// The unit of numbers in columns of timestamps; `nil` if a number is a miss there.
  let numberUnit: JSONTimeUnit?

  init(_ type: ArrowType, numbersIn numberUnit: JSONTimeUnit? = nil) {
    self.type = type
    self.numberUnit = numberUnit
    var names: [[UInt8]] = []
    switch type {
    case .int64, .float64, .timestamp, .timestampMilliseconds, .timestampNanoseconds: layout = .words(1)
    case .decimal: layout = .words(2)
    case .date: layout = .days
    case .bool: layout = .flags
    case .utf8, .json, .dictionary: layout = .bytes
    case .list(let element):
      layout = .list
      children = [ArrowColumnData(element, numbersIn: numberUnit)]
    case .structure(let fields):
      layout = .structure
      names = fields.map { Array($0.name.utf8) }
      children = fields.map { ArrowColumnData($0.type, numbersIn: numberUnit) }
    }
    self.names = names
    switch layout {
    case .bytes, .list: ends = [0]
    default: break
    }
  }

  // MARK: Appending

  mutating func appendNull() {
    valid.append(0)
    switch layout {
    case .words(let width): for _ in 0..<width { words.append(0) }
    case .days: days.append(0)
    case .flags: bytes.append(0)
    case .bytes, .list: ends.append(ends.last ?? 0)
    case .structure: for index in children.indices { children[index].appendNull() }
    }
  }

  mutating func append(word: Int64) {
    valid.append(1)
    words.append(word.littleEndian)
  }

  mutating func append(wide value: Int128) {
    valid.append(1)
    words.append(Int64(truncatingIfNeeded: value).littleEndian)
    words.append(Int64(truncatingIfNeeded: value >> 64).littleEndian)
  }

  mutating func append(day: Int32) {
    valid.append(1)
    days.append(day.littleEndian)
  }

  mutating func append(flag: Bool) {
    valid.append(1)
    bytes.append(flag ? 1 : 0)
  }

  mutating func append(text: UnsafeRawBufferPointer) {
    valid.append(1)
    unsafe bytes.append(contentsOf: text)
    ends.append(Int32(truncatingIfNeeded: bytes.count).littleEndian)
  }

  /// Appends the text of a string with escapes, without them.
  mutating func append(escaped raw: UnsafeRawBufferPointer) {
    let known = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: raw.count))
    // Decoding never lengthens a text.
    let decoded = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe EscapedText.decode(raw, into: UnsafeMutableBufferPointer(rebasing: $0[known...]))
    }
    bytes.removeLast(raw.count - decoded)
    valid.append(1)
    ends.append(Int32(truncatingIfNeeded: bytes.count).littleEndian)
  }

  /// Appends values of one word each. A null is the word 0.
  mutating func append(words new: UnsafeBufferPointer<Int64>, valid flags: UnsafeBufferPointer<UInt8>) {
    unsafe words.append(contentsOf: new)
    unsafe valid.append(contentsOf: flags)
  }

  /// Appends texts that follow each other, and the end of each of them.
  mutating func append(
    texts: UnsafeRawBufferPointer, ends new: UnsafeBufferPointer<Int32>, valid flags: UnsafeBufferPointer<UInt8>
  ) {
    unsafe bytes.append(contentsOf: texts)
    unsafe ends.append(contentsOf: new)
    unsafe valid.append(contentsOf: flags)
  }

  /// The length of all texts.
  var byteCountOfTexts: Int { bytes.count }

  /// Ends a list whose elements have been appended to the child.
  mutating func endList() {
    valid.append(1)
    ends.append(Int32(truncatingIfNeeded: children[0].count).littleEndian)
  }

  /// Ends a structure whose members have been appended to the children.
  mutating func endStructure() { valid.append(1) }

  // MARK: Rows

  /// The end of a value in `bytes` or in the child.
  private func end(_ index: Int) -> Int { Int(Int32(littleEndian: ends[index])) }

  /// Appends a range of the values of a column of the same type.
  mutating func append(_ other: borrowing ArrowColumnData, _ range: Range<Int>) {
    valid += other.valid[range]
    switch layout {
    case .words(let width): words += other.words[(range.lowerBound * width)..<(range.upperBound * width)]
    case .days: days += other.days[range]
    case .flags: bytes += other.bytes[range]
    case .bytes:
      appendEnds(of: other, range)
      bytes += other.bytes[other.end(range.lowerBound)..<other.end(range.upperBound)]
    case .list:
      appendEnds(of: other, range)
      children[0].append(other.children[0], other.end(range.lowerBound)..<other.end(range.upperBound))
    case .structure:
      for index in children.indices { children[index].append(other.children[index], range) }
    }
  }

  private mutating func appendEnds(of other: borrowing ArrowColumnData, _ range: Range<Int>) {
    let shift = Int32(truncatingIfNeeded: end(ends.count - 1) - other.end(range.lowerBound))
    let source = other.ends[(range.lowerBound + 1)..<(range.upperBound + 1)]
    ends += source.lazy.map { (Int32(littleEndian: $0) &+ shift).littleEndian }
  }

  /// Removes all values after the first `count`.
  mutating func truncate(to count: Int) {
    guard count < self.count else { return }
    valid.removeLast(valid.count - count)
    switch layout {
    case .words(let width): words.removeLast(words.count - count * width)
    case .days: days.removeLast(days.count - count)
    case .flags: bytes.removeLast(bytes.count - count)
    case .bytes:
      ends.removeLast(ends.count - count - 1)
      bytes.removeLast(bytes.count - end(count))
    case .list:
      ends.removeLast(ends.count - count - 1)
      children[0].truncate(to: end(count))
    case .structure:
      for index in children.indices { children[index].truncate(to: count) }
    }
  }

  /// Removes all values and keeps the memory.
  mutating func removeAll() {
    valid.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    days.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    switch layout {
    case .bytes, .list: ends.append(0)
    default: break
    }
    for index in children.indices { children[index].removeAll() }
  }

  /// The size of the first `count` values in bytes.
  func byteCount(ofFirst count: Int) -> Int {
    switch layout {
    case .words(let width): count * (width * 8 + 1)
    case .days: count * 5
    case .flags: count * 2
    case .bytes: count * 5 + end(count)
    case .list: count * 5 + children[0].byteCount(ofFirst: end(count))
    case .structure: children.reduce(count) { $0 + $1.byteCount(ofFirst: count) }
    }
  }

  // MARK: Messages

  /// Adds the buffers of the column and of its children.
  ///
  /// - Parameters:
  ///   - body: The body of the message.
  ///   - dictionaries: Receives the message of each dictionary, before the batch that refers to it.
  ///   - number: The number of the next dictionary.
  func write(to body: inout ArrowMessages.Body, _ dictionaries: inout [UInt8], _ number: inout Int) {
    let nulls = count - valid.reduce(0) { $0 &+ Int($1) }
    body.nodes.append((count, nulls))
    body.append(nulls == 0 ? .bytes([]) : .bits(valid))
    switch layout {
    case .words: body.append(.words(words))
    case .days: body.append(.halves(days))
    case .flags: body.append(.bits(bytes))
    case .bytes:
      guard type != .dictionary else { return writeIndexes(to: &body, &dictionaries, &number) }
      body.append(.halves(ends))
      body.append(.bytes(bytes))
    case .list:
      body.append(.halves(ends))
      children[0].write(to: &body, &dictionaries, &number)
    case .structure:
      for child in children { child.write(to: &body, &dictionaries, &number) }
    }
  }

  private func writeIndexes(to body: inout ArrowMessages.Body, _ dictionaries: inout [UInt8], _ number: inout Int) {
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    var distinct = ArrowColumnData(.utf8)
    var indexes: [Int32] = []
    indexes.reserveCapacity(count)
    for row in 0..<count {
      guard valid[row] != 0 else {
        indexes.append(0)
        continue
      }
      let value = bytes[end(row)..<end(row + 1)]
      if let known = numbers[value] {
        indexes.append(known.littleEndian)
      } else {
        let new = Int32(truncatingIfNeeded: distinct.count)
        numbers[value] = new
        unsafe value.withUnsafeBytes { unsafe distinct.append(text: $0) }
        indexes.append(new.littleEndian)
      }
    }
    body.append(.halves(indexes))
    var values = ArrowMessages.Body()
    var none = 0
    distinct.write(to: &values, &dictionaries, &none)
    ArrowMessages.append(dictionary: values, rows: distinct.count, number: number, to: &dictionaries)
    number += 1
  }
}
