/// Where the values of a record are counted whose words are those of a record before, but for what stands in the values.
///
/// Most records of a log have the form of another one. For these the walk has nothing to find out: each word is compared
/// with what is expected, and only bounds and examples are looked at. That there was one more of each value is noted once.
struct ShapePattern: BitwiseCopyable {
  /// How many words the record has; 0 of none.
  var words = 0
  var steps = 0
  var values = 0
  /// So many records had this form and are not counted in the nodes.
  var uses = 0
  /// Rises with each record of this form, and falls with each of another. Below 0 another form is tried.
  var score = 0
  /// For so many records none is tried, and how many that will be the next time.
  var pause = 0
  var patience = 4
}

/// A value of a record, or the end of a container, with the key before it.
struct ShapeStep: BitwiseCopyable {
  enum Kind: UInt8 { case string, number, bool, null, array, object, end }

  var kind: Kind
  /// No value before it in the record is at the same path.
  var isFirst = false
  /// No object before it in the record that is at the same path has a member, and this one has.
  var isFirstWithMembers = false
  var node: UInt32 = 0
  /// Where the node stands in the memory of all.
  var nodeOffset = 0
  /// The number of the value in the record.
  var place: UInt32 = 0

  /// What the word of the key must be, and which bits of it are looked at; 0 if there is none.
  var keyMask: UInt32 = 0
  var keyWord: UInt32 = 0
  var nameCount: UInt32 = 0
  var nameStart: UInt64 = 0
  var nameMask: UInt64 = 0
  var nameEnd: UInt64 = 0
  var nameOffset = 0
}

/// The forms of records that came last, one for each remainder of the number of words.
///
/// SAFETY: a number of a pattern is below `count`, and a pattern has at most `maxSteps` steps, all of which were stored.
@safe struct ShapePatterns: ~Copyable {
  static let count = 8
  static let maxSteps = 512

  private var memory = RawMemory(capacity: 0)
  private var all = PlainVector<ShapePattern>()

  init() {
    for _ in 0..<Self.count { all.append(ShapePattern()) }
  }

  subscript(_ number: Int) -> ShapePattern {
    @inline(__always) get { all[number] }
    @inline(__always) set { all[number] = newValue }
  }

  /// The first step of a pattern that has some.
  @inline(__always)
  func steps(of number: Int) -> UnsafePointer<ShapeStep> {
    unsafe UnsafePointer((memory.base + number &* Self.stride).assumingMemoryBound(to: ShapeStep.self))
  }

  private static var stride: Int { maxSteps * MemoryLayout<ShapeStep>.stride }

  mutating func store(_ steps: [ShapeStep], at number: Int) {
    memory.grow(to: Self.stride * Self.count, keeping: 0)
    for (index, step) in steps.prefix(Self.maxSteps).enumerated() {
      unsafe (memory.base + number * Self.stride).storeBytes(
        of: step, toByteOffset: index * MemoryLayout<ShapeStep>.stride, as: ShapeStep.self)
    }
  }
}
