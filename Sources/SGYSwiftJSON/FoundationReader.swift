import Foundation
import JSONSift

/// Converts JSON to the objects that JSONSerialization returns: String, NSNumber, `[Any]` and `[String: Any]`, with
/// NSNull inside the latter two. The stack is on the heap. A number beyond the range of Double is omitted and reported.
enum FoundationReader {
  struct TooDeep: Error {}

  private final class Level {
    var children: ChildWalk
    let isArray: Bool
    private(set) var list: [Any] = []
    private(set) var table: [String: Any] = [:]

    init(_ json: JSON) {
      children = ChildWalk(json)
      isArray = json.type == .array
    }

    /// The path step to the current child.
    var step: JSON.Step { isArray ? .index(children.count - 1) : .key(children.name ?? "") }

    func append(_ value: Any) {
      if isArray { list.append(value) } else if let name = children.name { table[name] = value }
    }

    var value: Any { isArray ? list : table }
  }

  /// Returns the value, or `nil` for a number beyond the range of Double.
  ///
  /// - Parameters:
  ///   - maxDepth: The maximum nesting depth of containers.
  ///   - leftOut: Called with the path of each omitted number.
  static func value(
    _ json: JSON, maxDepth: Int, leftOut: ([JSON.Step]) -> Void
  ) throws(TooDeep) -> Any? {
    guard json.type == .array || json.type == .dictionary else { return leaf(json) }
    guard maxDepth > 0 else { throw TooDeep() }
    var open = [Level(json)]
    while true {
      let level = open[open.count - 1]
      guard level.children.next() else {
        open.removeLast()
        guard let outer = open.last else { return level.value }
        outer.append(level.value)
        continue
      }
      let child = level.children.json
      if child.type == .array || child.type == .dictionary {
        guard open.count < maxDepth else { throw TooDeep() }
        open.append(Level(child))
      } else if let value = leaf(child) {
        level.append(value)
      } else {
        leftOut(open.map { $0.step })
      }
    }
  }

  /// Returns the value for a warning or a date block, which must not fail: NSNull if it cannot be converted.
  static func shown(_ json: JSON) -> Any { (try? value(json, maxDepth: JSONLimits.maxRecursion) { _ in }) ?? NSNull() }

  private static func leaf(_ json: JSON) -> Any? { json.type == .null ? NSNull() : json.foundationLeaf }

  /// Returns a value as a Foundation object.
  static func object(_ value: Any) -> AnyObject {
    switch value {
    case let list as [Any]: NSArray(array: list)
    case let table as [String: Any]: NSDictionary(dictionary: table)
    case let text as String: NSString(string: text)
    default: value as AnyObject
    }
  }
}
