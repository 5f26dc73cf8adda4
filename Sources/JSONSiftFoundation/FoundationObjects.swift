package import JSONSift

/// Converts arrays and objects to `[Any]` and `[String: Any]`. The stack is on the heap, because nesting may be too deep for
/// the stack of a thread.
package enum FoundationObjects {
  package struct TooDeep: Error {}

  /// A container whose children are being converted.
  private final class Level {
    let children: ChildWalk
    let isArray: Bool
    private var list: [Any] = []
    private var table: [String: Any] = [:]

    /// Returns `nil` for a value that is neither an array nor an object.
    init?(_ json: JSON) {
      guard json.type == .array || json.type == .dictionary else { return nil }
      children = ChildWalk(json)
      // A mapped file may have changed: only now its text has been parsed.
      guard json.type == .array || json.type == .dictionary else { return nil }
      isArray = json.type == .array
      if isArray { list.reserveCapacity(json.count) } else { table.reserveCapacity(json.count) }
    }

    /// The path step to the current child.
    var step: JSON.Step { isArray ? .index(children.count - 1) : .key(children.name ?? "") }

    func append(_ value: Any) {
      if isArray { list.append(value) } else if let name = children.name { table[name] = value }
    }

    var value: Any { isArray ? list : table }
  }

  /// Returns the object for a value, or `nil` if `leaf` returns `nil` for the value itself.
  ///
  /// - Parameters:
  ///   - maxDepth: The maximum nesting depth of containers.
  ///   - leaf: Returns the object for any other value; `nil` to leave it out.
  ///   - leftOut: Called with the path of each value that is left out.
  package static func object(
    of json: JSON, maxDepth: Int, leaf: (JSON) -> Any?, leftOut: ([JSON.Step]) -> Void = { _ in }
  ) throws(TooDeep) -> Any? {
    guard let root = Level(json) else { return leaf(json) }
    guard maxDepth > 0 else { throw TooDeep() }
    var open = [root]
    while true {
      let level = open[open.count - 1]
      guard level.children.next() else {
        open.removeLast()
        guard let outer = open.last else { return level.value }
        outer.append(level.value)
        continue
      }
      let child = level.children.json
      if let inner = Level(child) {
        guard open.count < maxDepth else { throw TooDeep() }
        open.append(inner)
      } else if let value = leaf(child) {
        level.append(value)
      } else {
        leftOut(open.map { $0.step })
      }
    }
  }
}
