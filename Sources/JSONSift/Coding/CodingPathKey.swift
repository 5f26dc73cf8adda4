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
    case .name(let name): Int(name)
    case .super: nil
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
