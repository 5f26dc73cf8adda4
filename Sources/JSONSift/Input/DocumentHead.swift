/// The start of a document that is read in blocks: its text up to a comma between the children of one container. Each block
/// begins and ends after such a comma.
///
/// A reader that has read the head is in the same state as after any later comma of the container, but for the offset and
/// for the number of children before it. So a worker reads the head once, and then any block.
package final class DocumentHead: Sendable {
  let bytes: [UInt8]
  private let state: GrammarState
  /// The number of elements before the comma, if the container is an array in which matches are searched.
  let elements: Int

  /// - Parameter state: The state of the grammar after the bytes.
  init(_ bytes: [UInt8], _ state: GrammarState, elements: Int) {
    self.bytes = bytes
    self.state = state
    self.elements = elements
  }

  /// The number of open containers.
  var depth: Int { state.depth }

  /// Whether the container is an array.
  var isArray: Bool { state.phase == .element }

  /// Returns the state of the grammar after a comma of the container, or at the start of the document.
  func state(at offset: Int) -> GrammarState {
    guard offset > 0 else { return .start }
    var state = state
    state.offset = offset
    return state
  }

  /// Returns, for each of the outermost containers that are open at the end of a text, the offset after its last comma
  /// between children; 0 if there is none. The result is a guess if the text is not JSON.
  ///
  /// Cost: one pass, byte by byte outside of strings.
  static func lastCommas(in text: UnsafeRawBufferPointer) -> [Int] {
    var ends: [Int] = []
    var depth = 0
    var index = 0
    while index < text.count {
      let byte = unsafe text[index]
      index += 1
      switch byte {
      case ASCII.quote:
        var escaped = false
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[index...])
        guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else { return ends }
        index += count + 1
      case ASCII.openBrace, ASCII.openBracket:
        depth += 1
        if depth <= maxDepth { ends.append(0) }
      case ASCII.closeBrace, ASCII.closeBracket:
        guard depth > 0 else { return [] }
        if depth <= maxDepth { ends.removeLast() }
        depth -= 1
      case ASCII.comma where depth > 0 && depth <= maxDepth: ends[depth - 1] = index
      default: break
      }
    }
    return ends
  }

  /// The maximum depth of a container whose children are divided into blocks.
  private static let maxDepth = 8
}

/// Where reading of a document continues after some of its blocks.
package struct DocumentRest: Sendable {
  let head: DocumentHead
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
