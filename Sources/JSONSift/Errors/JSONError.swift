/// An error in the input, the output, a path or a query, with its byte offset.
///
/// Reading stops at the first invalid byte, so there is one error per document or record. The error does not depend on how
/// the input is divided into chunks.
///
/// ```swift
/// do {
///   try reader.feed(chunk)
/// } catch {
///   print(error.code, error.byteOffset)  // unexpectedByte 1041
/// }
/// ```
///
/// Switch on ``code``. ``description`` is for human readers; its wording may change in any release. It never contains text
/// from your document, except for the coding path of ``Code/wrongShape``.
public struct JSONError: Error, Sendable, Hashable {
  /// The kind of failure.
  public let code: Code
  /// The offset of the rejected byte, counted from 0 over the whole input: all chunks, all records, and a byte order mark.
  public let byteOffset: Int
  /// The class of the rejected byte; `nil` if the error is not about a single byte.
  let found: Found?
  /// A description of valid input at this offset.
  let expected: String?
  /// The limit that was exceeded, or the system's error number.
  let number: Int?
  /// The case within ``code``; `nil` for the one that the code names, such as the size of a record.
  let detail: Detail?

  /// Distinguishes errors that share a code, so that no code has to compare messages.
  enum Detail: Sendable, Hashable {
    /// The error is about the path as a whole, not about an offset in it.
    case wholePath
    /// The size of a pattern, which may be valid by the grammar.
    case patternSize
    /// The number of states of the queries that are evaluated together.
    case pathStates
    /// The size of the matches that are held back until earlier ones are complete.
    case waitingMatches
    /// A reason given by the caller of the public initializer.
    case ownReason
  }

  /// Creates an error of your own, for an event handler to throw.
  ///
  /// - Parameters:
  ///   - code: A predefined code or one of your own.
  ///   - byteOffset: The offset in the input, in bytes.
  ///   - reason: The text of ``message``, if the code is your own.
  public init(code: Code, byteOffset: Int, reason: String) {
    self.init(code, at: byteOffset, expected: reason, detail: .ownReason)
  }

  init(
    _ code: Code, at byteOffset: Int, found: Found? = nil, expected: String? = nil, number: Int? = nil,
    detail: Detail? = nil
  ) {
    self.code = code
    self.byteOffset = byteOffset
    self.found = found
    self.expected = expected
    self.number = number
    self.detail = detail
  }

  /// Whether a query exceeded ``JSONLimits/querySteps``; it may succeed with a higher limit.
  package var isOfQuerySteps: Bool { code == .queryLimit && detail == nil }

  /// Whether a record, match or text is longer than ``JSONLimits/recordBytes``, with no other violation.
  package var isOfSize: Bool { code == .recordLimit && detail == nil }

  /// Returns the same error with its offset counted in an input that contains this text from `offset` on.
  func shifted(by offset: Int) -> JSONError {
    JSONError(code, at: byteOffset &+ offset, found: found, expected: expected, number: number, detail: detail)
  }
}

extension JSONError {
  /// Returns the line and column of the error.
  ///
  /// - Parameter input: All bytes from the start of the input.
  /// - Returns: The position; line and column count from 1, and the column counts bytes, as compilers do.
  /// - Complexity: O(``byteOffset``).
  public func position(in input: some Sequence<UInt8>) -> SourcePosition {
    SourcePosition(of: byteOffset, in: input)
  }
}
