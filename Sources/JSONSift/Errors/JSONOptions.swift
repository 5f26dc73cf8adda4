/// Options for reading text. The grammar is not an option: it is RFC 8259, with UTF-8 as in RFC 3629.
public struct JSONOptions: Sendable, Hashable {
  /// The treatment of a `\u` escape that is half of a surrogate pair and therefore denotes no character.
  public enum LoneSurrogates: Sendable, Hashable {
    /// The text is rejected with ``JSONError/Code/loneSurrogate``. The default.
    case reject
    /// The escape reads as U+FFFD, the replacement character.
    case replace
  }

  /// The maximum sizes that the reader accepts.
  public var limits: JSONLimits
  /// The treatment of half a surrogate pair.
  public var loneSurrogates: LoneSurrogates
  /// Whether values that the caller does not request are skipped without validation. `false` by default.
  ///
  /// For valid text all results are the same. In skipped text, the reader verifies only that strings end and that the
  /// numbers of opening and closing brackets match (an invalid backslash between tokens hides the byte after it). It
  /// verifies neither the limits, nor the grammar, nor UTF-8. When members of an object are selected by name, everything
  /// between them is skipped, including other keys and the commas. Every value that is returned has been validated.
  ///
  /// ``JSONMatches`` uses the option for one document and for records: it parses only the parts of a record that the paths
  /// and the condition need. If the record itself is returned, also after ``JSONRecords/where(_:)-(String)``, it is parsed
  /// as a whole if the condition holds. All bytes of records are verified to be UTF-8. A record with an unterminated
  /// string, unbalanced brackets or a damaged requested value is a bad record, with the same error, line and offset as
  /// without the option. Other damage is not detected, such as a surplus comma between members that the caller does not
  /// request. Records of ``JSONFraming/children(of:)`` are validated, since the parser finds their ends. Other readers may
  /// skip less, or nothing.
  public var fastForward: Bool

  /// Creates options. Parameters that you omit have their defaults.
  public init(
    limits: JSONLimits = JSONLimits(), loneSurrogates: LoneSurrogates = .reject, fastForward: Bool = false
  ) {
    self.limits = limits
    self.loneSurrogates = loneSurrogates
    self.fastForward = fastForward
  }

  /// The default options with ``fastForward-swift.property`` enabled.
  public static var fastForward: JSONOptions { JSONOptions(fastForward: true) }
}
