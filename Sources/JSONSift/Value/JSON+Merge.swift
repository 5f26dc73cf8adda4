extension JSON {
  /// Merges another value into this one, as SwiftyJSON does: members of objects are merged by name at any depth, arrays are
  /// appended, and any other value replaces this one. Below the top level, a value of another type also replaces.
  ///
  /// - Throws: ``SwiftyJSONError/wrongType`` if the two have different types; this value is unchanged then.
  /// - Complexity: O(size of the common and the added parts), and O(number of children) for each container created in Swift
  ///   that another value also holds. No recursion.
  public mutating func merge(with other: JSON) throws {
    // Untyped `throws`, as in SwiftyJSON: if all calls threw one concrete type, `catch let error as NSError` would become a
    // cast that terminates the program on Linux.
    guard type == other.type else { throw SwiftyJSONError.wrongType }
    mergeSameType(other)
  }

  /// Returns the result of merging another value into this one. See ``merge(with:)``.
  ///
  /// - Throws: ``SwiftyJSONError/wrongType`` if the two have different types.
  public func merged(with other: JSON) throws -> JSON {
    var result = self
    try result.merge(with: other)
    return result
  }

  private mutating func mergeSameType(_ other: JSON) {
    guard type == .dictionary else { return replaceOrAppend(other) }
    var frame = MergeFrame(merging: other, into: self)
    self = .null
    var outer: [MergeFrame] = []
    while true {
      guard let child = frame.children.next() else {
        let result = frame.target
        guard var next = outer.popLast() else {
          self = result
          return
        }
        next.put(result)
        frame = next
        continue
      }
      guard let name = child.name, !frame.hasDuplicateKeys || frame.other.isLastWithItsKey(name) else { continue }
      var merged = frame.take(name.string)
      if merged.error == nil, merged.type == child.value.type {
        if merged.type == .dictionary {
          outer.append(frame)
          frame = MergeFrame(merging: child.value, into: merged)
          continue
        }
        merged.replaceOrAppend(child.value)
      } else {
        merged = child.value
      }
      frame.put(merged.stored)
    }
  }

  private mutating func replaceOrAppend(_ other: JSON) {
    guard type == .array else {
      self = other
      return
    }
    guard !other.isEmpty, let overlay = ownedOverlay() else { return }
    var children = ChildCursor(other)
    while let child = children.next() { overlay.append(child.value.stored) }
  }
}

/// Two objects that are being merged.
private struct MergeFrame {
  private(set) var target: JSON
  let other: JSON
  let hasDuplicateKeys: Bool
  var children: ChildCursor
  private var memberSlot: (overlay: ContainerOverlay, slot: ContainerOverlay.Slot)?

  init(merging other: JSON, into target: JSON) {
    self.target = target
    self.other = other
    children = ChildCursor(other)
    hasDuplicateKeys = other.distinctCount != other.count
  }

  /// Moves the member out of the target. A missing member is a null with an error.
  mutating func take(_ name: String) -> JSON {
    guard let overlay = target.ownedOverlay() else { return .null }
    let slot = overlay.slot(name)
    memberSlot = (overlay, slot)
    return overlay.take(slot)
  }

  /// Puts the merged member back.
  mutating func put(_ value: JSON) {
    guard let (overlay, slot) = memberSlot else { return }
    memberSlot = nil
    overlay.put(value, slot)
  }
}
