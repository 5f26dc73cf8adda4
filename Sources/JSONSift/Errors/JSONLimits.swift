/// The maximum sizes that a reader accepts.
///
/// The defaults accept all reasonable documents and reject hostile ones before they cost memory. A limit applies while the
/// token or record is still incomplete, so an endless string is rejected when it exceeds the limit, not when it ends.
///
/// ```swift
/// var limits = JSONLimits()
/// limits.depth = 64
/// let json = try JSON(parsing: bytes, options: JSONOptions(limits: limits))
/// ```
public struct JSONLimits: Sendable, Hashable {
  /// The maximum number of arrays and objects that are open at one time. The default is 1024.
  public var depth = 1024
  /// The maximum length of a string value in source bytes, without its quotes. The default is 64 MiB.
  public var stringBytes = 64 << 20
  /// The maximum length of an object key in source bytes, without its quotes. The default is 64 KiB.
  public var keyBytes = 64 << 10
  /// The maximum length of a number in source bytes. The default is 1000.
  public var numberBytes = 1000
  /// The maximum length of a record of a stream, or of a match that a stream returns, in source bytes. It also limits the
  /// total size of the values that a path over a stream holds at one time: matches held back to keep their order, and
  /// elements held until their array ends (``JSONPath/Streaming/Buffer``). The default is 64 MiB.
  public var recordBytes = 64 << 20
  /// The maximum size of the tape in bytes. The tape is the index that a parsed document keeps in addition to its source.
  /// The limit also applies to the data that a path over a stream stores for the values that it holds, without their text.
  /// The default is the address range of the tape, 32 GiB. A value below 4 KiB counts as 4 KiB.
  public var tapeBytes = Self.maxTapeBytes
  /// The maximum number of steps of one query: about one step for each visit of a value, and four more for each array or
  /// object that the query enters. The default is 100,000,000, a few seconds. A query with many descendant segments or
  /// nested filters, such as `$..*..*..*`, can need more steps than any machine can execute. In records, the limit applies
  /// to each path in each record. In one document that is streamed, it applies to each outermost value that the path must
  /// evaluate as a whole.
  public var querySteps = 100_000_000

  /// The maximum size of the data stored for held-back matches, in addition to their text, in bytes.
  var heldBytes: Int {
    let bytes = recordBytes.multipliedReportingOverflow(by: 4)
    return min(effectiveTapeBytes, max(bytes.overflow ? .max : bytes.partialValue, Self.minTapeBytes))
  }

  /// ``tapeBytes``, or the smallest limit if it is below that.
  var effectiveTapeBytes: Int { max(tapeBytes, Self.minTapeBytes) }

  private static let minTapeBytes = 4096

  /// The maximum size of a tape in bytes. Tape words, 8 bytes each, have indexes of 32 bits.
  static let maxTapeBytes = (1 << 32) * 8

  /// The maximum depth of values that Swift code or JSONSerialization visits by recursion, or may release by recursion, which
  /// overflows the stack: values of Codable, models, and arrays and dictionaries of `Any`. Indented text has as many levels.
  package static var maxRecursion: Int { 512 }

  /// Creates the default limits.
  public init() {}

  /// The limits of the interface that follows SwiftyJSON. Its text is in memory already, so only depth costs additional
  /// memory; that limit is the same as in JSONSerialization. No reasonable number has a thousand digits.
  package static var swiftyJSONCompatible: JSONLimits {
    var limits = JSONLimits.unlimited
    limits.depth = maxRecursion
    limits.numberBytes = JSONLimits().numberBytes
    return limits
  }

  /// Limits that accept everything, except for the maximum size of the tape and a depth of 1,000,000,000.
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

extension JSONLimits {
  /// Whether a collector may read values without counting the steps of a path. False if the limit is so low that a path
  /// of names alone could exceed it: then the error would be missing.
  package var countsNoSteps: Bool { querySteps >= 1 << 12 }
}
