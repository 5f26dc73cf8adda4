private import CJSONScan

/// Validates that text is JSON by the strict rules, without parsing it: one document or a sequence of lines. The text can be
/// divided at any byte.
///
/// An *undecided place* is a byte at which the validation cannot decide whether the text is valid. It is not an error: the
/// parser then decides. The parser resumes at the token that contains the byte, with the open containers and the state of the
/// grammar that this scan has recorded there.
@safe struct ValidationScan: ~Copyable {
  /// The tokens that may occur next: the state of the grammar between two tokens.
  enum Phase: UInt8 {
    /// Before and after a document or record.
    case start, end
    /// After `[`, and after a comma in an array.
    case elementOrClose, element
    /// After `{`, and after a comma in an object.
    case keyOrClose, key
    /// After a key, after a colon, and after an element or the value of a member.
    case colon, member, commaOrClose
  }

  /// The reason for an undecided place.
  enum Reason: UInt8 {
    case unexpected = 1, bracket, number, literal, control, escape, surrogate, utf8, unfinished, depth
    case stringLength, keyLength, numberLength, lineLength
  }

  /// The first byte that is not validated. Offsets count from the start of the scan.
  struct Undecided: Equatable {
    var reason: Reason
    var offset: Int
    /// The offset of the token that contains this byte; `offset` if there is no such token.
    var tokenStart: Int
  }

  private var state: json_validation
  /// The kinds of the open containers, one bit each. `state` refers to them only during a call of the kernel.
  private var kinds = [UInt64](repeating: 0, count: 16)

  /// Creates a scan that begins before a document, or before the first of a sequence of lines.
  init(isLines: Bool, limits: JSONLimits) {
    unsafe state = json_validation()
    let bounds = json_validation_limits(
      depth: Self.bound(limits.depth), string: Self.bound(limits.stringBytes), key: Self.bound(limits.keyBytes),
      number: Self.bound(limits.numberBytes), line: Self.bound(limits.recordBytes))
    unsafe json_validation_begin(&state, isLines, bounds, nil, 0)
  }

  /// The number of validated bytes.
  var offset: Int { unsafe Int(truncatingIfNeeded: state.offset) }
  /// The number of line feeds before ``offset``.
  var line: Int { unsafe Int(truncatingIfNeeded: state.line) }
  /// The offset after the last line feed before ``offset``.
  var lineStart: Int { unsafe Int(truncatingIfNeeded: state.line_start) }
  /// The number of validated lines that contain a record.
  var records: Int { unsafe Int(truncatingIfNeeded: state.records) }
  /// The number of open containers.
  var depth: Int { unsafe Int(truncatingIfNeeded: state.depth) }
  /// The state of the grammar before the incomplete token, or at ``offset`` if there is no such token.
  var phase: Phase { unsafe Phase(rawValue: state.phase) ?? .start }
  /// The offset of the incomplete token; ``offset`` if there is no such token.
  var tokenStart: Int { unsafe Int(truncatingIfNeeded: state.token_start) }

  /// The undecided place with which the last call ended, or `nil`.
  var undecided: Undecided? {
    guard let reason = unsafe Reason(rawValue: state.reason) else { return nil }
    return Undecided(reason: reason, offset: offset, tokenStart: tokenStart)
  }

  /// The state of the grammar before the incomplete token, or before the next token if there is no incomplete one.
  var grammarState: GrammarState {
    let words = (depth + 63) / 64
    return GrammarState(offset: tokenStart, phase: phase, depth: depth, kinds: Array(kinds[..<words]))
  }

  /// Validates the bytes from ``offset`` on. Returns the number of validated bytes; if some are unvalidated, ``undecided``
  /// contains the reason, and the state of the grammar is the one before the token at its `tokenStart`.
  mutating func run(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var used = 0
    while true {
      // SAFETY: the kernel reads `bytes` from `used` to their end.
      used += unsafe Self.withKinds(&kinds, &state) { state in
        unsafe json_validation_run(&state, base.assumingMemoryBound(to: UInt8.self) + used, bytes.count - used)
      }
      guard unsafe state.reason == UInt8(truncatingIfNeeded: JSON_VALIDATION_OUT_OF_CAPACITY.rawValue) else {
        return used
      }
      grow()
    }
  }

  /// Calls the kernel with the kinds.
  ///
  /// SAFETY: the kernel writes only into `kinds`, whose size it knows, and only during this call.
  private static func withKinds<Result>(
    _ kinds: inout [UInt64], _ state: inout json_validation, _ call: (inout json_validation) -> Result
  ) -> Result {
    unsafe kinds.withUnsafeMutableBufferPointer { kinds in
      unsafe state.kinds = kinds.baseAddress
      unsafe state.kinds_capacity = kinds.count
      return unsafe call(&state)
    }
  }

  /// Validates all bytes of a text like ``run(_:)``, and records their levels.
  mutating func run(_ bytes: UnsafeRawBufferPointer, noting levels: inout LevelNotes) -> Int {
    // SAFETY: the kernel writes notes only during this call, and at most `notes.count`.
    let used = unsafe levels.notes.withUnsafeMutableBufferPointer { notes in
      unsafe state.notes = notes.baseAddress
      unsafe state.notes_count = notes.count
      let used = unsafe run(bytes)
      unsafe state.notes = nil
      return used
    }
    // Meaningless, but harmless, if no block was recorded.
    levels.start = unsafe Int(truncatingIfNeeded: state.notes_start)
    return used
  }

  /// Validates like ``run(_:)``, and makes the index of what is validated.
  mutating func run(_ bytes: UnsafeRawBufferPointer, writing index: inout TokenIndex) -> Int {
    let start = offset
    return unsafe index.record(bytes.count, at: start) { index in
      // SAFETY: the kernel writes into the index only during this call. It has room for an entry for each byte.
      unsafe state.index = index?.assumingMemoryBound(to: json_scan_index.self)
      unsafe state.index_start = UInt64(start)
      let used = unsafe run(bytes)
      unsafe state.index = nil
      return used
    }
  }

  /// Ends the text. Returns whether it may end here; otherwise there is an undecided place. In lines, counts the record of a
  /// last line without a line feed.
  mutating func finish() -> Bool {
    unsafe Self.withKinds(&kinds, &state) { state in unsafe json_validation_finish(&state) }
  }

  /// Continues at another offset, with the state of the grammar there.
  mutating func resume(at target: GrammarState) {
    while kinds.count < target.kinds.count { grow() }
    for (index, word) in target.kinds.enumerated() { kinds[index] = word }
    unsafe json_validation_resume(
      &state, UInt64(truncatingIfNeeded: target.offset), UInt64(truncatingIfNeeded: target.depth),
      json_validation_phase(rawValue: .init(target.phase.rawValue)))
  }

  /// Changes the maximum number of open containers.
  mutating func limitDepth(to depth: Int) { unsafe state.limits.depth = Self.bound(depth) }

  /// After an undecided place, continues at the line that begins at `offset`.
  mutating func resume(atLine offset: Int) {
    unsafe json_validation_next_line(&state, UInt64(truncatingIfNeeded: offset))
  }

  /// Doubles the capacity of `kinds`.
  private mutating func grow() { kinds += [UInt64](repeating: 0, count: kinds.count) }

  private static func bound(_ limit: Int) -> UInt64 { UInt64(max(limit, 0)) }

  /// Whether validations are enabled. The environment can disable them (`JSONSIFT_KERNEL=none`, for tests).
  static var isOn: Bool { json_validation_is_on() }
}
