/// Converts values of `Any` to JSON, with an explicit stack instead of recursion.
enum NestReader {
  /// A container whose children are being converted.
  private struct Level {
    let identity: ObjectIdentifier?
    var children: IndexingIterator<[Any]>
    /// The names of the children of an object, in order; `nil` for an array.
    let names: [String]?
    var values: [JSON] = []

    var json: JSON {
      guard let names else { return JSON(elements: values) }
      return JSON(members: zip(names, values))
    }
  }

  private enum Content {
    case value(JSON)
    case container(Level)
  }

  static func json(of object: Any) -> JSON {
    var open: [Level] = []
    var next = content(of: object)
    while true {
      switch next {
      case .container(let level):
        let isLoop = level.identity != nil && open.contains { $0.identity == level.identity }
        if isLoop || open.count >= JSONLimits.maxRecursion {
          next = .value(JSON(.unknown(.elementTooDeep)))
          continue
        }
        open.append(level)
      case .value(let value):
        guard !open.isEmpty else { return value }
        open[open.count - 1].values.append(value)
      }
      if let child = open[open.count - 1].children.next() {
        next = content(of: child)
      } else {
        next = .value(open.removeLast().json)
      }
    }
  }

  private static func content(of object: Any) -> Content {
    var object = object
    while true {
      if let value = object as? any JSONRepresentable { return .value(value.jsonValue) }
      guard let holder = object as? any JSONNesting else { return .value(.unsupported) }
      switch holder.nest {
      case .elements(let elements, let identity):
        return .container(Level(identity: identity, children: elements.makeIterator(), names: nil))
      case .members(let members, let identity):
        let values = members.map { $0.1 }
        return .container(Level(identity: identity, children: values.makeIterator(), names: members.map { $0.0 }))
      case .optional(let wrapped):
        guard let wrapped else { return .value(.null) }
        object = wrapped
      case .unsupported: return .value(.unsupported)
      }
    }
  }
}
