import JSONSift

/// Values of a column from the text of JSON values.
extension ArrowColumnData {
  /// The maximum length of a value's text: a batch and a value then fit 32-bit positions.
  static let maxTextBytes = 1 << 30

  /// Appends the value of a text, or null if it does not have the type of the column.
  ///
  /// - Parameters:
  ///   - text: The text of a JSON value, without white space around it.
  ///   - misses: Receives values that do not have the type.
  mutating func append(_ text: UnsafeRawBufferPointer, _ misses: inout [ArrowStreamWriter.Miss]) {
    guard let first = unsafe text.first, first != UInt8(ascii: "n") else { return appendNull() }
    guard text.count <= Self.maxTextBytes, unsafe appendValue(text, first, &misses) else {
      misses.append(unsafe ArrowStreamWriter.Miss(type, text))
      return appendNull()
    }
  }

  /// Appends an element to the list that ``endList()`` ends.
  mutating func append(element text: UnsafeRawBufferPointer, _ misses: inout [ArrowStreamWriter.Miss]) {
    unsafe children[0].append(text, &misses)
  }

  /// Returns `false` if the text does not have the type; then nothing has been appended.
  private mutating func appendValue(
    _ text: UnsafeRawBufferPointer, _ first: UInt8, _ misses: inout [ArrowStreamWriter.Miss]
  ) -> Bool {
    let isNumber = first == UInt8(ascii: "-") || first.isDigit
    switch type {
    case .int64:
      guard isNumber, let integer = unsafe ArrowText.int64(text) else { return false }
      append(word: integer)
    case .float64:
      guard isNumber, let double = unsafe ArrowText.float64(text) else { return false }
      append(word: Int64(bitPattern: double.bitPattern))
    case .bool:
      guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else { return false }
      append(flag: first == UInt8(ascii: "t"))
    case .utf8, .dictionary:
      guard first == UInt8(ascii: "\""), text.count >= 2 else { return false }
      let raw = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
      if unsafe raw.firstOffset(of: UInt8(ascii: "\\")) == nil {
        unsafe append(text: raw)
      } else {
        unsafe append(escaped: raw)
      }
    case .json: unsafe append(text: text)
    case .timestamp: return unsafe append(time: text, first, .microseconds)
    case .timestampMilliseconds: return unsafe append(time: text, first, .milliseconds)
    case .timestampNanoseconds: return unsafe append(time: text, first, .nanoseconds)
    case .date:
      guard first == UInt8(ascii: "\""), let day = unsafe ArrowText.day(text) else { return false }
      append(day: day)
    case .decimal(let precision, let scale):
      guard isNumber, let value = unsafe ArrowText.decimal(text, precision, scale) else { return false }
      append(wide: value)
    case .list:
      guard first == UInt8(ascii: "[") else { return false }
      unsafe appendElements(text, &misses)
    case .structure:
      guard first == UInt8(ascii: "{") else { return false }
      unsafe appendMembers(text, &misses)
    }
    return true
  }

  /// Appends a time. Returns `false` if the text is none.
  private mutating func append(time text: UnsafeRawBufferPointer, _ first: UInt8, _ places: ArrowText.Places) -> Bool {
    var time: Int64?
    if first == UInt8(ascii: "\"") {
      time = unsafe ArrowText.timestamp(text, places)
    } else if first == UInt8(ascii: "-") || first.isDigit, let numberUnit {
      time = unsafe ArrowText.timestamp(number: text, numberUnit, places)
    }
    guard let time else { return false }
    append(word: time)
    return true
  }

  private mutating func appendElements(_ text: UnsafeRawBufferPointer, _ misses: inout [ArrowStreamWriter.Miss]) {
    var cursor = ArrowChildCursor()
    var index = 0
    while let child = unsafe cursor.next(text) {
      let known = misses.count
      unsafe children[0].append(UnsafeRawBufferPointer(rebasing: text[child.value]), &misses)
      for miss in known..<misses.count { misses[miss].isIn("[\(index)]", at: child.value.lowerBound) }
      index += 1
    }
    endList()
  }

  private mutating func appendMembers(_ text: UnsafeRawBufferPointer, _ misses: inout [ArrowStreamWriter.Miss]) {
    var cursor = ArrowChildCursor()
    let target = count
    var next = 0
    while let child = unsafe cursor.next(text) {
      guard let key = child.key,
        let field = unsafe field(UnsafeRawBufferPointer(rebasing: text[key]), expected: &next),
        // If keys are duplicate, the first one is used.
        children[field].count == target
      else { continue }
      let known = misses.count
      unsafe children[field].append(UnsafeRawBufferPointer(rebasing: text[child.value]), &misses)
      for miss in known..<misses.count {
        misses[miss].isIn(ArrowStreamWriter.Miss.step(names[field]), at: child.value.lowerBound)
      }
    }
    for index in children.indices where children[index].count == target { children[index].appendNull() }
    endStructure()
  }

  /// Returns the index of the child with a key. The members of most objects are in the order of the columns.
  private func field(_ key: UnsafeRawBufferPointer, expected next: inout Int) -> Int? {
    let isEscaped = unsafe key.firstOffset(of: UInt8(ascii: "\\")) != nil
    for step in 0..<names.count {
      let index = (next + step) % names.count
      let isEqual =
        isEscaped
        ? unsafe EscapedText.withDecoded(key) { unsafe $0.elementsEqual(names[index]) }
        : unsafe key.elementsEqual(names[index])
      if isEqual {
        next = index + 1
        return index
      }
    }
    return nil
  }
}

/// Finds the children of an array or object in a text that is valid JSON. If the text is not valid, the children have no
/// meaning, but are ranges inside the text.
struct ArrowChildCursor {
  private var index = 1

  /// Returns the next child: its key without quotes, if it is a member, and its value. `nil` at the end.
  mutating func next(_ text: UnsafeRawBufferPointer) -> (key: Range<Int>?, value: Range<Int>)? {
    let isObject = unsafe text.first == UInt8(ascii: "{")
    unsafe skipSeparators(text)
    guard index < text.count, unsafe text[index] != UInt8(ascii: "]"), unsafe text[index] != UInt8(ascii: "}") else {
      return nil
    }
    var key: Range<Int>?
    if isObject {
      let name = unsafe takeValue(text)
      key = name.dropFirst().dropLast()
      unsafe skipSeparators(text)
    }
    return unsafe (key, takeValue(text))
  }

  private mutating func skipSeparators(_ text: UnsafeRawBufferPointer) {
    while index < text.count,
      unsafe text[index].isJSONWhitespace || text[index] == UInt8(ascii: ",")
        || text[index] == UInt8(ascii: ":")
    {
      index += 1
    }
  }

  /// Advances over a value, which may be a key. Returns its range.
  private mutating func takeValue(_ text: UnsafeRawBufferPointer) -> Range<Int> {
    let start = index
    var extent = ValueExtent()
    let length = unsafe extent.end(in: UnsafeRawBufferPointer(rebasing: text[start...]))
    index = length.map { start + $0 } ?? text.count
    return start..<index
  }
}

extension ArrowStreamWriter {
  /// A value that does not have the type of its column, so that the column has null instead.
  public struct Miss: Sendable, Hashable {
    /// The index of the column.
    public internal(set) var column = 0
    /// The expected type of the value: of the column, or of an element or member in it.
    public let type: ArrowType
    /// The location below the value of the column, as in `[3]['price']`; empty for the value itself.
    public private(set) var path = ""
    /// The offset of the text from the start of the column's value.
    public private(set) var byteOffset = 0
    /// The length of the text in bytes.
    public let length: Int
    /// The text, or its first 65,536 bytes.
    public let text: [UInt8]

    private static let maxTextBytes = 1 << 16

    init(_ type: ArrowType, _ text: UnsafeRawBufferPointer) {
      self.type = type
      length = text.count
      self.text = unsafe Array(text.prefix(Self.maxTextBytes))
    }

    /// Prefixes the location of a container in which the value is a child.
    mutating func isIn(_ step: String, at offset: Int) {
      path = step + path
      byteOffset += offset
    }

    /// Returns the step of a normalized path to a member.
    static func step(_ name: [UInt8]) -> String {
      String(JSONPath.Location(steps: [.key(String(decoding: name, as: UTF8.self))]).description.dropFirst())
    }
  }
}
