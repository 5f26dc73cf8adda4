/// What is known of the values at one path. Plain memory: names, numbers and examples lie in the bytes of the tree.
///
/// Every part of it is such that two nodes can be put together, and the result is that of one node that has seen the values
/// of both: counts add up, and of equals the one that stood first is kept. So a shape does not depend on how the records
/// were dealt out to workers, nor on when keys were folded.
struct ShapeNode: BitwiseCopyable {
  var nulls = 0
  var trues = 0
  var falses = 0
  var numbers = 0
  var strings = 0
  var arrays = 0
  var objects = 0

  /// The number of the first value here, counted over all values from 1.
  var first = 0
  /// In how many records there is a value, and the last of them.
  var records = 0
  var lastRecord = 0
  /// The same of objects here that have a member.
  var recordsWithMembers = 0
  var lastRecordWithMembers = 0

  /// The nearest Doubles of the smallest and largest number, and their texts.
  var minDouble = 0.0
  var maxDouble = 0.0
  /// A number whose rank lies between these changes neither.
  var minRank = NumberRank.none.upper
  var maxRank = NumberRank.none.lower
  var least = ShapeText()
  var most = ShapeText()
  /// Characters of strings, elements of arrays, members of objects.
  var characters = ShapeRange()
  var elements = ShapeRange()
  var members = ShapeRange()

  // Numbers of nodes; 0 is nobody's, and means none.
  var parent: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  var nextSibling: UInt32 = 0
  /// The elements of arrays.
  var element: UInt32 = 0
  /// All members, once there were too many names.
  var anyMember: UInt32 = 0
  /// How many names there are.
  var childCount: UInt32 = 0
  /// The name that was met first in the last object, and the one that was met behind this one. Where they are met again,
  /// nothing is looked up.
  var likelyChild: UInt32 = 0
  var likelyNext: UInt32 = 0
  /// Its values are counted there now.
  var merged: UInt32 = 0

  /// Its members were put together since they have more names than this. 0 if that is not known: they are alike, or are
  /// told apart.
  var moreNamesThan: UInt32 = 0

  var exampleCount: UInt32 = 0
  /// `true` and `false` need not be offered as examples while there is room: they are.
  var hasTrueExample = false
  var hasFalseExample = false

  /// Kind and length of the words of keys that are the name; 0 if there is none, or one that words cannot tell.
  var nameWord: UInt32 = 0
  var nameCount: UInt32 = 0
  var nameOffset = 0
  /// The first eight bytes of the name, with zeros behind it, and which bits of them are the name's.
  var nameStart: UInt64 = 0
  var nameMask: UInt64 = 0
  /// The last eight bytes of a longer name.
  var nameEnd: UInt64 = 0

  var count: Int { nulls &+ trues &+ falses &+ numbers &+ strings &+ arrays &+ objects }
  var isFolded: Bool { anyMember != 0 }
  var hasTooManyNames: Bool { moreNamesThan != 0 }
  /// It is in the tree no more.
  var isGone: Bool { merged != 0 }

  /// Notes a value.
  @inline(__always)
  mutating func touch(_ value: Int, in record: Int) {
    if lastRecord != record {
      lastRecord = record
      records &+= 1
      if first == 0 { first = value }
    }
  }

  /// Notes an object with a member.
  @inline(__always)
  mutating func touchMembers(in record: Int) {
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

  /// Adds the counts of another node, but not its numbers' bounds. Records are those of both: whoever merges nodes of one
  /// record knows that they are too many.
  ///
  /// - Parameters:
  ///   - values: How many values stood before those that the other counts.
  ///   - records: The same of records.
  mutating func addCounts(_ other: ShapeNode, behind values: Int, _ records: Int) {
    nulls = .sum(nulls, other.nulls)
    trues = .sum(trues, other.trues)
    falses = .sum(falses, other.falses)
    numbers = .sum(numbers, other.numbers)
    strings = .sum(strings, other.strings)
    arrays = .sum(arrays, other.arrays)
    objects = .sum(objects, other.objects)
    if other.first > 0 {
      let place = Int.sum(other.first, values)
      first = first == 0 ? place : min(first, place)
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

// MARK: Names

extension ShapeNode {
  mutating func setName(_ name: UnsafeRawBufferPointer, at offset: Int) {
    nameOffset = offset
    nameCount = UInt32(clamping: name.count)
    nameStart = unsafe Self.start(of: name)
    nameMask = name.count >= 8 ? .max : 1 &<< UInt64(truncatingIfNeeded: name.count &* 8) &- 1
    if name.count >= 8 { nameEnd = unsafe name.loadUnaligned(fromByteOffset: name.count &- 8, as: UInt64.self) }
    if name.count < TapeWord.longLength { nameWord = TapeWord(.key, at: 0, length: name.count).kindAndLength }
  }

  /// SAFETY: no byte is read at or behind the count.
  @inline(__always)
  static func start(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return unsafe name.loadUnaligned(as: UInt64.self) }
    var start: UInt64 = 0
    for index in 0..<name.count { start |= unsafe UInt64(name[index]) &<< UInt64(truncatingIfNeeded: index &* 8) }
    return start
  }
}

extension TapeWord {
  @inline(__always)
  var kindAndLength: UInt32 { UInt32(truncatingIfNeeded: bits & Self.belowOffset) }
}

extension Int {
  /// A sum of counts that stays so small that several of them can be added. A shape may be added to itself so often that
  /// nothing else would hold it.
  static func sum(_ left: Int, _ right: Int) -> Int { Swift.min(left &+ right, 1 << 58) }
}

/// The smallest and largest of some counts; none while the first is larger.
struct ShapeRange: BitwiseCopyable {
  var least = Int.max
  var most = Int.min

  var bounds: ClosedRange<Int>? { least <= most ? least...most : nil }

  @inline(__always)
  mutating func add(_ count: Int) {
    if count < least { least = count }
    if count > most { most = count }
  }

  mutating func add(_ other: ShapeRange) {
    least = min(least, other.least)
    most = max(most, other.most)
  }
}

/// A text in the bytes of a tree, and the number of the value that it is of.
struct ShapeText: BitwiseCopyable {
  var offset = 0
  var count = 0
  /// How many bytes it may have where it stands.
  var room = 0
  var place = 0

  var range: Range<Int> { offset..<(offset + count) }
}

/// A value that stands for others. A string lies without its quotes.
struct ShapeExample: BitwiseCopyable {
  enum Kind: UInt8 { case number, string, cutString, `true`, `false` }

  var text: ShapeText
  var kind: Kind
}

/// The nodes of a tree. A look at one copies nothing.
///
/// SAFETY: an index is checked against the count, and the memory has room for that many, all of which were stored.
@safe struct ShapeNodes: ~Copyable {
  private var memory = RawMemory(capacity: 32 * MemoryLayout<ShapeNode>.stride)
  private var room = 32
  private(set) var count = 0

  subscript(_ index: UInt32) -> ShapeNode {
    @inline(__always) _read {
      precondition(Int(index) < count)
      yield unsafe pointer(index).pointee
    }
    @inline(__always) _modify {
      precondition(Int(index) < count)
      yield unsafe &pointer(index).pointee
    }
  }

  /// The place of a node, good until the next one is appended.
  @inline(__always)
  func place(of index: UInt32) -> UnsafeMutablePointer<ShapeNode> {
    precondition(Int(index) < count)
    return unsafe pointer(index)
  }

  /// The same of one whose offset was asked for when it was there.
  @inline(__always)
  func place(at offset: Int) -> UnsafeMutablePointer<ShapeNode> {
    unsafe (memory.base + offset).assumingMemoryBound(to: ShapeNode.self)
  }

  static func offset(of index: UInt32) -> Int { Int(index) * MemoryLayout<ShapeNode>.stride }

  @inline(__always)
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
