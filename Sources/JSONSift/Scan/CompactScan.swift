private import CJSONScan

/// Copies text without the white space between its tokens. It can stop and go on anywhere.
struct CompactScan {
  private var state = json_scan_compact()

  /// - Parameter keepsLines: The text is a run of records: a line feed stays behind each line that is not blank.
  init(keepsLines: Bool = false) { state.keeps_lines = keepsLines }

  /// Appends the next bytes without that white space.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    guard let base = bytes.baseAddress else { return }
    // SAFETY: the kernel writes no more bytes than it reads, and there is room for as many.
    unsafe output.append(upTo: bytes.count) { to in
      unsafe json_scan_compact(
        base.assumingMemoryBound(to: UInt8.self), bytes.count, to.assumingMemoryBound(to: UInt8.self), &state)
    }
  }
}
