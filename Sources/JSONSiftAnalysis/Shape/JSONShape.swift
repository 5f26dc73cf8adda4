import JSONSift

/// The shape of many records: each path, with the types of its values, their number and their bounds.
///
/// ```swift
/// var shape = JSONShape()
/// while let record = try reader.next() { shape.add(record.value) }
/// for path in shape.paths { print(path.path, path.count, path.examples) }
/// ```
///
/// Memory grows with the paths and not with the records: about 1 KB for each path with the default options, and the
/// same again while ``paths`` exist, which also contain their text. Keys that are data, such as user numbers, would add
/// a path each. So an object with many distinct keys is treated as a map, whose values share one path; see
/// ``JSONShape/Options/maxKeys``. Below that limit each key has a path. ``pathCount`` is the number of paths.
///
/// Records may be distributed over several shapes: ``merge(_:)`` returns the same result as one shape for all of them.
/// ``JSONShape/Reader`` reads a source, which may be one document of any size.
public struct JSONShape: Sendable {
  private var storage: ShapeStorage

  /// Creates a shape of no records.
  public init(options: Options = Options()) { storage = ShapeStorage(ShapeTree(options)) }

  init(_ storage: ShapeStorage) { self.storage = storage }

  /// The number of records.
  public var recordCount: Int { storage.tree.records }

  /// The number of paths in memory. ``paths`` may return fewer, because it treats more objects as maps.
  public var pathCount: Int { storage.tree.pathCount }

  /// Adds a record.
  ///
  /// - Complexity: O(values of the record). A value that a program built is written as text and parsed first, whatever
  ///   its depth. A value that cannot be written as JSON, such as an infinite number, is ignored, and ``recordCount``
  ///   does not change.
  public mutating func add(_ record: JSON) {
    makeUnique()
    guard !storage.add(record) else { return }
    // A value in memory is trusted: the limits for texts do not apply.
    let options = JSONOptions(limits: .unlimited)
    if let bytes = try? record.bytes(), let parsed = try? JSON(parsing: bytes, options: options) {
      _ = storage.add(parsed)
    }
  }

  /// Adds the records of another shape after the records of this one. The options of this shape apply: objects that exceed
  /// its number of keys become maps, and examples are cut and dropped. Data that the other shape dropped or folded by its
  /// own options remain lost.
  ///
  /// - Complexity: O(paths).
  public mutating func merge(_ other: JSONShape) {
    guard other.storage !== storage else { return merge(JSONShape(ShapeStorage(storage.tree.copied()))) }
    makeUnique()
    storage.tree.add(other.storage.tree)
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = ShapeStorage(storage.tree.copied()) }
  }

  /// All paths: the root first, and after each path its members or elements in the order of their first values.
  ///
  /// The objects at a path are treated as maps if they have more than ``JSONShape/Options/maxAlikeKeys`` distinct keys and
  /// their values are alike. Values are alike if, apart from null, they are objects that share most of their keys, or if
  /// they have one other type and a key occurs in less than half of the objects on average.
  ///
  /// - Complexity: O(paths), and the length of their texts.
  public var paths: [Path] {
    var paths: [Path] = []
    forEachPath { paths.append($0) }
    return paths
  }

  /// Calls `body` with the same paths. The text of only one path is in memory at a time.
  package func forEachPath(_ body: (Path) -> Void) {
    var tree = storage.tree.copied()
    tree.foldMaps()
    tree.forEachPath(body)
  }

  /// The memory of the paths, in bytes.
  var heldBytes: Int { storage.tree.heldBytes }

  /// Whether there were more paths than ``JSONShape/Options/maxPaths``, here or in a shape that was merged. Later values
  /// are not counted, and ``paths`` is empty.
  package var isFull: Bool { storage.tree.isFull }
}

/// The tree of a shape, in a box that shapes share until one of them changes it (copy on write).
///
/// Unchecked `Sendable`: `JSONShape` changes the tree only while its reference is unique, and `JSONShape.Reader` does
/// not share its storage.
@safe final class ShapeStorage: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<ShapeTree>

  /// The tree, in separate memory: access to a stored property of a class would be checked for exclusivity each time. Worth
  /// it: the checks take 1 % more instructions (Scripts/measure instructions, shape).
  ///
  /// SAFETY: allocated in `init` and freed in `deinit`. The single owner of a storage accesses it sequentially, and a
  /// shared storage is never changed.
  var tree: ShapeTree {
    _read { yield unsafe pointer.pointee }
    _modify { yield unsafe &pointer.pointee }
  }
  /// Whether the tree was full after the last record: a copy, because it is read for each record, and reading the tree
  /// costs more.
  private(set) var isFull = false

  init(_ tree: consuming ShapeTree) {
    unsafe pointer = UnsafeMutablePointer<ShapeTree>.allocate(capacity: 1)
    unsafe pointer.initialize(to: tree)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// Returns the tree in another box, and leaves an empty one.
  func take() -> ShapeStorage {
    tree.settle()
    isFull = false
    var full = ShapeTree(tree.options)
    swap(&tree, &full)
    return ShapeStorage(full)
  }

  /// Adds a value that was parsed. Returns `false` for a value that was built.
  func add(_ value: JSON) -> Bool {
    unsafe value.borrowTapeWords { words, text, _ in
      beginRecord()
      unsafe take(part: words, text)
    }
  }
}

extension ShapeStorage: TapeWordReceiver {
  func beginRecord() { tree.begin() }

  func take(part words: UnsafeBufferPointer<UInt64>, _ text: UnsafeRawBufferPointer) {
    unsafe tree.process(words, text)
    isFull = tree.isFull
  }

  /// Some counts are added to the nodes only when the tree is taken.
  func take(records words: UnsafeBufferPointer<UInt64>, _ text: UnsafeRawBufferPointer, after header: Int) {
    var start = 0
    while start < words.count, !isFull {
      var end = start + 1
      if unsafe TapeWord(bits: words[start]).kind.isStart {
        // SAFETY: if the text is not the one that was validated, a link may have any value; so it must lead forward and stay
        // inside the words. Worth it: a `Span` of words takes 0.8 % more instructions (Scripts/measure instructions, shape).
        let link = unsafe end < words.count ? Int(words[end] & 0xFFFF_FFFF) - header : 0
        guard link > end, link <= words.count else { return }
        end = link
      }
      unsafe tree.add(UnsafeBufferPointer(rebasing: words[start..<end]), text)
      isFull = tree.isFull
      start = end
    }
  }
}

extension JSONShape {
  /// The summary of all values at one path.
  public struct Path: Sendable, Hashable, Codable {
    /// The path in the syntax of RFC 9535. It selects these values: `$.users.*.tags[*]`. If both arrays and objects occur
    /// at a location, `[*]` and `.*` each select the children of both.
    public let path: String
    /// The number of nulls.
    public let nullCount: Int
    /// The number of `true` and `false`.
    public let boolCount: Int
    /// The number of numbers.
    public let numberCount: Int
    /// The number of strings.
    public let stringCount: Int
    /// The number of arrays.
    public let arrayCount: Int
    /// The number of objects.
    public let objectCount: Int
    /// The number of values of all types.
    public let count: Int
    /// The number of records that contain the path. `nil` below a map: a record may contain several of its keys.
    public let recordCount: Int?
    /// The number of objects that could have this member. `nil` if the path is not a member's.
    public let parentCount: Int?
    /// The smallest number by exact value, as written in the source. `nil` without numbers.
    public let minNumber: String?
    /// The largest number by exact value, as written in the source. `nil` without numbers.
    public let maxNumber: String?
    /// The shortest and the longest length of strings in characters, as `length()` of RFC 9535 counts them: Unicode
    /// scalar values.
    public let characters: ClosedRange<Int>?
    /// The smallest and the largest number of elements of arrays.
    public let elements: ClosedRange<Int>?
    /// The smallest and the largest number of members of objects.
    public let members: ClosedRange<Int>?
    /// The number of distinct keys of objects. If it exceeds the limit, it is the limit, and ``hasMoreKeys`` is true.
    /// `nil` without objects, and for nested maps whose keys were not counted.
    public let keyCount: Int?
    /// Whether there are more keys than ``keyCount``.
    public let hasMoreKeys: Bool
    /// Whether the objects are treated as maps: their values share the next path, which ends in `.*`.
    public let isMap: Bool
    /// The first distinct scalars, each as JSON. A string that was cut ends in `…`.
    public let examples: [String]
  }
}
