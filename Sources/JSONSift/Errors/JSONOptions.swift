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

  /// The defaults, but for what is named.
  public init(limits: JSONLimits = JSONLimits(), loneSurrogates: LoneSurrogates = .reject) {
    self.limits = limits
    self.loneSurrogates = loneSurrogates
  }
}
