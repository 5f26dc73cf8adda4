private import CJSONScan

/// Finds the members or elements of one container, window by window. Skips nested containers without inspecting their
/// contents.
@safe struct ChildScan {
  /// The ranges of a child. Offsets count from the byte after the opening bracket of the container.
  struct Child: Equatable {
    /// The key without its quotes, as written in the source; empty at 0 in an array.
    var key: Range<Int>
    /// The value: from its first byte up to the comma or bracket after it, including trailing white space.
    var value: Range<Int>
  }

  /// The reason for which a call ended.
  enum Outcome: Equatable {
    /// All bytes are used, and the container continues.
    case more
    /// The requested number of children is found. The next call continues after them.
    case full
    /// The closing bracket is the last byte used.
    case ended
    /// The text is not JSON; `offset` is the offset of the invalid byte. The scan cannot continue.
    case malformed
  }

  private var state: json_scan_children
  private let levels: LevelNotes?

  /// Creates a scan that begins after an opening bracket.
  ///
  /// - Parameters:
  ///   - levels: The notes of the validation of the text. With them the scan reads only the blocks in which a child may end.
  ///   - start: The offset in that text of the byte after the bracket.
  ///   - depth: The number of containers that are open after the bracket.
  init(isObject: Bool, _ levels: LevelNotes? = nil, start: Int = 0, depth: Int = 0) {
    unsafe state = json_scan_children_opened(isObject)
    unsafe state.levels_offset = Int64(start &- (levels?.start ?? 0))
    unsafe state.depth = UInt64(depth)
    self.levels = levels
  }

  /// The number of bytes used so far.
  var offset: Int { unsafe Int(truncatingIfNeeded: state.offset) }

  /// Continues the scan with the bytes from ``offset`` on.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of children to find, at least 1.
  ///   - children: Receives the children that are found.
  mutating func read(_ bytes: UnsafeRawBufferPointer, limit: Int, into children: inout [Child]) -> Outcome {
    guard let levels else { return unsafe scan(bytes, limit: limit, into: &children) }
    // SAFETY: the kernel reads notes during this call only, and no more than their count.
    return unsafe levels.notes.withUnsafeBufferPointer { notes in
      unsafe state.levels = json_levels(notes: notes.baseAddress, count: notes.count)
      let outcome = unsafe scan(bytes, limit: limit, into: &children)
      unsafe state.levels = json_levels()
      return outcome
    }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer, limit: Int, into children: inout [Child]) -> Outcome {
    guard let base = bytes.baseAddress else { return .more }
    var wanted = max(limit, 1)
    var used = 0
    while true {
      let room = min(wanted, Self.step)
      let before = offset
      var found = 0
      // SAFETY: the kernel reads `bytes` from `used` to their end, writes at limit `room` children, and returns their number.
      // They are trivial, so they need no deinitialization.
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

  /// The maximum number of children that one call of the kernel finds: their memory is on the stack.
  private static let step = Sizes.of(64, fuzzing: 3)
}

extension ChildScan.Child {
  /// Converts the offsets of the kernel, which are in ascending order and not greater than the number of bytes read.
  fileprivate init(_ child: json_scan_child) {
    let key = Int(truncatingIfNeeded: child.key_start)
    let value = Int(truncatingIfNeeded: child.value_start)
    self.init(
      key: key..<max(key, Int(truncatingIfNeeded: child.key_end)),
      value: value..<max(value, Int(truncatingIfNeeded: child.value_end)))
  }
}
