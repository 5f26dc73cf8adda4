import JSONSift

/// Returns the difference between two values without comparing their children: type, text, number of children, keys in
/// their order. Returns `nil` if there is none.
package func shallowDifference(between left: JSON, and right: JSON) -> String? {
  guard left.type == right.type else { return "\(left.type) and \(right.type)" }
  switch left.type {
  case .string:
    guard isSame(left.string, right.string) else { return "two strings" }
  case .number:
    guard isSame(left.numberText, right.numberText) else { return "two numbers" }
  case .bool:
    guard left.bool == right.bool else { return "true and false" }
  case .array, .dictionary:
    guard left.count == right.count else { return "\(left.count) and \(right.count) children" }
    guard left.type == .dictionary else { return nil }
    for ((leftKey, _), (rightKey, _)) in zip(left, right) where !isSame(leftKey, rightKey) {
      return "the keys \(leftKey.debugDescription) and \(rightKey.debugDescription)"
    }
  default: break
  }
  return nil
}

/// Returns the first difference between two values, including nested values; `nil` if they are equal. It does not
/// recurse, so values may be nested deeply.
package func difference(between left: JSON, and right: JSON) -> String? {
  var open = [(left, right)]
  while let (left, right) = open.popLast() {
    if let difference = shallowDifference(between: left, and: right) {
      return "\(difference) at bytes \(left.byteRange ?? 0..<0) and \(right.byteRange ?? 0..<0)"
    }
    for ((_, leftChild), (_, rightChild)) in zip(left, right) { open.append((leftChild, rightChild)) }
  }
  return nil
}

/// Whether two texts have the same bytes. Swift's `==` treats canonically equivalent texts as equal.
package func isSame(_ left: String?, _ right: String?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
}

extension JSON {
  /// The same value, created in Swift and not parsed from a text. Duplicate names become one.
  package var rebuilt: JSON {
    switch type {
    case .array:
      var array: JSON = []
      for (_, element) in self { array.append(element.rebuilt) }
      return array
    case .dictionary:
      var object: JSON = [:]
      for (name, value) in self { object[name] = value.rebuilt }
      return object
    default: return self
    }
  }
}
