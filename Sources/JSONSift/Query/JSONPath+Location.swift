extension JSONPath {
  /// The location of a value: a normalized path as defined by RFC 9535 (2.7), such as `$['store']['book'][0]`.
  ///
  /// A location identifies one value, unless an object contains duplicate keys. Two locations are equal if their steps are
  /// equal, comparing names byte by byte.
  public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// The steps from the root. Empty for the root itself. Indexes count from 0.
    ///
    /// A subscript accepts them, but of members with duplicate keys a subscript finds the last.
    public let steps: [JSON.Step]

    package init(steps: some Sequence<JSON.Step>) { self.steps = Array(steps) }

    /// The normalized path. ``JSONPath/init(_:)`` parses it as a path that selects this value.
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

    /// Returns whether both have the same steps.
    public static func == (left: JSONPath.Location, right: JSONPath.Location) -> Bool {
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
}

extension Document {
  /// Returns the location of the value at the index of its tape word, descending from the root.
  ///
  /// - Complexity: O(depth · log children), amortized: the first call for a container of more than 64 children builds a table
  ///   of them.
  func location(of index: UInt32) -> JSONPath.Location {
    var steps: [JSON.Step] = []
    var container = Self.root
    while container < index, let child = child(containing: index, of: container) {
      steps.append(child.key.map { .key(string(at: $0)) } ?? .index(child.position))
      container = child.value
    }
    return JSONPath.Location(steps: steps)
  }
}

extension JSONPath {
  /// Returns a segment of a path: the shorthand notation for a key if RFC 9535 allows it, else a key in brackets.
  package static func step(_ name: String) -> String {
    var isFirst = true
    for scalar in name.unicodeScalars {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      let isLetter = scalar.value >= 0x80 || byte.isLetter || byte == ASCII.underscore
      guard isLetter || (!isFirst && byte.isDigit) else { return "[" + JSONPathParser.quoted(name) + "]" }
      isFirst = false
    }
    return isFirst ? "['']" : "." + name
  }

  /// Whether an index of the path counts from the end of an array.
  package var countsFromEnd: Bool {
    query.segments.contains { $0.selectors.contains { if case .index(let index) = $0 { index < 0 } else { false } } }
  }

  /// Throws ``JSONError/Code/invalidPath`` for a path that can select several values.
  package func requireSingular() throws(JSONError) { _ = try checkedSingular() }
}
