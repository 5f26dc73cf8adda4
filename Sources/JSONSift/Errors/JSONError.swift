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
  /// What the code and the offset do not say; ``message`` puts it into words.
  let payload: Payload?

  /// An error of your own, for a handler to throw.
  ///
  /// - Parameters:
  ///   - code: One of the codes, or one that you have made.
  ///   - byteOffset: Where in the input.
  ///   - reason: What ``message`` says, if the code is your own.
  public init(code: Code, byteOffset: Int, reason: String) {
    self.init(code, at: byteOffset, .reason(reason))
  }

  init(_ code: Code, at byteOffset: Int, _ payload: Payload? = nil) {
    self.code = code
    self.byteOffset = byteOffset
    self.payload = payload
  }

  /// A byte that the grammar rejects.
  init(_ code: Code, at byteOffset: Int, found: Found?, expected: Expectation? = nil) {
    self.init(code, at: byteOffset, .syntax(found: found, expected: expected))
  }

  /// The text ends where `expected` was to follow.
  init(_ code: Code, at byteOffset: Int, expected: Expectation) {
    self.init(code, at: byteOffset, .syntax(found: nil, expected: expected))
  }

  /// A limit that the input exceeds. The code names it, unless `subject` does.
  init(_ code: Code, at byteOffset: Int, limit: Int, _ subject: LimitSubject = .ofCode) {
    self.init(code, at: byteOffset, .limit(limit, subject))
  }

  /// A call of the system that failed with an error number.
  init(_ code: Code, at byteOffset: Int, system number: Int32) {
    self.init(code, at: byteOffset, .system(number))
  }

  /// A query has taken more than ``JSONLimits/querySteps``; a larger limit may let it finish.
  package var isOfQuerySteps: Bool { code == .queryLimit && limitSubject == .ofCode }

  /// A record, match or text is longer than ``JSONLimits/recordBytes``, and no other rule is broken.
  package var isOfSize: Bool { code == .recordLimit && limitSubject == .ofCode }

  /// The same error, seen from an input in which this text begins at `offset`.
  func shifted(by offset: Int) -> JSONError { JSONError(code, at: byteOffset &+ offset, payload) }
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
