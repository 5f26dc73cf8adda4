import JSONSift

extension ValueSketch {
  /// Returns `false` if a comparison holds for none of the values, and `true` if it may hold.
  ///
  /// - Parameters:
  ///   - comparison: The operator, with the value on its left side.
  ///   - literal: The right side: a number, string, `true`, `false` or `null`.
  func mayHold(_ comparison: PathComparison, _ literal: JSON) -> Bool {
    switch comparison {
    // An absent value differs from each literal, and the sketch does not show whether a value is absent.
    case .notEqual: true
    case .equal: mayEqual(literal)
    case .less: mayPrecede(literal)
    case .greater: mayFollow(literal)
    case .lessOrEqual: mayEqual(literal) || mayPrecede(literal)
    case .greaterOrEqual: mayEqual(literal) || mayFollow(literal)
    }
  }

  private func mayEqual(_ literal: JSON) -> Bool {
    switch literal.type {
    case .null: return kinds.contains(.null)
    case .bool: return kinds.contains(literal.bool == true ? .true : .false)
    case .number:
      guard !kinds.contains(.otherNumber), let number = Self.number(literal) else { return kinds.contains(.number) }
      return numbers?.contains(number) == true && hashes.mayContain(SketchHash.of(number))
    case .string:
      guard !kinds.contains(.otherString), var text = literal.string else { return kinds.contains(.string) }
      return mayPrecede(literal) && mayFollow(literal)
        && text.withUTF8 { unsafe hashes.mayContain(SketchHash.of(UnsafeRawBufferPointer($0))) }
    default: return true
    }
  }

  /// Rounding keeps the order: a number that is less than another one does not have a greater nearest Double.
  private func mayPrecede(_ literal: JSON) -> Bool {
    switch literal.type {
    case .number:
      guard !kinds.contains(.otherNumber), let number = Self.number(literal) else { return kinds.contains(.number) }
      return numbers.map { $0.lowerBound <= number } ?? false
    case .string:
      guard !kinds.contains(.otherString), let text = literal.string else { return kinds.contains(.string) }
      return strings.map { !text.utf8.lexicographicallyPrecedes($0.least) } ?? false
    case .null, .bool: return false
    default: return true
    }
  }

  private func mayFollow(_ literal: JSON) -> Bool {
    switch literal.type {
    case .number:
      guard !kinds.contains(.otherNumber), let number = Self.number(literal) else { return kinds.contains(.number) }
      return numbers.map { number <= $0.upperBound } ?? false
    case .string:
      guard !kinds.contains(.otherString), let text = literal.string else { return kinds.contains(.string) }
      // Only the first bytes of the greatest string are known.
      return strings.map { !$0.greatest.lexicographicallyPrecedes(text.utf8.prefix(Self.boundBytes)) } ?? false
    case .null, .bool: return false
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
