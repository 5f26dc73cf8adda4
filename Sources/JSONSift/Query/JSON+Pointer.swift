extension JSON {
  /// The value that a pointer points at. Without such a value a null with an ``error``: that of the first token that leads
  /// nowhere.
  ///
  /// In an array a token is an index if it is `0` or digits without a zero before them. Any other is
  /// ``SwiftyJSONError/wrongType``, such as `01` or `+1`. `-` is the element behind the last: it is missing, and setting it
  /// appends. Of several members with one name the last is meant, as in all subscripts, and names are equal if their
  /// bytes are.
  ///
  /// Setting replaces the value or adds the last name to an object that is there. If another part is missing nothing
  /// happens, and so with the empty pointer, as in all subscripts: assign to the value itself.
  ///
  /// - Complexity: O(length of the pointer), amortised: the first index into a large array makes a table, the first
  ///   key into a large object a hash table.
  public subscript(pointer pointer: JSONPointer) -> JSON {
    get {
      guard pointer.error == nil else { return JSON(absent: error ?? .notExist) }
      var value = self
      for name in pointer.names {
        value = value.child(name.step(in: value))
        if value.error != nil { break }
      }
      return value
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

  /// The steps of a pointer whose tokens lead somewhere, but for the last. `nil` if they do not.
  private func path(_ pointer: JSONPointer) -> [JSONKey]? {
    guard pointer.error == nil else { return nil }
    var value = self
    var path: [JSONKey] = []
    for name in pointer.names {
      guard value.error == nil else { return nil }
      let step = name.step(in: value)
      path.append(step)
      value = value.child(step)
    }
    return path
  }

  /// The array is opened here, and not by the subscript: one that calls itself from its end has crashed release builds.
  private mutating func append(_ value: JSON, to array: JSONPointer) {
    guard !array.names.isEmpty, let path = path(array) else { return append(value) }
    var opened = open(path)
    opened.value.append(value)
    close(&opened)
  }

  /// The pointer to an array, if the last token is `-` and stands for what is behind its last element.
  private func arrayToAppend(_ pointer: JSONPointer) -> JSONPointer? {
    guard pointer.names.last == .behindLast, let parent = pointer.parent else { return nil }
    return self[pointer: parent].type == .array ? parent : nil
  }
}

extension MemberName {
  /// The token for the element behind the last.
  fileprivate static let behindLast = MemberName("-")

  /// The step that a token means in a value: it depends on what stands there. In an array, what is no index is a key.
  fileprivate func step(in value: JSON) -> JSONKey {
    guard value.type == .array else { return .key(string) }
    if self == .behindLast { return .index(value.count) }
    return arrayIndex.map { .index($0) } ?? .key(string)
  }

  /// The index that a token spells, if it spells one. Where no array can have that many elements it is the largest `Int`.
  private var arrayIndex: Int? {
    let digits = string.utf8
    guard let first = digits.first, first != ASCII.zero || digits.count == 1 else { return nil }
    var index = 0
    for digit in digits {
      guard digit.isDigit else { return nil }
      let (tens, isTooLarge) = index.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = tens.addingReportingOverflow(Int(digit &- ASCII.zero))
      index = isTooLarge || isLarger ? Int.max : sum
    }
    return index
  }
}
