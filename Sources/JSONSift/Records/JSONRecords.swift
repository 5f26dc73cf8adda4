#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
/// # Going on later
///
/// The iterator has a ``Iterator/checkpoint``, from which another one goes on, in another process too:
///
/// ```swift
/// var records = JSONRecords("events.ndjson", resumingAt: saved).makeAsyncIterator()
/// while let record = try await records.next() {
///   use(record)
///   if record.line.isMultiple(of: 10_000) { try save(records.checkpoint) }
/// }
/// ```
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
    case chunks(@Sendable () -> NonblockingInput)
    case unopenable(JSONError)
  }

  let origin: Origin
  let name: String?
  /// How the stream is cut, and what is done about bad records.
  public internal(set) var options: JSONRecordOptions
  /// Where each iterator begins, if not at the start of the stream.
  let checkpoint: JSONCheckpoint?
  /// What the bytes of the stream say: a decompression. Each iterator asks it anew.
  package var content: (@Sendable (JSONSource) -> JSONSource)?
  /// How much is read at once; tests ask for less.
  var readBytes = ReadWindow.readBytes
  /// Only records for which it holds; what is wrong with it is thrown when reading begins.
  private(set) var condition: Result<JSONCondition, JSONError>?

  private init(_ origin: Origin, name: String? = nil, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint?) {
    self.origin = origin
    self.name = name
    self.options = options
    self.checkpoint = checkpoint
  }

  /// Where an iterator stands that has not been asked for anything.
  var start: JSONCheckpoint { checkpoint ?? JSONCheckpoint(byteOffset: 0) }

  /// The records of a file, a FIFO or a device, which each iterator opens.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How the stream is cut, and what is done about bad records.
  ///   - checkpoint: Where reading goes on: the `checkpoint` of an earlier iterator or reader of the same file. Framing is
  ///     that of the checkpoint, if it has one. A regular file is not read up to there; anything else is, and what is read
  ///     is dropped. An input that is shorter than that throws ``JSONError/Code/unreadable`` when reading begins.
  public init(
    _ path: String, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.path(Array(path.utf8)), name: path, options, checkpoint)
  }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public init(
    path: [UInt8], options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.path(path), name: String(decoding: path, as: UTF8.self), options, checkpoint)
  }

  /// The same, by its URL. One that leads to no file throws ``JSONError/Code/unreadable`` when reading begins.
  public init(
    _ url: URL, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    do throws(JSONError) {
      self.init(path: try url.filePath(for: .unreadable), options: options, resumingAt: checkpoint)
    } catch {
      self.init(.unopenable(error), options, checkpoint)
    }
  }

  /// The records of an open descriptor: a pipe, a socket, a terminal, a file. It is read from where it stands and not
  /// closed. It need not be non-blocking; nobody else may read it meanwhile.
  ///
  /// - Parameters:
  ///   - descriptor: What is read.
  ///   - options: How the stream is cut, and what is done about bad records.
  ///   - checkpoint: Where reading goes on, counted from where the descriptor stands; see
  ///     ``init(_:options:resumingAt:)-(String,_,_)``.
  public init(
    descriptor: Int32, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.descriptor(descriptor), options, checkpoint)
  }

  /// The records of standard input.
  public static var standardInput: JSONRecords { JSONRecords(descriptor: 0) }

  /// The records in bytes in memory.
  public init(
    bytes: [UInt8], options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.bytes(bytes), options, checkpoint)
  }

  /// The records in chunks of bytes: `[UInt8]`, `ArraySlice`, `Data`, NIO's `ByteBufferView`. The chunks may be cut
  /// anywhere. A chunk is asked for when the one before is used up.
  ///
  /// - Parameters:
  ///   - chunks: The stream from its start.
  ///   - options: How the stream is cut, and what is done about bad records.
  ///   - checkpoint: Where reading goes on. The bytes before it are taken and dropped.
  public init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Chunks.Element: Sequence<UInt8> {
    self.init(.chunks { ChunkInput(chunks.makeAsyncIterator()) }, options, checkpoint)
  }

  /// The records in single bytes. Each is an asynchronous call of its own: chunks cost less.
  public init<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Bytes.Element == UInt8 {
    self.init(.chunks { ByteInput(bytes.makeAsyncIterator()) }, options, checkpoint)
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

  /// Counts the records. None is handed out. Without a condition, a kernel proves that they are JSON, and only those in doubt are
  /// parsed: bad ones, as a rule.
  ///
  /// ```swift
  /// let lines = try await JSONRecords("events.ndjson").count()
  /// ```
  ///
  /// - Returns: How many records an iterator hands out.
  /// - Throws: What an iterator throws.
  public func count(isolation actor: isolated (any Actor)? = #isolation) async throws -> Int {
    try await AsyncRecordReader(self).count()
  }

  /// An iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncRecordReader(self)) }

  /// Reads the records. It belongs to one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: AsyncRecordReader

    init(_ stream: AsyncRecordReader) { self.stream = stream }

    /// The next one; `nil` at the end. See ``JSONRecords``.
    public mutating func next() async throws -> JSONRecord? { try await next(isolation: #isolation) }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecord? {
      try await stream.nextRecord()
    }

    /// Where reading goes on after the last record that was handed out, or the last bad one. To be stored, and given as
    /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }
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
    public typealias Element = JSONRecordElement<JSONRecord>
    /// Anything that the source, the reader or the caller's own work throws.
    public typealias Failure = any Error

    let records: JSONRecords

    /// An iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(AsyncRecordReader(records)) }

    /// Reads the elements. It belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: AsyncRecordReader

      init(_ stream: AsyncRecordReader) { self.stream = stream }

      /// The next one; `nil` at the end. See ``JSONRecords``.
      public mutating func next() async throws -> JSONRecordElement<JSONRecord>? {
        try await next(isolation: #isolation)
      }

      /// The same, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecordElement<JSONRecord>? {
        try await stream.nextElement()
      }

      /// Where reading goes on after the last record that was handed out, or the last bad one. To be stored, and given as
      /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }
    }
  }
}

@available(*, unavailable)
extension JSONRecords.Elements.Iterator: Sendable {}
