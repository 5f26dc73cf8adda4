/// The shape of many records: every path that occurs, with the types of its values, how many there are, and their bounds.
///
/// ```swift
/// var shape = JSONShape()
/// while let record = try reader.next() { shape.add(record.value) }
/// for path in shape.paths { print(path.path, path.count, path.examples) }
/// ```
///
/// Memory grows with the paths and not with the records: about 1 KB each with the default options, and as much again where
/// ``paths`` are asked for, which also has their texts. So that it does not grow with keys that are data, such as users by their
/// number, objects with many different names are one path; see ``JSONShapeOptions/names``. Until they are too many each is a
/// path of its own. ``pathCount`` says how many there are.
///
/// Records may be dealt out to several shapes: ``merge(_:)`` gives what one shape would have gathered, whatever the cuts.
/// ``JSONShapeReader`` reads a source, also one document of any size.
public struct JSONShape: Sendable {
  private var storage: ShapeStorage

  /// Of no record yet.
  public init(options: JSONShapeOptions = JSONShapeOptions()) { storage = ShapeStorage(ShapeTree(options)) }

  init(_ storage: ShapeStorage) { self.storage = storage }

  /// How many records there were.
  public var recordCount: Int { storage.tree.records }

  /// How many paths are in memory. Of them ``paths`` may put some together.
  public var pathCount: Int { storage.tree.pathCount }

  /// Counts a record.
  ///
  /// - Complexity: O(values of the record). A value that a program made is written out and parsed first, whatever its depth; one
  ///   that has no JSON form, such as an infinite number, is not counted, and ``recordCount`` stays.
  public mutating func add(_ record: JSON) {
    makeUnique()
    guard case .node(let document, let index) = record.storage else {
      guard let bytes = try? record.bytes(), let parsed = try? JSON(parsing: bytes, options: Self.madeValues),
        parsed.isFromText
      else { return }
      return add(parsed)
    }
    storage.add(document, index)
  }

  /// What bounds a text from outside is no bound of a value that is in memory.
  private static var madeValues: JSONOptions {
    var options = JSONOptions()
    options.limits = .unlimited
    return options
  }

  /// Counts the records of another shape, as if they stood behind those of this one. The options are those of this one: names
  /// that are too many for it are put together, and examples are cut and left out. What the other has not kept or told apart
  /// by its own options nobody knows any more.
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

  /// Every path, the root first, behind each its members or elements in the order in which they came.
  ///
  /// Of objects with more names than ``JSONShapeOptions/likeNames`` all are put together if they seem to be keys of a map: what
  /// they name is of one type, and either objects that have most of their own names in common, or all but few objects lack a name.
  ///
  /// - Complexity: O(paths), and their text.
  public var paths: [JSONShapePath] {
    var paths: [JSONShapePath] = []
    forEachPath { paths.append($0) }
    return paths
  }

  /// The same paths one after another. Only one of their texts is in memory.
  package func forEachPath(_ body: (JSONShapePath) -> Void) {
    var tree = storage.tree.copied()
    tree.foldMaps()
    tree.forEachPath(body)
  }

  /// How many bytes its paths take in memory.
  package var heldBytes: Int { storage.tree.heldBytes }

  /// There were more paths than ``JSONShapeOptions/mostPaths``, here or in a shape that was added. What came then is not
  /// counted, and ``paths`` say nothing.
  package var isFull: Bool { storage.tree.isFull }
}

/// The tree of a shape, in a box that shapes share until one of them changes.
///
/// Sendable without the compiler's proof: `JSONShape` changes it only while nobody else holds it, and `JSONShapeReader` keeps
/// its own to itself.
@safe final class ShapeStorage: @unchecked Sendable {
  private let place: UnsafeMutablePointer<ShapeTree>

  /// In memory of its own, since a look into a property of a class is checked each time.
  ///
  /// SAFETY: made in `init` and freed in `deinit`. Whoever holds the storage alone does one thing after another with it, and
  /// nobody changes one that is shared.
  var tree: ShapeTree {
    @inline(__always) _read { yield unsafe place.pointee }
    @inline(__always) _modify { yield unsafe &place.pointee }
  }
  /// Whether the tree was full after the last record. Asked for each: a look into the tree costs more.
  private(set) var isFull = false
  /// The words of the last lines that were proven together.
  var tape = RawMemory(capacity: 0)

  init(_ tree: consuming ShapeTree) {
    unsafe place = UnsafeMutablePointer<ShapeTree>.allocate(capacity: 1)
    unsafe place.initialize(to: tree)
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  /// Hands out the tree in another box, and begins a new one.
  func take() -> ShapeStorage {
    tree.settle()
    isFull = false
    var full = ShapeTree(tree.options)
    swap(&tree, &full)
    return ShapeStorage(full)
  }

  func add(_ document: Document, _ index: UInt32) {
    let start = Int(index)
    let end = Int(document.after(index))
    // SAFETY: the words from a value to the one behind it are in the tape, which stays while the document is held.
    let words = unsafe UnsafeBufferPointer(
      start: document.tapeWords.assumingMemoryBound(to: UInt64.self) + start, count: end - start)
    tree.begin()
    unsafe document.withSource { unsafe takePart(words, $0) }
    // The words and bytes are the document's.
    withExtendedLifetime(document) {}
  }

  /// Counts a part of a record that has begun.
  func takePart(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer) {
    unsafe tree.take(words, bytes)
    isFull = tree.isFull
  }

  /// Counts a record by its words. Some counts are put into the nodes when the tree is taken.
  func add(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer) {
    unsafe tree.add(words, bytes)
    isFull = tree.isFull
  }
}

/// What is known of the values at one path.
public struct JSONShapePath: Sendable, Hashable {
  /// The path, as RFC 9535 writes it. It selects these values: `$.users.*.tags[*]`. Where arrays and objects stand at one
  /// place, `[*]` and `.*` both select the children of either.
  public let path: String
  /// How many values there are of each type.
  public let nullCount: Int
  /// The same of `true` and `false`.
  public let boolCount: Int
  /// The same of numbers.
  public let numberCount: Int
  /// The same of strings.
  public let stringCount: Int
  /// The same of arrays.
  public let arrayCount: Int
  /// The same of objects.
  public let objectCount: Int
  /// How many values there are.
  public let count: Int
  /// In how many records the path occurs. `nil` below names that were put together: a record may have several of them.
  public let records: Int?
  /// How many objects could have this member. `nil` of what is no member.
  public let parentCount: Int?
  /// The smallest and the largest number by their exact values, as they stand in the source.
  public let minNumber: String?
  /// See ``leastNumber``.
  public let maxNumber: String?
  /// How long strings are, in characters as `length()` of RFC 9535 counts them: Unicode scalar values.
  public let characters: ClosedRange<Int>?
  /// How many elements arrays have.
  public let elements: ClosedRange<Int>?
  /// How many members objects have.
  public let members: ClosedRange<Int>?
  /// How many different names the members of objects have. Where they are more than could be told apart it is that limit, and
  /// ``namesAreMore`` is true. `nil` also where maps inside a map were put together.
  public let names: Int?
  /// There are more names than ``names``.
  public let namesAreMore: Bool
  /// The names of objects are put together: what they name stands at the next path, which ends in `.*`.
  public let isMap: Bool
  /// The first different scalars, each as JSON. A string that was cut ends in `…`.
  public let examples: [String]
}
