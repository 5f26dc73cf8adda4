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

  /// Creates options. Parameters that you omit have their defaults.
  public init(limits: JSONLimits = JSONLimits(), loneSurrogates: LoneSurrogates = .reject) {
    self.limits = limits
    self.loneSurrogates = loneSurrogates
  }

  /// The same as ``init(limits:loneSurrogates:)`` without arguments: every byte that is read is validated, in about the time in
  /// which it could be skipped. For older programs.
  @available(*, deprecated, message: "Everything that is read is validated. Use JSONOptions().")
  public static var fastForward: JSONOptions { JSONOptions() }
}
