import JSONSift

/// Reads one document as parallel workers do, but without tasks: the blocks go to one worker after another on this thread.
/// The tests compare the matches with those of one reader, and each run can be repeated exactly.
package struct ChildrenInTurn: ~Copyable {
  /// A match.
  package struct Found: Equatable {
    package let path: Int
    package let location: String
    package let byteRange: Range<Int>
    package let text: String

    package init(_ match: JSONMatch) {
      path = match.pathIndex
      location = match.location.description
      byteRange = match.byteRange
      var text = ""
      unsafe match.value.borrowRawBytes { text = unsafe String(decoding: $0, as: UTF8.self) }
      self.text = text
    }
  }

  /// The matches in document order.
  package private(set) var found: [Found] = []
  /// The error that ended the reading, its position, and the text around it.
  package private(set) var failure: (error: JSONError, position: JSONError.Position, excerpt: JSONError.Excerpt?)?
  /// The number of blocks that were read.
  package private(set) var blocks = 0
  /// Whether one of the blocks was read again.
  package private(set) var hasReadAgain = false

  /// - Parameters:
  ///   - paths: The paths.
  ///   - bytes: The document.
  ///   - options: The options.
  ///   - count: The number of workers.
  ///   - readBytes: The size of the first read, in which the head must lie, and of a block.
  package init(
    of paths: [JSONPath], in bytes: [UInt8], _ options: JSONOptions, workers count: Int, readBytes: Int
  ) throws(JSONError) {
    let named = paths.map { (name: $0.description, path: $0) }
    var rest: DocumentRest?
    if let window = try? ReadWindow(.bytes(bytes), readBytes: readBytes),
      var cutter = ChildCutter.cutting(
        window, DocumentDivision(of: paths, options, countingElements: true), fileBytes: 0, blockBytes: readBytes)
    {
      rest = try read(&cutter, named, options, max(count, 1))
    }
    var matches = try JSONMatches(of: named, in: .bytes(bytes), options: options)
    do throws(JSONError) {
      if let rest { try matches.resume(rest) }
      while let match = try matches.next() { found.append(Found(match)) }
    } catch {
      failure = (error, matches.position(of: error), matches.excerpt(of: error))
    }
  }

  private final class Worker {
    var matches: JSONMatches
    let block = LineBlock()

    init(_ paths: [(name: String, path: JSONPath)], _ options: JSONOptions) throws(JSONError) {
      matches = try JSONMatches(of: paths, in: .bytes([]), options: options)
    }
  }

  /// Reads the blocks, and returns where reading continues.
  private mutating func read(
    _ cutter: inout ChildCutter, _ paths: [(name: String, path: JSONPath)], _ options: JSONOptions, _ count: Int
  ) throws(JSONError) -> DocumentRest? {
    var workers: [Worker] = []
    for _ in 0..<count { workers.append(try Worker(paths, options)) }
    var rest: DocumentRest?
    var lines = LineCount()
    while cutter.next(into: workers[blocks % count].block) {
      let worker = workers[blocks % count]
      blocks += 1
      let end = worker.block.offset + worker.block.byteCount
      guard case .children(let head) = worker.block.content else { return rest }
      var more: [Found] = []
      worker.matches.begin(worker.block)
      do throws(JSONError) {
        while let match = try worker.matches.next() { more.append(Found(match)) }
      } catch {
        hasReadAgain = true
        return rest
      }
      worker.matches.end(worker.block)
      found += more
      lines.add(worker.matches.tally.documentLines)
      rest = DocumentRest(
        head, from: end, after: lines, elements: worker.block.elementsBefore + worker.block.elements)
    }
    return rest
  }
}
