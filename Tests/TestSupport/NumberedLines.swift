/// The text of a log whose records are `{"id":0}`, `{"id":1}` and so on, and whose last line may be unfinished.
package struct NumberedLines {
  /// The number of the next record.
  package private(set) var next = 0
  private var isOpen = false

  package init() {}

  /// Lets the next text begin a file.
  package mutating func beginFile() { isOpen = false }

  /// Returns what is appended next: from one record to as many as one of `counts`.
  package mutating func text(_ counts: [Int], _ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<random.below(random.pick(counts)) + 1 {
      text += (isOpen ? "\n" : "") + "{\"id\":\(next)}"
      next += 1
      isOpen = true
    }
    if random.below(3) > 0 {
      text += "\n"
      isOpen = false
    }
    return text
  }
}
