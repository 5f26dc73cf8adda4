import Synchronization

/// A regular expression of RFC 9485 (I-Regexp).
///
/// ```swift
/// let pattern = try IRegexp("[0-9]{4}-[0-9]{2}")
/// pattern.matches(whole: "2026-11")  // true
/// pattern.matches(partOf: "on 2026-11-21")  // true
/// ```
///
/// The grammar is the grammar of the RFC without extensions: `\d`, `\w`, lookaround and the like are rejected. `^` and
/// `$` match themselves, and a class in brackets that begins with `^` is negated. `.` matches any character except a
/// line feed and a carriage return. A character is a Unicode scalar value; categories are the standard library's
/// general categories.
///
/// Matching takes linear time: at most the length of the text times the length of the pattern with its repetitions
/// written out, which is limited. A pattern is compiled once, and any number of threads may use it at once.
struct IRegexp: Sendable, Hashable {
  /// The text of the pattern.
  let pattern: String
  private let readsAnchors: Bool
  private let machine: Machine

  /// Compiles a pattern.
  ///
  /// If `readsAnchors` is true, `^` and `$` outside of brackets match the start and the end of the text. The grammar of
  /// RFC 9485 has no anchors, but the engines that it maps patterns to have them, and the tests of RFC 9535 use them.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `pattern`. A pattern
  ///   is rejected if it breaks the grammar, or has a range or a repetition whose end is below its start, more than 100
  ///   nested groups, more than 10,000 characters and ranges in classes, or more than 10,000 instructions.
  init(_ pattern: String, readsAnchors: Bool = false) throws(JSONError) {
    var parser = IRegexpParser(pattern, readsAnchors: readsAnchors)
    machine = Machine(try parser.program())
    self.pattern = pattern
    self.readsAnchors = readsAnchors
  }

  /// Returns whether an error reports that a pattern exceeds a limit, and not that it is malformed.
  static func isLimit(_ error: JSONError) -> Bool {
    if case .pattern = error.limitSubject { true } else { false }
  }

  /// Returns whether the whole text matches: `match` of RFC 9535.
  func matches(whole text: String) -> Bool { matches(text, whole: true) }

  /// Returns whether a part of the text matches, which may be empty: `search` of RFC 9535.
  func matches(partOf text: String) -> Bool { matches(text, whole: false) }

  /// Returns whether a text in UTF-8 matches as a whole, or in part. Ill-formed bytes decode to some character.
  func matches(_ text: Span<UInt8>, whole: Bool) -> Bool {
    if let answer = machine.tables(whole: whole, for: text.count)?.matches(text) { return answer }
    var simulation = IRegexpSimulation(machine.program)
    return simulation.matches(text, whole: whole)
  }

  private func matches(_ text: String, whole: Bool) -> Bool {
    // The span does not leave the closure that passes the bytes.
    let answer = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in unsafe matches(bytes.span, whole: whole) }
    return answer ?? matches(Array(text.utf8).span, whole: whole)
  }

  /// The compiled pattern, for tests.
  var program: IRegexpProgram { machine.program }

  /// Compares patterns byte by byte: strings of Swift are equal if they are canonically equivalent.
  static func == (left: IRegexp, right: IRegexp) -> Bool {
    left.readsAnchors == right.readsAnchors && left.pattern.utf8.elementsEqual(right.pattern.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(readsAnchors)
    for byte in pattern.utf8 { hasher.combine(byte) }
  }
}

extension IRegexp {
  /// A program, and its tables once they are worth their cost: making them costs as much as matching some hundred
  /// characters without them.
  private final class Machine: Sendable {
    let program: IRegexpProgram
    private let forWhole = AtomicLazyReference<IRegexpTables>()
    private let forPart = AtomicLazyReference<IRegexpTables>()
    /// The number of bytes that were matched without tables.
    private let matched = Atomic<Int>(0)

    private static let threshold = Sizes.of(512, fuzzing: 16)

    init(_ program: IRegexpProgram) { self.program = program }

    /// Returns the tables, or `nil` as long as too few bytes were matched to make them.
    func tables(whole: Bool, for count: Int) -> IRegexpTables? {
      if let made = whole ? forWhole.load() : forPart.load() { return made }
      // Each call counts 8 bytes more: an empty text has a cost too.
      let (_, total) = matched.wrappingAdd(min(count, Self.threshold) + 8, ordering: .relaxed)
      guard total >= Self.threshold else { return nil }
      let tables = IRegexpTables(program, whole: whole)
      return whole ? forWhole.storeIfNil(tables) : forPart.storeIfNil(tables)
    }
  }
}
