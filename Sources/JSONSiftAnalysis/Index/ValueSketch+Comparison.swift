import JSONSift

extension ValueSketch {
  /// Returns `false` if a comparison holds for none of the values, and `true` if it may hold.
  ///
  /// - Parameters:
  ///   - comparison: The operator, with the value on its left side.
  ///   - literal: The right side: a number, string, `true`, `false` or `null`.
  func mayHold(_ comparison: PathComparison, _ literal: JSON) -> Bool {
    // An absent value differs from each literal, and the sketch does not show whether a value is absent.
    guard comparison != .notEqual else { return true }
    let allowsEqual = comparison == .equal || comparison == .lessOrEqual || comparison == .greaterOrEqual
    let allowsLess = comparison == .less || comparison == .lessOrEqual
    let allowsGreater = comparison == .greater || comparison == .greaterOrEqual
    switch literal.type {
    case .null: return allowsEqual && kinds.contains(.null)
    case .bool: return allowsEqual && kinds.contains(literal.bool == true ? .true : .false)
    case .number:
      guard !kinds.contains(.otherNumber), let number = Self.number(literal) else { return kinds.contains(.number) }
      guard let numbers else { return false }
      // Rounding keeps the order: a number that is less than another one does not have a greater nearest Double.
      return allowsLess && numbers.lowerBound <= number || allowsGreater && number <= numbers.upperBound
        || allowsEqual && numbers.contains(number) && hashes.mayContain(SketchHash.of(number))
    case .string:
      guard !kinds.contains(.otherString), var text = literal.string else { return kinds.contains(.string) }
      guard let strings else { return false }
      let mayBeLess = !text.utf8.lexicographicallyPrecedes(strings.least)
      // Only the first bytes of the greatest string are known.
      let mayBeGreater = !strings.greatest.lexicographicallyPrecedes(text.utf8.prefix(Self.boundBytes))
      return allowsLess && mayBeLess || allowsGreater && mayBeGreater
        || allowsEqual && mayBeLess && mayBeGreater
          && text.withUTF8 { unsafe hashes.mayContain(SketchHash.of(UnsafeRawBufferPointer($0))) }
    default: return true
    }
  }

  private static func number(_ literal: JSON) -> Double? {
    guard var text = literal.numberText else { return nil }
    let number = text.withUTF8 { unsafe NumberBytes.double(UnsafeRawBufferPointer($0)) }
    return number.isFinite ? number : nil
  }
}

extension ConditionParts {
  /// Returns `false` if the condition holds for no record of a block, and `true` if it may hold. A sketch can prove that a value
  /// does not occur, but not that every record has it. So a negation is never ruled out.
  ///
  /// - Parameter sketch: Returns the sketch of the block for a path.
  func mayHold(_ sketch: (_ path: Int) -> ValueSketch) -> Bool {
    switch self {
    case .any(let parts): parts.contains { $0.mayHold(sketch) }
    case .all(let parts): parts.allSatisfy { $0.mayHold(sketch) }
    case .exists(let path): !sketch(path).kinds.isEmpty
    case .comparison(let path, let comparison, let literal): sketch(path).mayHold(comparison, literal)
    case .unknown: true
    }
  }
}
