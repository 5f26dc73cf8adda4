/// How text is read. What is JSON is not an option: RFC 8259 and RFC 3629 say that.
public struct JSONOptions: Sendable, Hashable {
  /// What to do with a `\u` escape that is half of a surrogate pair. It names no character.
  public enum LoneSurrogates: Sendable, Hashable {
    /// The text is refused with ``JSONError/Code/loneSurrogate``. The default.
    case reject
    /// The escape reads as U+FFFD, the replacement character.
    case replace
  }

  /// How much is accepted.
  public var limits: JSONLimits
  /// What becomes of half a surrogate pair.
  public var loneSurrogates: LoneSurrogates
  /// What nobody asks for is passed over at the speed of reading, and not validated. Off by default.
  ///
  /// Of valid text all answers are the same. Of what is passed over it is seen that strings end and that brackets match in
  /// number (a backslash between tokens, where none may stand, hides the byte behind it); that limits hold and that it is JSON
  /// in UTF-8 is not. Where members of an object are looked for by name, all between them is passed over, other keys and the
  /// commas too. Every value that is handed out has been validated.
  ///
  /// ``JSONMatches`` does it in one document and in records: of each record, what the paths and the condition ask for is
  /// parsed. Where the record itself is wanted, also behind ``JSONRecords/where(_:)-(String)``, it is parsed as a whole if
  /// the condition holds. All bytes of records are checked to be UTF-8. One in which strings do not end, brackets do not
  /// match or a wanted value is damaged is a bad record, with the same error, line and offset as ever; other damage in it is
  /// not seen, such as a comma too many between members that nobody asks for. Records of ``JSONFraming/children(of:)`` are
  /// validated, since the parser finds where they end. Others may do less of it, or nothing.
  public var fastForward: Bool

  /// The defaults, but for what is named.
  public init(
    limits: JSONLimits = JSONLimits(), loneSurrogates: LoneSurrogates = .reject, fastForward: Bool = false
  ) {
    self.limits = limits
    self.loneSurrogates = loneSurrogates
    self.fastForward = fastForward
  }

  /// The defaults, and ``fastForward-swift.property``.
  public static var fastForward: JSONOptions { JSONOptions(fastForward: true) }
}
