/// A step of a coding path that no type has a key for.
enum CodingPathKey: CodingKey, Hashable {
  /// The element of an array.
  case index(Int)
  /// A member of a dictionary.
  case name(String)
  /// What a superclass is coded under if its subclass names no key.
  case `super`

  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .name(let name): name
    case .super: "super"
    }
  }

  var intValue: Int? {
    switch self {
    case .index(let index): index
    // As Foundation's: where a key strategy is set, the names of a dictionary have none, also one that is a number. Without
    // a strategy the keys are the standard library's, and have.
    case .name, .super: nil
    }
  }

  init?(stringValue: String) { self = .name(stringValue) }

  init?(intValue: Int) { self = .index(intValue) }
}

/// How a coder went from one value to the next.
enum CodingStep {
  /// To the same value, for another type.
  case same
  case index(Int)
  case key(any CodingKey)

  var key: (any CodingKey)? {
    switch self {
    case .same: nil
    case .index(let index): CodingPathKey.index(index)
    case .key(let key): key
    }
  }
}

/// A decoder or encoder, as a link of the chain from a value to the outermost one.
protocol CodingLevel: AnyObject {
  /// The key under which the level above has it, or its position there; a level for the same value has neither.
  var key: (any CodingKey)? { get }
  var position: Int { get }
  var above: Self? { get }
}

extension CodingLevel {
  /// The keys from the outermost value to a step from here. Made when somebody asks, which is most often for an error.
  func path(_ step: CodingStep) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    if let key = step.key { keys.append(key) }
    var level: Self? = self
    while let current = level {
      if let key = current.key {
        keys.append(key)
      } else if current.position >= 0 {
        keys.append(CodingPathKey.index(current.position))
      }
      level = current.above
    }
    keys.reverse()
    return keys
  }
}
