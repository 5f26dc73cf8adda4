private import CJSONScan

/// Scans the members of one object in proven text, window by window, and stops after each key that matches a list of names.
struct MemberScan {
  /// The reason for which a call ended.
  enum Outcome: Equatable {
    /// All bytes are used, except for an incomplete key at their end.
    case more
    /// The scan has stopped after ``key``.
    case stopped
    /// The closing bracket is the last byte used.
    case ended
  }

  private var state = json_scan_members_opened()

  /// The range of the key after which the scan has stopped, without its quotes; offsets count from the first byte of the
  /// call.
  var key: Range<Int> { state.key_start..<max(state.key_start, state.key_end) }

  /// The index of the name that equals ``key``; the number of names if the key contains an escape and may equal one of them.
  var name: Int { state.name }

  /// Continues the scan with the bytes after the used ones. Returns the number of bytes that this call used.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, lookingFor names: KeyPatternLists.Reference
  ) -> (Outcome, used: Int) {
    guard let base = bytes.baseAddress else { return (.more, 0) }
    var used = 0
    switch unsafe json_scan_members(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &state,
      names.address.assumingMemoryBound(to: json_scan_names.self), &used)
    {
    case JSON_SCAN_STOPPED: return (.stopped, used)
    case JSON_SCAN_ENDED: return (.ended, used)
    default: return (.more, used)
    }
  }
}

/// The owner of lists of names for a ``MemberScan``, each prepared once.
@safe struct KeyPatternLists: ~Copyable {
  /// A reference to one list. Valid as long as the owner of the list lives.
  @safe struct Reference: BitwiseCopyable {
    /// The address of the list, a `json_scan_names`.
    let address: UnsafeRawPointer
    /// The number of names.
    let count: Int
  }

  private var lists: [UnsafeMutablePointer<json_scan_names>] = unsafe []
  private var bytes: [UnsafeMutablePointer<UInt8>] = unsafe []

  init() {}

  /// The number of lists.
  var count: Int { unsafe lists.count }

  /// Returns whether a list can have `count` names.
  static func takes(_ count: Int) -> Bool { count > 0 && count <= Int(JSON_SCAN_MAX_NAMES) }

  /// Prepares a list. Returns `nil` if it has no names or too many.
  mutating func add(_ names: [[UInt8]]) -> Reference? {
    guard Self.takes(names.count) else { return nil }
    let all = names.flatMap { $0 }
    let lengths = names.map { $0.count }
    let list = UnsafeMutablePointer<json_scan_names>.allocate(capacity: 1)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(all.count, 1))
    unsafe copy.update(from: all, count: all.count)
    unsafe lists.append(list)
    unsafe bytes.append(copy)
    // SAFETY: the sum of the lengths is the number of bytes. The list refers to these bytes, which do not move. The kernel
    // initializes what it reads of the list: its count, and as many names.
    guard unsafe json_scan_names_prepare(list, copy, lengths, lengths.count) else { return nil }
    return unsafe Reference(address: UnsafeRawPointer(list), count: names.count)
  }

  deinit {
    unsafe lists.forEach { unsafe $0.deallocate() }
    unsafe bytes.forEach { unsafe $0.deallocate() }
  }
}
