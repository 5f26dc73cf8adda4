/// A position at which reading of a file can begin, with counts of the text before it.
package struct CountedPosition: Sendable, Hashable {
  package let offset: Int
  /// The number of its line, from 1.
  let line: Int
  /// The offset at which this line begins.
  let lineStart: Int
  /// The number of records, or of elements of the indexed array, before it.
  let count: Int

}

extension CountedPosition {

  /// The start of the file.
  package init() { self.init(offset: 0, line: 1, lineStart: 0, count: 0) }

  /// A position at the start of a line.
  init(lineAt offset: Int, line: Int, count: Int) {
    self.init(offset: offset, line: line, lineStart: offset, count: count)
  }

  /// Whether it can be a position in the same text before `next`.
  func isBefore(_ next: CountedPosition) -> Bool {
    offset < next.offset && line <= next.line && lineStart <= next.lineStart && count <= next.count
  }
}
