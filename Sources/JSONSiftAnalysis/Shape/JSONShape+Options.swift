import JSONSift

extension JSONShape {
  /// The limits of a ``JSONShape``.
  public struct Options: Sendable, Hashable {
    /// The maximum number of distinct keys of the objects at a path. With more keys the objects are treated as maps, such as
    /// maps from user numbers to users, and their values share the path `.*`. The default is 200.
    public var maxKeys = 200 {
      didSet { maxKeys = min(max(maxKeys, 1), 1 << 20) }
    }
    /// With more keys than this, objects are treated as maps if the values are alike. The default is 16. See
    /// ``JSONShape/paths``.
    public var maxAlikeKeys = 16 {
      didSet { maxAlikeKeys = max(maxAlikeKeys, 1) }
    }
    /// The maximum number of examples of a path: its first distinct values. Each takes 40 bytes of memory, even if
    /// unused, and its text. The default is 3.
    public var maxExamples = 3 {
      didSet { maxExamples = min(max(maxExamples, 0), 100) }
    }
    /// The maximum length of an example, in bytes. A longer string is cut, and a longer number is not an example. The
    /// default is 40.
    public var maxExampleBytes = 40 {
      didSet { maxExampleBytes = min(max(maxExampleBytes, 1), 1 << 16) }
    }

    /// The maximum number of paths in memory. When it is exceeded, counting stops, even inside a record.
    package var maxPaths = Int.max

    /// Creates the default options.
    public init() {}
  }
}
