extension JSONPointer {
  /// A relative JSON Pointer as JSON Schema uses it (draft-bhutton-relative-json-pointer-00).
  ///
  /// It begins with the number of levels to go up from a base value. Then either a ``JSONPointer`` leads down from there, or
  /// `#` returns the name or index of the value reached.
  ///
  /// ```swift
  /// json.value(at: try JSONPointer.Relative(text), from: "/users/3/name")  // "1/mail", "2/0", "0#", "1+1/name"
  /// ```
  ///
  /// A number with a sign after the levels moves to another element of the array: `1+1` refers to the next user.
  public struct Relative: Sendable, Hashable, CustomStringConvertible {
    /// The text of the pointer, as it was parsed.
    public var description: String { String(decoding: text, as: UTF8.self) }

    private let text: [UInt8]
    fileprivate let levels: Int
    /// The number of elements to move in the array, negative for a move towards the start; `nil` without a sign.
    fileprivate let shift: Int?
    /// What follows the levels.
    fileprivate enum Target: Hashable {
      /// `#`: the name or index of the value reached.
      case key
      /// The tokens of a pointer that leads down from there.
      case value([MemberName])
    }

    fileprivate let target: Target

    /// Parses the text of a relative pointer.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
    public init(_ text: String) throws(JSONError) {
      let text = Array(text.utf8)
      var index = 0
      levels = try Self.number(in: text, at: &index, "the number of levels up, without a sign")
      if index < text.count, text[index] == ASCII.plus || text[index] == ASCII.minus {
        let isBack = text[index] == ASCII.minus
        index += 1
        let number = try Self.number(in: text, at: &index, "a number of elements after the sign")
        shift = isBack ? -number : number
      } else {
        shift = nil
      }
      self.text = text
      guard index < text.count else {
        target = .value([])
        return
      }
      switch text[index] {
      case ASCII.hash:
        guard index + 1 == text.count else { throw JSONPointer.failure("the end after '#'", in: text, at: index + 1) }
        target = .key
      case ASCII.slash:
        let names = try JSONError.converting(try JSONPointer.names(of: Array(text[index...]))) { $0.shifted(by: index) }
        target = .value(names)
      default: throw JSONPointer.failure("'/', '#' or the end after the number", in: text, at: index)
      }
    }

    /// Parses `0`, or digits without a leading zero. Returns `Int.max` for a number that does not fit an `Int`.
    private static func number(in text: [UInt8], at index: inout Int, _ expected: String) throws(JSONError) -> Int {
      let start = index
      while index < text.count, text[index].isDigit { index += 1 }
      guard index > start else { throw JSONPointer.failure(expected, in: text, at: index) }
      guard text[start] != ASCII.zero || index == start + 1 else {
        throw JSONPointer.failure("a number without zeros before it", in: text, at: start)
      }
      return Int(String(decoding: text[start..<index], as: UTF8.self)) ?? Int.max
    }
  }
}

extension JSON {
  /// Returns the value that a relative pointer refers to, seen from a base value inside this value; for `#`, the name or
  /// index of the value reached.
  ///
  /// Returns a null with an ``error`` if there is no such value, if the base value is missing, or if the pointer leads above
  /// the whole value.
  ///
  /// - Complexity: O(length of both pointers), amortised.
  public func value(at relative: JSONPointer.Relative, from base: JSONPointer) -> JSON {
    let start = self[pointer: base]
    guard start.error == nil else { return start }
    guard relative.levels <= base.names.count else { return JSON(absent: .notExist) }
    var origin = JSONPointer(names: base.names.dropLast(relative.levels))
    if let shift = relative.shift {
      guard let array = origin.parent, let index = origin.tokens.last.flatMap({ Int($0) }),
        self[pointer: array].type == .array
      else { return JSON(absent: .wrongType) }
      // The base value exists, so `index` is valid; only the shifted index can overflow.
      let (shifted, isTooLarge) = index.addingReportingOverflow(shift)
      guard !isTooLarge, 0..<self[pointer: array].count ~= shifted else { return JSON(absent: .indexOutOfBounds) }
      origin = array.appending(shifted)
    }
    if case .value(let names) = relative.target { return self[pointer: JSONPointer(names: origin.names + names)] }
    guard let last = origin.tokens.last, let parent = origin.parent else { return JSON(absent: .notExist) }
    return self[pointer: parent].type == .array ? Int(last).map { JSON($0) } ?? .null : JSON(string: last)
  }
}
