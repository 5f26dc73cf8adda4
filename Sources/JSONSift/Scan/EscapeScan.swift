private import CJSONScan

/// Decodes the escapes that are frequent where JSON is inside of a string.
enum EscapeScan {
  /// Decodes up to the first escape other than `\"`, `\\` and `\/`, or to a backslash that is the last byte.
  ///
  /// - Parameter output: Receives the bytes; it has room for `raw.count` of them, and does not overlap `raw`.
  /// - Returns: The number of bytes that were read, and of those that were written.
  static func decode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (used: Int, written: Int) {
    guard let base = raw.baseAddress, let target = output.baseAddress, output.count >= raw.count else { return (0, 0) }
    var used = 0
    // SAFETY: the kernel writes no more bytes than it reads, and the output has room for that number.
    let written = unsafe json_scan_unescape(
      base.assumingMemoryBound(to: UInt8.self), raw.count, target.assumingMemoryBound(to: UInt8.self), &used)
    return (used, written)
  }
}
