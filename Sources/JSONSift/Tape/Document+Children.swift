#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Document {
  /// Goes over the children of an array or object in the order of the source.
  struct Children: IteratorProtocol {
    let document: Document
    private var position: UInt32
    private let end: UInt32
    private let isObject: Bool

    init(of index: UInt32, in document: Document) {
      self.document = document
      let kind = document.word(index).kind
      isObject = kind == .objectStart
      position = kind.isStart ? index &+ 2 : index
      end = kind.isStart ? document.after(index) &- 1 : index
    }

    /// The word of a child's key, if it has one, and of its value.
    @inline(__always)
    mutating func next() -> (key: UInt32?, value: UInt32)? {
      guard position < end else { return nil }
      let key: UInt32? = isObject ? position : nil
      let value = isObject ? position &+ 1 : position
      position = document.after(value)
      return (key, value)
    }
  }

  /// How many elements or members there are. O(1).
  func childCount(of index: UInt32) -> Int {
    word(index).kind.isStart ? word(index &+ 1).childCount : 0
  }

  /// Up to this many children a walk is as quick as a look into a table, and a record that is asked once needs none.
  static let smallContainer = 64

  /// The value of element `position`, which must be in range.
  ///
  /// - Complexity: O(1), amortised: the first call for an array of more than 64 elements makes a table of them.
  func element(_ position: Int, of index: UInt32) -> UInt32 {
    let count = childCount(of: index)
    if count > Self.smallContainer { return childTable(of: index).positions[position] }
    var child = index &+ 2
    for _ in 0..<position { child = after(child) }
    return child
  }

  /// The value of the last member with this key, or `nil`.
  ///
  /// - Complexity: O(length of the key), amortised: the first call for an object of more than 64 members makes a hash
  ///   table of them.
  func member(_ key: UnsafeRawBufferPointer, of index: UInt32) -> UInt32? {
    if childCount(of: index) > Self.smallContainer { return unsafe childTable(of: index).value(for: key, in: self) }
    var children = Children(of: index, in: self)
    var found: UInt32?
    while let child = children.next() {
      if let name = child.key, unsafe matches(name, key) { found = child.value }
    }
    return found
  }

  /// Whether the key at `index` is these bytes, once its escapes are decoded.
  @inline(__always)
  func matches(_ index: UInt32, _ key: UnsafeRawBufferPointer) -> Bool {
    let word = word(index)
    if word.kind == .key, !word.isLong {
      guard word.length == key.count else { return false }
      return unsafe withSource { source in
        let start = word.offset &+ 1
        guard start &+ key.count <= source.count else { return false }
        return unsafe key.elementsEqualMemory(source, at: start)
      }
    }
    return unsafe matchesSlowly(index, key)
  }

  @inline(never)
  private func matchesSlowly(_ index: UInt32, _ key: UnsafeRawBufferPointer) -> Bool {
    unsafe withDecodedText(of: index) { unsafe $0.count == key.count && key.elementsEqualMemory($0, at: 0) }
  }

  /// Lends the bytes of a string or key with its escapes decoded.
  func withDecodedText<Result>(of index: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let isEscaped = word(index).kind.isEscaped
    return unsafe withText(of: index) { raw in
      guard isEscaped else { return unsafe body(raw) }
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { buffer in
        let count = unsafe EscapedText.decode(raw, into: buffer)
        return unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
      }
    }
  }

  private func childTable(of index: UInt32) -> ChildTable {
    childTables.withLock { tables in
      if let last = tables.last, last.index == index { return last.table }
      let table = tables.all[index] ?? ChildTable(of: index, in: self)
      tables.all[index] = table
      tables.last = (index, table)
      hasChildTables.store(true, ordering: .relaxed)
      return table
    }
  }
}

/// The tables of one document, the last used one at hand.
struct ChildTables {
  var all: [UInt32: ChildTable] = [:]
  var last: (index: UInt32, table: ChildTable)?
}

extension UnsafeRawBufferPointer {
  /// Whether `other` holds these bytes from `start` on. The caller has checked that it is long enough.
  @inline(__always)
  func elementsEqualMemory(_ other: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count == 0 }
    return unsafe memcmp(mine, theirs + start, count) == 0
  }
}
