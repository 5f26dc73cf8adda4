private import CJSONScan

/// Goes over the members of one object in one window after another, and stops before the values of those whose keys may
/// be wanted: by their length, or because they have escapes.
struct MemberScan {
  enum Outcome: Equatable {
    /// All bytes are used, and the object goes on.
    case more
    /// Before a value: ``key`` is its key.
    case stopped
    /// The closing bracket is the last byte used.
    case ended
    /// No JSON goes on so; `offset` is that of the byte that is wrong. The scan is over.
    case malformed
  }

  /// What is expected next.
  enum Phase { case key, inKey, colon, beforeValue, value }

  private var state: json_scan_children

  /// Begins before a key.
  ///
  /// - Parameters:
  ///   - lengths: Bit n: keys of n bytes may be wanted; bit 63: those of as many or more.
  ///   - isFirst: No member came before.
  init(lengths: UInt64, isFirst: Bool) { state = json_scan_members_opened(lengths, isFirst) }

  /// Begins behind a key whose value is gone over.
  init(behindKeyWith lengths: UInt64) {
    state = json_scan_members_opened(lengths, false)
    state.phase = UInt8(JSON_SCAN_PHASE_COLON.rawValue)
    state.passes = true
  }

  /// How many bytes are used.
  var offset: Int { Int(truncatingIfNeeded: state.offset) }

  /// The last key between its quotes; offsets count from where the scan began. Before its end is known it is empty.
  var key: Range<Int> {
    let start = Int(truncatingIfNeeded: state.child.key_start)
    return start..<max(start, Int(truncatingIfNeeded: state.child.key_end))
  }

  var keyIsEscaped: Bool { state.key_is_escaped }

  /// No member has ended.
  var isFirst: Bool { state.is_first }

  /// How many containers are open, with the object.
  var depth: Int { Int(state.nest.depth) }

  var isInString: Bool { state.nest.in_string }

  var phase: Phase {
    switch UInt32(state.phase) {
    case JSON_SCAN_PHASE_KEY.rawValue: .key
    case JSON_SCAN_PHASE_IN_KEY.rawValue: .inKey
    case JSON_SCAN_PHASE_COLON.rawValue: .colon
    case JSON_SCAN_PHASE_BEFORE_VALUE.rawValue: .beforeValue
    default: .value
    }
  }

  /// The value before which the scan has stopped is gone over.
  mutating func pass() { state.passes = true }

  /// The value that comes next is gone over.
  var isPassing: Bool { state.passes }

  /// Goes on over bytes that begin at ``offset``.
  @inline(__always)
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard let base = bytes.baseAddress else { return .more }
    var found = 0
    // SAFETY: a scan that stops writes no children.
    let outcome = unsafe json_scan_children(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &state, nil, 1, &found)
    switch outcome {
    case JSON_SCAN_STOPPED: return .stopped
    case JSON_SCAN_ENDED: return .ended
    case JSON_SCAN_MALFORMED: return .malformed
    default: return .more
    }
  }
}
