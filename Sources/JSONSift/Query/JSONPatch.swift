/// A JSON Patch (RFC 6902): operations that change a value one after another, either all of them or none.
///
/// ```swift
/// let patch = try JSONPatch(JSON(parsing: #"[{"op":"add","path":"/tags/-","value":"new"}]"#))
/// var json: JSON = ["tags": ["old"]]
/// try json.apply(patch)  // {"tags":["old","new"]}
/// ```
///
/// | operation | effect |
/// |---|---|
/// | `add` | sets a member, or inserts an element; `-` is the position after the last element |
/// | `remove` | removes the value |
/// | `replace` | replaces a value that exists |
/// | `move`, `copy` | adds the value at `from`, which `move` removes |
/// | `test` | fails unless the value is equal: numbers by exact value, strings by their characters |
///
/// The patch is checked once, and can be applied to any number of values. For a simpler form of patch see
/// ``JSON/applyMergePatch(_:)``.
public struct JSONPatch: Sendable {
  enum Operation: Sendable {
    case add(JSON)
    case remove
    case replace(JSON)
    case move(from: JSONPointer)
    case copy(from: JSONPointer)
    case test(JSON)
  }

  /// An operation, its target, and its offset in the text of the patch.
  struct Step: Sendable {
    let operation: Operation
    let target: JSONPointer
    let byteOffset: Int
  }

  let steps: [Step]

  /// Checks the operations of a patch. Members that an operation does not need are ignored, as the standard requires.
  ///
  /// - Throws: ``JSONError/Code/invalidPatch``. The offset is the start of the operation in the text of the patch; 0 for a
  ///   value that was created in Swift. The ``JSON/jsonError`` of a text that is not JSON.
  public init(_ json: JSON) throws(JSONError) {
    guard json.parsedType == .array else {
      if let error = json.jsonError { throw error }
      throw Self.invalid(json, "expected an array of operations, found another value")
    }
    var steps: [Step] = []
    var operations = ChildCursor(json)
    while let operation = operations.next() { steps.append(try Self.step(operation.value, number: steps.count + 1)) }
    self.steps = steps
  }

  /// The number of operations.
  public var count: Int { steps.count }

  private static func step(_ json: JSON, number: Int) throws(JSONError) -> Step {
    func value() throws(JSONError) -> JSON {
      let value = json["value"]
      guard !value.isMissing else { throw invalid(json, "operation \(number): expected a member 'value', found none") }
      return value
    }
    func pointer(_ name: String) throws(JSONError) -> JSONPointer {
      guard let text = json[name].string else {
        throw invalid(json, "operation \(number): expected a string as '\(name)', found \(json.found(name))")
      }
      return try JSONError.converting(try JSONPointer(text)) {
        invalid(json, "operation \(number), '\(name)': \($0.message)")
      }
    }
    guard json.parsedType == .dictionary else {
      throw invalid(json, "operation \(number): expected an object, found another value")
    }
    // The standard requires exactly one of each.
    if json.distinctCount != json.count {
      for name in ["op", "path", "from", "value"] where json.count(where: { $0.0 == name }) > 1 {
        throw invalid(json, "operation \(number): expected one member '\(name)', found several")
      }
    }
    let target = try pointer("path")
    let operation: Operation =
      switch json["op"].string {
      case "add": .add(try value())
      case "remove": .remove
      case "replace": .replace(try value())
      case "move": .move(from: try pointer("from"))
      case "copy": .copy(from: try pointer("from"))
      case "test": .test(try value())
      default:
        throw invalid(
          json,
          "operation \(number): expected add, remove, replace, move, copy or test as 'op', found \(json.found("op"))")
      }
    return Step(operation: operation, target: target, byteOffset: json.byteRange?.lowerBound ?? 0)
  }

  private static func invalid(_ json: JSON, _ reason: String) -> JSONError {
    JSONError(.invalidPatch, at: json.byteRange?.lowerBound ?? 0, .reason(reason))
  }
}

extension JSON {
  /// Applies a patch (RFC 6902). If an operation fails, the value is unchanged.
  ///
  /// - Throws: ``JSONError/Code/patchFailed``. The offset is the start of the failed operation in the text of the patch, as
  ///   for ``JSONPatch/init(_:)``.
  /// - Complexity: O(length of the pointers) for each operation, and O(number of children) for each container that changes;
  ///   `test` compares the whole value. Copies share their text, so a few operations that copy can make a value whose text is
  ///   many times as long as both texts: limit the number of operations of a patch that you do not trust (``JSONPatch/count``).
  @_disfavoredOverload  // A helper of this name in a program takes precedence.
  public mutating func apply(_ patch: JSONPatch) throws(JSONError) {
    var result = self
    for (index, step) in patch.steps.enumerated() {
      guard let expected = result.unmetExpectation(of: step) else { continue }
      throw JSONError(.patchFailed, at: step.byteOffset, .reason("operation \(index + 1): expected \(expected)"))
    }
    self = result
  }

  /// Performs an operation. Returns `nil`, or what the operation needs and what it found instead.
  private mutating func unmetExpectation(of step: JSONPatch.Step) -> String? {
    let target = step.target
    switch step.operation {
    case .add(let value): return add(value, at: target) ? nil : Self.container
    case .remove: return take(at: target) == nil ? "a value to remove at 'path', found none" : nil
    case .replace(let value): return replace(target, by: value) ? nil : "a value to replace at 'path', found none"
    case .move(let source):
      // A value cannot be moved into itself.
      guard !target.isInside(source) else { return "a 'path' that is not inside of 'from', found one inside" }
      guard !self[pointer: source].isMissing else { return "a value to move at 'from', found none" }
      guard target != source else { return nil }
      guard let value = take(at: source) else { return "a value to move at 'from', found none" }
      return add(value, at: target) ? nil : Self.container
    case .copy(let source):
      let value = self[pointer: source]
      guard !value.isMissing else { return "a value to copy at 'from', found none" }
      return add(value, at: target) ? nil : Self.container
    case .test(let value):
      let found = self[pointer: target]
      let isEqual = !found.isMissing && found.isExactlyEqual(to: value)
      return isEqual ? nil : "a value at 'path' that equals 'value', found none"
    }
  }

  private static let container = "an object, or an array with this position, for the value at 'path', found none"

  private mutating func add(_ value: JSON, at target: JSONPointer) -> Bool {
    guard let parent = target.parent, let name = target.names.last else {
      self = value
      return true
    }
    return change(parent) { container in
      switch name.step(in: container) {
      case .index(let index):
        guard container.parsedType == .array, index <= container.count else { return false }
        container.ownedOverlay()?.insert(value.stored, at: index)
      case .key(let key):
        guard container.parsedType == .dictionary else { return false }
        container.assign(value, to: .key(key))
      }
      return true
    }
  }

  /// Removes a value and returns it; `nil` if there is none. The whole value cannot be removed: nothing would be left.
  private mutating func take(at target: JSONPointer) -> JSON? {
    guard let parent = target.parent, let name = target.names.last else { return nil }
    return change(parent) { container in container.removeChild(name.step(in: container)) }
  }

  private mutating func replace(_ target: JSONPointer, by value: JSON) -> Bool {
    guard !self[pointer: target].isMissing else { return false }
    if target.names.isEmpty { self = value } else { self[pointer: target] = value }
    return true
  }

  /// Changes the value that a pointer refers to; a subscript does nothing for the empty pointer.
  private mutating func change<Result>(_ pointer: JSONPointer, _ body: (inout JSON) -> Result) -> Result {
    pointer.names.isEmpty ? body(&self) : body(&self[pointer: pointer])
  }

  /// The words for a member that is not what was expected.
  fileprivate func found(_ name: String) -> String { self[name].isMissing ? "none" : "another value" }
}

extension JSONPointer {
  /// Whether the referenced value is a part of the one that another pointer refers to.
  fileprivate func isInside(_ other: JSONPointer) -> Bool {
    names.count > other.names.count && names.starts(with: other.names)
  }
}
