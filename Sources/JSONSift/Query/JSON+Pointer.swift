extension JSON {
  /// The value that a pointer refers to. If there is no such value, a null with the ``error`` of the first token that does
  /// not resolve.
  ///
  /// In an array, a token is an index if it is `0` or digits without a leading zero. Any other token, such as `01` or `+1`,
  /// is ``JSON/AccessError/wrongType``. `-` refers to the element after the last: reading it returns a missing value, and
  /// setting it appends. Of members with duplicate keys, a token refers to the last, as in all subscripts. Names are equal
  /// if their bytes are equal.
  ///
  /// Setting replaces the value, or adds a member with the last name to an existing object. It does nothing if any other
  /// part of the pointer is missing. It also does nothing for the empty pointer, as in all subscripts: assign to the value
  /// itself.
  ///
  /// - Complexity: O(length of the pointer), amortised: the first index into a large array builds an index table, and the
  ///   first key into a large object builds a hash table.
  public subscript(pointer pointer: JSONPointer) -> JSON {
    get {
      guard pointer.error == nil else { return JSON(absent: error ?? .notExist) }
      return pointer.names.reduce(self) { value, name in value.child(name.step(in: value)) }
    }
    set {
      if let array = arrayToAppend(pointer) {
        append(newValue, to: array)
      } else if let path = path(pointer) {
        var opened = open(path)
        opened.value = newValue
        close(&opened)
      }
    }
    _modify {
      if let array = arrayToAppend(pointer) {
        var value = JSON(absent: .indexOutOfBounds)
        defer { if value.error == nil { append(value, to: array) } }
        yield &value
      } else if let path = path(pointer) {
        var opened = open(path)
        defer { close(&opened) }
        yield &opened.value
      } else {
        var missing = self[pointer: pointer]
        yield &missing
      }
    }
  }

  /// Returns the steps of a pointer if all its tokens but the last resolve, otherwise `nil`.
  private func path(_ pointer: JSONPointer) -> [JSON.Step]? {
    guard pointer.error == nil else { return nil }
    var value = self
    var path: [JSON.Step] = []
    for name in pointer.names {
      guard value.error == nil else { return nil }
      let step = name.step(in: value)
      path.append(step)
      value = value.child(step)
    }
    return path
  }

  /// Appends a value. Opens the array here and not in the subscript: a subscript that called itself at its end has crashed
  /// release builds.
  private mutating func append(_ value: JSON, to array: JSONPointer) { change(path(array) ?? []) { $0.append(value) } }

  /// Returns the pointer to an array if the last token is `-` and refers to the element after its last.
  private func arrayToAppend(_ pointer: JSONPointer) -> JSONPointer? {
    guard pointer.names.last == .afterLast, let parent = pointer.parent else { return nil }
    return self[pointer: parent].type == .array ? parent : nil
  }
}

extension MemberName {
  /// The token for the element after the last.
  fileprivate static let afterLast = MemberName("-")

  /// Returns the step that a token means in a value, which depends on the value. In an array, a token that is not an index
  /// is a key.
  func step(in value: JSON) -> JSON.Step {
    guard value.type == .array else { return .key(string) }
    if self == .afterLast { return .index(value.count) }
    return arrayIndex.map { .index($0) } ?? .key(string)
  }

  /// The index that a token spells, or `nil`. `Int.max` if it does not fit an `Int`.
  private var arrayIndex: Int? {
    let digits = string.utf8
    guard let first = digits.first, first != ASCII.zero || digits.count == 1, digits.allSatisfy({ $0.isDigit }) else {
      return nil
    }
    return Int(string) ?? Int.max
  }
}
