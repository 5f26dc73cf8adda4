/// Finds the values that paths select in the texts of values, such as the elements of an array, without a document.
package struct TextRows {
  private let projection: RecordProjection

  /// The outcome for a value.
  package enum Outcome {
    /// Its values were passed.
    case borrowed
    /// The condition does not hold for it.
    case excluded
    /// It must be read as a value.
    case unknown
  }

  /// Returns `nil` if the paths have other steps than names, if one leads into the value of another one, or if texts are not
  /// enough to evaluate the condition.
  ///
  /// - Parameters:
  ///   - paths: The paths from each value.
  ///   - condition: Selects the values.
  ///   - options: How the texts were read.
  /// - Throws: ``JSONError/Code/invalidPath``.
  package init?(_ paths: [JSONPath], where condition: JSONCondition?, _ options: JSONOptions) throws(JSONError) {
    guard let projection = RecordProjection.of(try paths.checked(), where: condition, options),
      projection.findsMatches(where: condition)
    else { return nil }
    self.projection = projection
  }

  /// Returns the values without a time, for a window of time, since the last call.
  package func takeTimeMisses() -> TimeMisses { projection.scanner.takeMisses() }

  /// Passes the text of the value that each path selects, in the order of the paths, with the index of the path.
  ///
  /// - Parameter text: A value, which is JSON.
  package func borrow(
    _ text: UnsafeRawBufferPointer, _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) -> Outcome {
    var isSelected = true
    guard unsafe projection.scanner.borrowRow(of: text, isSelected: &isSelected, body) else { return .unknown }
    return isSelected ? .borrowed : .excluded
  }
}
