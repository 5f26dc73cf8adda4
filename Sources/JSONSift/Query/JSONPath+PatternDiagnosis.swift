// What is valid and cannot be meant: literal patterns that are not patterns, and comparisons of two literals. By RFC 9535 such
// a pattern matches nothing, so its negation holds for everything; such a comparison is the same for every value.
extension JSONPath {
  /// An explanation of the first literal pattern of `match` or `search` that is not a pattern of RFC 9485, such as `"\\d+"`,
  /// or of the first comparison of two literals, such as `"level" == "error"`; `nil` if there is neither.
  ///
  /// Such a path is valid: by RFC 9535 the function is false for every value, and its negation is true. A program that takes
  /// paths from people should reject it, as `jsift` does; ``JSONPath/Diagnosis/suggestion`` is a path with a pattern that
  /// means the same, if there is one. A pattern that a path reads from the values is not examined.
  ///
  /// ```swift
  /// let path: JSONPath = #"$[?search(@.m, "\\d+")]"#
  /// path.patternDiagnosis?.suggestion  // → $[?search(@['m'], '[0-9]+')]
  /// ```
  ///
  /// The explanation shows the ``description`` of the path.
  ///
  /// - Complexity: O(length of the path and its patterns).
  public var patternDiagnosis: JSONPath.Diagnosis? {
    // A path without a filter has no patterns.
    query.segments.allSatisfy { $0.selectors.allSatisfy { if case .filter = $0 { false } else { true } } }
      ? nil : JSONPath.Diagnosis(patternsOf: description, isCanonical: true)
  }
}

extension JSONCondition {
  /// An explanation of the first literal pattern of `match` or `search` that is not a pattern of RFC 9485, or of the first
  /// comparison of two literals; `nil` if there is neither. See ``JSONPath/patternDiagnosis``.
  public var patternDiagnosis: JSONPath.Diagnosis? { JSONPath.Diagnosis(patternsOfCondition: description) }
}

extension JSONPath.Diagnosis {
  /// Examines the literal patterns of a valid path; returns `nil` if all are patterns of RFC 9485.
  ///
  /// - Parameter isCanonical: Whether the text is a description of a path, and not what a person wrote: a backspace is then
  ///   meant.
  package init?(patternsOf text: String, isCanonical: Bool = false) {
    self.init(patternsOf: text, isCanonical: isCanonical, isCondition: false)
  }

  /// Examines the literal patterns of a valid condition; returns `nil` if all are patterns of RFC 9485.
  package init?(patternsOfCondition text: String) { self.init(patternsOf: text, isCanonical: false, isCondition: true) }

  private init?(patternsOf text: String, isCanonical: Bool, isCondition: Bool) {
    var parser = JSONPathParser(text)
    guard parser.error(isCondition: isCondition) == nil else { return nil }
    let faults = parser.faults(isCanonical: isCanonical)
    guard let first = faults.first else { return nil }
    self.init(first.error, text, isCondition: isCondition, suggestion: parser.text(repairing: faults))
  }

  /// Returns a corrected text with each literal pattern corrected, too; `nil` if one has no correction.
  static func withPatterns(of parser: JSONPathParser, _ text: String) -> String? {
    let faults = parser.faults(isCanonical: false)
    return faults.isEmpty ? text : parser.text(repairing: faults)
  }
}

extension JSONPathParser {
  /// A literal that is not a pattern.
  struct PatternFault {
    let error: JSONError
    /// `nil` if no pattern means the same.
    let repair: Repair?
  }

  /// Returns the faults in the order of the text.
  func faults(isCanonical: Bool) -> [PatternFault] {
    let all = patterns.compactMap { fault(in: $0, isCanonical: isCanonical) } + constants.map { fault(in: $0) }
    return all.sorted { $0.error.byteOffset < $1.error.byteOffset }
  }

  /// Returns the fault of a comparison of two literals. The first string is taken for a name.
  private func fault(in constant: (left: Range<Int>, right: Range<Int>)) -> PatternFault {
    let name = [constant.left, constant.right].first { "\"'".utf8.contains(text[$0.lowerBound]) }
    let error = patternError(
      at: (name ?? constant.left).lowerBound,
      "a query ('@' or '$'), because a comparison of literals is always the same")
    return PatternFault(error: error, repair: name.map { Repair($0, "@[" + string($0) + "]") })
  }

  /// Returns the fault of a literal, or `nil` if it is a pattern.
  ///
  /// - Parameter isCanonical: Whether `\b` means a backspace. A person who writes `"\bfoo"` means a word boundary.
  func fault(in use: PatternUse, isCanonical: Bool) -> PatternFault? {
    let (start, quote) = (use.range.lowerBound, text[use.range.lowerBound])
    guard quote == ASCII.quote || quote == ASCII.apostrophe else {
      let repair = Repair(use.range, "'" + string(use.range) + "'")
      return PatternFault(error: patternError(at: start, "a pattern in quotes"), repair: repair)
    }
    var parser = self
    parser.index = start
    guard var pattern = try? parser.quoted() else { return nil }
    let repair: IRegexpRepair
    let error: JSONError
    if !isCanonical, let boundary = backspace(in: use.range) {
      pattern = pattern.split(separator: "\u{8}", omittingEmptySubsequences: false).joined(separator: "\\b")
      repair = IRegexpRepair(pattern, isWhole: use.isWhole)
      error = patternError(
        at: boundary, "no '\\b': in a string it is a backspace, \\u0008, and patterns have no word boundaries")
    } else {
      do throws(JSONError) {
        _ = try IRegexp(pattern, readsAnchors: true)
        return nil
      } catch let fault {
        repair = IRegexpRepair(pattern, isWhole: use.isWhole)
        error = located(fault, repair.fault, inLiteralAt: start)
      }
    }
    let replacement = repair.pattern.map { Self.quoted($0, by: Character(Unicode.Scalar(quote))) }
    return PatternFault(error: error, repair: replacement.map { Repair(use.range, $0) })
  }

  /// Returns the error of a pattern with its offset in the text, or that of a foreign part that begins before it.
  private func located(
    _ error: JSONError, _ foreign: (offset: Int, expected: String)?, inLiteralAt start: Int
  ) -> JSONError {
    if let foreign, foreign.offset <= error.byteOffset {
      return patternError(at: offset(ofByte: foreign.offset, inLiteralAt: start), foreign.expected)
    }
    return error.shifted(by: offset(ofByte: error.byteOffset, inLiteralAt: start) - error.byteOffset)
  }

  /// Returns the offset of the first escape `\b` in a literal.
  private func backspace(in literal: Range<Int>) -> Int? {
    var index = literal.lowerBound
    while index < literal.upperBound {
      if text[index] == ASCII.backslash {
        if text[index + 1] == UInt8(ascii: "b") { return index }
        index += 1
      }
      index += 1
    }
    return nil
  }

  private func patternError(at offset: Int, _ expected: String) -> JSONError {
    let found = offset < text.count ? JSONError.Found(byte: text[offset]) : nil
    return JSONError(.invalidPath, at: offset, found: found, expected: .query(expected))
  }

  /// Returns the text with all faults corrected; `nil` if one has no correction.
  func text(repairing faults: [PatternFault]) -> String? {
    var result = text
    // From the last one on, so that earlier ranges stay.
    for fault in faults.reversed() {
      guard let repair = fault.repair else { return nil }
      result.replaceSubrange(repair.range, with: repair.replacement.utf8)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
