private import CJSONScan

/// Goes over the members of one object in one window after another, and stops behind the keys that are looked for.
struct MemberScan {
  enum Outcome: Equatable {
    /// All bytes are used, but for a key that the last one cuts.
    case more
    /// Behind a key: ``key``.
    case stopped
    /// The closing bracket is the last byte used.
    case ended
    /// The bracket behind the bytes that are used closes another kind of container. The scan is over.
    case malformed
  }

  private var state = json_scan_members_opened()

  /// The key behind which the scan has stopped, between its quotes; counted from the first byte of the call.
  @inline(__always)
  var key: Range<Int> { state.key_start..<max(state.key_start, state.key_end) }

  /// Which of the names it is; their number if it has an escape that may spell one.
  @inline(__always)
  var name: Int { state.name }

  /// How many containers are open, with the object.
  var depth: Int { Int(state.nest.depth) }

  var isInString: Bool { state.nest.in_string }

  /// Outside of strings: the last byte that is used and is no white space. A comma if a key may come.
  var byteBefore: UInt8 { state.before }

  /// Goes on over bytes, which begin where the last ones were left.
  @inline(__always)
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
    case JSON_SCAN_MALFORMED: return (.malformed, used)
    default: return (.more, used)
    }
  }
}

/// Lists of names that a ``MemberScan`` can look for, each prepared once.
@safe struct KeyPatternLists: ~Copyable {
  /// One list. Good as long as its owner is.
  @safe struct Reference: BitwiseCopyable {
    /// That of the list, a `json_scan_names`.
    let address: UnsafeRawPointer
    let count: Int
  }

  private var lists: [UnsafeMutablePointer<json_scan_names>] = unsafe []
  private var bytes: [UnsafeMutablePointer<UInt8>] = unsafe []

  init() {}

  /// How many lists are kept.
  var count: Int { unsafe lists.count }

  /// Whether a list can have so many names.
  static func takes(_ count: Int) -> Bool { count > 0 && count <= Int(JSON_SCAN_MAX_NAMES) }

  /// Prepares a list; `nil` if there are no names in it or too many.
  mutating func add(_ names: [[UInt8]]) -> Reference? {
    guard Self.takes(names.count) else { return nil }
    let all = names.flatMap { $0 }
    let lengths = names.map { $0.count }
    let list = UnsafeMutablePointer<json_scan_names>.allocate(capacity: 1)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(all.count, 1))
    unsafe list.initialize(to: json_scan_names())
    unsafe copy.update(from: all, count: all.count)
    unsafe lists.append(list)
    unsafe bytes.append(copy)
    // SAFETY: the lengths add up to the count of bytes, which the list refers to and which lie where they are.
    guard unsafe json_scan_names_prepare(list, copy, lengths, lengths.count) else { return nil }
    return unsafe Reference(address: UnsafeRawPointer(list), count: names.count)
  }

  deinit {
    unsafe lists.forEach { unsafe $0.deallocate() }
    unsafe bytes.forEach { unsafe $0.deallocate() }
  }
}
