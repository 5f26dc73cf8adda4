private import CJSONScan

/// Writes the tokens of validated text in another layout, with a line for each element and member. The text can be divided at
/// any byte.
struct LayoutScan {
  /// The white space between tokens.
  struct Style {
    fileprivate var style = json_scan_style()

    /// - Parameters:
    ///   - indent: The byte that indents a line.
    ///   - width: The number of these bytes for each level, at most ``maxWidth``.
    ///   - levels: The number of levels whose elements and members have lines of their own.
    ///   - isWide: Whether a space precedes each colon, and an empty container contains an empty line.
    ///   - hasLines: Whether the text is a sequence of records, each on a line of its own.
    init(indent: UInt8, width: Int, levels: Int, isWide: Bool, hasLines: Bool) {
      style.indent = indent
      style.width = UInt8(min(max(width, 0), Self.maxWidth))
      style.levels = UInt32(levels)
      style.is_wide = isWide
      style.has_lines = hasLines
    }

    /// The maximum number of bytes by which one level is indented.
    static let maxWidth = Int(JSON_SCAN_MAX_WIDTH)
  }

  private var style: Style
  private var state = json_scan_layout()
  /// The number of bytes to reserve in addition to twice the length of the text. It doubles when it is too small.
  private var extra = 1 << 12

  init(_ style: Style) { self.style = style }

  /// Appends the next bytes to `output` in this layout. A line break is written together with the token after it.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    guard let base = bytes.baseAddress else { return }
    var used = 0
    while used < bytes.count {
      let room = (bytes.count - used) * 2 + extra
      // SAFETY: the kernel reads the unused bytes, and writes at most `room` bytes.
      unsafe output.append(upTo: room) { to in
        unsafe json_scan_layout(
          base.assumingMemoryBound(to: UInt8.self) + used, bytes.count - used, &style.style, &state,
          to.assumingMemoryBound(to: UInt8.self), room)
      }
      used += state.used
      // The loop ends: the kernel needs room for 64 bytes of input, whose output has a bounded size.
      if state.used == 0 { extra *= 2 }
    }
  }
}
