/// The records of a stream as values of one of your own types, for `for try await`.
///
/// ```swift
/// for try await hit in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self) {
///   print(hit.time, hit.message)
/// }
/// ```
///
/// ``JSONRecordOptions/recovery`` controls how a bad record is handled, whether it is not JSON or not of the type. Under
/// ``JSONRecovery/stop`` its error is thrown, a ``JSONError`` or a `DecodingError` with coding path, line and byte, and the
/// iterator ends. Under the other policies it is skipped; ``elements`` returns it.
public struct JSONDecodedRecords<Value: Decodable>: AsyncSequence, Sendable {
  /// The type of a record.
  public typealias Element = Value
  /// Any error of the source, the reader, or the caller's own code.
  public typealias Failure = any Error

  fileprivate let records: JSONRecords
  fileprivate let decoder: JSONSiftDecoder

  /// The number of bad records that have been found since the last iterator was made; see ``JSONRecords/errorCount``.
  public var errorCount: Int { records.errorCount }

  /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(DecodedStream(records, decoder)) }

  /// Reads the records. Belongs to one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: DecodedStream<Value>

    fileprivate init(_ stream: DecodedStream<Value>) { self.stream = stream }

    /// Returns the next value; `nil` at the end. See ``JSONDecodedRecords``.
    public nonisolated(nonsending) func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Returns the next value, on the caller's actor; `nil` at the end.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      try await stream.nextValue()
    }

    /// Where reading continues after the last value or bad record that was returned. Store it, and pass it as `resumingAt:`
    /// to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }

    /// The number of bad records so far, including those of another type.
    public var errorCount: Int { stream.errorCount }
  }

  /// The values and, in order among them, the bad records. Reading continues after a bad record if possible, unless
  /// ``JSONRecordOptions/recovery`` has been set to another policy. It is always possible after a value of another type.
  ///
  /// ```swift
  /// for try await element in JSONRecords(path).decode(LogLine.self).elements {
  ///   switch element {
  ///   case .record(let line): use(line)
  ///   case .bad(let bad): print(bad.position.line, bad.error)
  ///   }
  /// }
  /// ```
  public var elements: Elements { records.elements.decode(Value.self, with: decoder) }

  /// The values and bad records of a stream; see ``JSONDecodedRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// A value or a bad record.
    public typealias Element = JSONRecordElement<Value>
    /// Any error of the source, the reader, or the caller's own code.
    public typealias Failure = any Error

    fileprivate let records: JSONRecords
    fileprivate let decoder: JSONSiftDecoder

    /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(DecodedStream(records, decoder)) }

    /// Reads the elements. Belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: DecodedStream<Value>

      fileprivate init(_ stream: DecodedStream<Value>) { self.stream = stream }

      /// Returns the next element; `nil` at the end. See ``JSONDecodedRecords``.
      public nonisolated(nonsending) func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }

      /// Returns the next element, on the caller's actor; `nil` at the end.
      public func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
        try await stream.nextElement()
      }

      /// Where reading continues after the last value or bad record that was returned. Store it, and pass it as
      /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }

      /// The number of bad records so far, including those of another type.
      public var errorCount: Int { stream.errorCount }
    }
  }
}

@available(*, unavailable)
extension JSONDecodedRecords.Iterator: Sendable {}

@available(*, unavailable)
extension JSONDecodedRecords.Elements.Iterator: Sendable {}

/// The implementation of both iterators.
private final class DecodedStream<Value: Decodable> {
  private let stream: AsyncRecordReader
  private let decoding: RecordDecoding<Value>

  init(_ records: JSONRecords, _ decoder: JSONSiftDecoder) {
    stream = AsyncRecordReader(records)
    decoding = RecordDecoding(decoder)
  }

  var checkpoint: JSONCheckpoint { stream.checkpoint }

  var errorCount: Int { stream.errorCount }

  nonisolated(nonsending) func nextValue() async throws -> Value? {
    while let record = try await stream.nextRecord() {
      do throws(RejectedRecord) {
        return try decoding.decode(record)
      } catch {
        _ = try stream.reject(error, reports: false)
      }
    }
    return nil
  }

  nonisolated(nonsending) func nextElement() async throws -> JSONRecordElement<Value>? {
    while let element = try await stream.nextElement() {
      switch element {
      case .bad(let bad): return .bad(bad)
      case .record(let record):
        do throws(RejectedRecord) {
          return .record(try decoding.decode(record))
        } catch {
          if let bad = try stream.reject(error, reports: true) { return .bad(bad) }
        }
      }
    }
    return nil
  }
}

// MARK: From records

extension JSONRecords {
  /// Returns the records as values of one of your own types.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: The options for decoding. The limits of the text are those of ``JSONRecordOptions/reading``.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONDecodedRecords<T> {
    JSONDecodedRecords(records: self, decoder: decoder.copy())
  }
}

extension JSONRecords.Elements {
  /// Returns the records as values of one of your own types and, in order among them, the records that are not JSON or not
  /// of the type.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONDecodedRecords<T>.Elements {
    JSONDecodedRecords.Elements(records: records, decoder: decoder.copy())
  }
}

extension JSONDecodedRecords where Value: Sendable {
  /// Returns the same values, read and decoded by several tasks in parallel; see ``JSONRecords/workers(_:order:)``. Values,
  /// bad records and their order are the same for any number of workers.
  public func workers(_ count: Int? = nil, order: JSONRecordOrder = .input) -> JSONParallelRecords<Value> {
    records.workers(count, order: order).decode(Value.self, with: decoder)
  }
}

extension JSONParallelRecords where Output == JSONRecord {
  /// Returns the records as values of one of your own types. The workers decode them, each with its own decoder.
  ///
  /// ```swift
  /// for try await line in JSONRecords("events.ndjson").workers().decode(LogLine.self) { … }
  /// ```
  public func decode<T: Decodable & Sendable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONParallelRecords<T> {
    let decoder = decoder.copy()
    return withStep {
      let decoding = RecordDecoding<T>(decoder)
      return { try decoding.decode($0) }
    }
  }
}

extension JSONParallelRecords.Elements where Output == JSONRecord {
  /// Returns the decoded values with the bad records in order among them.
  public func decode<T: Decodable & Sendable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONParallelRecords<T>.Elements {
    found.decode(type, with: decoder).elements
  }
}
