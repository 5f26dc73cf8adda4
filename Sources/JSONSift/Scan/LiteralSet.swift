private import CJSONScan

/// Byte strings that are looked for together.
///
/// Sendable without the compiler's proof: its memory is written before anybody else sees it, and only read after that.
@safe final class LiteralSet: @unchecked Sendable {
  /// Needles that one search can have.
  static var most: Int { JSON_SCAN_MAX_NEEDLES }

  // The kernel keeps the address of the needles, so both lie in memory of our own until the end.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let prepared: UnsafeMutablePointer<json_scan_needles>

  /// `nil` for no needles or more than ``most``, and if one is empty: that one would be everywhere.
  init?(_ literals: [[UInt8]]) {
    let all = literals.flatMap { $0 }
    let lengths = literals.map { $0.count }
    unsafe bytes = .allocate(capacity: max(all.count, 1))
    unsafe prepared = .allocate(capacity: 1)
    unsafe prepared.initialize(to: json_scan_needles())
    unsafe bytes.update(from: all, count: all.count)
    // SAFETY: the lengths add up to the count of bytes.
    guard unsafe json_scan_needles_prepare(prepared, bytes, lengths, lengths.count) else { return nil }
  }

  deinit {
    unsafe prepared.deallocate()
    unsafe bytes.deallocate()
  }

  /// The first place where one of the needles stands, and which: of several at one place the first of the list.
  func first(in text: UnsafeRawBufferPointer) -> (place: Int, literal: Int)? {
    guard let base = text.baseAddress else { return nil }
    var which = 0
    let place = unsafe json_scan_needles_find(base.assumingMemoryBound(to: UInt8.self), text.count, prepared, &which)
    return place < text.count ? (place, which) : nil
  }
}
