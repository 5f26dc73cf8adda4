import JSONSift

/// An index of the elements of one array in a document.
extension JSONBlockIndex {
  /// Reads a document, and indexes the positions of the elements of one array: one position for about each megabyte.
  ///
  /// ```swift
  /// func element(_ number: Int, of path: String) throws -> JSON? {
  ///   let index = try JSONBlockIndex(of: path, elementsOf: "$.items")
  ///   guard let (checkpoint, between) = index.entry(beforeElement: number) else { return nil }
  ///   var reader = try JSONRecordReader(
  ///     .path(path), options: JSONRecordOptions(framing: .children(of: "$.items")), resumingAt: checkpoint)
  ///   for _ in 0..<between { _ = try reader.next() }
  ///   return try reader.next()?.value
  /// }
  /// ```
  ///
  /// The whole document is validated. Positions are known from the first comma in the array that is followed by 4 MiB or more,
  /// if the array begins in the first 256 KiB of the document.
  ///
  /// - Parameters:
  ///   - path: A regular file that is not compressed, with one document.
  ///   - container: The path of the array, with names and indexes only.
  ///   - workers: The number of workers. The default is one for each core.
  /// - Throws: `JSONError`: `JSONError.Code.unreadable` if the file cannot be read, or changes while it is read, or if
  ///   there is no such array with elements; the error of a text that is not JSON; `JSONError.Code.invalidPath` for a path
  ///   that can select several values.
  @available(*, noasync, message: "it blocks its thread until the file is read")
  public init(of path: String, elementsOf container: JSONPath, workers: Int? = nil) throws(JSONError) {
    do throws(JSONError) {
      try self.init(of: Array(path.utf8), elementsOf: container, workers: workers)
    } catch {
      throw error.code == .invalidPath ? error : error.naming(path)
    }
  }

  @available(*, noasync)
  package init(of path: [UInt8], elementsOf container: JSONPath, workers: Int? = nil) throws(JSONError) {
    try container.requireSingular()
    let file = try File.reading(path)
    let identity = try Self.identity(of: file)
    let known = try Self.positions(of: file, container, workers)
    let end = known.last ?? CountedPosition()
    let fingerprint = try Self.fingerprint(of: file, before: end.offset)
    try Self.check(identity, of: file)
    let starts = [CountedPosition()] + known
    self.init(
      paths: [], container: container, identity: identity, end: end, fingerprint: fingerprint,
      blocks: starts.dropLast().map { Block(start: $0, isUncertain: true, hasBadRecords: false) }, sketches: [])
    permissions = file.status?.permissionsOfExcerpts ?? 0o600
  }

  /// Returns the last known position at or before an element, as a checkpoint, and the number of elements between them.
  /// Returns `nil` if no elements are indexed. A `JSONRecordReader` with the framing `JSONFraming.children(of:)` can resume
  /// at the checkpoint.
  ///
  /// - Parameter element: The number of the element, from 0. The array may have fewer.
  /// - Complexity: O(number of blocks).
  public func entry(beforeElement element: Int) -> (checkpoint: JSONCheckpoint, elementsBetween: Int)? {
    guard let container, element >= 0 else { return nil }
    let start = position(beforeElement: element)
    guard start.count > 0 else { return (JSONCheckpoint(byteOffset: 0), element) }
    let open = JSONCheckpoint.OpenContainer(path: container.description, isObject: false, childCount: start.count)
    // The position is after a comma, and the checkpoint is before it.
    let checkpoint = JSONCheckpoint(
      byteOffset: start.offset - 1, line: start.line, lineOffset: start.lineStart, framing: .children,
      openContainer: open)
    return (checkpoint, element - start.count)
  }

  private func position(beforeElement element: Int) -> CountedPosition { lastPosition { $0.count <= element } }

  /// Returns the position from which a reader of the file can read the elements of the array from `element` on; `nil`
  /// if it must begin at the start, or if the first bytes of the file do not lead to the array.
  ///
  /// - Parameter file: The file that the index describes.
  package func rest(beforeElement element: Int, in file: OpenFile) -> DocumentRest? {
    let start = position(beforeElement: element)
    guard let container, start.count > 0, let division = try? Self.division(of: container) else { return nil }
    do throws(JSONError) {
      var window = try ReadWindow(file.source)
      guard let head = try division.head(of: &window), head.isArray, head.elements <= start.count else { return nil }
      let lines = LineCount(feeds: start.line - 1, lastStart: start.lineStart)
      return DocumentRest(head, from: start.offset, after: lines, elements: start.count)
    } catch {
      return nil
    }
  }

  // MARK: Building

  private static func division(of container: JSONPath) throws(JSONError) -> DocumentDivision {
    DocumentDivision(of: [try children(of: container)], JSONOptions(), countingElements: true, guessingCuts: false)
  }

  private static func children(of container: JSONPath) throws(JSONError) -> JSONPath {
    try JSONPath(container.description + "[*]")
  }

  /// Reads a document, and returns the positions after commas between elements.
  private static func positions(
    of file: borrowing File, _ container: JSONPath, _ workers: Int?
  ) throws(JSONError) -> [CountedPosition] {
    let division = try division(of: container)
    var known: [CountedPosition] = []
    var lines = LineCount()
    var rest: DocumentRest?
    try forEachBlock(of: file, JSONRecordOptions(framing: .document), dividedBy: division, workers) {
      let reader = try ElementBlockReader()
      return { try reader.read($0) }
    } do: { block in
      // A block without a result is not valid, or was not cut between two elements: one reader continues from there.
      guard let block else { return false }
      lines.add(block.lines)
      known.append(
        CountedPosition(offset: block.end, line: 1 + lines.feeds, lineStart: lines.lastStart, count: block.elements))
      rest = DocumentRest(block.head, from: block.end, after: lines, elements: block.elements)
      return true
    }
    try check(rest, of: file, container)
    return known
  }

  /// Validates the text after the last block. Throws an error if the path does not select an array with elements.
  private static func check(_ rest: DocumentRest?, of file: borrowing File, _ container: JSONPath) throws(JSONError) {
    let path = try children(of: container)
    var matches = try JSONMatches(of: rest == nil ? [("", path)] : [], in: .file(file.descriptor, at: 0))
    if let rest { try matches.resume(rest) }
    var hasElements = rest?.head.isArray ?? false
    while try unsafe matches.borrowNextChild({ key, _ in unsafe hasElements = key == nil }) {}
    guard hasElements else { throw .noElements(container) }
  }
}

/// A block of elements that was validated.
private struct ElementBlock: Sendable {
  let head: DocumentHead
  /// The offset after the block.
  let end: Int
  /// The number of elements up to the end of the block.
  let elements: Int
  let lines: LineCount
}

/// Validates one block of elements after another.
private final class ElementBlockReader {
  private var matches: JSONMatches

  init() throws(JSONError) { matches = try JSONMatches(of: [], in: .bytes([])) }

  /// Returns `nil` for a block that is not valid, or was not cut between two elements.
  func read(_ block: LineBlock) throws -> ElementBlock? {
    if case .failure(let error) = block.content { throw error }
    guard case .children(let head) = block.content else { return nil }
    let (end, elements) = (block.offset + block.byteCount, block.elementsBefore + block.elements)
    matches.begin(block)
    defer { matches.end(block) }
    do throws(JSONError) {
      while try matches.next() != nil {}
    } catch {
      return nil
    }
    return ElementBlock(head: head, end: end, elements: elements, lines: matches.tally.documentLines)
  }
}
