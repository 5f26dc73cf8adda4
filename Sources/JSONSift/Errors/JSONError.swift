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
/// from your document, except for the coding path of ``Code/typeMismatch``.
public struct JSONError: Error, Sendable, Hashable {
  /// The kind of failure.
  public let code: Code
  /// The offset of the rejected byte, counted from 0 over the whole input: all chunks, all records, and a byte order mark.
  public let byteOffset: Int
  /// ``payload``, with the file and the position if they are known.
  private let stored: Payload?

  /// The data in addition to the code and the offset; ``message`` converts them into text.
  var payload: Payload? { if case .found(let payload, _, _) = stored { payload } else { stored } }

  /// The name of the file that could not be opened, read or written, as it was given. For
  /// ``JSON/init(contentsOf:loading:options:)-(String,_,_)`` also of a file that is not JSON. `nil` if it is not known, or the
  /// error is in a record: a reader knows its own input.
  public var file: String? { if case .found(_, let file, _) = stored { file } else { nil } }

  /// The line and column of the error, if an asynchronous stream threw it: after ``JSONRecords`` has thrown, there is no
  /// reader to ask. For the other readers see ``JSONRecordReader/position(of:)``.
  public var position: Position? { if case .found(_, _, let position) = stored { position } else { nil } }

  /// Creates an error of your own, for an event handler to throw.
  ///
  /// - Parameters:
  ///   - code: A predefined code or one of your own.
  ///   - byteOffset: The offset in the input, in bytes.
  ///   - reason: The text of ``message``.
  public init(code: Code, byteOffset: Int, reason: String) { self.init(code, at: byteOffset, .reason(reason)) }

  init(_ code: Code, at byteOffset: Int, _ payload: Payload? = nil) {
    self.code = code
    self.byteOffset = byteOffset
    stored = payload
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
  package init(_ code: Code, at byteOffset: Int, system number: Int32) {
    self.init(code, at: byteOffset, .system(number))
  }

  /// Whether a query has taken more steps than ``JSONLimits/querySteps``; with a larger limit it may finish.
  package var exceedsQuerySteps: Bool { code == .queryLimit && limitSubject == .ofCode }

  /// Whether a record, match or text is longer than ``JSONLimits/recordBytes``, and violates no other rule.
  package var exceedsRecordBytes: Bool { code == .recordLimit && limitSubject == .ofCode }

  /// Returns the same error for an input in which this text begins at `offset`.
  func shifted(by offset: Int) -> JSONError {
    if let gap { return JSONError(gap: (gap.lowerBound &+ offset)..<(gap.upperBound &+ offset)) }
    return JSONError(code, at: byteOffset &+ offset, payload)
  }

  /// Returns the same error with the name of a file, unless it has one.
  package func naming(_ file: String?) -> JSONError {
    guard let file, self.file == nil else { return self }
    return JSONError(code, at: byteOffset, .found(payload, file: file, at: position))
  }

  /// Returns the same error with its line and column.
  func located(at position: Position) -> JSONError {
    JSONError(code, at: byteOffset, .found(payload, file: file, at: position))
  }

  /// Whether the error is one of the input or output itself, and not of its content.
  package var isOfFile: Bool { code.endsInput || code == .unwritable }

  /// Returns whether code, offset, cause and file are equal. The position follows from the offset.
  public static func == (left: JSONError, right: JSONError) -> Bool {
    left.code == right.code && left.byteOffset == right.byteOffset && left.payload == right.payload
      && left.file == right.file
  }

  /// Feeds code, offset, cause and file to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(byteOffset)
    hasher.combine(payload)
    hasher.combine(file)
  }
}

extension JSONError {
  /// Returns the line and column of the error.
  ///
  /// - Parameter input: All bytes from the start of the input.
  /// - Returns: The position; line and column count from 1, and the column counts bytes, as compilers do.
  /// - Complexity: O(``byteOffset``).
  public func position(in input: some Sequence<UInt8>) -> Position { Position(of: byteOffset, in: input) }
}
