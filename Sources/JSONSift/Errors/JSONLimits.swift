/// How much of everything a reader accepts. Each limit has an error code of its own.
///
/// The defaults let all sensible documents pass and stop hostile ones before they cost memory. A limit acts while the
/// token or record is still open, so an endless string is refused when it passes the limit, not when it ends.
///
/// ```swift
/// var limits = JSONLimits()
/// limits.depth = 64
/// let json = try JSON(parsing: bytes, options: JSONOptions(limits: limits))
/// ```
public struct JSONLimits: Sendable, Hashable {
  /// Open arrays and objects at one time. The default is 1024.
  public var depth = 1024
  /// Source bytes of one string value, between its quotes. The default is 64 MiB.
  public var stringBytes = 64 << 20
  /// Source bytes of one object key, between its quotes. The default is 64 KiB.
  public var keyBytes = 64 << 10
  /// Source bytes of one number. The default is 1000.
  public var numberBytes = 1000
  /// Source bytes of one record of a stream, or of one match that a stream hands out. Also of all values together that a
  /// path over a stream must hold at one time: matches that wait for their order, elements for the end of their array
  /// (``JSONPathStreaming/Buffer``). The default is 64 MiB.
  public var recordBytes = 64 << 20
  /// Bytes of the tape, the index that a parsed document keeps beside its source; and of what a path over a stream keeps
  /// beside the text of values that it holds. It has no default limit but its own addresses: 32 GiB. Less than 4 KiB
  /// counts as 4 KiB.
  public var tapeBytes = Self.largestTape
  /// Steps of one query: about one for each value that it looks at, as often as it does, and four more for each array or
  /// object that it enters. The default is 100,000,000, a few seconds. Queries with many descendants or nested filters, such
  /// as `$..*..*..*`, can take more than any machine has. In records each path has so many for each record; in one document
  /// that is streamed, for each value that it must look at as a whole and that stands in no other such value.
  public var querySteps = 100_000_000

  /// What may be kept of matches that wait for others, beside their text.
  var heldBytes: Int {
    let bytes = recordBytes.multipliedReportingOverflow(by: 4)
    return max(min(tapeBytes, bytes.overflow ? .max : bytes.partialValue), 4096)
  }

  /// The tape addresses its words with 32 bits.
  static let largestTape = (1 << 32) * 8

  /// The defaults.
  public init() {}

  /// Those of the documented interface. Its text is in memory already, so only depth costs more than that: the limit is
  /// JSONSerialization's. No sensible number has a thousand digits.
  package static var swiftyJSONCompatible: JSONLimits {
    var limits = JSONLimits.unlimited
    limits.depth = 512
    limits.numberBytes = JSONLimits().numberBytes
    return limits
  }

  /// No limit but the tape's own. Depth is held at 1,000,000,000.
  public static var unlimited: JSONLimits {
    var limits = JSONLimits()
    limits.depth = 1_000_000_000
    limits.stringBytes = .max
    limits.keyBytes = .max
    limits.numberBytes = .max
    limits.recordBytes = .max
    limits.querySteps = .max
    return limits
  }
}
