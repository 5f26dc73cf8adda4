/// The start of a document that is read in blocks: its text up to a comma between the children of one container. Each block
/// begins and ends after such a comma.
///
/// A reader that has read the head is in the same state as after any later comma of the container, except for the offset and
/// the number of children before it. So a worker reads the head once, and then any block.
package final class DocumentHead: Sendable {
  let bytes: [UInt8]
  private let state: GrammarState
  /// The number of elements before the comma, if the container is an array in which matches are searched.
  package let elements: Int
  /// The offset of the container, if matches are searched in it. It identifies the container.
  let start: Int

  /// - Parameter state: The state of the grammar after the bytes.
  init(_ bytes: [UInt8], _ state: GrammarState, elements: Int, start: Int) {
    self.bytes = bytes
    self.state = state
    self.elements = elements
    self.start = start
  }

  /// The number of open containers.
  var depth: Int { state.depth }

  /// Whether the container is an array.
  package var isArray: Bool { state.phase == .element }

  /// Returns the state of the grammar after a comma of the container, or at the start of the document.
  func state(at offset: Int) -> GrammarState {
    guard offset > 0 else { return .start }
    var state = state
    state.offset = offset
    return state
  }

  /// Returns the offset after the last comma between children, or 0, for each container that is open at the end of a text,
  /// outermost first, down to the maximum depth. The result is a guess if the text is not JSON.
  static func lastCommas(in text: UnsafeRawBufferPointer) -> [Int] {
    var ends: [Int] = []
    unsafe visit(text) { byte, index, depth in
      let count = ends.count
      if byte == ASCII.comma {
        if depth <= count { ends[depth - 1] = index + 1 }
      } else if byte == ASCII.openBrace || byte == ASCII.openBracket {
        if depth <= maxDepth { ends.append(0) }
      } else if depth < count {
        ends.removeLast()
      }
    }
    return ends
  }

  /// Returns the offsets of the commas between the children of the last container at a depth.
  static func commas(in text: UnsafeRawBufferPointer, depth wanted: Int) -> [Int] {
    var commas: [Int] = []
    unsafe visit(text) { byte, index, depth in
      if byte == ASCII.comma {
        if depth == wanted { commas.append(index) }
      } else if depth < wanted {
        commas.removeAll()
      }
    }
    return commas
  }

  /// Calls a closure for each comma in a container and each bracket outside of strings, with its offset and the number of
  /// open containers after it. Ends at a bracket that closes nothing.
  ///
  /// Cost: one pass, byte by byte outside of strings.
  private static func visit(
    _ text: UnsafeRawBufferPointer, _ body: (_ byte: UInt8, _ index: Int, _ depth: Int) -> Void
  ) {
    var depth = 0
    var index = 0
    while index < text.count {
      let byte = unsafe text[index]
      switch byte {
      case ASCII.quote:
        var escaped = false
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[(index + 1)...])
        guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else { return }
        index += count + 1
      case ASCII.openBrace, ASCII.openBracket:
        depth += 1
        body(byte, index, depth)
      case ASCII.closeBrace, ASCII.closeBracket:
        guard depth > 0 else { return }
        depth -= 1
        body(byte, index, depth)
      case ASCII.comma where depth > 0: body(byte, index, depth)
      default: break
      }
      index += 1
    }
  }

  /// The maximum depth of a container whose children are divided into blocks.
  private static let maxDepth = 8
}

/// Where reading of a document continues after some of its blocks.
package struct DocumentRest: Sendable {
  package let head: DocumentHead
  /// The offset after a comma of the container.
  let offset: Int
  /// The number of elements of the array before it, if they are counted.
  let elements: Int
  /// The lines before it.
  let lines: LineCount

  package init(_ head: DocumentHead, from offset: Int, after lines: LineCount, elements: Int) {
    self.head = head
    self.offset = offset
    self.elements = elements
    self.lines = lines
  }
}
