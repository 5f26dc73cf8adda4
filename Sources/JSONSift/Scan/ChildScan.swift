private import CJSONScan

/// Finds the members or elements of one container in one window after another. Containers inside them are passed over:
/// what they are made of is not looked at.
@safe struct ChildScan {
  /// Where a child lies. Offsets count from the byte behind the opening bracket.
  struct Child: Equatable {
    /// The key between its quotes, as it is written; empty at 0 in an array.
    var key: Range<Int>
    /// From the first byte of the value up to the comma or bracket behind it; white space may stand at its end.
    var value: Range<Int>
  }

  /// How far a call has come.
  enum Outcome: Equatable {
    /// All bytes are used, and the container goes on.
    case more
    /// As many children as were wanted are found. The next call goes on behind them.
    case full
    /// The closing bracket is the last byte used.
    case ended
    /// No JSON goes on so; `offset` is that of the byte that is wrong. The scan is over.
    case malformed
  }

  private var state: json_scan_children
  private let levels: LevelNotes?

  /// Begins behind an opening bracket.
  ///
  /// - Parameters:
  ///   - levels: The notes of the proof of the text.
  ///   - start: Where the byte behind the bracket stands in that text.
  ///   - depth: How many containers are open behind the bracket.
  init(isObject: Bool, _ levels: LevelNotes? = nil, start: Int = 0, depth: Int = 0) {
    unsafe state = json_scan_children_opened(isObject)
    unsafe state.levels_place = Int64(start &- (levels?.start ?? 0))
    unsafe state.depth = UInt64(depth)
    self.levels = levels
  }

  /// How many bytes are used.
  var offset: Int { unsafe Int(truncatingIfNeeded: state.offset) }

  /// Goes on over bytes that begin at ``offset``.
  ///
  /// - Parameters:
  ///   - most: How many children to find at most, at least 1. They are appended to `children`.
  mutating func read(_ bytes: UnsafeRawBufferPointer, most: Int, into children: inout [Child]) -> Outcome {
    guard let levels else { return unsafe scan(bytes, most: most, into: &children) }
    // SAFETY: the kernel reads notes during this call only, and no more than their count.
    return unsafe levels.notes.withUnsafeBufferPointer { notes in
      unsafe state.levels = json_levels(notes: notes.baseAddress, count: notes.count)
      let outcome = unsafe scan(bytes, most: most, into: &children)
      unsafe state.levels = json_levels()
      return outcome
    }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer, most: Int, into children: inout [Child]) -> Outcome {
    guard let base = bytes.baseAddress else { return .more }
    var wanted = max(most, 1)
    var used = 0
    while true {
      let room = min(wanted, Self.step)
      let before = offset
      var found = 0
      // SAFETY: the kernel reads `bytes` from what is used to their end, and writes at most `room` children, of which
      // it says how many. They are trivial, so nothing is left to deinitialize.
      let outcome = unsafe withUnsafeTemporaryAllocation(of: json_scan_child.self, capacity: room) { raw in
        let outcome = unsafe json_scan_children(
          base.assumingMemoryBound(to: UInt8.self) + used, bytes.count - used, &state, raw.baseAddress, room, &found)
        for index in 0..<found { unsafe children.append(Child(raw[index])) }
        return outcome
      }
      used += offset - before
      wanted -= found
      switch outcome {
      case JSON_SCAN_MORE: return .more
      case JSON_SCAN_ENDED: return .ended
      case JSON_SCAN_MALFORMED: return .malformed
      default: if wanted == 0 { return .full }
      }
    }
  }

  /// Where the child begins in whose container the scan has stopped; in what is no JSON something may stand before that.
  var openChild: Int? {
    guard unsafe state.nest.depth > 1 else { return nil }
    return unsafe Int(truncatingIfNeeded: state.child.value_start)
  }

  /// Goes on behind the container in which the scan has stopped, whose end is known.
  mutating func passOpenContainer(to end: Int) {
    guard unsafe state.nest.depth > 1, end >= offset else { return }
    unsafe state.nest = json_scan_container_opened(state.is_object)
    unsafe state.offset = UInt64(truncatingIfNeeded: end)
  }

  /// Children are taken over in steps: the room for them lies on the stack.
  private static let step = 64
}

extension ChildScan.Child {
  /// The kernel counts forward, so no range is upside down; offsets are below the count of bytes that were read.
  fileprivate init(_ child: json_scan_child) {
    let key = Int(truncatingIfNeeded: child.key_start)
    let value = Int(truncatingIfNeeded: child.value_start)
    self.init(
      key: key..<max(key, Int(truncatingIfNeeded: child.key_end)),
      value: value..<max(value, Int(truncatingIfNeeded: child.value_end)))
  }
}
