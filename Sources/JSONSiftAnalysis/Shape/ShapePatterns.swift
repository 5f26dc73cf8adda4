import JSONSift

/// The form of a record: which node counts each value of a record with the same tape words, apart from the contents of
/// the values.
///
/// Most records of a log have the form of another record. For these each tape word is only compared with the expected
/// one, and bounds and examples are updated. The counts of values are deferred: one counter for the pattern replaces
/// all of them.
struct ShapePattern: BitwiseCopyable {
  /// The number of tape words of the record; 0 without a pattern.
  var words = 0
  var steps = 0
  var values = 0
  /// The number of records of this form that are not yet counted in the nodes.
  var uses = 0
  /// Incremented by each record of this form, decremented by each other record in its slot. Below 0 the pattern is
  /// replaced.
  var score = 0
  /// The number of records to skip before the next attempt, and the number for the attempt after it (exponential
  /// back-off).
  var pause = 0
  var patience = 4
}

/// An expected value of a record, or the end of a container, with the key before it.
struct ShapeStep: BitwiseCopyable {
  enum Kind: UInt8 { case string, number, bool, null, array, object, end }

  var kind: Kind
  /// Whether it is the first value of the record at its path.
  var isFirst = false
  /// Whether it is the first object of the record at its path that has a member.
  var isFirstWithMembers = false
  var node: UInt32 = 0
  /// The offset of the node in the memory of ``ShapeNodes``.
  var nodeOffset = 0
  /// The number of the value in the record, from 1.
  var valueNumber: UInt32 = 0

  /// The bits of the tape word of the key to compare; 0 if there is no key.
  var keyMask: UInt32 = 0
  /// The expected key.
  var name = ShapeName()
}

/// The patterns of recent records: one slot for each remainder of the number of tape words.
///
/// SAFETY: the number of a pattern is below `count`, and a pattern has at most `maxSteps` steps, all of which were
/// stored. Worth it: an array of steps for each pattern takes 4 % more instructions (Scripts/measure instructions, shape).
@safe struct ShapePatterns: ~Copyable {
  static let count = Sizes.of(8, fuzzing: 2)
  static let maxSteps = Sizes.of(512, fuzzing: 48)

  private var memory = RawMemory(capacity: 0)
  private var all = PlainVector<ShapePattern>()

  init() {
    for _ in 0..<Self.count { all.append(ShapePattern()) }
  }

  subscript(_ number: Int) -> ShapePattern {
    get { all[number] }
    set { all[number] = newValue }
  }

  /// Returns a pointer to the first step of a pattern that has steps.
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
