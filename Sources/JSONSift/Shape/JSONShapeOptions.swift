/// How much of the values of a stream ``JSONShape`` tells apart and keeps.
public struct JSONShapeOptions: Sendable, Hashable {
  /// Objects at one path may have so many different names. With one more they are one path, `.*`: they are keys of a map, as
  /// users by their number. The default is 200.
  public var names = 200 {
    didSet { names = min(max(names, 1), 1 << 20) }
  }
  /// Names above this number are one path too if what they name is alike. The default is 16. See ``JSONShape/paths``.
  public var likeNames = 16 {
    didSet { likeNames = max(likeNames, 1) }
  }
  /// How many different values of a path are kept: the first ones. Each takes 40 bytes of memory and its text, and the 40 also
  /// where there is none. The default is 3.
  public var examples = 3 {
    didSet { examples = min(max(examples, 0), 100) }
  }
  /// How many bytes of such a value are kept. A longer string is cut, and a longer number is none. The default is 40.
  public var exampleBytes = 40 {
    didSet { exampleBytes = min(max(exampleBytes, 1), 1 << 16) }
  }

  /// With one path more in memory nothing more is counted, wherever in a record that is.
  package var maxPaths = Int.max

  /// The defaults.
  public init() {}
}
