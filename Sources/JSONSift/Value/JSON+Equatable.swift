extension JSON: Hashable {
  /// Returns whether both have the same type and are equal, as in SwiftyJSON: numbers by value (`1` and `1.0` are
  /// equal), strings by Swift's comparison, arrays element by element, objects by name in any order. If names are
  /// duplicate, the last member is compared. A missing value equals null. A value of ``JSONType/unknown`` equals no
  /// value, not even itself.
  ///
  /// Values of any depth are compared without recursion.
  ///
  /// - Complexity: O(size of both values). Two texts with the same bytes are compared as memory.
  public static func == (left: JSON, right: JSON) -> Bool {
    if left.hasUnparsedText(of: right) { return true }
    if let answer = left.equalsAsScalar(right) { return answer }
    if left.hasSameBytes(of: right) || left.sharesOverlay(of: right) { return true }
    return ContainerPair.areEqual(left, right, beforeStep: {}) { left, right in
      left.equalsAsScalar(right) ?? (left.sharesOverlay(of: right) ? true : nil)
    }
  }

  /// Returns whether both are equal, or `nil` if both are arrays or both are objects.
  private func equalsAsScalar(_ other: JSON) -> Bool? {
    let type = parsedType
    guard type == other.parsedType else { return false }
    switch type {
    case .null: return true
    case .unknown: return false
    case .bool: return bool == other.bool
    case .string: return hasSameBytes(of: other) || string == other.string
    case .number: return numberOrder(other) == 0
    case .array, .dictionary: return nil
    }
  }

  /// Returns a negative number, 0, or a positive number for two numbers; `nil` if either is not a number.
  func numberOrder(_ other: JSON) -> Int? {
    if hasSameBytes(of: other) { return 0 }
    guard let left = NumberOrder(self), let right = NumberOrder(other) else { return nil }
    return NumberOrder.compare(left, right)
  }

  /// Returns whether both share one overlay.
  private func sharesOverlay(of other: JSON) -> Bool {
    guard case .overlay(let left) = raw, case .overlay(let right) = other.raw else { return false }
    return left === right
  }

  /// Returns whether both are unparsed containers with the same bytes, or the same unparsed container.
  private func hasUnparsedText(of other: JSON) -> Bool {
    guard case .lazy(let left) = raw, case .lazy(let right) = other.raw else { return false }
    if left === right { return true }
    // If other code may write to the bytes, equal bytes do not imply equal values.
    guard !left.text.isVolatile, !right.text.isVolatile, left.range.count == right.range.count else { return false }
    return unsafe left.text.source.withBytes { leftBytes in
      unsafe right.text.source.withBytes { rightBytes in
        unsafe UnsafeRawBufferPointer(rebasing: leftBytes[left.range])
          .elementsEqualMemory(rightBytes, at: right.range.lowerBound)
      }
    }
  }

  /// Returns whether both are values of parsed texts with the same bytes.
  private func hasSameBytes(of other: JSON) -> Bool {
    guard case .node(let left, let leftIndex) = storage, case .node(let right, let rightIndex) = other.storage else {
      return false
    }
    if left === right, leftIndex == rightIndex { return true }
    let leftRange = left.range(of: leftIndex)
    let rightRange = right.range(of: rightIndex)
    guard leftRange.count == rightRange.count else { return false }
    return unsafe left.withSource { leftSource in
      unsafe right.withSource { rightSource in
        guard leftRange.upperBound <= leftSource.count, rightRange.upperBound <= rightSource.count else { return false }
        return unsafe UnsafeRawBufferPointer(rebasing: leftSource[leftRange])
          .elementsEqualMemory(rightSource, at: rightRange.lowerBound)
      }
    }
  }
}

/// A comparison of two arrays or two objects, one step at a time.
struct ContainerPair {
  enum Step {
    case compare(JSON, JSON)
    case differ
    case end
  }

  private var leftChildren: ChildCursor
  private var rightChildren: ChildCursor
  private let left: JSON
  private let right: JSON
  private let hasDuplicateKeys: Bool
  private let rightHasDuplicateKeys: Bool

  /// Returns `nil` if the numbers of children already differ.
  /// Returns whether two containers are equal, without recursion.
  ///
  /// - Parameters:
  ///   - beforeStep: Called before each pair of children, and before the end of each pair of containers.
  ///   - compare: Returns whether two values are equal; `nil` for containers whose children are to be compared.
  static func areEqual<Failure: Error>(
    _ left: JSON, _ right: JSON, beforeStep: () throws(Failure) -> Void,
    _ compare: (JSON, JSON) throws(Failure) -> Bool?
  ) throws(Failure) -> Bool {
    guard var pair = ContainerPair(left, right) else { return false }
    var outer: [ContainerPair] = []
    while true {
      try beforeStep()
      switch pair.step() {
      case .differ: return false
      case .end:
        guard let next = outer.popLast() else { return true }
        pair = next
      case .compare(let left, let right):
        if let answer = try compare(left, right) {
          if !answer { return false }
        } else {
          outer.append(pair)
          guard let inner = ContainerPair(left, right) else { return false }
          pair = inner
        }
      }
    }
  }

  init?(_ left: JSON, _ right: JSON) {
    self.left = left
    self.right = right
    leftChildren = ChildCursor(left)
    rightChildren = ChildCursor(right)
    guard leftChildren.isObject else {
      guard left.count == right.count else { return nil }
      hasDuplicateKeys = false
      rightHasDuplicateKeys = false
      return
    }
    guard left.isEmpty == right.isEmpty else { return nil }
    let names = left.distinctCount
    guard names == right.distinctCount else { return nil }
    hasDuplicateKeys = names != left.count
    rightHasDuplicateKeys = names != right.count
  }

  mutating func step() -> Step {
    while let child = leftChildren.next() {
      // Members often have the same order on both sides.
      let rightChild = rightChildren.next()
      guard let name = child.name else { return rightChild.map { .compare(child.value, $0.value) } ?? .differ }
      if hasDuplicateKeys, !left.isLastWithItsKey(name) { continue }
      let other = unsafe name.withBytes { bytes -> JSON? in
        if !rightHasDuplicateKeys, let rightChild, let rightName = rightChild.name,
          unsafe rightName.withBytes({ unsafe $0.count == bytes.count && $0.elementsEqualMemory(bytes, at: 0) })
        {
          return rightChild.value
        }
        return unsafe right.member(bytes)
      }
      return other.map { .compare(child.value, $0) } ?? .differ
    }
    return .end
  }
}
