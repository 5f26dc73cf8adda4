/// Takes path, text and packed place of a match.
typealias LentMatch = (_ path: Int, _ text: UnsafeRawBufferPointer, _ place: UnsafeRawBufferPointer) -> Void

/// Matches that wait to be taken, and candidates whose matches are looked for when they are asked for.
///
/// What was copied out of the stream lies side by side in ``PackedValues``, each with its packed place behind it, so that
/// a match costs no allocation until somebody keeps it.
struct MatchQueue: ~Copyable {
  /// What stands in the queue.
  enum Content: UInt8, BitwiseCopyable {
    /// A match that is copied.
    case packed
    /// The text of a match, of which no value is made.
    case text
    /// A match that is a place in a value that is there: `start` is its number in `values`. The packed place is that of
    /// the value's document, and all matches in one document share it.
    case value
    /// A value of which the plan is asked when its turn comes.
    case candidate
    /// The same, of which some matches have been found.
    case begun
  }

  struct Entry: BitwiseCopyable {
    let value: PackedValue
    let placeCount: Int
    let plan: Int32
    let content: Content
    /// Of a candidate: the work for it has the whole limit. Of a match in a value: the first of its document.
    let refills: Bool
  }

  private struct Held: BitwiseCopyable {
    let order: Int
    let entry: Entry
  }

  /// The names of the plans, which their matches carry.
  private let names: [String]
  private let limits: JSONLimits
  private var store = PackedValues()
  private var values: [JSON] = []
  private var entries = PlainVector<Entry>()
  private var next = 0
  /// Matches that must come after others that are not there yet, by plan.
  private var held: [[Held]]
  /// By plan: how long the texts are that are held, and what else they cost.
  private var heldText: [Int]
  private var heldRest: [Int]
  private var heldCount = 0
  /// How many bytes of the store belong to matches that are held.
  private var heldBytes = 0

  init(planCount: Int, names: [String], limits: JSONLimits) {
    self.names = names
    self.limits = limits
    held = Array(repeating: [], count: planCount)
    heldText = held.map { _ in 0 }
    heldRest = heldText
  }

  /// The bytes of matches that are in memory.
  var byteCount: Int { store.byteCount }

  /// From here on candidates wait for their turn.
  static let largeBytes = 1 << 20

  /// There is enough for now.
  @inline(__always)
  var isLarge: Bool { store.byteCount &+ entries.byteCount > Self.largeBytes }

  @inline(__always)
  var isEmpty: Bool { next >= entries.count }

  /// What comes next.
  @inline(__always)
  var first: Entry? { isEmpty ? nil : entries[next] }

  // MARK: Room

  /// Forgets matches that are taken, when all are.
  mutating func compact() {
    guard isEmpty, next > 0 || store.byteCount > 0 else { return }
    entries.removeAll()
    next = 0
    if heldCount == 0 {
      store.removeAll()
      values.removeAll(keepingCapacity: true)
    } else if store.byteCount > 2 * heldBytes + 1 << 16 {
      rebuild()
    }
  }

  /// Copies what is held, when more than half of the store is of others.
  private mutating func rebuild() {
    var store = PackedValues()
    var values: [JSON] = []
    var shared: [Int: PackedValue] = [:]
    for plan in held.indices {
      for place in held[plan].indices {
        let entry = held[plan][place].entry
        let moved: PackedValue
        if entry.content == .value {
          if let mark = shared[entry.value.place] {
            moved = store.mark(values.count, sharing: mark)
          } else {
            moved = store.mark(values.count)
            unsafe self.store.withBytes(behind: entry.value, entry.placeCount) { unsafe store.append(behind: $0) }
            shared[entry.value.place] = moved
          }
          values.append(self.values[entry.value.start])
        } else {
          moved = store.append(entry.value, with: entry.placeCount, of: self.store)
        }
        held[plan][place] = Held(
          order: held[plan][place].order,
          entry: Entry(
            value: moved, placeCount: entry.placeCount, plan: entry.plan, content: entry.content, refills: entry.refills
          ))
      }
    }
    self.store = store
    self.values = values
  }

  // MARK: Adding

  /// Adds a match that is copied.
  ///
  /// - Parameter order: Matches of a plan with a smaller order, which are not there yet, come before; `nil` if there are
  ///   none.
  mutating func append(
    _ plan: Int, _ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ place: borrowing MatchLocation,
    order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(slice, source, at: start)
    try add(plan, .packed, value, source.count, place, order, before)
  }

  /// Adds a match that is one event.
  @inline(__always)
  mutating func append(
    _ plan: Int, scalar word: TapeWord, _ source: UnsafeRawBufferPointer, at start: Int,
    _ place: borrowing MatchLocation,
    order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(scalar: word, source, at: start)
    try add(plan, .packed, value, source.count, place, order, before)
  }

  /// Adds the text of a match that is an array or object, of which nobody wants the value.
  mutating func append(
    _ plan: Int, text: UnsafeRawBufferPointer, _ kind: EventKind, at start: Int, _ place: borrowing MatchLocation
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(text: text, kind, at: start)
    try add(plan, .text, value, text.count, place, nil, before)
  }

  /// Adds a match that was packed before.
  mutating func append(
    _ plan: Int, _ value: PackedValue, of other: borrowing PackedValues, _ place: borrowing MatchLocation, order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    try add(
      plan, .packed, store.append(value, with: 0, of: other), other.textCount(value), place, order, before)
  }

  /// Whether a match in a value is copied: a small one would keep the whole value.
  static func copies(_ value: JSON) -> Bool {
    guard case .node(let document, let index) = value.storage else { return false }
    return (document.after(index) &- index) &* 8 <= copiedBytes && document.range(of: index).count <= copiedBytes
  }

  private static let copiedBytes: UInt32 = 1024

  /// Adds a match in a value that is copied.
  mutating func append(
    copying value: JSON, _ plan: Int, _ place: borrowing MatchLocation, order: Int?
  ) throws(JSONError) {
    guard case .node(let document, let index) = value.storage else { return }
    let before = store.byteCount
    let packed = store.append(index, of: document)
    try add(plan, .packed, packed, store.textCount(packed), place, order, before)
  }

  /// Adds a match that stays a place in its document, which is kept.
  ///
  /// - Parameters:
  ///   - place: That of the document.
  ///   - last: The match before it in the same document, if there was one; afterwards this one.
  mutating func append(
    _ plan: Int, _ value: JSON, in place: borrowing MatchLocation, after last: inout PackedValue?, order: Int?
  ) throws(JSONError) {
    let isFirst = last == nil
    let before = store.byteCount
    let mark: PackedValue
    if let last {
      mark = store.mark(values.count, sharing: last)
    } else {
      mark = store.mark(values.count)
      unsafe place.withBytes { unsafe store.append(behind: $0) }
    }
    last = mark
    values.append(value)
    let entry = Entry(
      value: mark, placeCount: place.count, plan: Int32(truncatingIfNeeded: plan), content: .value, refills: isFirst)
    guard let order else { return entries.append(entry) }
    // What is kept is the document, once.
    var (text, rest) = (0, 0)
    if isFirst, case .node(let document, _) = value.storage {
      text = unsafe document.withSource { $0.count }
      rest = document.tapeBytes
    }
    try hold(plan, Held(order: order, entry: entry), text, store.byteCount &- before, rest: rest)
  }

  /// Adds a value of which a plan is asked later.
  mutating func append(
    candidate slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ plan: Int,
    _ place: borrowing MatchLocation
  ) {
    let value = unsafe store.append(slice, source, at: start)
    add(plan, .candidate, value, place, refills: true)
  }

  /// The same, of one that was packed before.
  mutating func append(
    candidate value: PackedValue, of other: borrowing PackedValues, _ plan: Int, _ place: borrowing MatchLocation,
    refills: Bool
  ) {
    add(plan, .candidate, store.append(value, with: 0, of: other), place, refills: refills)
  }

  /// Says that the plan goes on here with what it is at.
  mutating func append(begun plan: Int, _ place: borrowing MatchLocation) {
    add(plan, .begun, store.mark(0), place, refills: false)
  }

  private mutating func add(
    _ plan: Int, _ content: Content, _ value: PackedValue, _ place: borrowing MatchLocation, refills: Bool
  ) {
    unsafe place.withBytes { unsafe store.append(behind: $0) }
    entries.append(
      Entry(
        value: value, placeCount: place.count, plan: Int32(truncatingIfNeeded: plan), content: content, refills: refills
      ))
  }

  @inline(__always)
  private mutating func add(
    _ plan: Int, _ content: Content, _ value: PackedValue, _ textCount: Int, _ place: borrowing MatchLocation,
    _ order: Int?, _ before: Int
  ) throws(JSONError) {
    unsafe place.withBytes { unsafe store.append(behind: $0) }
    let entry = Entry(
      value: value, placeCount: place.count, plan: Int32(truncatingIfNeeded: plan), content: content, refills: false)
    guard let order else { return entries.append(entry) }
    try hold(plan, Held(order: order, entry: entry), textCount, store.byteCount &- before)
  }

  /// Keeps a match for which others may still come first.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes of the store are its own.
  ///   - rest: What else it keeps.
  private mutating func hold(
    _ plan: Int, _ match: Held, _ textCount: Int, _ bytes: Int, rest: Int = 0
  ) throws(JSONError) {
    held[plan].append(match)
    heldCount += 1
    heldBytes += bytes
    heldText[plan] += textCount
    heldRest[plan] += (match.entry.content == .value ? bytes : max(bytes - textCount, 0)) + rest
    heldRest[plan] += MemoryLayout<Held>.stride
    guard heldText[plan] > limits.recordBytes || heldRest[plan] > limits.heldBytes else { return }
    // The match is not among those that are handed out before the error.
    held[plan].removeLast()
    heldCount -= 1
    let start = match.entry.content == .value ? values[match.entry.value.start].byteRange?.lowerBound : nil
    throw Self.tooMuch(at: start ?? match.entry.value.start, limits)
  }

  /// The error of the match that is one too many to be held.
  static func tooMuch(at start: Int, _ limits: JSONLimits) -> JSONError {
    JSONError(
      .recordLimit, at: start, limit: limits.recordBytes, .waitingMatches(heldBytes: limits.heldBytes))
  }

  /// Lets go of the matches of a plan that were held, in their order; of one order in that of the text.
  mutating func release(_ plan: Int) {
    guard !held[plan].isEmpty else { return }
    // What came first lies first.
    held[plan].sort { left, right in
      guard left.order == right.order else { return left.order < right.order }
      // Matches in one document share a place.
      let (left, right) = (left.entry.value, right.entry.value)
      return left.place == right.place ? left.start < right.start : left.place < right.place
    }
    for match in held[plan] {
      entries.append(match.entry)
      guard match.entry.content != .value || match.entry.refills else { continue }
      heldBytes -= store.count(match.entry.value) + match.entry.placeCount
    }
    heldCount -= held[plan].count
    heldText[plan] = 0
    heldRest[plan] = 0
    held[plan].removeAll(keepingCapacity: held[plan].count < 1 << 12)
  }

  /// Lets go of all that is held.
  mutating func releaseAll() { for plan in held.indices { release(plan) } }

  /// Forgets what has not been taken, but for matches that end before an offset in the input: the reading ends there.
  ///
  /// - Returns: The plans of the matches that are forgotten.
  mutating func removeAll(from offset: Int) -> [Int] {
    releaseAll()
    var kept: [Entry] = []
    var plans: [Int] = []
    while let entry = first {
      next += 1
      let end =
        switch entry.content {
        case .packed, .text: entry.value.start + store.textCount(entry.value)
        case .value: values[entry.value.start].byteRange?.upperBound ?? .max
        case .candidate, .begun: Int.max
        }
      if end <= offset {
        kept.append(entry)
      } else if entry.content != .candidate, entry.content != .begun {
        plans.append(Int(entry.plan))
      }
    }
    entries.removeAll()
    next = 0
    for entry in kept { entries.append(entry) }
    return plans
  }

  // MARK: Taking

  /// Takes the first match, which must be one. `spare` is an object to use again, if nobody else holds it.
  @inline(__always)
  mutating func pop(reusing spare: inout Document?) -> JSONMatch {
    let entry = entries[next]
    guard entry.content == .packed else { return popValue() }
    next &+= 1
    let document = Document.reusing(&spare)
    let count = store.fill(document, entry.value, placeCount: entry.placeCount)
    return JSONMatch(
      value: JSON(document, Document.root), byteRange: entry.value.start..<(entry.value.start &+ count),
      path: Int(entry.plan), name: name(entry.plan), place: nil)
  }

  /// Lends path, text and packed place of the first match, which must be one that is copied.
  @inline(__always)
  func lendFirst(_ body: LentMatch) {
    let entry = entries[next]
    unsafe store.withText(entry.value, placeCount: entry.placeCount) { unsafe body(Int(entry.plan), $0, $1) }
  }

  @inline(never)
  private mutating func popValue() -> JSONMatch {
    let entry = entries[next]
    next &+= 1
    if entry.content == .text {
      let start = entry.value.start
      return JSONMatch(
        value: .null, byteRange: start..<(start + store.textCount(entry.value)), path: Int(entry.plan),
        name: name(entry.plan), place: place(of: entry))
    }
    let value = values[entry.value.start]
    values[entry.value.start] = .null
    return JSONMatch(
      value: value, byteRange: value.byteRange ?? 0..<0, path: Int(entry.plan), name: name(entry.plan),
      place: place(of: entry), isInside: true)
  }

  @inline(__always)
  func name(_ plan: Int32) -> String { Int(plan) < names.count ? names[Int(plan)] : "" }

  /// Fills a document with the candidate that stands first.
  mutating func beginCandidate(into document: Document) -> (entry: Entry, place: MatchLocation)? {
    guard let entry = first, entry.content == .candidate else { return nil }
    _ = store.fill(document, entry.value)
    let begun = Entry(
      value: entry.value, placeCount: entry.placeCount, plan: entry.plan, content: .begun, refills: entry.refills)
    entries[next] = begun
    return (entry, MatchLocation(place(of: entry)))
  }

  /// Goes past what stands first.
  mutating func removeFirst() { next = min(next + 1, entries.count) }

  private func place(of entry: Entry) -> [UInt8] {
    unsafe store.withBytes(behind: entry.value, entry.placeCount) { unsafe Array($0) }
  }
}
