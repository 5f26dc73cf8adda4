private import CJSONScan

/// Writes the tokens of proven text in another layout: a line for each element and member. It can stop and go on anywhere.
struct LayoutScan {
  /// What stands between tokens.
  struct Style {
    fileprivate var style = json_scan_style()

    /// - Parameters:
    ///   - indent: What a level is indented with, and by how many of these: at most ``widestLevel``.
    ///   - levels: How many levels have lines of their own.
    ///   - isWide: A space stands before a colon too, and an empty line in what is empty.
    ///   - hasLines: The text is a run of records, each on a line of its own.
    init(indent: UInt8, width: Int, levels: Int, isWide: Bool, hasLines: Bool) {
      style.indent = indent
      style.width = UInt8(min(max(width, 0), Self.widestLevel))
      style.levels = UInt32(levels)
      style.is_wide = isWide
      style.has_lines = hasLines
    }

    static let widestLevel = Int(JSON_SCAN_WIDEST_LEVEL)
  }

  private var style: Style
  private var state = json_scan_layout()
  /// How many bytes there is room for at first, beside those for the text.
  private var extra = 1 << 12

  init(_ style: Style) { self.style = style }

  /// Appends the next bytes in that layout. A line break comes with what follows it.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    guard let base = bytes.baseAddress else { return }
    var used = 0
    while used < bytes.count {
      let room = (bytes.count - used) * 2 + extra
      // SAFETY: the kernel reads the bytes that are not used, and writes no more than there is room for.
      unsafe output.append(upTo: room) { to in
        unsafe json_scan_layout(
          base.assumingMemoryBound(to: UInt8.self) + used, bytes.count - used, &style.style, &state,
          to.assumingMemoryBound(to: UInt8.self), room)
      }
      used += state.used
      // What 64 bytes need is bounded.
      if state.used == 0 { extra *= 2 }
    }
  }
}
