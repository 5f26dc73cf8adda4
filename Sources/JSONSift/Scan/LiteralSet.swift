private import CJSONScan

/// A set of byte strings that one search finds together.
///
/// Unchecked `Sendable`: the memory is written before the object is shared, and only read afterwards.
@safe final class LiteralSet: @unchecked Sendable {
  /// The maximum number of literals in a set.
  static var maxCount: Int { JSON_SCAN_MAX_LITERALS }

  // The kernel stores the address of the literals, so both blocks are owned memory that lives as long as this object.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let prepared: UnsafeMutablePointer<json_scan_literals>

  /// Creates a set. Returns `nil` if there are no literals or more than ``maxCount``, or if one is empty and so matches
  /// everywhere.
  init?(_ literals: [[UInt8]]) {
    let all = literals.flatMap { $0 }
    let lengths = literals.map { $0.count }
    unsafe bytes = .allocate(capacity: max(all.count, 1))
    unsafe prepared = .allocate(capacity: 1)
    unsafe prepared.initialize(to: json_scan_literals())
    unsafe bytes.update(from: all, count: all.count)
    // SAFETY: the sum of the lengths is the number of bytes.
    guard unsafe json_scan_literals_prepare(prepared, bytes, lengths, lengths.count) else { return nil }
  }

  deinit {
    unsafe prepared.deallocate()
    unsafe bytes.deallocate()
  }

  /// Returns the lowest offset at which a literal occurs, and the index of that literal, or `nil`. If several literals
  /// occur at that offset, the index is the lowest of them.
  func first(in text: UnsafeRawBufferPointer) -> (offset: Int, literal: Int)? {
    guard let base = text.baseAddress else { return nil }
    var which = 0
    let offset = unsafe json_scan_literals_find(base.assumingMemoryBound(to: UInt8.self), text.count, prepared, &which)
    return offset < text.count ? (offset, which) : nil
  }
}
