import JSONSift

/// The counts and bounds of the values at one path. It is plain memory: keys, numbers and examples are in the bytes of
/// the tree.
///
/// *Merging* two nodes gives the same result as one node for the values of both: counts are added, and of equal values
/// the first one is kept. *Folding* merges all members of an object into one node, because it is a map. So a shape
/// depends neither on how the records were distributed to workers, nor on when keys were folded.
struct ShapeNode: BitwiseCopyable {
  var nulls = 0
  var trues = 0
  var falses = 0
  var numbers = 0
  var strings = 0
  var arrays = 0
  var objects = 0

  /// The number of the first value here. All values of the tree are numbered from 1.
  var first = 0
  /// The number of records with a value here.
  var records = 0
  /// The last record with a value here.
  var lastRecord = 0
  /// The number of records with an object here that has a member.
  var recordsWithMembers = 0
  /// The last record with an object here that has a member.
  var lastRecordWithMembers = 0

  /// The smallest and the largest number. A number whose rank lies between their ranks changes neither.
  var minimum = ShapeExtreme(rank: NumberRank.none.upper)
  var maximum = ShapeExtreme(rank: NumberRank.none.lower)
  /// The ranges of the lengths of strings in characters, of arrays in elements, and of objects in members.
  var characters = ShapeRange()
  var elements = ShapeRange()
  var members = ShapeRange()

  // Links by node number; 0 is no node.
  var parent: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  var nextSibling: UInt32 = 0
  /// The node of all elements.
  var element: UInt32 = 0
  /// The node of all members, after they were folded.
  var anyMember: UInt32 = 0
  /// The number of distinct keys.
  var childCount: UInt32 = 0
  /// The likely order of members: the first member of the last object, and the member that followed this one. A key
  /// that matches needs no lookup.
  var likelyChild: UInt32 = 0
  var likelyNext: UInt32 = 0
  /// The node into which this one was merged, or 0.
  var merged: UInt32 = 0

  /// The limit of keys that the members exceeded when they were folded. 0 if there is no such limit: they were folded
  /// because they are alike, or are not folded.
  var exceededNameLimit: UInt32 = 0

  var exampleCount: UInt32 = 0
  /// Whether `true` and `false` are examples already, and need not be added.
  var hasTrueExample = false
  var hasFalseExample = false

  var name = ShapeName()

  var count: Int { nulls &+ trues &+ falses &+ numbers &+ strings &+ arrays &+ objects }
  var isFolded: Bool { anyMember != 0 }
  var hasTooManyNames: Bool { exceededNameLimit != 0 }
  /// Whether the node was merged into another one, and is no longer in the tree.
  var isMerged: Bool { merged != 0 }

  /// Counts the record of a value, unless it is counted already, and records the number of the first value.
  mutating func countRecord(_ value: Int, in record: Int) {
    if lastRecord != record {
      lastRecord = record
      records &+= 1
      if first == 0 { first = value }
    }
  }

  /// Counts the record of an object with a member, unless it is counted already.
  mutating func countRecordWithMembers(in record: Int) {
    if lastRecordWithMembers != record {
      lastRecordWithMembers = record
      recordsWithMembers &+= 1
    }
  }

  mutating func noteExample(_ kind: ShapeExample.Kind) {
    switch kind {
    case .true: hasTrueExample = true
    case .false: hasFalseExample = true
    default: break
    }
  }

  /// Adds the counts of another node, without the bounds of its numbers. Records are added too: for two nodes of the
  /// same records the sum is too large, and the caller must not use it.
  ///
  /// - Parameters:
  ///   - values: The number of values before those that the other node counts.
  ///   - records: The number of records before those that the other node counts.
  mutating func addCounts(_ other: ShapeNode, after values: Int, _ records: Int) {
    nulls = .sum(nulls, other.nulls)
    trues = .sum(trues, other.trues)
    falses = .sum(falses, other.falses)
    numbers = .sum(numbers, other.numbers)
    strings = .sum(strings, other.strings)
    arrays = .sum(arrays, other.arrays)
    objects = .sum(objects, other.objects)
    if other.first > 0 {
      let value = Int.sum(other.first, values)
      first = first == 0 ? value : min(first, value)
    }
    self.records = .sum(self.records, other.records)
    recordsWithMembers = .sum(recordsWithMembers, other.recordsWithMembers)
    if other.lastRecord > 0 { lastRecord = max(lastRecord, .sum(other.lastRecord, records)) }
    if other.lastRecordWithMembers > 0 {
      lastRecordWithMembers = max(lastRecordWithMembers, .sum(other.lastRecordWithMembers, records))
    }
    characters.add(other.characters)
    elements.add(other.elements)
    members.add(other.members)
  }
}

// MARK: Keys

/// A key in the bytes of a tree.
struct ShapeName: BitwiseCopyable {
  /// The kind and length of the key's tape word; 0 if there is no key, or one whose length does not fit a tape word.
  var word: UInt32 = 0
  var count: UInt32 = 0
  var offset = 0
  /// The first eight bytes of the key, padded with zeros.
  var start: UInt64 = 0
  /// A mask of the bits of ``start`` that belong to the key.
  var mask: UInt64 = 0
  /// The last eight bytes of a key of at least eight bytes.
  var end: UInt64 = 0

  var range: Range<Int> { offset..<(offset &+ Int(count)) }
}

extension ShapeName {
  init(_ name: UnsafeRawBufferPointer, at offset: Int) {
    self.offset = offset
    count = UInt32(clamping: name.count)
    start = unsafe Self.start(of: name)
    mask = name.count >= 8 ? .max : 1 &<< UInt64(truncatingIfNeeded: name.count &* 8) &- 1
    if name.count >= 8 { end = unsafe name.loadUnaligned(fromByteOffset: name.count &- 8, as: UInt64.self) }
    if name.count < TapeWord.longLength { word = TapeWord(.key, at: 0, length: name.count).kindAndLength }
  }

  /// Returns the first eight bytes of a key, padded with zeros.
  ///
  /// SAFETY: no byte is read at or after the count.
  static func start(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return unsafe name.loadUnaligned(as: UInt64.self) }
    var start: UInt64 = 0
    for index in 0..<name.count { start |= unsafe UInt64(name[index]) &<< UInt64(truncatingIfNeeded: index &* 8) }
    return start
  }
}

extension TapeWord {
  var kindAndLength: UInt32 { UInt32(truncatingIfNeeded: bits & Self.belowOffset) }
}

extension Int {
  /// Returns a sum of counts, capped so that several sums can be added without overflow. A shape can be added to itself
  /// any number of times.
  static func sum(_ left: Int, _ right: Int) -> Int { Swift.min(left &+ right, 1 << 58) }
}

/// The smallest and the largest of some counts; empty while `lower` exceeds `upper`.
struct ShapeRange: BitwiseCopyable {
  var lower = Int.max
  var upper = Int.min

  var bounds: ClosedRange<Int>? { lower <= upper ? lower...upper : nil }

  mutating func add(_ count: Int) {
    if count < lower { lower = count }
    if count > upper { upper = count }
  }

  mutating func add(_ other: ShapeRange) {
    lower = min(lower, other.lower)
    upper = max(upper, other.upper)
  }
}

/// A text in the bytes of a tree, and the number of its value.
struct ShapeText: BitwiseCopyable {
  var offset = 0
  var count = 0
  /// The number of bytes reserved for it at `offset`.
  var room = 0
  var valueNumber = 0

  var range: Range<Int> { offset..<(offset + count) }
}

/// The smallest or the largest of the numbers at a path.
struct ShapeExtreme: BitwiseCopyable {
  /// The nearest Double.
  var double = 0.0
  /// A bound of its rank.
  var rank: Int64
  var text = ShapeText()
}

/// An example of the values at a path. A string is stored without its quotes.
struct ShapeExample: BitwiseCopyable {
  enum Kind: UInt8 { case number, string, cutString, `true`, `false` }

  var text: ShapeText
  var kind: Kind
}

/// The nodes of a tree. Access to a node copies nothing.
///
/// SAFETY: each index is checked against the count, and the memory has room for that many nodes, all of which were
/// stored. Worth it: an array, with each access by index, takes 3 % more instructions (Scripts/measure instructions, shape).
@safe struct ShapeNodes: ~Copyable {
  private var memory = RawMemory(capacity: 32 * MemoryLayout<ShapeNode>.stride)
  private var room = 32
  private(set) var count = 0

  subscript(_ index: UInt32) -> ShapeNode {
    _read {
      precondition(Int(index) < count)
      yield unsafe pointer(index).pointee
    }
    _modify {
      precondition(Int(index) < count)
      yield unsafe &pointer(index).pointee
    }
  }

  /// Returns a pointer to a node, valid until the next node is appended.
  func pointer(of index: UInt32) -> UnsafeMutablePointer<ShapeNode> {
    precondition(Int(index) < count)
    return unsafe pointer(index)
  }

  /// Returns a pointer to the node at an offset in the memory, which the caller took from ``offset(of:)`` of an
  /// existing node.
  func pointer(at offset: Int) -> UnsafeMutablePointer<ShapeNode> {
    unsafe (memory.base + offset).assumingMemoryBound(to: ShapeNode.self)
  }

  static func offset(of index: UInt32) -> Int { Int(index) * MemoryLayout<ShapeNode>.stride }

  private func pointer(_ index: UInt32) -> UnsafeMutablePointer<ShapeNode> {
    unsafe (memory.base + Int(index) &* MemoryLayout<ShapeNode>.stride).assumingMemoryBound(to: ShapeNode.self)
  }

  mutating func append(_ node: ShapeNode) {
    if count == room {
      room *= 2
      memory.grow(to: room * MemoryLayout<ShapeNode>.stride, keeping: count * MemoryLayout<ShapeNode>.stride)
    }
    unsafe (memory.base + count * MemoryLayout<ShapeNode>.stride)
      .storeBytes(of: node, as: ShapeNode.self)
    count += 1
  }
}
