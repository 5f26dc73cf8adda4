private import CJSONScan

/// The Swift face of the byte kernels. Nothing outside this room sees C's names.
enum ByteScan {
  /// The length of the longest prefix that is strict UTF-8 and free of the bytes 0B and 0C.
  static func textPrefix(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return unsafe json_scan_text(base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// How many bytes at the end begin a character and do not finish it: 0...3.
  static func incompleteTail(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return unsafe json_scan_incomplete_tail(base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The offset of the first quote that no backslash escapes, or `nil`. `escaped` says whether the first byte is
  /// escaped, and afterwards whether the byte after the input would be.
  static func stringEnd(_ bytes: UnsafeRawBufferPointer, escaped: inout Bool) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = unsafe json_scan_string_end(base.assumingMemoryBound(to: UInt8.self), bytes.count, &escaped)
    return end < bytes.count ? end : nil
  }

  /// The number of white-space bytes at the start.
  static func whitespacePrefix(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return unsafe json_scan_whitespace(base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The offset of the first backslash that `uD8`...`uDF` follow, in either case, or `nil`.
  static func surrogateCandidate(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let found = unsafe json_scan_surrogate(base.assumingMemoryBound(to: UInt8.self), bytes.count)
    return found < bytes.count ? found : nil
  }

  /// The offset of the first line feed, or `nil`.
  static func lineFeed(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let found = unsafe json_scan_newline(base.assumingMemoryBound(to: UInt8.self), bytes.count)
    return found < bytes.count ? found : nil
  }

  /// The offset of the last line feed, or `nil`.
  static func lastLineFeed(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let found = unsafe json_scan_last_newline(base.assumingMemoryBound(to: UInt8.self), bytes.count)
    return found < bytes.count ? found : nil
  }

  static func countLineFeeds(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return unsafe json_scan_count_newlines(base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Which kernel this machine runs: `avx2`, `neon` or `portable`.
  static var kernelName: String {
    guard let name = unsafe json_scan_kernel() else { return "portable" }
    return unsafe String(cString: name)
  }

  /// The same of the kernels of ``ContainerScan``, ``ChildScan`` and ``LiteralSet``: also `avx512`.
  static var structureKernelName: String {
    guard let version = unsafe json_scan_structure_version(0) else { return "portable" }
    guard let name = unsafe version.pointee.name else { return "portable" }
    return unsafe String(cString: name)
  }
}
