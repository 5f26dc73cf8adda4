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
  /// The data in addition to the code and the offset; ``message`` converts them into text.
  let payload: Payload?

  /// Creates an error of your own, for an event handler to throw.
  ///
  /// - Parameters:
  ///   - code: A predefined code or one of your own.
  ///   - byteOffset: The offset in the input, in bytes.
  ///   - reason: The text of ``message``.
  public init(code: Code, byteOffset: Int, reason: String) {
    self.init(code, at: byteOffset, .reason(reason))
  }

  init(_ code: Code, at byteOffset: Int, _ payload: Payload? = nil) {
    self.code = code
    self.byteOffset = byteOffset
    self.payload = payload
  }

  /// Creates the error for a byte that the grammar rejects.
  init(_ code: Code, at byteOffset: Int, found: Found?, expected: Expectation? = nil) {
    self.init(code, at: byteOffset, .syntax(found: found, expected: expected))
  }

  /// Creates the error for a text that ends before `expected`.
  init(_ code: Code, at byteOffset: Int, expected: Expectation) {
    self.init(code, at: byteOffset, .syntax(found: nil, expected: expected))
  }

  /// Creates the error for a limit that the input exceeds. The code implies the limit, unless `subject` specifies it.
  init(_ code: Code, at byteOffset: Int, limit: Int, _ subject: LimitSubject = .ofCode) {
    self.init(code, at: byteOffset, .limit(limit, subject))
  }

  /// Creates the error for a system call that failed with an error number.
  init(_ code: Code, at byteOffset: Int, system number: Int32) {
    self.init(code, at: byteOffset, .system(number))
  }

  /// Whether a query has taken more steps than ``JSONLimits/querySteps``; with a larger limit it may finish.
  package var exceedsQuerySteps: Bool { code == .queryLimit && limitSubject == .ofCode }

  /// Whether a record, match or text is longer than ``JSONLimits/recordBytes``, and violates no other rule.
  package var exceedsRecordBytes: Bool { code == .recordLimit && limitSubject == .ofCode }

  /// Returns the same error for an input in which this text begins at `offset`.
  func shifted(by offset: Int) -> JSONError { JSONError(code, at: byteOffset &+ offset, payload) }
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
