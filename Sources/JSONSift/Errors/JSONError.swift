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

  /// An error of your own, for a handler to throw.
  ///
  /// - Parameters:
  ///   - code: One of the codes, or one that you have made.
  ///   - byteOffset: Where in the input.
  ///   - reason: What ``message`` says, if the code is your own.
  public init(code: Code, byteOffset: Int, reason: String) {
    self.init(code, at: byteOffset, expected: reason)
  }

  init(_ code: Code, at byteOffset: Int, found: Found? = nil, expected: String? = nil, number: Int? = nil) {
    self.code = code
    self.byteOffset = byteOffset
    self.found = found
    self.expected = expected
    self.number = number
  }

  /// A query has taken more than ``JSONLimits/querySteps``; another limit may let it go on.
  package var isOfQuerySteps: Bool { code == .queryLimit && number != nil }

  /// A record, match or text is longer than ``JSONLimits/recordBytes``, and no other rule is broken.
  package var isOfSize: Bool { code == .recordLimit && expected == nil }

  /// The same error, seen from an input in which this text begins at `offset`.
  func shifted(by offset: Int) -> JSONError {
    JSONError(code, at: byteOffset &+ offset, found: found, expected: expected, number: number)
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
