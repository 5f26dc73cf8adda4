import Synchronization

/// A regular expression of RFC 9485 (I-Regexp).
///
/// ```swift
/// let pattern = try IRegexp("[0-9]{4}-[0-9]{2}")
/// pattern.matches(whole: "2026-11")  // true
/// pattern.matches(partOf: "on 2026-11-21")  // true
/// ```
///
/// The grammar is that of the RFC and nothing else: `\d`, `\w`, lookaround and the like are refused. `^` and `$` stand
/// for themselves, and a class in brackets that begins with `^` is negated. `.` is any character but a line feed and a
/// carriage return. A character is a Unicode scalar value; categories are those of the standard library's Unicode.
///
/// No pattern is slow: the time for a text grows at most with its length times that of the pattern with its repetitions
/// written out, which is limited. A pattern is compiled once and can be used by many threads at the same time.
struct IRegexp: Sendable, Hashable {
  /// The text of the pattern.
  let pattern: String
  private let readsAnchors: Bool
  private let machine: Machine

  /// Compiles a pattern.
  ///
  /// `readsAnchors` makes `^` and `$` outside of brackets the start and the end of the text. The grammar of the RFC
  /// does not, but the engines that it maps patterns to do, and so do the tests of RFC 9535.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `pattern`. Patterns
  ///   are refused that break the grammar, have a range or a repetition whose end is below its start, more than 100
  ///   groups inside one another, more than 10,000 characters and ranges in classes, or more than 10,000 instructions.
  init(_ pattern: String, readsAnchors: Bool = false) throws(JSONError) {
    var parser = IRegexpParser(pattern, readsAnchors: readsAnchors)
    machine = Machine(try parser.program())
    self.pattern = pattern
    self.readsAnchors = readsAnchors
  }

  /// Whether an error says that a pattern is too large, and not that it is none.
  static func isLimit(_ error: JSONError) -> Bool {
    if case .pattern = error.limitSubject { true } else { false }
  }

  /// Compiles a pattern; `nil` where the other initializer throws.
  init?(ifValid pattern: String, readsAnchors: Bool = false) {
    guard let compiled = try? IRegexp(pattern, readsAnchors: readsAnchors) else { return nil }
    self = compiled
  }

  /// Whether the text as a whole matches: `match` of RFC 9535.
  func matches(whole text: String) -> Bool { matches(text, whole: true) }

  /// Whether some part of the text matches, be it an empty one: `search` of RFC 9535.
  func matches(partOf text: String) -> Bool { matches(text, whole: false) }

  /// The same for a text that is there in UTF-8. Ill-formed bytes are some character.
  func matches(_ text: Span<UInt8>, whole: Bool) -> Bool {
    if let answer = machine.tables(whole: whole, for: text.count)?.matches(text) { return answer }
    var simulation = IRegexpSimulation(machine.program)
    return simulation.matches(text, whole: whole)
  }

  private func matches(_ text: String, whole: Bool) -> Bool {
    // The span is used inside the closure that lends the bytes, and nowhere else.
    let answer = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in unsafe matches(bytes.span, whole: whole) }
    return answer ?? matches(Array(text.utf8).span, whole: whole)
  }

  /// What the compiled pattern is, for tests.
  var program: IRegexpProgram { machine.program }

  /// Patterns are equal if their bytes are: Swift's strings take two spellings of one character for the same.
  static func == (left: IRegexp, right: IRegexp) -> Bool {
    left.readsAnchors == right.readsAnchors && left.pattern.utf8.elementsEqual(right.pattern.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(readsAnchors)
    for byte in pattern.utf8 { hasher.combine(byte) }
  }
}

extension IRegexp {
  /// A program, and its tables when it has earned them: to make them costs as much as to match some hundred characters
  /// without.
  private final class Machine: Sendable {
    let program: IRegexpProgram
    private let forWhole = AtomicLazyReference<IRegexpTables>()
    private let forPart = AtomicLazyReference<IRegexpTables>()
    /// Bytes that were matched without tables.
    private let matched = Atomic<Int>(0)

    private static let threshold = 512

    init(_ program: IRegexpProgram) { self.program = program }

    /// The tables, if they are worth their making for a text of `count` bytes.
    func tables(whole: Bool, for count: Int) -> IRegexpTables? {
      if let made = whole ? forWhole.load() : forPart.load() { return made }
      // Even an empty text costs something.
      let (_, total) = matched.wrappingAdd(min(count, Self.threshold) + 8, ordering: .relaxed)
      guard total >= Self.threshold else { return nil }
      let tables = IRegexpTables(program, whole: whole)
      return whole ? forWhole.storeIfNil(tables) : forPart.storeIfNil(tables)
    }
  }
}
