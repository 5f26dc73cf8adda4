/// The data that is stored for a value that a path selected in a record.
protocol PathValue: BitwiseCopyable, Sendable {
  /// The entry of a path that selected nothing.
  static var absent: Self { get }
  /// Whether it is not the first value that the path selected in this record.
  var isFurther: Bool { get }
}

/// The values that several paths selected, in the order of the input: by record and path, one or more values.
struct PathValues<Value: PathValue>: Sendable {
  private(set) var values: [Value] = []
  let paths: Int
  /// The next expected path in the current record.
  private var nextPath = 0
  /// The start of the values of the current record.
  private var first = 0

  init(paths: Int) { self.paths = paths }

  var byteCount: Int { values.count &* MemoryLayout<Value>.stride }

  /// Returns whether there is a value at an index which is not the first one of its path in its record.
  func isFurther(at index: Int) -> Bool { index < values.count && values[index].isFurther }

  /// Reserves capacity for as many values as `others` contains.
  mutating func reserve(_ others: borrowing PathValues) { values.reserveCapacity(others.values.count) }

  /// Prepares for a value of a path in the current record, which the caller appends next. Paths must be added in their
  /// order. Returns whether the path has selected another value in this record.
  mutating func begin(path: Int) -> Bool {
    fill(to: path)
    let isFurther = nextPath > path
    nextPath = path &+ 1
    return isFurther
  }

  /// Appends a value of the path that was begun.
  mutating func append(_ value: Value) { values.append(value) }

  /// Marks the paths before an index as absent, unless they selected a value.
  private mutating func fill(to path: Int) {
    while nextPath < path {
      values.append(.absent)
      nextPath &+= 1
    }
  }

  /// Completes the current record.
  mutating func endRecord() {
    fill(to: paths)
    nextPath = 0
    first = values.count
  }

  /// Removes the current record after an error.
  mutating func dropRecord() {
    nextPath = 0
    values.removeLast(values.count - first)
  }
}

/// The hash of a value that a path of `--distinct` selected.
struct HashedValue: PathValue {
  let hash: DistinctHash
  /// Whether the path selected nothing.
  let isAbsent: Bool
  let isFurther: Bool

  static var absent: HashedValue { HashedValue(hash: .none, isAbsent: true, isFurther: false) }
}

extension PathValues<HashedValue> {
  /// Adds a value that a path selected in the current record. Paths must be added in their order.
  mutating func add(_ text: UnsafeRawBufferPointer, ofPath path: Int) {
    let isFurther = begin(path: path)
    append(HashedValue(hash: unsafe DistinctHash(text), isAbsent: false, isFurther: isFurther))
  }
}
