/// The records of a stream, for `for try await`.
///
/// ```swift
/// for try await record in JSONRecords("events.ndjson") {
///   if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
/// }
/// ```
///
/// The stream may be a file, a FIFO, a descriptor, bytes in memory, or chunks from a socket or another asynchronous
/// sequence. Records, lines, offsets and errors are those of ``JSONRecordReader``, whatever the chunks.
///
/// # Back-pressure
///
/// Nothing runs but what `next()` does: when nobody asks, nothing is read. At most one window, 256 KiB, is read ahead, and
/// of a sequence of chunks one chunk; a longer record is kept as a whole, up to ``JSONLimits/recordBytes``. A wait for a
/// descriptor blocks no thread of the pool.
///
/// # The end
///
/// A bad record is thrown, and the iterator ends there; ``JSONRecordOptions/recovery`` says otherwise. When its task is
/// cancelled, `next()` throws `CancellationError` and nothing more is read: a stream that just ended would look complete.
/// A loop that is left, by `break` or by an error, has closed what the iterator has opened when the iterator goes.
///
/// ``workers(_:order:)`` uses more than one core.
public struct JSONRecords: AsyncSequence, Sendable {
  /// What is handed out.
  public typealias Element = JSONRecord
  /// Anything that the source, the reader or the caller's own work throws.
  public typealias Failure = any Error

  /// What each iterator opens for itself.
  enum Origin: Sendable {
    case path([UInt8])
    case descriptor(Int32)
    case bytes([UInt8])
    case chunks(@Sendable () -> StarvingInput)
  }

  let origin: Origin
  let name: String?
  /// How the stream is cut, and what is done about bad records.
  public internal(set) var options: JSONRecordOptions
  /// What the bytes of the stream say: a decompression. Each iterator asks it anew.
  package var content: (@Sendable (JSONSource) -> JSONSource)?
  /// How much is read at once; tests ask for less.
  var readBytes = ReadWindow.readBytes
  /// Only records for which it holds; what is wrong with it is thrown when reading begins.
  private(set) var condition: Result<JSONCondition, JSONError>?

  private init(_ origin: Origin, name: String? = nil, _ options: JSONRecordOptions) {
    self.origin = origin
    self.name = name
    self.options = options
  }

  /// The records of a file, a FIFO or a device, which each iterator opens.
  public init(_ path: String, options: JSONRecordOptions = JSONRecordOptions()) {
    self.init(.path(Array(path.utf8)), name: path, options)
  }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public init(path: [UInt8], options: JSONRecordOptions = JSONRecordOptions()) {
    self.init(.path(path), name: String(decoding: path, as: UTF8.self), options)
  }

  /// The records of an open descriptor: a pipe, a socket, a terminal, a file. It is read from where it stands and not
  /// closed. It need not be non-blocking; nobody else may read it meanwhile.
  public init(descriptor: Int32, options: JSONRecordOptions = JSONRecordOptions()) {
    self.init(.descriptor(descriptor), options)
  }

  /// The records of standard input.
  public static var standardInput: JSONRecords { JSONRecords(descriptor: 0) }

  /// The records in bytes in memory.
  public init(bytes: [UInt8], options: JSONRecordOptions = JSONRecordOptions()) {
    self.init(.bytes(bytes), options)
  }

  /// The records in chunks of bytes: `[UInt8]`, `ArraySlice`, `Data`, NIO's `ByteBufferView`. The chunks may be cut
  /// anywhere. A chunk is asked for when the one before is used up.
  public init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, options: JSONRecordOptions = JSONRecordOptions()
  ) where Chunks.Element: Sequence<UInt8> {
    self.init(.chunks { ChunkInput(chunks.makeAsyncIterator()) }, options)
  }

  /// The records in single bytes. Each is an asynchronous call of its own: chunks cost less.
  public init<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, options: JSONRecordOptions = JSONRecordOptions()
  ) where Bytes.Element == UInt8 {
    self.init(.chunks { ByteInput(bytes.makeAsyncIterator()) }, options)
  }

  /// Only the records for which a condition holds. It is asked in addition to one that is there already.
  ///
  /// A condition that takes more than ``JSONLimits/querySteps`` steps is thrown as ``JSONError/Code/queryLimit``.
  public func `where`(_ condition: JSONCondition) -> JSONRecords {
    var records = self
    switch self.condition {
    case nil: records.condition = .success(condition)
    case .failure: break
    case .success(let first):
      records.condition = Result { () throws(JSONError) in try JSONCondition("(\(first)) && (\(condition))") }
    }
    return records
  }

  /// The same, for the text of a condition. One that is none is thrown when reading begins, as
  /// ``JSONError/Code/invalidPath``.
  ///
  /// ```swift
  /// for try await record in JSONRecords(path).where("@.level == 'error'") { … }
  /// ```
  @_disfavoredOverload
  public func `where`(_ condition: String) -> JSONRecords {
    do throws(JSONError) {
      return try self.where(JSONCondition(condition))
    } catch {
      var records = self
      if case .failure = self.condition { return records }
      records.condition = .failure(error)
      return records
    }
  }

  /// An iterator that begins at the start of the stream.
  public func makeAsyncIterator() -> Iterator { Iterator(RecordStream(self)) }

  /// Reads the records. It belongs to one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: RecordStream

    init(_ stream: RecordStream) { self.stream = stream }

    /// The next one; `nil` at the end. See ``JSONRecords``.
    public mutating func next() async throws -> JSONRecord? { try await next(isolation: #isolation) }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecord? {
      try await stream.nextRecord()
    }
  }
}

@available(*, unavailable)
extension JSONRecords.Iterator: Sendable {}

extension JSONRecords {
  /// The records and, in their place among them, the bad ones.
  ///
  /// ```swift
  /// for try await element in JSONRecords(path).elements {
  ///   switch element {
  ///   case .record(let record): use(record)
  ///   case .bad(let bad): print(bad.position.line, bad.error)
  ///   }
  /// }
  /// ```
  ///
  /// Reading goes on behind a bad record where it can, whatever ``JSONRecordOptions/recovery`` is.
  public var elements: Elements {
    var records = self
    records.options.recovery = .report
    return Elements(records: records)
  }

  /// See ``JSONRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// What is handed out.
    public typealias Element = JSONRecordElement
    /// Anything that the source, the reader or the caller's own work throws.
    public typealias Failure = any Error

    let records: JSONRecords

    /// An iterator that begins at the start of the stream.
    public func makeAsyncIterator() -> Iterator { Iterator(RecordStream(records)) }

    /// Reads the elements. It belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: RecordStream

      init(_ stream: RecordStream) { self.stream = stream }

      /// The next one; `nil` at the end. See ``JSONRecords``.
      public mutating func next() async throws -> JSONRecordElement? { try await next(isolation: #isolation) }

      /// The same, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecordElement? {
        try await stream.nextElement()
      }
    }
  }
}

@available(*, unavailable)
extension JSONRecords.Elements.Iterator: Sendable {}
