extension JSON {
  /// The values that a path selects, in the order of the text.
  ///
  /// - Complexity: O(values that stand beside the path). Subtrees that cannot match cost one step each.
  public func query(_ path: JSONPath) -> [JSON] {
    var result: [JSON] = []
    appendMatches(of: path.segments[...], to: &result)
    return result
  }

  private func appendMatches(of segments: ArraySlice<JSONPath.Segment>, to result: inout [JSON]) {
    if case .node(let document, let index) = storage {
      return document.matches(of: segments, from: index) { result.append(JSON(document, $0)) }
    }
    guard let segment = segments.first else {
      if exists() { result.append(self) }
      return
    }
    let rest = segments.dropFirst()
    var children = ChildCursor(self)
    switch segment {
    case .index(let position): self[position].appendMatches(of: rest, to: &result)
    case .wildcard:
      while let child = children.next() { child.value.appendMatches(of: rest, to: &result) }
    case .name(var name):
      name.withUTF8 { wanted in
        while let child = children.next() {
          let isWanted = unsafe child.name?.withBytes { name in
            unsafe name.count == wanted.count && name.elementsEqualMemory(UnsafeRawBufferPointer(wanted), at: 0)
          }
          guard isWanted == true else { continue }
          return child.value.appendMatches(of: rest, to: &result)
        }
      }
    }
  }
}

extension Document {
  /// Calls `body` with the word index of each value that the segments select below the value at `index`.
  func matches(of segments: ArraySlice<JSONPath.Segment>, from index: UInt32, _ body: (UInt32) -> Void) {
    guard let segment = segments.first else { return body(index) }
    let rest = segments.dropFirst()
    let kind = word(index).kind
    switch segment {
    case .wildcard:
      var children = Children(of: index, in: self)
      while let child = children.next() { matches(of: rest, from: child.value, body) }
    case .index(let position):
      guard kind == .arrayStart, position < childCount(of: index) else { return }
      matches(of: rest, from: element(position, of: index), body)
    case .name(var name):
      guard kind == .objectStart else { return }
      let value = name.withUTF8 { unsafe firstMember(UnsafeRawBufferPointer($0), of: index) }
      if let value { matches(of: rest, from: value, body) }
    }
  }

  /// The value of the first member with this key, or `nil`.
  private func firstMember(_ key: UnsafeRawBufferPointer, of index: UInt32) -> UInt32? {
    var children = Children(of: index, in: self)
    while let child = children.next() {
      if let name = child.key, unsafe matches(name, key) { return child.value }
    }
    return nil
  }
}
