/// What a stream does with a bad record: one that is not JSON, or that breaks a limit.
///
/// A framing in which a bad record can hide where the next one begins (``JSONFraming/values``,
/// ``JSONFraming/children(of:)``, ``JSONFraming/document``) has nowhere to go on, whatever the policy:
/// ``JSONBadRecord/stopReason`` says why.
public enum JSONRecovery: Sendable, Hashable {
  /// Its error is thrown. Whoever asks again gets the record behind it or, where reading cannot go on, the same error.
  case stop
  /// It is counted, and the next good record is handed out. Where reading cannot go on, its error is thrown.
  case skip
  /// It is handed out as a ``JSONBadRecord``, in its place among the good ones. Where reading cannot go on, it is the last
  /// element.
  case report
}

/// How a stream is cut into records, and what is done about bad ones. The synchronous, asynchronous and parallel readers
/// take the same.
///
/// ```swift
/// var options = JSONRecordOptions()
/// options.recovery = .report
/// options.maximumErrors = 1000
/// ```
public struct JSONRecordOptions: Sendable, Hashable {
  /// How the stream is cut. The default is ``JSONFraming/lines``.
  public var framing = JSONFraming.lines
  /// What becomes of a bad record. The default is ``JSONRecovery/stop``.
  public var recovery = JSONRecovery.stop
  /// How many bad records are borne. When the one after that has been told, the stream ends with
  /// ``JSONError/Code/tooManyErrors``. The default is `nil`: any number.
  public var maximumErrors: Int?
  /// With ``JSONFraming/lines``, which ``JSONFraming/automatic`` means then too: a line may have text before its value, as
  /// container runtimes and syslog write it. ``JSONRecord/prefix`` has it. The default is false.
  ///
  /// The text goes up to the first `{` or `[` from which the rest of the line is one array or object. So that no record is
  /// lost in it: a line that begins with `{` has none; brackets in it are passed over as groups, up to the one that closes
  /// them; and an object in it, or an array before another array, is a record, and the line bad for its two values. A
  /// number, string or word has no text before it. The cost is in proportion to the line.
  public var skipsPrefix = false
  /// How many bytes of a bad record are kept in ``JSONBadRecord/rawBytes``. The default is 64 KiB.
  public var rawByteLimit = 64 << 10
  /// Whether lines for which a condition cannot hold are passed over without a parser. The default is
  /// ``JSONPrefilter/automatic``: where records and errors cannot differ.
  public var prefilter = JSONPrefilter.automatic
  /// Limits, and what is done about lone surrogates.
  public var reading = JSONOptions()

  /// The defaults.
  public init() {}

  /// Whether the first bytes must tell how the stream is cut. Text before its values would mislead a guess.
  var guessesFraming: Bool { framing == .automatic && !skipsPrefix }

  /// The framing, where it needs no guess: that of the checkpoint, if it has one, or that of the options.
  func knownFraming(resumingAt checkpoint: JSONCheckpoint?) throws(JSONError) -> JSONFraming? {
    if let known = try checkpoint?.knownFraming() { return known }
    return guessesFraming ? nil : knownFraming
  }

  /// The framing, where it needs no guess.
  var knownFraming: JSONFraming { framing == .automatic && skipsPrefix ? .lines : framing }

  /// The defaults, but for what is named.
  public init(framing: JSONFraming, recovery: JSONRecovery = .stop, reading: JSONOptions = JSONOptions()) {
    self.framing = framing
    self.recovery = recovery
    self.reading = reading
  }
}
