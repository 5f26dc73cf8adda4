extension JSONRecordOptions {
  /// The policy of a stream for bad records: records that are not JSON, or that exceed a limit.
  ///
  /// In some framings (``JSONFraming/values``, ``JSONFraming/children(of:)``, ``JSONFraming/document``) a bad record can hide
  /// where the next one begins. Reading cannot continue there, whatever the policy: ``JSONBadRecord/stopReason`` says why.
  public enum Recovery: Sendable, Hashable {
    /// The error is thrown, which ends a loop. The next call returns the record after it or, if reading cannot continue, throws
    /// the same error.
    case stop
    /// The bad record is counted, and the next good record is returned. If reading cannot continue, the error is thrown.
    case skip
    /// The bad record is returned as a ``JSONBadRecord``, in its order among the good ones. If reading cannot continue, it is
    /// the last element.
    case report
  }
}

/// How a stream is cut into records, and how bad ones are handled. The synchronous, asynchronous and parallel readers take
/// the same options.
///
/// ```swift
/// var options = JSONRecordOptions()
/// options.recovery = .report
/// options.maxErrors = 1000
/// ```
public struct JSONRecordOptions: Sendable, Hashable {
  /// How the stream is cut. The default is ``JSONFraming/lines``.
  public var framing = JSONFraming.lines
  /// How a bad record is handled, by every reader that has these options. Until it is set, a reader of records stops
  /// (``JSONRecordOptions/Recovery/stop``), and one of results reports (``JSONRecordOptions/Recovery/report``): `nextResult()` and `results`.
  public var recovery: Recovery {
    get { chosenRecovery ?? .stop }
    set { chosenRecovery = newValue }
  }
  private var chosenRecovery: Recovery?
  /// The maximum number of bad records. After the first one beyond it is reported, the stream ends with
  /// ``JSONError/Code/tooManyErrors``. The default is `nil`: no maximum.
  public var maxErrors: Int?
  /// Whether a line may have text before its value, as container runtimes and syslog write it. ``JSONRecord/prefix`` returns
  /// that text. Applies to ``JSONFraming/lines``; ``JSONFraming/automatic`` then means lines too. The default is false.
  ///
  /// The prefix extends to the first `{` or `[` from which the rest of the line is one array or object. Escape sequences of a
  /// terminal are skipped, also after the value. Three rules keep a record from being lost in a prefix. A line that begins
  /// with `{` and a key has no prefix. Brackets in the prefix are skipped as groups, up to the closing bracket; only a bracket
  /// that cannot begin a record (`{tag`, `[10:30`) may have no closing one. An object in the prefix, or an array before another
  /// array, is a record: then the line is bad, because it has two values. A number, string or literal cannot have a prefix. The cost is proportional to
  /// the length of the line.
  public var skipsPrefix = false
  /// The number of bytes of a bad record that ``JSONBadRecord/rawBytes`` keeps. The default is 64 KiB.
  public var rawByteLimit = 64 << 10
  /// Whether lines that cannot satisfy a condition are skipped without parsing. The default is ``JSONRecordOptions/Prefilter/automatic``:
  /// only where records and errors cannot differ.
  public var prefilter = Prefilter.automatic
  /// The part of the input that is read, for one of several readers that share a file. The default is `nil`: all of it. A
  /// reader that resumes at a checkpoint begins there, and ends with the range. Readers of pushed bytes ignore the range.
  public var range: JSONInputRange?
  /// The steps from the records of the input to the records that are returned, in their order. The default is none: the
  /// records of the input are returned.
  ///
  /// The framing and the range are those of the input. Lines, errors and bad records are those of the input too. The byte ranges
  /// of values count from the start of the text that the last step makes.
  public var steps: [JSONRecordStep] = []
  /// Limits, and the handling of lone surrogates.
  public var reading = JSONOptions()

  /// Whether the framing was guessed.
  package var isGuessed = false

  /// Creates the default options.
  public init() {}

  /// How a reader of results handles a bad record.
  var recoveryOfResults: Recovery { chosenRecovery ?? .report }

  /// The position at which a reader begins if it does not resume at a checkpoint.
  var start: JSONCheckpoint { range?.start ?? JSONCheckpoint(byteOffset: 0) }

  /// Whether the framing is guessed from the first bytes. Text before the values would mislead the guess.
  var guessesFraming: Bool { framing == .automatic && !skipsPrefix }

  /// Returns the framing of the checkpoint, if it has one, else of the options; `nil` if it must be guessed.
  func knownFraming(resumingAt checkpoint: JSONCheckpoint?) throws(JSONError) -> JSONFraming? {
    if let known = try checkpoint?.knownFraming() { return known }
    return guessesFraming ? nil : knownFraming
  }

  /// The framing of the options, where it is not guessed.
  package var knownFraming: JSONFraming { framing == .automatic && skipsPrefix ? .lines : framing }

  /// Creates options with the given values, and the defaults for all others.
  public init(framing: JSONFraming, recovery: Recovery? = nil, reading: JSONOptions = JSONOptions()) {
    self.framing = framing
    chosenRecovery = recovery
    self.reading = reading
  }
}
