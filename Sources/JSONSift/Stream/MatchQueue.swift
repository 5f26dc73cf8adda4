/// Receives the path number, the text, the packed location and the offset of a match.
typealias BorrowedMatch = (
  _ path: Int, _ text: UnsafeRawBufferPointer, _ location: UnsafeRawBufferPointer, _ start: Int
) -> Void

/// The matches that the caller has not taken yet, and the candidates whose matches are found on request.
///
/// The values that were copied out of the stream lie side by side in ``PackedValues``, each followed by its packed location,
/// so that a match needs no allocation until the caller keeps it.
struct MatchQueue: ~Copyable {
  private struct Held: BitwiseCopyable {
    let order: Int
    let entry: Entry
  }

  /// The names of the plans, which become the names of their matches.
  private let names: [String]
  private let limits: JSONLimits
  private var store = PackedValues()
  private var values: [JSON] = []
  private var entries = PlainVector<Entry>()
  private var next = 0
  /// For each plan, the matches that must follow others that are not known yet.
  private var held: [[Held]]
  /// For each plan, the length in bytes of the texts that are held.
  private var heldText: [Int]
  /// For each plan, the other memory of the held matches.
  private var heldRest: [Int]
  private var heldCount = 0
  /// The number of bytes of the store that belong to held matches.
  private var heldBytes = 0
  /// Whether the matches are located. Each then takes its packed location.
  var keepsLocations = true

  init(planCount: Int, names: [String], limits: JSONLimits) {
    self.names = names
    self.limits = limits
    held = Array(repeating: [], count: planCount)
    heldText = held.map { _ in 0 }
    heldRest = heldText
  }

  /// The number of bytes of the matches that are in memory.
  var byteCount: Int { store.byteCount }

  /// The size in bytes from which candidates wait in the queue.
  static let largeBytes = Sizes.of(1 << 20, fuzzing: 32)

  /// Whether the queue holds enough matches for now.
  var isLarge: Bool { store.byteCount &+ entries.byteCount > Self.largeBytes }

  var isEmpty: Bool { next >= entries.count }

  /// The entry at the front.
  var first: Entry? { isEmpty ? nil : entries[next] }

  // MARK: Room

  /// Discards the taken matches, once all are taken.
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

  /// Copies the held matches to a new store, when more than half of the store belongs to other matches.
  private mutating func rebuild() {
    var store = PackedValues()
    var values: [JSON] = []
    var shared: [Int: PackedValue] = [:]
    for plan in held.indices {
      for index in held[plan].indices {
        let entry = held[plan][index].entry
        let moved: PackedValue
        if entry.content == .value {
          if let mark = shared[entry.value.offset] {
            moved = store.mark(values.count, sharing: mark)
          } else {
            moved = store.mark(values.count)
            unsafe self.store.withBytes(after: entry.value, entry.locationCount) { unsafe store.append(after: $0) }
            shared[entry.value.offset] = moved
          }
          values.append(self.values[entry.value.start])
        } else {
          moved = store.append(entry.value, with: entry.locationCount, of: self.store)
        }
        held[plan][index] = Held(
          order: held[plan][index].order,
          entry: Entry(
            value: moved, locationCount: entry.locationCount, plan: entry.plan, content: entry.content,
            refills: entry.refills
          ))
      }
    }
    self.store = store
    self.values = values
  }

  // MARK: Adding

  /// Appends a match by copying it.
  ///
  /// - Parameter order: The key by which held matches of the plan are sorted, because matches with a smaller key may still
  ///   be found; `nil` if no other match can precede this one.
  mutating func append(
    _ plan: Int, _ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int,
    _ location: borrowing MatchLocation,
    order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(slice, source, at: start)
    try add(plan, .packed, value, source.count, location, order, before)
  }

  /// Appends a match that consists of one event.
  mutating func append(
    _ plan: Int, scalar word: TapeWord, _ source: UnsafeRawBufferPointer, at start: Int,
    _ location: borrowing MatchLocation,
    order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(scalar: word, source, at: start)
    try add(plan, .packed, value, source.count, location, order, before)
  }

  /// Appends the text of a match that is an array or object and whose value is not needed.
  mutating func append(
    _ plan: Int, text: UnsafeRawBufferPointer, _ kind: EventKind, at start: Int, _ location: borrowing MatchLocation
  ) throws(JSONError) {
    let before = store.byteCount
    let value = unsafe store.append(text: text, kind, at: start)
    try add(plan, .text, value, text.count, location, nil, before)
  }

  /// Appends a match that was packed before.
  mutating func append(
    _ plan: Int, _ value: PackedValue, of other: borrowing PackedValues, _ location: borrowing MatchLocation,
    order: Int?
  ) throws(JSONError) {
    let before = store.byteCount
    try add(plan, .packed, store.append(value, with: 0, of: other), other.textCount(value), location, order, before)
  }

  /// Returns whether a match inside a value is copied: a reference to a small match would keep the whole value in memory.
  static func shouldCopy(_ value: JSON) -> Bool {
    guard case .node(let document, let index) = value.storage else { return false }
    return Int(document.after(index) &- index) &* 8 <= maxCopiedBytes
      && document.range(of: index).count <= maxCopiedBytes
  }

  static let maxCopiedBytes = Sizes.of(1024, fuzzing: 16)

  /// Appends a match inside a value by copying it.
  mutating func append(
    copying value: JSON, _ plan: Int, _ location: borrowing MatchLocation, order: Int?
  ) throws(JSONError) {
    guard case .node(let document, let index) = value.storage else { return }
    let before = store.byteCount
    let packed = store.append(index, of: document)
    try add(plan, .packed, packed, store.textCount(packed), location, order, before)
  }

  /// Appends a match as a reference into its document, which stays in memory.
  ///
  /// - Parameters:
  ///   - location: The location of the document.
  ///   - last: The previous match in the same document, if there was one; set to this match.
  mutating func append(
    _ plan: Int, _ value: JSON, in location: borrowing MatchLocation, after last: inout PackedValue?, order: Int?
  ) throws(JSONError) {
    let isFirst = last == nil
    let before = store.byteCount
    let mark: PackedValue
    if let last {
      mark = store.mark(values.count, sharing: last)
    } else {
      mark = store.mark(values.count)
      unsafe location.withBytes { unsafe store.append(after: $0) }
    }
    last = mark
    values.append(value)
    let entry = Entry(
      value: mark, locationCount: location.count, plan: Int32(truncatingIfNeeded: plan), content: .value,
      refills: isFirst)
    guard let order else { return entries.append(entry) }
    // The document is counted once for all its matches.
    var (text, rest) = (0, 0)
    if isFirst, case .node(let document, _) = value.storage {
      text = unsafe document.withSource { $0.count }
      rest = document.tapeBytes
    }
    try hold(plan, Held(order: order, entry: entry), text, store.byteCount &- before, rest: rest)
  }

  /// Appends a candidate, on which a plan is evaluated later.
  mutating func append(
    candidate slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ plan: Int,
    _ location: borrowing MatchLocation
  ) {
    let value = unsafe store.append(slice, source, at: start)
    add(plan, .candidate, value, location, refills: true)
  }

  /// Appends a candidate that was packed before.
  mutating func append(
    candidate value: PackedValue, of other: borrowing PackedValues, _ plan: Int, _ location: borrowing MatchLocation,
    refills: Bool
  ) {
    add(plan, .candidate, store.append(value, with: 0, of: other), location, refills: refills)
  }

  /// Appends an entry for the candidate of a plan whose evaluation has begun.
  mutating func append(begun plan: Int, _ location: borrowing MatchLocation) {
    add(plan, .begun, store.mark(0), location, refills: false)
  }

  private mutating func add(
    _ plan: Int, _ content: Content, _ value: PackedValue, _ location: borrowing MatchLocation, refills: Bool
  ) {
    unsafe location.withBytes { unsafe store.append(after: $0) }
    entries.append(
      Entry(
        value: value, locationCount: location.count, plan: Int32(truncatingIfNeeded: plan), content: content,
        refills: refills
      ))
  }

  private mutating func add(
    _ plan: Int, _ content: Content, _ value: PackedValue, _ textCount: Int, _ location: borrowing MatchLocation,
    _ order: Int?, _ before: Int
  ) throws(JSONError) {
    if keepsLocations { unsafe location.withBytes { unsafe store.append(after: $0) } }
    let entry = Entry(
      value: value, locationCount: keepsLocations ? location.count : 0, plan: Int32(truncatingIfNeeded: plan),
      content: content, refills: false)
    guard let order else { return entries.append(entry) }
    // A limit does not depend on whether matches are located.
    let rest = keepsLocations ? 0 : location.count
    try hold(plan, Held(order: order, entry: entry), textCount, store.byteCount &- before, rest: rest)
  }

  /// Holds a match that others may still precede.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes of the store that belong to the match.
  ///   - rest: The number of other bytes that the match keeps in memory.
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
    // The match is not among those that are delivered before the error.
    held[plan].removeLast()
    heldCount -= 1
    let start = match.entry.content == .value ? values[match.entry.value.start].byteRange?.lowerBound : nil
    throw Self.heldLimitError(at: start ?? match.entry.value.start, limits)
  }

  /// Returns the error for a match that exceeds the limit of held matches.
  static func heldLimitError(at start: Int, _ limits: JSONLimits) -> JSONError {
    JSONError(.recordLimit, at: start, limit: limits.recordBytes, .waitingMatches(heldBytes: limits.heldBytes))
  }

  /// Releases the held matches of a plan in their order; matches of equal order in text order.
  mutating func release(_ plan: Int) {
    guard !held[plan].isEmpty else { return }
    // Matches of equal order are not inside one another, so they were held in text order. The sort is stable.
    held[plan].sort { $0.order < $1.order }
    for match in held[plan] {
      entries.append(match.entry)
      guard match.entry.content != .value || match.entry.refills else { continue }
      heldBytes -= store.count(match.entry.value) + match.entry.locationCount
    }
    heldCount -= held[plan].count
    heldText[plan] = 0
    heldRest[plan] = 0
    held[plan].removeAll(keepingCapacity: held[plan].count < 1 << 12)
  }

  /// Releases all held matches.
  mutating func releaseAll() { for plan in held.indices { release(plan) } }

  /// Discards the entries that are not taken, except matches that end before an offset in the input, where reading ends.
  ///
  /// - Returns: The plans of the discarded matches.
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

  // Forced inlining in this file saves 1.8 % of `fields` (Scripts/measure instructions).
  /// Removes and returns the first entry, which must be a match. Reuses `spare` if it has no other owner.
  @inline(__always)
  mutating func pop(reusing spare: inout Document?) -> JSONMatch {
    let entry = entries[next]
    guard entry.content == .packed else { return popValue() }
    next &+= 1
    let document = Document.reusing(&spare)
    let count = store.fill(document, entry.value, locationCount: entry.locationCount)
    return JSONMatch(
      value: JSON(document, Document.root), byteRange: entry.value.start..<(entry.value.start &+ count),
      path: Int(entry.plan), name: name(entry.plan), packedLocation: nil)
  }

  /// Calls a closure with the path, the text and the packed location of the first entry, which must be copied.
  func borrowFirst(_ body: BorrowedMatch) {
    let entry = entries[next]
    unsafe store.withText(entry.value, locationCount: entry.locationCount) {
      unsafe body(Int(entry.plan), $0, $1, entry.value.start)
    }
  }

  @inline(never)
  private mutating func popValue() -> JSONMatch {
    let entry = entries[next]
    next &+= 1
    if entry.content == .text {
      let start = entry.value.start
      return JSONMatch(
        value: .null, byteRange: start..<(start + store.textCount(entry.value)), path: Int(entry.plan),
        name: name(entry.plan), packedLocation: location(of: entry))
    }
    let value = values[entry.value.start]
    values[entry.value.start] = .null
    return JSONMatch(
      value: value, byteRange: value.byteRange ?? 0..<0, path: Int(entry.plan), name: name(entry.plan),
      packedLocation: location(of: entry), isInside: true)
  }

  func name(_ plan: Int32) -> String { Int(plan) < names.count ? names[Int(plan)] : "" }

  /// Fills a document with the candidate at the front, and marks the candidate as begun.
  mutating func beginCandidate(into document: Document) -> (entry: Entry, location: MatchLocation)? {
    guard let entry = first, entry.content == .candidate else { return nil }
    _ = store.fill(document, entry.value)
    let begun = Entry(
      value: entry.value, locationCount: entry.locationCount, plan: entry.plan, content: .begun, refills: entry.refills)
    entries[next] = begun
    return (entry, MatchLocation(location(of: entry)))
  }

  mutating func removeFirst() { next = min(next + 1, entries.count) }

  private func location(of entry: Entry) -> [UInt8] {
    unsafe store.withBytes(after: entry.value, entry.locationCount) { unsafe Array($0) }
  }
}
