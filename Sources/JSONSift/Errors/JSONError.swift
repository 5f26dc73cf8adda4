/// Why the text is not JSON, and where.
///
/// Reading stops at the first byte that cannot be right, so there is one error per document or record. The answer is
/// the same for every way of cutting the input into chunks.
///
/// ```swift
/// do {
///   try reader.feed(chunk)
/// } catch {
///   print(error.code, error.byteOffset)  // unexpectedByte 1041
/// }
/// ```
///
/// Switch on ``code``. ``description`` is for people; its wording may change in any release, and it never contains text
/// from your document, but for the coding path of ``Code/wrongShape``.
public struct JSONError: Error, Sendable, Hashable {
  /// What went wrong.
  public let code: Code
  /// The offset of the byte that was refused, counted from 0 over the whole input: all chunks, all records, and a byte
  /// order mark.
  public let byteOffset: Int
  /// What stood there, as a kind of byte. It is `nil` where no single byte is to blame.
  let found: Found?
  /// What would have been right, in words.
  let expected: String?
  /// The limit that was passed, or the system's error number.
  let number: Int?
  /// What the code does not say. `nil`: the error is about what its code names, such as the size of a record.
  let detail: Detail?

  /// The different matters that errors with one code can be about: nothing needs the words of an error to tell them apart.
  enum Detail: Sendable, Hashable {
    /// The path as a whole, and not a place in it.
    case wholePath
    /// The size of a pattern, which may be right by the grammar.
    case patternSize
    /// The number of states of queries that are followed together.
    case pathStates
    /// The size of the matches that wait for others.
    case waitingMatches
    /// Whatever its maker says.
    case ownReason
  }

  /// An error of your own, for a handler to throw.
  ///
  /// - Parameters:
  ///   - code: One of the codes, or one that you have made.
  ///   - byteOffset: Where in the input.
  ///   - reason: What ``message`` says, if the code is your own.
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

  /// A query has taken more than ``JSONLimits/querySteps``; another limit may let it go on.
  package var isOfQuerySteps: Bool { code == .queryLimit && detail == nil }

  /// A record, match or text is longer than ``JSONLimits/recordBytes``, and no other rule is broken.
  package var isOfSize: Bool { code == .recordLimit && detail == nil }

  /// The same error, seen from an input in which this text begins at `offset`.
  func shifted(by offset: Int) -> JSONError {
    JSONError(code, at: byteOffset &+ offset, found: found, expected: expected, number: number, detail: detail)
  }
}

extension JSONError {
  /// Line and column of the error in the input that was read.
  ///
  /// - Parameter input: All bytes from the start of the input.
  /// - Returns: Line and column, both from 1; the column counts bytes, as compilers do.
  /// - Complexity: O(``byteOffset``).
  public func position(in input: some Sequence<UInt8>) -> SourcePosition {
    SourcePosition(of: byteOffset, in: input)
  }
}
