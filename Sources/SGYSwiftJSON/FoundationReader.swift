import Foundation
import JSONSift

/// Makes what JSONSerialization makes, with a stack of its own: String, NSNumber, `[Any]`, `[String: Any]`, and NSNull
/// inside the latter two. A number larger than any Double is left out, and told.
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

    /// The child that the walk is at.
    var step: KeyPathStep { isArray ? .index(children.count - 1) : .name(children.name ?? "") }

    func append(_ value: Any) {
      if isArray { list.append(value) } else if let name = children.name { table[name] = value }
    }

    var value: Any { isArray ? list : table }
  }

  /// The value, or `nil` for a number larger than any Double.
  ///
  /// - Parameters:
  ///   - room: How many containers may lie inside one another.
  ///   - leftOut: Is told where in the value a number was left out.
  static func value(
    _ json: JSON, room: Int, leftOut: ([KeyPathStep]) -> Void
  ) throws(TooDeep) -> Any? {
    guard json.type == .array || json.type == .dictionary else { return leaf(json) }
    guard room > 0 else { throw TooDeep() }
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
        guard open.count < room else { throw TooDeep() }
        open.append(Level(child))
      } else if let value = leaf(child) {
        level.append(value)
      } else {
        leftOut(open.map { $0.step })
      }
    }
  }

  /// The value for a warning or a block, which must not fail: NSNull for what there is no value for.
  static func shown(_ json: JSON) -> Any { (try? value(json, room: JSONModelError.depth) { _ in }) ?? NSNull() }

  private static func leaf(_ json: JSON) -> Any? { json.type == .null ? NSNull() : json.foundationLeaf }

  /// A value as an object of Foundation's.
  static func object(_ value: Any) -> AnyObject {
    switch value {
    case let list as [Any]: NSArray(array: list)
    case let table as [String: Any]: NSDictionary(dictionary: table)
    case let text as String: NSString(string: text)
    default: value as AnyObject
    }
  }
}
