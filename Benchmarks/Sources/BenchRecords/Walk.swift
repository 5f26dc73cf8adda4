/// What a walk over every value of a document has seen. Text counts by its length, so that each string is made.
package struct Walk: Equatable {
  package var values = 0
  package var characters = 0
  package var trues = 0
  /// The bits of all numbers, added up: so the order of the members does not matter.
  package var numbers: UInt64 = 0

  package init() {}

  package var sum: Int { values &+ characters &+ trues &+ Int(truncatingIfNeeded: numbers) }

  package func put(to results: inout Results) {
    results.put(values)
    results.put(characters)
    results.put(trues)
    // So small that a program that reads lines as Doubles keeps it.
    results.put(Int(numbers % 1_000_000_007))
  }
}
