/// Cuts a document into blocks of complete children of one container.
///
/// Near the end of each block it searches for the delimiter of the elements (``ChildDelimiter``). If there is no delimiter, a
/// kernel skips from comma to comma of the container; it inspects only quotes and brackets. Both can end at a wrong comma in
/// text that is not JSON, and the search also if the delimiter occurs deeper in a child. So the reader of each block verifies
/// the state at the end of the block.
///
/// Cutting ends at the end of the container or the input, and before a child that is too long for a block. One reader reads
/// the text after the last block.
package struct ChildCutter: ~Copyable {
  private var window: ReadWindow
  private let head: DocumentHead
  private let delimiter: ChildDelimiter?
  private let blockBytes: Int
  private let countsElements: Bool
  /// The number of elements in the blocks so far, and the last ones found, if elements are counted.
  private var elements = 0
  private var counted: [ChildScan.Child] = []
  /// The scan inside the container, up to the index `scanned` in the window.
  private var scan = ContainerScan(isObject: false)
  private var scanned = 0
  private var hasCutHead = false
  private var hasEnded = false

  /// The minimum size of a file. For a shorter one, reading the head costs more than several workers gain.
  static let minFileBytes = Sizes.of(4 << 20, fuzzing: 256)

  /// Reads the first bytes of a document, and finds a container to divide. Returns `nil` if there is none, if the input
  /// cannot be read from any offset, or if it is short.
  ///
  /// - Parameters:
  ///   - division: Finds the head.
  ///   - fileBytes: The minimum size of the input.
  ///   - blockBytes: The size of a block; `nil` for the default.
  package static func cutting(
    _ window: consuming ReadWindow, _ division: DocumentDivision, fileBytes: Int = Self.minFileBytes,
    blockBytes: Int? = nil
  ) -> ChildCutter? {
    var window = window
    guard !window.isCompressed, let size = window.knownSize, size >= fileBytes else { return nil }
    let blockBytes = blockBytes ?? ReadWindow.readBytes * Self.growth
    guard let head = try? division.head(of: &window) else { return nil }
    return ChildCutter(window, head, division, blockBytes)
  }

  private init(_ window: consuming ReadWindow, _ head: DocumentHead, _ division: DocumentDivision, _ blockBytes: Int) {
    self.window = window
    self.head = head
    let text = head.bytes
    delimiter =
      division.guessesCuts ? unsafe text.withUnsafeBytes { unsafe ChildDelimiter(of: $0, depth: head.depth) } : nil
    self.blockBytes = blockBytes
    countsElements = division.countsElements && head.isArray
  }

  /// The size of a block in reads: passing a block on, waking a worker and gathering its results cost the same for a block
  /// of any size.
  private static let growth = Sizes.of(4, fuzzing: 1)
  /// The size in blocks of a child that is too long.
  private static let maxBlocks = 16
  /// The maximum number of bytes at the end of a block in which a comma is looked for first. They are copied into the next
  /// block.
  private static let tailBytes = Sizes.of(1 << 14, fuzzing: 32)

  /// Fills a block. Returns `false` when no further block can be cut.
  package mutating func next(into block: LineBlock) -> Bool {
    if !hasCutHead {
      hasCutHead = true
      cut(head.bytes.count, into: block)
      return true
    }
    while !hasEnded, window.count < blockBytes * Self.maxBlocks {
      if window.isFull, let end = findComma() {
        cut(end, into: block)
        return true
      }
      do throws(JSONError) {
        // A reader of the rest finds the same error.
        guard try window.fill() else { return false }
      } catch {
        return false
      }
    }
    return false
  }

  private mutating func cut(_ count: Int, into block: LineBlock) {
    block.elementsBefore = elements
    if countsElements {
      if window.offset == 0 {
        elements = head.elements
      } else {
        unsafe countElements(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
      }
    }
    block.elements = elements - block.elementsBefore
    window.cut(count, into: block, room: blockBytes)
    block.content = .children(head)
    block.end = LinePosition(offset: window.offset, line: 1)
    scan = ContainerScan(isObject: false)
    scanned = 0
  }

  /// Counts the elements of a block. The count does not matter if the text is not JSON.
  private mutating func countElements(_ bytes: UnsafeRawBufferPointer) {
    var scan = ChildScan(isObject: false)
    while true {
      counted.removeAll(keepingCapacity: true)
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[scan.offset...])
      let outcome = unsafe scan.read(rest, limit: Self.maxCounted, into: &counted)
      elements += counted.count
      guard outcome == .full, scan.offset < bytes.count else { return }
    }
  }

  /// The maximum number of elements that are counted at once.
  private static let maxCounted = 256

  /// Returns the index after a comma of the container, near the end of the window; `nil` if there is none.
  private mutating func findComma() -> Int? {
    let bytes = unsafe window.bytes
    let target = bytes.count - min(bytes.count / 4, Self.tailBytes)
    if scanned == 0, let end = unsafe delimiter?.comma(in: bytes, from: target) { return end }
    guard unsafe scan(bytes, to: bytes.count - bytes.count / 4) else { return nil }
    let (early, earlyOffset) = (scan, scanned)
    guard unsafe scan(bytes, to: target) else { return nil }
    if let end = unsafe comma(in: bytes, from: scanned, scan) { return end }
    // The tail contains no comma: its child is longer.
    guard !hasEnded, earlyOffset < scanned else { return nil }
    return unsafe comma(in: bytes, from: earlyOffset, early)
  }

  /// Advances the scan in the container. Returns `false` at its end.
  private mutating func scan(_ bytes: UnsafeRawBufferPointer, to target: Int) -> Bool {
    guard target > scanned else { return true }
    hasEnded = unsafe scan.end(in: UnsafeRawBufferPointer(rebasing: bytes[scanned..<target])) != nil
    if !hasEnded { scanned = target }
    return !hasEnded
  }

  /// Returns the index after the first comma of the container from an offset on, at which a scan has ended.
  private mutating func comma(in bytes: UnsafeRawBufferPointer, from start: Int, _ scan: ContainerScan) -> Int? {
    guard var index = unsafe Self.endOfOpenChild(in: bytes, from: start, scan) else { return nil }
    while index < bytes.count {
      switch unsafe bytes[index] {
      case ASCII.comma: return index + 1
      case ASCII.quote, ASCII.openBrace, ASCII.openBracket:
        var extent = ValueExtent()
        guard let count = unsafe extent.end(in: UnsafeRawBufferPointer(rebasing: bytes[index...])) else { return nil }
        index += count
      case ASCII.closeBrace, ASCII.closeBracket:
        hasEnded = true
        return nil
      default: index += 1
      }
    }
    return nil
  }

  /// Returns the index after the container or string that is open where a scan has ended.
  private static func endOfOpenChild(in bytes: UnsafeRawBufferPointer, from start: Int, _ scan: ContainerScan) -> Int? {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    if var child = scan.forOpenChild() { return unsafe child.end(in: rest).map { start + $0 + 1 } }
    guard scan.isInString else { return start }
    var escaped = scan.isEscaped
    return unsafe ByteScan.stringEnd(rest, escaped: &escaped).map { start + $0 + 1 }
  }
}
