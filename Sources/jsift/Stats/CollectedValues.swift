import JSONSift

/// The hashes of the values that the paths of `--distinct` selected, in the order of the input.
struct CollectedValues: Sendable {
  struct Value: BitwiseCopyable {
    let hash: DistinctHash
    /// Whether the path selected nothing.
    let isAbsent: Bool
    /// Whether it is not the first value that the path selected in this record.
    let isFurther: Bool
  }

  /// By record and path: one or more values, in the order of the paths.
  private(set) var values: [Value] = []
  /// The number of paths.
  let paths: Int
  /// The next expected path in the current record.
  private var nextPath = 0
  /// The start of the values of the current record.
  private var first = 0

  init(paths: Int) { self.paths = paths }

  var byteCount: Int { values.count &* MemoryLayout<Value>.stride }

  /// Reserves capacity for as many values as `others` contains.
  mutating func reserve(_ others: borrowing CollectedValues) { values.reserveCapacity(others.values.count) }

  /// Adds a value that a path selected in the current record. Paths must be added in their order.
  mutating func add(_ text: UnsafeRawBufferPointer, ofPath path: Int) {
    while nextPath < path { addAbsent() }
    let isFurther = nextPath > path
    nextPath = path &+ 1
    unsafe values.append(Value(hash: DistinctHash(text), isAbsent: false, isFurther: isFurther))
  }

  private mutating func addAbsent() {
    values.append(Value(hash: .none, isAbsent: true, isFurther: false))
    nextPath &+= 1
  }

  /// Completes the current record.
  mutating func endRecord() {
    while nextPath < paths { addAbsent() }
    nextPath = 0
    first = values.count
  }

  /// Removes the current record after an error.
  mutating func dropRecord() {
    nextPath = 0
    values.removeLast(values.count - first)
  }
}
