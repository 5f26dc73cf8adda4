extension JSONError {
  /// A kind of failure. A struct, not an enum, so that a minor release can add a kind.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    /// Creates a code of your own.
    public init(name: String) { self.name = name }

    /// The name of the code, such as `unexpectedByte`.
    public var description: String { name }

    /// A byte that the JSON grammar does not allow at this offset.
    public static let unexpectedByte = Code(name: "unexpectedByte")
    /// The input ended inside a value, or before its first byte.
    public static let unexpectedEnd = Code(name: "unexpectedEnd")
    /// Further content follows the value of an input that must be a single value.
    public static let trailingContent = Code(name: "trailingContent")
    /// Two adjacent values of a stream that only white space could separate: `truefalse`.
    public static let missingSeparator = Code(name: "missingSeparator")
    /// A number that violates the grammar: `1.`, `01`, `-`, `1e+`.
    public static let invalidNumber = Code(name: "invalidNumber")
    /// A token that begins like `true`, `false` or `null` and continues differently.
    public static let invalidLiteral = Code(name: "invalidLiteral")
    /// An unescaped byte below 0x20 in a string.
    public static let controlCharacter = Code(name: "controlCharacter")
    /// A backslash that starts no valid escape, or a `\u` without four hexadecimal digits.
    public static let invalidEscape = Code(name: "invalidEscape")
    /// A `\u` escape that is half of a surrogate pair.
    public static let loneSurrogate = Code(name: "loneSurrogate")
    /// Bytes that are not UTF-8 as RFC 3629 defines it.
    public static let invalidUTF8 = Code(name: "invalidUTF8")
    /// Arrays and objects that are nested deeper than ``JSONLimits/depth`` allows.
    public static let depthLimit = Code(name: "depthLimit")
    /// A string longer than ``JSONLimits/stringBytes``.
    public static let stringLimit = Code(name: "stringLimit")
    /// A key longer than ``JSONLimits/keyBytes``.
    public static let keyLimit = Code(name: "keyLimit")
    /// A number longer than ``JSONLimits/numberBytes``.
    public static let numberLimit = Code(name: "numberLimit")
    /// A record or match longer than ``JSONLimits/recordBytes``.
    public static let recordLimit = Code(name: "recordLimit")
    /// A document whose tape (the index of its values) would be larger than ``JSONLimits/tapeBytes``.
    public static let tapeLimit = Code(name: "tapeLimit")
    /// A record that is valid JSON, but that the requested type cannot decode. The offset is the start of the mismatched
    /// value. The message contains its coding path, which can include keys from the input, and the reason that the type
    /// gave.
    public static let typeMismatch = Code(name: "typeMismatch")
    /// More bad records than ``JSONRecordOptions/maxErrors`` allows. The offset is the offset of the last error.
    public static let tooManyErrors = Code(name: "tooManyErrors")
    /// The system could not open or read the input.
    public static let unreadable = Code(name: "unreadable")
    /// Text in UTF-16 or UTF-32 in a file, a pipe or chunks that arrive over time, where UTF-8 was expected.
    public static let foreignEncoding = Code(name: "foreignEncoding")
    /// Compressed data where text was expected. The module `JSONSiftCompression` reads gzip and zstd; other formats are only
    /// recognised.
    public static let compressedInput = Code(name: "compressedInput")
    /// gzip or zstd data that are truncated or damaged.
    public static let damagedCompression = Code(name: "damagedCompression")
    /// gzip or zstd data that decompress to more bytes than allowed.
    public static let decompressionLimit = Code(name: "decompressionLimit")
    /// zstd data that need a larger window, and so more memory, than allowed.
    public static let decompressionWindow = Code(name: "decompressionWindow")
    /// The system could not create or write an output.
    public static let unwritable = Code(name: "unwritable")
    /// NaN or infinity, which JSON cannot represent. The offset counts in the output text.
    public static let nonFiniteNumber = Code(name: "nonFiniteNumber")
    /// A Swift value that JSON cannot represent. The offset counts in the output text.
    public static let unsupportedValue = Code(name: "unsupportedValue")
    /// The text of a path violates the path grammar, or the path requests something that the library cannot evaluate.
    public static let invalidPath = Code(name: "invalidPath")
    /// A text that is not a time, or a window of time that ends before it begins (``JSONTimeWindow``).
    public static let invalidTime = Code(name: "invalidTime")
    /// A record of a merge whose time is earlier than that of records before it, by more than the slack.
    public static let outOfOrder = Code(name: "outOfOrder")
    /// A value that is not a JSON Patch (``JSONPatch``).
    public static let invalidPatch = Code(name: "invalidPatch")
    /// An operation of a JSON Patch whose target does not exist, or whose test fails. The value is unchanged.
    public static let patchFailed = Code(name: "patchFailed")
    /// A path of ``JSON/set(_:to:)`` or ``JSON/remove(_:)`` that leads to no value that can be set or
    /// removed. The value is unchanged. The offset is that of the container in its text.
    public static let changeFailed = Code(name: "changeFailed")
    /// A query needed more steps than ``JSONLimits/querySteps`` allows.
    public static let queryLimit = Code(name: "queryLimit")

    /// Whether the input itself failed, rather than its content. Nothing after such an error can be read, not even another
    /// line, so a loop that skips bad records must stop.
    public var endsInput: Bool {
      self == .unreadable || self == .compressedInput || self == .damagedCompression || self == .decompressionLimit
        || self == .decompressionWindow || self == .foreignEncoding
    }
  }

  /// The rejected byte, described by its class and not by its content: an error may end up in a log that must not contain
  /// the document.
  struct Found: Sendable, Hashable, CustomStringConvertible {
    let byte: UInt8
    /// Whether the byte begins a byte order mark.
    var isMark = false

    init(byte: UInt8) { self.byte = byte }

    /// The description of a byte of a path. It may show punctuation, because a path is not document content.
    var pathDescription: String {
      switch byte {
      case ASCII.quote: "'\"'"
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: "'\(Character(UnicodeScalar(byte)))'"
      default: description
      }
    }

    var description: String {
      switch byte {
      case _ where isMark: "a byte order mark"
      case ASCII.quote: "a string"
      case ASCII.openBrace, ASCII.closeBrace, ASCII.openBracket, ASCII.closeBracket, ASCII.comma, ASCII.colon,
        ASCII.apostrophe, ASCII.slash, ASCII.backslash, ASCII.plus, ASCII.minus, ASCII.dot:
        "'\(Character(UnicodeScalar(byte)))'"
      case ASCII.zero...ASCII.nine: "a digit"
      case ASCII.lineFeed: "a line feed"
      case ASCII.space: "a space"
      case 0..<0x20: "the control character 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
      case 0x80...: "a character that is not ASCII"
      default: byte.isLetter ? "a letter" : "a character with no meaning here"
      }
    }
  }
}
