import JSONSift

/// What differs between two values themselves, not inside their children: type, text, number of children, keys in their
/// order. `nil` if nothing does.
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

/// What differs between two values or anything inside them; `nil` if they are equal. It needs no stack for deep values.
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

/// Whether two texts have the same bytes: Swift holds texts equal that are composed in other ways.
package func isSame(_ left: String?, _ right: String?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
}
