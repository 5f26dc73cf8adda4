/// The compiled rules of an edit: shared by all machines, and never changed.
package struct EditPlan: Sendable {
  /// A rule that a path selects values for.
  struct PathRule: Sendable {
    let segments: [PathSegment]
    let change: JSONEdit.Rule.Change
    /// The number of the rule in ``labels``.
    let number: Int
    /// The index of the first of the last segments that are plain names, if the rule can create members there.
    let firstCreated: Int
  }

  private(set) var paths: [PathRule] = []
  /// The number of the rule of each name, in the spelling of ``normalized(_:)``.
  private(set) var names: [MemberName: Int] = [:]
  /// The ends of further names, with the numbers of their rules.
  private var nameEnds: [(text: [UInt8], rule: Int)] = []
  private(set) var texts: [TextRule] = []
  package private(set) var labels: [String] = []
  package private(set) var isExpected: [Bool] = []
  /// The masks of all rules, by number.
  private(set) var masks: [JSONEdit.Mask?] = []
  /// By number, what replaces each masked value, if that is one text for all values.
  private(set) var maskedValues: [[UInt8]?] = []
  /// Whether a path needs the value that it selects, or the number of elements, so that a document is held in memory.
  private(set) var needsNodes = false
  /// Whether a path has a filter, so that records are held as documents.
  private(set) var hasFilters = false

  /// The rules for texts. Their tables take longer to make than a short value to edit.
  private(set) var masker = TextMasker([], [])

  /// The number, after those of the rules, for JSON in strings that is masked as a whole.
  package let insideRule: Int

  /// The maximum number of rules that set values: each has a bit in a frame.
  static let maxSets = 64

  init(_ rules: [JSONEdit.Rule], editsInside: Bool = false) throws(JSONError) {
    insideRule = rules.count
    var sets = 0
    for (number, rule) in rules.enumerated() {
      labels.append(rule.label)
      isExpected.append(rule.isExpected)
      if case .mask(let mask) = rule.change { masks.append(mask) } else { masks.append(nil) }
      switch rule.target {
      case .path(let path): try add(path, rule.change, number, &sets)
      case .names(let list, let areEnds):
        for name in list where names[MemberName(Self.normalized(name))] == nil {
          names[MemberName(Self.normalized(name))] = number
        }
        if areEnds { nameEnds += list.map { (Array(Self.normalized($0).utf8), number) } }
      case .values(let list):
        let list = list.filter { !$0.isEmpty }
        if !list.isEmpty { texts.append(TextRule(number: number, matcher: .literals(LiteralTable(list)))) }
      case .patterns(let list):
        for pattern in list {
          texts.append(TextRule(number: number, matcher: .pattern(IRegexpSearch(try IRegexp(pattern)))))
        }
      case .cards: texts.append(TextRule(number: number, matcher: .cards))
      }
    }
    maskedValues = masks.map { $0?.value }
    if editsInside {
      labels.append("JSON in strings that exceeds a limit")
      isExpected.append(false)
      masks.append(nil)
    }
    masker = TextMasker(texts, masks)
  }

  private mutating func add(
    _ path: JSONPath, _ change: JSONEdit.Rule.Change, _ number: Int, _ sets: inout Int
  ) throws(JSONError) {
    let segments = try path.checked().segments
    for segment in segments {
      if segment.refersToRoot { throw JSONError(.invalidPath, at: 0, .unanswerablePath(.rootInFilter)) }
      for selector in segment.selectors {
        switch selector {
        case .filter: (hasFilters, needsNodes) = (true, true)
        case .index, .slice: if StreamPlan.Step(selector) == nil { needsNodes = true }
        case .name, .wildcard: break
        }
      }
    }
    var firstCreated = segments.count
    switch change {
    case .delete, .rename:
      guard !segments.isEmpty else {
        throw JSONError(code: .invalidPath, byteOffset: 0, reason: "expected a path below '$', the outermost value")
      }
    case .set:
      sets += 1
      guard sets <= Self.maxSets else { throw JSONError(.invalidPath, at: 0, limit: Self.maxSets, .path(.selectors)) }
      while firstCreated > 0, segments[firstCreated - 1].plainName != nil { firstCreated -= 1 }
    case .mask: break
    }
    paths.append(PathRule(segments: segments, change: change, number: number, firstCreated: firstCreated))
  }

  /// Returns the number of the rule for a name.
  func rule(ofName name: String) -> Int? {
    guard !names.isEmpty else { return nil }
    let name = Self.normalized(name)
    return names[MemberName(name)] ?? nameEnds.first { name.utf8.suffix($0.text.count).elementsEqual($0.text) }?.rule
  }

  /// Returns a name in lower case, without `-` and `_`.
  static func normalized(_ name: String) -> String { String(name.lowercased().filter { $0 != "-" && $0 != "_" }) }
}

extension PathSegment {
  /// The name that the segment selects among the members of one object, if it selects nothing else.
  var plainName: MemberName? {
    guard !isDescendant, selectors.count == 1, case .name(let name) = selectors[0] else { return nil }
    return name
  }
}

/// A rule for parts of texts.
struct TextRule: Sendable {
  enum Matcher: Sendable {
    case literals(LiteralTable)
    case pattern(IRegexpSearch)
    case cards
  }

  let number: Int
  let matcher: Matcher
}
