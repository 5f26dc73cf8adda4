extension JSON {
  /// A value that was moved out of its container, together with the containers on the path to it. It can be changed in place
  /// if it has no other holder.
  struct Opened {
    /// The value, or the null with an error that the getter would return.
    var value: JSON
    /// The containers on the path, the outermost first, each with the slot that was opened. `nil` if the path does not
    /// exist; a change of `value` is then discarded.
    fileprivate var holders: [(overlay: ContainerOverlay, slot: ContainerOverlay.Slot)]?
  }

  /// Moves the value at the end of a path out of this one; `close` must follow. If the path does not exist, nothing is
  /// moved. Only containers on the path become changeable.
  mutating func open(_ path: [JSON.Step]) -> Opened {
    guard !path.isEmpty, let holders = holders(of: path) else {
      let value = path.reduce(self) { json, step in json.child(step) }
      return Opened(value: value, holders: nil)
    }
    return holders
  }

  /// Puts the value back.
  mutating func close(_ opened: inout Opened) {
    guard let holders = opened.holders else { return }
    opened.holders = nil
    var value = opened.value.stored
    for (overlay, slot) in holders.reversed() {
      overlay.put(value, slot)
      value = JSON(.overlay(overlay))
    }
    self = value
  }

  private mutating func holders(of path: [JSON.Step]) -> Opened? {
    // Check first that the whole path exists, so that no container is detached in vain. A container that changes is parsed
    // as a whole, so no index of it is built.
    var json = self
    for (depth, step) in path.enumerated() {
      switch step {
      case .index(let index): guard json.parsedType == .array, 0..<json.count ~= index else { return nil }
      case .key: guard json.parsedType == .dictionary else { return nil }
      }
      json = json.child(step)
      guard depth == path.count - 1 || json.error == nil else { return nil }
    }
    json = .null
    var opened = Opened(value: self, holders: [])
    self = .null
    for step in path {
      guard let overlay = opened.value.ownedOverlay() else { break }
      let slot: ContainerOverlay.Slot =
        switch step {
        case .index(let index): overlay.slot(index)
        case .key(let key): overlay.slot(key)
        }
      opened.value = overlay.take(slot)
      opened.holders?.append((overlay, slot))
    }
    return opened
  }

  /// Returns the child as the subscript does.
  func child(_ step: JSON.Step) -> JSON {
    switch step {
    case .index(let index): self[index]
    case .key(let key): self[key]
    }
  }

  /// Sets one child. Does nothing if this is not a container of that kind, or has no such element.
  mutating func assign(_ value: JSON, to step: JSON.Step) {
    switch step {
    case .index(let index):
      guard parsedType == .array, 0..<count ~= index, let overlay = ownedOverlay() else { return }
      overlay.put(value.stored, overlay.slot(index))
    case .key(let key):
      guard type == .dictionary, let overlay = ownedOverlay() else { return }
      overlay.put(value.stored, overlay.slot(key))
    }
  }

  /// Removes one child and returns it; `nil` if there is none.
  mutating func removeChild(_ step: JSON.Step) -> JSON? {
    switch step {
    case .index(let index): remove(at: index)
    case .key(let key): removeValue(forKey: key)
    }
  }

  /// Changes the value at the end of a path; without steps, this value.
  mutating func change<Result>(_ path: some Collection<JSON.Step>, _ body: (inout JSON) -> Result) -> Result {
    guard !path.isEmpty else { return body(&self) }
    var opened = open(Array(path))
    defer { close(&opened) }
    return body(&opened.value)
  }

  /// Converts an array or object to an overlay that only this value holds. Returns `nil` for a scalar.
  mutating func ownedOverlay() -> ContainerOverlay? {
    if case .node(let document, let index) = storage {
      guard document.word(index).kind.isStart else { return nil }
      let overlay = ContainerOverlay(document, index)
      storage = .overlay(overlay)
      return overlay
    }
    guard var overlay = takeOverlay() else { return nil }
    if !isKnownUniquelyReferenced(&overlay) { overlay = ContainerOverlay(copying: overlay) }
    storage = .overlay(overlay)
    return overlay
  }

  /// Moves the overlay out, so that its reference count shows whether there is another holder. A copy of the storage,
  /// including one made by the compiler, would count as a holder. So this is a separate function: all such copies are
  /// released when it returns.
  @inline(never)
  private mutating func takeOverlay() -> ContainerOverlay? {
    var taken = Storage.null(nil)
    swap(&taken, &raw)
    guard case .overlay(let overlay) = taken else {
      raw = taken
      return nil
    }
    return overlay
  }
}

extension JSON {
  /// Appends an element to an array. Does nothing if this is not an array.
  ///
  /// - Complexity: O(1), amortized.
  @_disfavoredOverload  // A helper of this name in a program takes precedence.
  public mutating func append(_ value: JSON) {
    guard type == .array else { return }
    ownedOverlay()?.append(value.stored)
  }

  /// Removes the element at `index` from an array.
  ///
  /// - Returns: The element, or `nil` if there is no such element; the value is unchanged then.
  /// - Complexity: O(``count``).
  @discardableResult @_disfavoredOverload
  public mutating func remove(at index: Int) -> JSON? {
    guard parsedType == .array, 0..<count ~= index else { return nil }
    return ownedOverlay()?.remove(at: index)
  }

  /// Removes a member from an object, with all members of the same name. If other names occur more than once, the last
  /// member of each remains.
  ///
  /// To remove many members, build an object from the remaining ones instead.
  ///
  /// - Returns: The value, or `nil` if there was no such member; the value is unchanged then.
  /// - Complexity: O(``count``).
  @discardableResult @_disfavoredOverload
  public mutating func removeValue(forKey key: String) -> JSON? {
    // A member whose value JSON cannot represent exists too, although it has an error.
    guard parsedType == .dictionary, self[key].error != .notExist else { return nil }
    return ownedOverlay()?.remove(MemberName(key))
  }
}
