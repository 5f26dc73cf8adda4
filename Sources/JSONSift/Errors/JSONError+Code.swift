extension JSONError {
  /// A kind of failure. A struct, not an enum, so that a minor release can add a kind.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    /// A code of your own.
    public init(name: String) { self.name = name }

    /// The name of the code, such as `unexpectedByte`.
    public var description: String { name }

    /// A byte that no JSON text can have at this place.
    public static let unexpectedByte = Code(name: "unexpectedByte")
    /// The input ended inside a value, or before one began.
    public static let unexpectedEnd = Code(name: "unexpectedEnd")
    /// Something follows the value where one value is all there may be.
    public static let trailingContent = Code(name: "trailingContent")
    /// Two values of a stream stand side by side where only white space could tell them apart: `truefalse`.
    public static let missingSeparator = Code(name: "missingSeparator")
    /// A number that breaks the grammar: `1.`, `01`, `-`, `1e+`.
    public static let invalidNumber = Code(name: "invalidNumber")
    /// A word that begins like `true`, `false` or `null` and goes on differently.
    public static let invalidLiteral = Code(name: "invalidLiteral")
    /// A raw byte below 0x20 in a string.
    public static let controlCharacter = Code(name: "controlCharacter")
    /// A backslash that begins no escape, or a `\u` without four hexadecimal digits.
    public static let invalidEscape = Code(name: "invalidEscape")
    /// A `\u` escape that is half of a surrogate pair.
    public static let loneSurrogate = Code(name: "loneSurrogate")
    /// Bytes that are not UTF-8 as RFC 3629 defines it.
    public static let invalidUTF8 = Code(name: "invalidUTF8")
    /// More arrays and objects inside one another than ``JSONLimits/depth`` allows.
    public static let depthLimit = Code(name: "depthLimit")
    /// A string longer than ``JSONLimits/stringBytes``.
    public static let stringLimit = Code(name: "stringLimit")
    /// A key longer than ``JSONLimits/keyBytes``.
    public static let keyLimit = Code(name: "keyLimit")
    /// A number longer than ``JSONLimits/numberBytes``.
    public static let numberLimit = Code(name: "numberLimit")
    /// A record or match longer than ``JSONLimits/recordBytes``.
    public static let recordLimit = Code(name: "recordLimit")
    /// A document whose index would be larger than ``JSONLimits/tapeBytes``.
    public static let tapeLimit = Code(name: "tapeLimit")
    /// A record that is JSON, but not of the type that it was to be decoded into. The offset is that of the value which is
    /// wrong. The message says its coding path, in which there can be names from the input, and what the type has said.
    public static let wrongShape = Code(name: "wrongShape")
    /// More bad records than ``JSONRecordOptions/maximumErrors`` allows. The offset is that of the last error.
    public static let tooManyErrors = Code(name: "tooManyErrors")
    /// The system could not open or read the input.
    public static let unreadable = Code(name: "unreadable")
    /// gzip or zstd data where text was expected. `JSONSiftCompression` reads them.
    public static let compressedInput = Code(name: "compressedInput")
    /// gzip or zstd data that are cut off or damaged.
    public static let damagedCompression = Code(name: "damagedCompression")
    /// gzip or zstd data that give more than is allowed.
    public static let decompressionLimit = Code(name: "decompressionLimit")
    /// zstd data that need a larger window, and so more memory, than is allowed.
    public static let decompressionWindow = Code(name: "decompressionWindow")
    /// The system could not make or write an output.
    public static let unwritable = Code(name: "unwritable")
    /// NaN or infinity, for which JSON has no number. The offset is that in the text that was being written.
    public static let nonFiniteNumber = Code(name: "nonFiniteNumber")
    /// A Swift value that JSON has no form for. The offset is that in the text that was being written.
    public static let unsupportedValue = Code(name: "unsupportedValue")
    /// The text of a path breaks its grammar, or asks for something that cannot be answered.
    public static let invalidPath = Code(name: "invalidPath")
    /// A query has done more work than ``JSONLimits/querySteps`` allows.
    public static let queryLimit = Code(name: "queryLimit")

    /// The input itself has failed, and not what it says: nothing can be read behind this, on another line neither. A loop
    /// that passes over bad records stops here.
    public var endsInput: Bool {
      self == .unreadable || self == .compressedInput || self == .damagedCompression || self == .decompressionLimit
        || self == .decompressionWindow
    }
  }

  /// What stood at the refused byte. It names classes, not content: an error may end in a log that the document must
  /// not.
  struct Found: Sendable, Hashable, CustomStringConvertible {
    let byte: UInt8

    /// The words for a byte of a path. A path is no document: its marks can be shown.
    var pathDescription: String {
      switch byte {
      case ASCII.quote: "'\"'"
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: "'\(Character(UnicodeScalar(byte)))'"
      default: description
      }
    }

    var description: String {
      switch byte {
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
