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
    if count > Self.smallContainer {
      return childTables.withTable(of: index, in: self) { $0.positions[position] }
    }
    var child = index &+ 2
    for _ in 0..<position { child = after(child) }
    return child
  }

  /// The value of the last member with this key, or `nil`.
  ///
  /// - Complexity: O(length of the key), amortised: the first call for an object of more than 64 members makes a hash
  ///   table of them.
  func member(_ key: UnsafeRawBufferPointer, of index: UInt32) -> UInt32? {
    if childCount(of: index) > Self.smallContainer {
      return childTables.withTable(of: index, in: self) { unsafe $0.value(for: key, in: self) }
    }
    guard word(index).kind == .objectStart else { return nil }
    let end = after(index) &- 1
    // Kind and length stand below the offset: most keys differ there, and the source is not touched. A key with escapes
    // can be any shorter one.
    let wanted = TapeWord(.key, at: 0, length: min(key.count, TapeWord.longLength)).bits
    let isLong = key.count >= TapeWord.longLength
    var found: UInt32?
    var name = index &+ 2
    while name < end {
      let word = word(name)
      let mayMatch = (word.bits ^ wanted) & TapeWord.belowOffset == 0 || word.kind.isEscaped || isLong
      if mayMatch, unsafe matches(name, key) { found = name &+ 1 }
      name = after(name &+ 1)
    }
    return found
  }

  /// The value of the first member with this key of an object with more than ``smallContainer`` members, or `nil`.
  ///
  /// - Complexity: O(length of the key), amortised.
  func firstMemberByTable(_ key: UnsafeRawBufferPointer, of index: UInt32) -> UInt32? {
    childTables.withTable(of: index, in: self) { unsafe $0.firstValue(for: key, in: self) }
  }

  /// How many different keys the members have.
  ///
  /// - Complexity: O(1), amortised, for more than 64 members; else the square of their number at worst.
  func distinctMemberCount(of index: UInt32) -> Int {
    guard word(index).kind == .objectStart else { return 0 }
    if childCount(of: index) > Self.smallContainer {
      return childTables.withTable(of: index, in: self) { $0.distinctCount }
    }
    let end = after(index) &- 1
    var distinct = 0
    var key = index &+ 2
    while key < end {
      let word = word(key)
      // Such keys are costly to compare, and a table compares each about once.
      if word.kind.isEscaped || word.isLong { return ChildTable(of: index, in: self).distinctCount }
      let next = after(key &+ 1)
      if unsafe !withText(of: key, { unsafe hasPlainKey($0, from: next, to: end) }) { distinct += 1 }
      key = next
    }
    return distinct
  }

  /// Whether a key without escapes from `start` on, in the same object, is these bytes.
  private func hasPlainKey(_ name: UnsafeRawBufferPointer, from start: UInt32, to end: UInt32) -> Bool {
    let wanted = TapeWord(.key, at: 0, length: name.count).bits
    var key = start
    while key < end {
      // Kind and length stand below the offset: most keys differ there, and the source is not touched.
      if (word(key).bits ^ wanted) & TapeWord.belowOffset == 0, unsafe matches(key, name) { return true }
      key = after(key &+ 1)
    }
    return false
  }

  /// Whether the member of the object at `index` whose key is the word `key` is the last of its name, the one that a
  /// lookup finds.
  ///
  /// - Complexity: O(length of the key), amortised, for more than 64 members.
  func isLastOfItsName(_ key: UInt32, of index: UInt32) -> Bool {
    unsafe withDecodedText(of: key) { name in
      if childCount(of: index) > Self.smallContainer {
        return childTables.withTable(of: index, in: self) { unsafe $0.value(for: name, in: self) == key &+ 1 }
      }
      let end = after(index) &- 1
      var other = after(key &+ 1)
      while other < end {
        if unsafe matches(other, name) { return false }
        other = after(other &+ 1)
      }
      return true
    }
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
      unsafe isEscaped ? EscapedText.withDecoded(raw, body) : body(raw)
    }
  }
}
