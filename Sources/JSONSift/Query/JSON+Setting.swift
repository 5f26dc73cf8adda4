extension JSON {
  /// Sets the value at a path, and creates what is missing: an object for a name, an array for the index 0. The index after
  /// the last element appends. A subscript does nothing in such a case; this method either sets the value or throws.
  ///
  /// ```swift
  /// var config: JSON = ["list": [1, 2]]
  /// try config.set("$.server.port", to: 8080)  // {"list":[1,2],"server":{"port":8080}}
  /// try config.set("$.list[2]", to: 3)         // {"list":[1,2,3],"server":{"port":8080}}
  /// ```
  ///
  /// A `null` on the path is replaced by the container, as if it were missing. Nothing else is. `$` is the value itself. Of
  /// members with duplicate keys, the last is set, as by a subscript. For a text that is not a literal write
  /// `JSONPath(text)`, and for names from elsewhere ``set(pointer:to:)`` with ``JSONPointer/init(tokens:)``.
  ///
  /// - Parameters:
  ///   - path: A path of names and indexes. An index below zero counts from the end, and does not append.
  ///   - value: The new value.
  /// - Throws: ``JSONError/Code/changeFailed`` if the path leads through a value of another type, or to an element that
  ///   cannot exist; ``JSONError/Code/invalidPath`` if the path is invalid or can select several values;
  ///   ``JSONError/Code/unsupportedValue`` if `value` is missing, or JSON cannot represent it. The value is unchanged then.
  /// - Complexity: O(length of the path), and O(number of children) for each container that is changed for the first time.
  @_disfavoredOverload  // A helper of this name in a program takes precedence.
  public mutating func set(_ path: JSONPath, to value: JSON) throws(JSONError) {
    try put(value, at: path.changeSteps())
  }

  /// Sets the value that a pointer refers to, and creates what is missing; see ``set(_:to:)``.
  ///
  /// A token that meets an array is an index, or `-` for the position after the last element. A missing container becomes
  /// an object, whatever the token.
  @_disfavoredOverload
  public mutating func set(pointer: JSONPointer, to value: JSON) throws(JSONError) {
    try put(value, at: pointer.changeSteps())
  }

  /// Removes the value at a path and returns it.
  ///
  /// - Throws: ``JSONError/Code/changeFailed`` if there is no such value, or the path is `$`;
  ///   ``JSONError/Code/invalidPath`` as ``set(_:to:)``. The value is unchanged then.
  @discardableResult @_disfavoredOverload
  public mutating func remove(_ path: JSONPath) throws(JSONError) -> JSON { try take(at: path.changeSteps()) }

  /// Removes the value that a pointer refers to and returns it; see ``remove(_:)``.
  @discardableResult @_disfavoredOverload
  public mutating func remove(pointer: JSONPointer) throws(JSONError) -> JSON { try take(at: pointer.changeSteps()) }

  private mutating func put(_ value: JSON, at steps: [ChangeStep]) throws(JSONError) {
    guard value.error == nil else {
      let found = value.isMissing ? "a missing one" : "one that JSON cannot represent"
      throw JSONError(.unsupportedValue, at: 0, .reason("expected a value to set, found \(found)"))
    }
    let target = try follow(steps)
    var value = value
    for index in steps[target.existing...].indices.reversed() {
      value = try steps[index].container(of: value, at: target.path, steps[target.existing..<index])
    }
    guard let last = target.path.last else {
      self = value
      return
    }
    change(target.path.dropLast()) { container in
      if case .index(let index) = last, index == container.count {
        container.append(value)
      } else {
        container.assign(value, to: last)
      }
    }
  }

  private mutating func take(at steps: [ChangeStep]) throws(JSONError) -> JSON {
    guard !steps.isEmpty else { throw failure([], "a path below '$' to remove, found '$'") }
    let target = try follow(steps)
    guard target.existing == steps.count, !target.isNew, let last = target.path.last else {
      throw failure(target.path, "a value to remove, found none")
    }
    return change(target.path.dropLast()) { $0.removeChild(last) } ?? .null
  }

  /// Follows the steps as far as there are values. Keeps no reference to a part, so that the parts can change in place.
  ///
  /// - Returns: The keys and indexes of the steps that were followed, with the last one possibly after the last child, the
  ///   number of these steps, and whether that child is new.
  private func follow(_ steps: [ChangeStep]) throws(JSONError) -> (path: [JSON.Step], existing: Int, isNew: Bool) {
    var value = self
    var path: [JSON.Step] = []
    for (depth, step) in steps.enumerated() {
      if value.parsedType == .null { return (path, depth, true) }
      let key = try value.key(of: step, at: path)
      path.append(key)
      value = value.child(key)
      if value.isMissing { return (path, depth + 1, true) }
    }
    return (path, steps.count, false)
  }

  /// Returns the key or index of a step in this container.
  private func key(of step: ChangeStep, at path: [JSON.Step]) throws(JSONError) -> JSON.Step {
    switch (step, parsedType) {
    case (.name(let name), .dictionary): return .key(name.string)
    case (.token(let token), .dictionary): return .key(token.string)
    case (.token(let token), .array):
      guard case .index(let index) = token.step(in: self) else {
        throw failure(path, "an index for the array, found another token")
      }
      return try self.index(index, at: path)
    case (.index(let index), .array): return try self.index(index, at: path)
    case (.index, _): throw failure(path, "an array for an index, found \(typeName)")
    case (.name, _): throw failure(path, "an object for a name, found \(typeName)")
    case (.token, _): throw failure(path, "an array or object, found \(typeName)")
    }
  }

  /// Returns the index of an element, or the one after the last.
  private func index(_ index: Int, at path: [JSON.Step]) throws(JSONError) -> JSON.Step {
    let count = count
    let position = index < 0 ? count + index : index
    guard 0...count ~= position else {
      throw failure(path, "an index from \(-count) to \(count), which appends, found \(index)")
    }
    return .index(position)
  }

  private func failure(_ path: [JSON.Step], _ expected: String) -> JSONError {
    JSONError.change(expected, at: JSONPath.Location(steps: path), byteRange?.lowerBound ?? 0)
  }

  private var typeName: String {
    switch parsedType {
    case .array: "an array"
    case .dictionary: "an object"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    case .unknown: "a value that JSON cannot represent"
    }
  }
}

/// A step of a path to a value that changes.
private enum ChangeStep {
  case name(MemberName)
  /// Counts from the end if it is negative.
  case index(Int)
  /// A token of a pointer: what it means depends on the container.
  case token(MemberName)

  /// Returns a new container for this step, with one child.
  func container(of value: JSON, at path: [JSON.Step], _ created: ArraySlice<ChangeStep>) throws(JSONError) -> JSON {
    switch self {
    case .name(let name), .token(let name): return JSON(members: [(name.string, value)])
    case .index(0): return JSON(elements: [value])
    case .index(let index):
      let location = JSONPath.Location(steps: path + created.map { $0.newKey })
      throw JSONError.change("the index 0 for an array that does not exist, found \(index)", at: location, 0)
    }
  }

  /// The step in a container that it creates.
  private var newKey: JSON.Step {
    switch self {
    case .name(let name), .token(let name): .key(name.string)
    case .index(let index): .index(index)
    }
  }
}

extension JSONError {
  fileprivate static func change(_ expected: String, at location: JSONPath.Location, _ offset: Int) -> JSONError {
    JSONError(.changeFailed, at: offset, .reason("at \(location): expected \(expected)"))
  }
}

extension JSONPath {
  /// The names and indexes of a path of one value.
  fileprivate func changeSteps() throws(JSONError) -> [ChangeStep] {
    try checkedSingular().segments.compactMap { segment in
      switch segment.selectors.first {
      case .name(let name): .name(name)
      case .index(let index): .index(index)
      default: nil
      }
    }
  }
}

extension JSONPointer {
  fileprivate func changeSteps() throws(JSONError) -> [ChangeStep] {
    if let error { throw error }
    return names.map { .token($0) }
  }
}
