private import CJSONScan

/// Swift functions for the byte kernels of `CJSONScan`. No code outside this folder uses the names of that module.
package enum ByteScan {
  /// Returns the length of the longest prefix that is strict UTF-8 and contains neither of the bytes 0B and 0C.
  package static func textPrefix(_ bytes: UnsafeRawBufferPointer) -> Int { unsafe count(bytes, json_scan_text) }

  /// Returns the number of bytes at the end that are an incomplete character: 0...3.
  static func incompleteTail(_ bytes: UnsafeRawBufferPointer) -> Int { unsafe count(bytes, json_scan_incomplete_tail) }

  /// Returns the offset of the first quote that is not escaped, or `nil`.
  ///
  /// - Parameter escaped: Whether a backslash before `bytes` escapes their first byte. If the result is `nil`, it becomes
  ///   whether the byte after `bytes` is escaped.
  static func stringEnd(_ bytes: UnsafeRawBufferPointer, escaped: inout Bool) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = unsafe json_scan_string_end(base.assumingMemoryBound(to: UInt8.self), bytes.count, &escaped)
    return end < bytes.count ? end : nil
  }

  /// Returns the number of white-space bytes at the start.
  package static func whitespacePrefix(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe count(bytes, json_scan_whitespace)
  }

  /// Returns the offset of the first backslash followed by `uD8`...`uDF`, in either case, or `nil`.
  package static func surrogateCandidate(_ bytes: UnsafeRawBufferPointer) -> Int? {
    unsafe offset(bytes, json_scan_surrogate)
  }

  /// Returns the offset of the first line feed, or `nil`.
  package static func lineFeed(_ bytes: UnsafeRawBufferPointer) -> Int? { unsafe offset(bytes, json_scan_newline) }

  /// Returns the offset of the last line feed, or `nil`.
  package static func lastLineFeed(_ bytes: UnsafeRawBufferPointer) -> Int? {
    unsafe offset(bytes, json_scan_last_newline)
  }

  package static func countLineFeeds(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe count(bytes, json_scan_count_newlines)
  }

  /// A function of the kernel: the bytes, and their number.
  private typealias Kernel = (UnsafePointer<UInt8>?, Int) -> Int

  // Forced inlining, so that the kernel is called directly.
  @inline(__always)
  private static func count(_ bytes: UnsafeRawBufferPointer, _ kernel: Kernel) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return unsafe kernel(base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Returns the offset that the kernel finds, or `nil` if it is the end.
  @inline(__always)
  private static func offset(_ bytes: UnsafeRawBufferPointer, _ kernel: Kernel) -> Int? {
    let found = unsafe count(bytes, kernel)
    return found < bytes.count ? found : nil
  }
}
