/// The limits of a ``JSONShape``.
public struct JSONShapeOptions: Sendable, Hashable {
  /// The maximum number of distinct keys of the objects at a path. With more they are treated as maps, such as users by
  /// number, and their values share the path `.*`. The default is 200.
  public var names = 200 {
    didSet { names = min(max(names, 1), 1 << 20) }
  }
  /// With more keys than this, objects are treated as maps if the values are alike. The default is 16. See
  /// ``JSONShape/paths``.
  public var likeNames = 16 {
    didSet { likeNames = max(likeNames, 1) }
  }
  /// The maximum number of examples of a path: its first distinct values. Each takes 40 bytes of memory, even if
  /// unused, and its text. The default is 3.
  public var examples = 3 {
    didSet { examples = min(max(examples, 0), 100) }
  }
  /// The maximum length of an example, in bytes. A longer string is cut, and a longer number is not an example. The
  /// default is 40.
  public var exampleBytes = 40 {
    didSet { exampleBytes = min(max(exampleBytes, 1), 1 << 16) }
  }

  /// The maximum number of paths in memory. When it is exceeded, counting stops, even inside a record.
  package var maxPaths = Int.max

  /// Creates the default options.
  public init() {}
}
