extension JSON {
  /// Feeds the value to a hasher; equal values feed the same. Values of any depth are hashed without recursion.
  ///
  /// - Complexity: O(size of the value).
  public func hash(into hasher: inout Hasher) {
    guard type == .array || type == .dictionary else { return hasher.combine(scalarHash) }
    var frame = HashFrame(self, name: 0)
    var outer: [HashFrame] = []
    while true {
      guard let child = frame.children.next() else {
        let (hash, name) = (frame.hash, frame.name)
        guard let next = outer.popLast() else { return hasher.combine(hash) }
        frame = next
        frame.combine(hash, name: name)
        continue
      }
      if let name = child.name, frame.hasDuplicateKeys, !frame.json.isLastWithItsKey(name) { continue }
      let name = child.name.map { Self.hash($0) } ?? 0
      if child.value.type == .array || child.value.type == .dictionary {
        outer.append(frame)
        frame = HashFrame(child.value, name: name)
      } else {
        frame.combine(child.value.scalarHash, name: name)
      }
    }
  }

  private static func hash(_ name: ChildCursor.Name) -> Int {
    unsafe name.withBytes { bytes in
      var hasher = Hasher()
      unsafe hasher.combine(bytes: bytes)
      return hasher.finalize()
    }
  }

  private var scalarHash: Int {
    var hasher = Hasher()
    hasher.combine(type)
    switch type {
    case .bool: hasher.combine(bool)
    case .string: hasher.combine(string)
    case .number: NumberOrder(self)?.hash(into: &hasher)
    default: break
    }
    return hasher.finalize()
  }
}

/// A container that is being hashed.
private struct HashFrame {
  let json: JSON
  /// The hash of the container's name in its parent.
  let name: Int
  let hasDuplicateKeys: Bool
  var children: ChildCursor
  private var sum = 0

  init(_ json: JSON, name: Int) {
    self.json = json
    self.name = name
    children = ChildCursor(json)
    hasDuplicateKeys = children.isObject && json.distinctCount != json.count
  }

  /// Combines the hash of a child: depending on the order in an array, independent of it in an object.
  mutating func combine(_ value: Int, name: Int) {
    var hasher = Hasher()
    hasher.combine(value)
    hasher.combine(children.isObject ? name : sum)
    sum = children.isObject ? sum &+ hasher.finalize() : hasher.finalize()
  }

  var hash: Int {
    var hasher = Hasher()
    hasher.combine(children.isObject)
    hasher.combine(sum)
    return hasher.finalize()
  }
}
