/// Copies the tokens of validated text unchanged, and writes the white space between them.
struct TokenCopier {
  private enum Scan {
    case compact(CompactScan)
    case pretty(LayoutScan)
  }

  private var scan: Scan
  /// Whether a comma is due. It is written with the next value, since the text may end in an error before that.
  private var owesComma = false
  /// Whether the last token opened a container.
  private(set) var isAfterOpen = false

  /// Returns whether text in this layout has the tokens of its source, in their order.
  static func copies(_ layout: JSONWriterOptions) -> Bool {
    !layout.sortsKeys && layout.spelling == .source && layout.slashes == .asWritten
  }

  /// - Parameters:
  ///   - layout: The output format.
  ///   - hasLines: Whether the text is a run of records, each on its own line. A line feed then stays after each.
  init(_ layout: JSONWriterOptions, hasLines: Bool = false) {
    scan =
      layout.isPretty
      ? .pretty(LayoutScan(layout.style(hasLines: hasLines))) : .compact(CompactScan(keepsLines: hasLines))
  }

  /// Copies complete tokens.
  mutating func copy(_ tokens: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    if owesComma { output.append(ASCII.comma) }
    switch scan {
    case .compact(var compact):
      unsafe compact.append(tokens, to: &output)
      scan = .compact(compact)
    case .pretty(var pretty):
      unsafe pretty.append(tokens, to: &output)
      scan = .pretty(pretty)
    }
    guard let last = output.last else { return }
    // After complete tokens a comma cannot be part of a string.
    owesComma = last == ASCII.comma
    isAfterOpen = last.opensContainer
    if owesComma { output.truncate(to: output.count - 1) }
  }
}

extension JSONWriterOptions {
  fileprivate func style(hasLines: Bool) -> LayoutScan.Style {
    let (indent, width): (UInt8, Int) =
      switch layout {
      case .foundation: (ASCII.space, 2)
      case .spaces(let count): (ASCII.space, count)
      case .tabs: (ASCII.tab, 1)
      }
    return LayoutScan.Style(
      indent: indent, width: width, levels: JSONLimits.maxRecursion, isWide: layout == .foundation, hasLines: hasLines)
  }
}
