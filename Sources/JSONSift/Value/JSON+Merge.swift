extension JSON {
  /// Merges another value into this one, as SwiftyJSON does: members of objects are merged by name at any depth, arrays are
  /// appended, and any other value replaces this one. Below the top level, a value of another type also replaces.
  ///
  /// - Throws: ``JSON/AccessError/wrongType`` if the two have different types; this value is unchanged then.
  /// - Complexity: O(size of the common and the added parts), and O(number of children) for each container created in Swift
  ///   that another value also holds. No recursion.
  public mutating func merge(with other: JSON) throws {
    // Untyped `throws`, as in SwiftyJSON: if all calls threw one concrete type, `catch let error as NSError` would become a
    // cast that terminates the program on Linux.
    guard type == other.type else { throw JSON.AccessError.wrongType }
    if type == .dictionary { mergeMembers(of: other, by: .appending) } else { replaceOrAppend(other) }
  }

  /// Returns the result of merging another value into this one. See ``merge(with:)``.
  ///
  /// - Throws: ``JSON/AccessError/wrongType`` if the two have different types.
  public func merged(with other: JSON) throws -> JSON {
    var result = self
    try result.merge(with: other)
    return result
  }

  /// Applies a merge patch (RFC 7396): each member of the patch replaces the member of that name, `null` removes it, and an
  /// object changes the members of the member. A patch that is not an object replaces the whole value. A patch whose text
  /// turns out not to be JSON (``jsonError``) changes nothing; such a part of the value or of the patch counts as a null that
  /// removes nothing.
  ///
  /// ```swift
  /// var record: JSON = ["level": "debug", "trace": 1, "user": ["id": 7]]
  /// record.applyMergePatch(["level": "info", "trace": JSON.null, "user": ["name": "Ada"]])
  /// // {"level":"info","user":{"id":7,"name":"Ada"}}
  /// ```
  ///
  /// The function does not recurse.
  ///
  /// - Complexity: O(size of the patch), plus O(number of children) for each object that loses members.
  @_disfavoredOverload  // A helper of this name in a program takes precedence.
  public mutating func applyMergePatch(_ patch: JSON) {
    guard patch.parsedType == .dictionary else {
      if patch.jsonError == nil { self = patch }
      return
    }
    if parsedType != .dictionary { self = [:] }
    mergeMembers(of: patch, by: .patch)
  }

  private mutating func mergeMembers(of other: JSON, by rule: MergeRule) {
    var frame = MergeFrame(merging: other, into: self)
    self = .null
    var outer: [MergeFrame] = []
    while true {
      guard let child = frame.children.next() else {
        let result = frame.result()
        guard var next = outer.popLast() else {
          self = result
          return
        }
        next.put(result)
        frame = next
        continue
      }
      guard let name = child.name, !frame.hasDuplicateKeys || frame.other.isLastWithItsKey(name) else { continue }
      // A text that is not JSON is null with an error, and removes nothing.
      if rule == .patch, child.value.type == .null, child.value.error == nil {
        frame.remove(name.string)
        continue
      }
      var merged = frame.take(name.string)
      // The patch of a value that is not an object applies to an empty object. Copying the patch would store its nulls.
      if rule == .patch, child.value.parsedType == .dictionary, merged.parsedType != .dictionary { merged = [:] }
      if merged.error == nil, merged.type == child.value.type {
        if merged.type == .dictionary {
          outer.append(frame)
          frame = MergeFrame(merging: child.value, into: merged)
          continue
        }
        if rule == .patch { merged = child.value } else { merged.replaceOrAppend(child.value) }
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

/// What is done with a member that is not an object.
private enum MergeRule {
  /// As SwiftyJSON does: arrays are appended.
  case appending
  /// As RFC 7396 requires: the value is replaced, and removed by null.
  case patch
}

/// Two objects that are being merged.
private struct MergeFrame {
  private(set) var target: JSON
  let other: JSON
  let hasDuplicateKeys: Bool
  var children: ChildCursor
  private var memberSlot: (overlay: ContainerOverlay, slot: ContainerOverlay.Slot)?
  private var removed: Set<MemberName> = []

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

  /// Removes the member from the result, if there is one. All are removed at the end: each removal reads the whole object.
  mutating func remove(_ name: String) {
    guard target[name].error != .notExist else { return }
    removed.insert(MemberName(name))
  }

  /// The merged object.
  mutating func result() -> JSON {
    if !removed.isEmpty { target.ownedOverlay()?.remove(removed) }
    return target
  }

  /// Puts the merged member back.
  mutating func put(_ value: JSON) {
    guard let (overlay, slot) = memberSlot else { return }
    memberSlot = nil
    overlay.put(value, slot)
  }
}
