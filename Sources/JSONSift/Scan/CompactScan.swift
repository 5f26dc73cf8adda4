private import CJSONScan

/// Copies text without the white space between its tokens. The text can be divided at any byte.
struct CompactScan {
  private var state = json_scan_compact()

  /// - Parameter keepsLines: Whether the text is a sequence of records, one per line: the line feed after each line that is
  ///   not blank is kept.
  init(keepsLines: Bool = false) { state.keeps_lines = keepsLines }

  /// Appends the next bytes to `output`, without that white space.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    guard let base = bytes.baseAddress else { return }
    // SAFETY: the kernel writes no more bytes than it reads, and the output has room for that number.
    unsafe output.append(upTo: bytes.count) { to in
      unsafe json_scan_compact(
        base.assumingMemoryBound(to: UInt8.self), bytes.count, to.assumingMemoryBound(to: UInt8.self), &state)
    }
  }
}
