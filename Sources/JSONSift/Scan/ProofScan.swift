private import CJSONScan

/// Proves that text is JSON by the strict rules, without parsing it. Goes on at any byte, over one document or over a run of
/// lines.
///
/// A doubt is not an error: the parser judges. It resumes at the token that holds the doubtful byte, with the open
/// containers and the state of the grammar that this scan knows there.
@safe struct ProofScan: ~Copyable {
  /// What may stand next: the state of the grammar between two tokens.
  enum Phase: UInt8 {
    /// Before and behind a document or record.
    case start, end
    /// Behind `[`, and behind a comma in an array.
    case elementOrClose, element
    /// Behind `{`, and behind a comma in an object.
    case keyOrClose, key
    /// Behind a key, behind a colon, behind an element or the value of a member.
    case colon, member, commaOrClose
    /// In a container of which neither bracket nor kind is known: behind a comma, a string, a value.
    case item, colonOrCommaOrClose, unknownCommaOrClose
  }

  /// Why there is a doubt.
  enum Reason: UInt8 {
    case unexpected = 1, bracket, number, literal, control, escape, surrogate, utf8, unfinished, depth
    case stringLength, keyLength, numberLength, lineLength
  }

  /// The first byte that is not proven. Offsets count from where the scan began.
  struct Doubt: Equatable {
    var reason: Reason
    var offset: Int
    /// Where the token begins that holds this byte; `offset` if there is none.
    var tokenStart: Int
  }

  private var state: json_proof
  /// The kinds of the open containers, a bit each. Owned.
  private var kinds: UnsafeMutableBufferPointer<UInt64>

  /// Begins before a document, or before the first of a run of lines.
  init(isLines: Bool, limits: JSONLimits) {
    // SAFETY: the memory is initialized before the kernel sees it, and freed with the scan.
    unsafe kinds = .allocate(capacity: 16)
    unsafe kinds.initialize(repeating: 0)
    unsafe state = json_proof()
    let bounds = json_proof_limits(
      depth: Self.bound(limits.depth), string: Self.bound(limits.stringBytes), key: Self.bound(limits.keyBytes),
      number: Self.bound(limits.numberBytes), line: Self.bound(limits.recordBytes))
    unsafe json_proof_begin(&state, isLines, bounds, kinds.baseAddress, kinds.count)
  }

  deinit { unsafe kinds.deallocate() }

  /// How many bytes are proven.
  var offset: Int { unsafe Int(truncatingIfNeeded: state.offset) }
  /// The number of line feeds before ``offset``, the offset behind the last of them, and the number of lines with a record.
  var line: Int { unsafe Int(truncatingIfNeeded: state.line) }
  var lineStart: Int { unsafe Int(truncatingIfNeeded: state.line_start) }
  var records: Int { unsafe Int(truncatingIfNeeded: state.records) }
  /// The number of open containers.
  var depth: Int { unsafe Int(truncatingIfNeeded: state.depth) }
  /// What may stand before the token that is open, or next if there is none.
  var phase: Phase { unsafe Phase(rawValue: state.phase) ?? .start }
  /// Where the token began that is open, or ``offset``.
  var tokenStart: Int { unsafe Int(truncatingIfNeeded: state.token_start) }

  /// The doubt with which the last call ended.
  var doubt: Doubt? {
    guard let reason = unsafe Reason(rawValue: state.reason) else { return nil }
    return Doubt(reason: reason, offset: offset, tokenStart: tokenStart)
  }

  /// Where the text stands before the token that is open, or before the next one.
  var place: GrammarState {
    let words = (depth + 63) / 64
    // SAFETY: the kernel asks for room before it opens a container, so `kinds` has a bit for each; a slice is checked besides.
    return unsafe GrammarState(offset: tokenStart, phase: phase, depth: depth, kinds: Array(kinds[..<words]))
  }

  /// Proves the bytes from ``offset`` on. Returns how many are proven; if these are not all, ``doubt`` says why. Behind a
  /// doubt the scan stands before the token at its start.
  mutating func run(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var used = 0
    while true {
      // SAFETY: the kernel reads `bytes` from what is used to their end, and writes into `kinds` only, whose size it knows.
      used += unsafe json_proof_run(
        &state, base.assumingMemoryBound(to: UInt8.self) + used, bytes.count - used)
      guard unsafe state.reason == UInt8(truncatingIfNeeded: JSON_PROOF_ROOM.rawValue) else { return used }
      grow()
    }
  }

  /// Proves all bytes of a text as ``run(_:)`` does, and notes their levels.
  mutating func run(_ bytes: UnsafeRawBufferPointer, noting levels: inout LevelNotes) -> Int {
    // SAFETY: the kernel writes notes during this call only, and no more than their count.
    let used = unsafe levels.notes.withUnsafeMutableBufferPointer { notes in
      unsafe state.notes = notes.baseAddress
      unsafe state.notes_count = notes.count
      let used = unsafe run(bytes)
      unsafe state.notes = nil
      return used
    }
    // Where no block was noted it does not matter.
    levels.start = unsafe Int(truncatingIfNeeded: state.notes_start)
    return used
  }

  /// Whether the text may end here; otherwise there is a doubt. In lines, counts the record of a last line without a line feed.
  mutating func finish() -> Bool { unsafe json_proof_finish(&state) }

  /// Goes on at another place.
  mutating func resume(at place: GrammarState) {
    // SAFETY: there is room for all words before one is written.
    while unsafe kinds.count < place.kinds.count { grow() }
    for (index, word) in place.kinds.enumerated() { unsafe kinds[index] = word }
    unsafe json_proof_seed(
      &state, UInt64(truncatingIfNeeded: place.offset), UInt64(truncatingIfNeeded: place.depth),
      json_proof_phase(rawValue: .init(place.phase.rawValue)))
  }

  /// Behind a doubt, goes on at the line that begins at `offset`.
  mutating func resume(atLine offset: Int) { unsafe json_proof_next_line(&state, UInt64(truncatingIfNeeded: offset)) }

  /// Doubles the room for open containers.
  private mutating func grow() {
    // SAFETY: the new memory is initialized, the old one is freed after the kernel has been given the new one.
    let larger = unsafe UnsafeMutableBufferPointer<UInt64>.allocate(capacity: kinds.count * 2)
    unsafe larger.initialize(repeating: 0)
    _ = unsafe larger.update(fromContentsOf: kinds)
    unsafe kinds.deallocate()
    unsafe kinds = larger
    unsafe state.kinds = kinds.baseAddress
    unsafe state.kinds_words = kinds.count
  }

  private static func bound(_ limit: Int) -> UInt64 { UInt64(max(limit, 0)) }

  /// Texts may be proven: the environment does not switch it off (`JSONSIFT_KERNEL=none`, for tests).
  static var isOn: Bool { json_proof_is_on() }

  /// The version that this machine runs: `avx512`, `avx2`, `neon` or `portable`.
  static var kernelName: String {
    guard let version = unsafe json_proof_version(0), let name = unsafe version.pointee.name else { return "portable" }
    return unsafe String(cString: name)
  }
}
