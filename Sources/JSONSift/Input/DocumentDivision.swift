/// Decides which container of a document is divided into blocks: the outermost long one in which the queries treat all
/// children alike, whatever their positions and names are.
package struct DocumentDivision: Sendable {
  private let paths: [JSONPath]
  private let options: JSONOptions
  /// Whether the elements of an array are counted before their blocks are read.
  let countsElements: Bool
  /// Whether blocks may be cut at a guessed position, which is faster. A wrong guess ends the division.
  let guessesCuts: Bool

  /// - Parameters:
  ///   - paths: The paths whose matches are read; none if the text is only validated.
  ///   - options: The options of the readers.
  ///   - countsElements: Whether the locations of matches are needed, which contain the positions of elements.
  ///   - guessesCuts: Whether blocks may be cut at a guessed position.
  package init(
    of paths: [JSONPath], _ options: JSONOptions, countingElements countsElements: Bool,
    guessingCuts guessesCuts: Bool = true
  ) {
    self.paths = paths
    self.options = options
    self.countsElements = countsElements
    self.guessesCuts = guessesCuts
  }

  /// Reads the first bytes of a document, and returns its head; `nil` if no container can be divided.
  ///
  /// - Throws: ``JSONError/Code/unreadable``.
  package func head(of window: inout ReadWindow) throws(JSONError) -> DocumentHead? {
    while !window.isFull, try window.fill() {}
    // The window is larger than one read if the framing was guessed from a long line.
    return unsafe head(of: UnsafeRawBufferPointer(rebasing: window.bytes.prefix(ReadWindow.readBytes)))
  }

  /// Returns the head of a document, or `nil` if no container can be divided.
  ///
  /// - Parameter bytes: The first bytes of the document.
  func head(of bytes: UnsafeRawBufferPointer) -> DocumentHead? {
    guard ValidationScan.isOn else { return nil }
    for (index, end) in unsafe DocumentHead.lastCommas(in: bytes).enumerated() where end > bytes.count / 2 {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
      do throws(JSONError) {
        if let head = try unsafe head(text, depth: index + 1) { return head }
      } catch {
        // The reader of the whole document throws the error after the matches before it.
        return nil
      }
    }
    return nil
  }

  private func head(_ text: UnsafeRawBufferPointer, depth: Int) throws(JSONError) -> DocumentHead? {
    var checker = TextChecker(options: options)
    try unsafe checker.feed(text)
    guard let state = checker.grammarState, state.offset == text.count, state.depth == depth,
      state.phase == .element || state.phase == .key
    else { return nil }
    var (elements, start) = (0, 0)
    if !paths.isEmpty {
      var matcher = try PathMatcher(paths.checked(), limits: options.limits)
      guard !matcher.canStop, !matcher.needsWholeText() else { return nil }
      var traversal = SkippingTraversal(options: options)
      let used = try unsafe traversal.read(text, at: 0, isLast: false, into: &matcher)
      guard used == text.count, traversal.cursor.isAmongChildren, traversal.cursor.depth == depth,
        matcher.canContinueAtAnyChild
      else { return nil }
      (elements, start) = (matcher.cursor.level.position, matcher.cursor.level.start)
    }
    return unsafe DocumentHead(Array(text), state, elements: elements, start: start)
  }
}

extension PathMatcher {
  /// Whether the matcher is between two children of a container, and would be in the same state, except for the position,
  /// between any two others.
  fileprivate var canContinueAtAnyChild: Bool {
    guard !recorder.isOpen, captures.isEmpty, heldArrays.isEmpty,
      (0..<plans.count).allSatisfy({ plans[$0].levelsUp == 0 })
    else { return false }
    let (level, summary) = (cursor.level, cursor.summary)
    guard !summary.isDescending, !summary.holdsElements else { return false }
    return level.isObject
      ? summary.nameCount == 0 && summary.otherMember > PathAutomaton.dead
      : summary.uniformElement > PathAutomaton.dead
  }
}
