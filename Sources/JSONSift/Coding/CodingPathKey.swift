/// A step of a coding path for which no type declares a key.
enum CodingPathKey: CodingKey, Hashable {
  /// The index of an array element.
  case index(Int)
  /// The key of a dictionary member.
  case name(String)
  /// The key of a superclass, if the subclass passes no key for it.
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
    // Foundation does the same: with a key strategy the keys of a dictionary have no `intValue`, even if the text is a
    // number. Without a strategy they are the standard library's keys, which have one.
    case .name, .super: nil
    }
  }

  init?(stringValue: String) { self = .name(stringValue) }

  init?(intValue: Int) { self = .index(intValue) }

  /// Returns a coding path in the usual notation, `lines[3].street: `; empty for the record itself.
  static func text(for path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let key = key as? CodingPathKey, case .index(let index) = key {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "" : text + ": "
  }
}

/// The step of a coder from a value to the next one.
enum CodingStep {
  /// The same value, decoded or encoded as another type.
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

/// A decoder or encoder as a link of the chain from a value to the outermost one.
protocol CodingLevel: AnyObject {
  /// The key or index of this value in its parent. A level for the same value as its parent has neither: `key` is `nil`
  /// and `elementIndex` is -1.
  var key: (any CodingKey)? { get }
  var elementIndex: Int { get }
  var parent: Self? { get }
}

extension CodingLevel {
  /// Returns the keys from the outermost value to a step from here. They are collected on demand, mostly for an error.
  func path(_ step: CodingStep) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    if let key = step.key { keys.append(key) }
    var level: Self? = self
    while let current = level {
      if let key = current.key {
        keys.append(key)
      } else if current.elementIndex >= 0 {
        keys.append(CodingPathKey.index(current.elementIndex))
      }
      level = current.parent
    }
    keys.reverse()
    return keys
  }
}
