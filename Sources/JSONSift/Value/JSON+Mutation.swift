extension JSON {
  /// A value taken out of its place, with the containers that lead to it: it can be changed while nobody else holds it.
  struct Opened {
    /// The value, or the null with an error that a getter gives.
    var value: JSON
    /// The containers from the outermost on, each with the place that was opened. `nil` if there is no such place: a
    /// change of `value` is lost.
    fileprivate var holders: [(overlay: ContainerOverlay, slot: ContainerOverlay.Slot)]?
  }

  /// Takes the value at the end of a path out of this one; `close` must follow. If the place is not there nothing is
  /// taken. Only containers on the path are made changeable.
  mutating func open(_ path: [JSONKey]) -> Opened {
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

  private mutating func holders(of path: [JSONKey]) -> Opened? {
    // First see whether all of it is there, so that nothing is detached in vain. What changes is parsed as a whole, so no
    // index is made of it.
    var json = self
    for (depth, step) in path.enumerated() {
      switch step {
      case .index(let index): guard json.settledType == .array, 0..<json.count ~= index else { return nil }
      case .key: guard json.settledType == .dictionary else { return nil }
      }
      json = json.child(step)
      guard depth == path.count - 1 || json.error == nil else { return nil }
    }
    json = .null
    var opened = Opened(value: self, holders: [])
    self = .null
    for step in path {
      guard let overlay = opened.value.ownedBranch() else { break }
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

  /// The child that a subscript gives.
  func child(_ step: JSONKey) -> JSON {
    switch step {
    case .index(let index): self[index]
    case .key(let key): self[key]
    }
  }

  /// Sets one child. Nothing happens if this is no container of that kind, or has no such element.
  mutating func assign(_ value: JSON, to step: JSONKey) {
    switch step {
    case .index(let index):
      guard settledType == .array, 0..<count ~= index, let overlay = ownedBranch() else { return }
      overlay.put(value.stored, overlay.slot(index))
    case .key(let key):
      guard type == .dictionary, let overlay = ownedBranch() else { return }
      overlay.put(value.stored, overlay.slot(key))
    }
  }

  /// Makes an array or object a branch that only this value holds. `nil` for a scalar.
  mutating func ownedBranch() -> ContainerOverlay? {
    if case .node(let document, let index) = storage {
      guard document.word(index).kind.isStart else { return nil }
      let overlay = ContainerOverlay(document, index)
      storage = .overlay(overlay)
      return overlay
    }
    guard var overlay = takeBranch() else { return nil }
    if !isKnownUniquelyReferenced(&overlay) { overlay = ContainerOverlay(copying: overlay) }
    storage = .overlay(overlay)
    return overlay
  }

  /// Takes the branch out, so that the count tells whether there is another holder: a copy of the storage, also one of
  /// the compiler's, would be one. So it is a function of its own, at whose end all of them are gone.
  @inline(never)
  private mutating func takeBranch() -> ContainerOverlay? {
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
  /// Adds an element at the end of an array. What is no array stays as it is.
  ///
  /// - Complexity: O(1), amortised.
  @_disfavoredOverload  // Programs have helpers of this name: theirs win.
  public mutating func append(_ value: JSON) {
    guard type == .array else { return }
    ownedBranch()?.append(value.stored)
  }

  /// Takes the element at `index` out of an array.
  ///
  /// - Returns: The element, or `nil` if there is none: nothing happened then.
  /// - Complexity: O(``count``).
  @discardableResult @_disfavoredOverload
  public mutating func remove(at index: Int) -> JSON? {
    guard settledType == .array, 0..<count ~= index else { return nil }
    return ownedBranch()?.remove(at: index)
  }

  /// Takes a member out of an object, with all of the same name. If other names occur more than once, the last of each
  /// stays.
  ///
  /// To take many out, build an object of those that stay.
  ///
  /// - Returns: The value, or `nil` if there was none: nothing happened then.
  /// - Complexity: O(``count``).
  @discardableResult @_disfavoredOverload
  public mutating func removeValue(forKey key: String) -> JSON? {
    // What has no JSON form is there too, although it has an error.
    guard settledType == .dictionary, self[key].error != .notExist else { return nil }
    return ownedBranch()?.remove(MemberName(key))
  }
}
