/// The records of a stream as values of one of your own types, for `for try await`.
///
/// ```swift
/// for try await hit in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self) {
///   print(hit.time, hit.message)
/// }
/// ```
///
/// What becomes of a bad record is ``JSONRecordOptions/recovery``, whether it is no JSON or not of the type. Under
/// ``JSONRecovery/stop`` its error is thrown, a ``JSONError`` or a `DecodingError` with coding path, line and byte, and the
/// iterator ends there. Under the other policies it is passed over; ``elements`` hands it out.
public struct JSONDecodedRecords<Value: Decodable>: AsyncSequence, Sendable {
  /// What is handed out.
  public typealias Element = Value
  /// Anything that the source, the reader or the caller's own work throws.
  public typealias Failure = any Error

  fileprivate let records: JSONRecords
  fileprivate let decoder: JSONSiftDecoder

  /// An iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(DecodedStream(records, decoder)) }

  /// Reads the records. It belongs to one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: DecodedStream<Value>

    fileprivate init(_ stream: DecodedStream<Value>) { self.stream = stream }

    /// The next one; `nil` at the end. See ``JSONDecodedRecords``.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      try await stream.nextValue()
    }

    /// Where reading goes on after the last value that was handed out, or the last bad one. To be stored, and given as
    /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }
  }

  /// The values and, in their place among them, the bad records. Reading goes on behind a bad record where it can, whatever
  /// ``JSONRecordOptions/recovery`` is; behind a value of another type it always can.
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

  /// See ``JSONDecodedRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// What is handed out.
    public typealias Element = JSONRecordElement<Value>
    /// Anything that the source, the reader or the caller's own work throws.
    public typealias Failure = any Error

    fileprivate let records: JSONRecords
    fileprivate let decoder: JSONSiftDecoder

    /// An iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(DecodedStream(records, decoder)) }

    /// Reads the elements. It belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: DecodedStream<Value>

      fileprivate init(_ stream: DecodedStream<Value>) { self.stream = stream }

      /// The next one; `nil` at the end. See ``JSONDecodedRecords``.
      public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

      /// The same, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
        try await stream.nextElement()
      }

      /// Where reading goes on after the last value that was handed out, or the last bad one. To be stored, and given as
      /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }
    }
  }
}

@available(*, unavailable)
extension JSONDecodedRecords.Iterator: Sendable {}

@available(*, unavailable)
extension JSONDecodedRecords.Elements.Iterator: Sendable {}

/// The iterator of both.
private final class DecodedStream<Value: Decodable> {
  private let stream: AsyncRecordReader
  private let decoding: RecordDecoding<Value>

  init(_ records: JSONRecords, _ decoder: JSONSiftDecoder) {
    stream = AsyncRecordReader(records)
    decoding = RecordDecoding(decoder)
  }

  var checkpoint: JSONCheckpoint { stream.checkpoint }

  nonisolated(nonsending) func nextValue() async throws -> Value? {
    while let record = try await stream.nextRecord() {
      do throws(RefusedRecord) {
        return try decoding.decode(record)
      } catch {
        _ = try stream.refuse(error, reports: false)
      }
    }
    return nil
  }

  nonisolated(nonsending) func nextElement() async throws -> JSONRecordElement<Value>? {
    while let element = try await stream.nextElement() {
      switch element {
      case .bad(let bad): return .bad(bad)
      case .record(let record):
        do throws(RefusedRecord) {
          return .record(try decoding.decode(record))
        } catch {
          if let bad = try stream.refuse(error, reports: true) { return .bad(bad) }
        }
      }
    }
    return nil
  }
}

// MARK: From records

extension JSONRecords {
  /// The records as values of one of your own types.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: Options. Limits of the text are those of ``JSONRecordOptions/reading``.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONDecodedRecords<T> {
    JSONDecodedRecords(records: self, decoder: decoder.copy())
  }
}

extension JSONRecords.Elements {
  /// The records as values of one of your own types and, in their place among them, those that are no JSON or not of the
  /// type.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONDecodedRecords<T>.Elements {
    JSONDecodedRecords.Elements(records: records, decoder: decoder.copy())
  }
}

extension JSONDecodedRecords where Value: Sendable {
  /// The same values, read and decoded by several tasks side by side; see ``JSONRecords/workers(_:order:)``. Values, bad
  /// records and their order are the same for any number of workers.
  public func workers(_ count: Int? = nil, order: JSONRecordOrder = .input) -> JSONParallelRecords<Value> {
    records.workers(count, order: order).decode(Value.self, with: decoder)
  }
}

extension JSONParallelRecords where Output == JSONRecord {
  /// The records as values of one of your own types. The workers decode them, each with a decoder of its own.
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
  /// The same with the bad records in their place among the values.
  public func decode<T: Decodable & Sendable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONParallelRecords<T>.Elements {
    found.decode(type, with: decoder).elements
  }
}
