/// Where a value stands, as RFC 9535 writes it: a normalized path (2.7), `$['store']['book'][0]`.
///
/// Each value has one, but for the members that share a name in one object. Two locations are equal if they are the same
/// steps, names byte by byte.
public struct PathLocation: Sendable, Hashable, CustomStringConvertible {
  /// The steps from the root. None for the root itself. An index counts from 0.
  ///
  /// They are what a subscript takes, but of members with one name a subscript finds the last.
  public let steps: [JSONKey]

  package init(steps: some Sequence<JSONKey>) { self.steps = Array(steps) }

  /// The normalized path. It is also a path, of this one value: ``JSONPath/init(_:)`` reads it.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += "[" + JSONPathParser.quoted(key) + "]"
      }
    }
    return text
  }

  /// Whether both are the same steps.
  public static func == (left: PathLocation, right: PathLocation) -> Bool {
    left.steps.count == right.steps.count
      && zip(left.steps, right.steps).allSatisfy { left, right in
        switch (left, right) {
        case (.index(let left), .index(let right)): left == right
        case (.key(let left), .key(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
      }
  }

  /// Feeds the steps to a hasher.
  public func hash(into hasher: inout Hasher) {
    for step in steps {
      switch step {
      case .index(let index): hasher.combine(index)
      case .key(let key): hasher.combine(MemberName(key))
      }
    }
  }
}

extension Document {
  /// Where a value stands, by the index of its word: from the root down to it.
  func location(of index: UInt32) -> PathLocation {
    var steps: [JSONKey] = []
    var container = Self.root
    while container < index, word(container).kind.isStart {
      var children = Children(of: container, in: self)
      var position = 0
      var next = container
      while let child = children.next() {
        if after(child.value) > index {
          steps.append(child.key.map { .key(string(at: $0)) } ?? .index(position))
          next = child.value
          break
        }
        position += 1
      }
      guard next > container else { break }
      container = next
    }
    return PathLocation(steps: steps)
  }
}
