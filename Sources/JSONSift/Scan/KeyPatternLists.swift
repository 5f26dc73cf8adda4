private import CJSONScan

/// The owner of lists of names to find in objects, each prepared once.
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
