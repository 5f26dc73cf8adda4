/// Makes the elements of a stream of records.
protocol ElementStep<Element>: Sendable {
  associatedtype Element
  func stream(_ request: RecordRequest) -> any ElementStream<Element>
}

/// The elements of one iterator. Usable from inline, so that a program calls it with its own type of element.
@usableFromInline protocol ElementStream<Element>: AnyObject {
  associatedtype Element

  /// Returns the next element; `nil` at the end. The error of a bad record is thrown or skipped, according to the options.
  nonisolated(nonsending) func next() async throws -> Element?
  /// Returns the next element or the next bad record; `nil` at the end. If the options have another policy, the error of a
  /// bad record is thrown or skipped.
  nonisolated(nonsending) func nextResult() async throws -> Result<Element, JSONBadRecord>?
  /// Where reading continues after everything that was returned.
  var checkpoint: JSONCheckpoint { get }
  /// The number of bad records so far.
  var errorCount: Int { get }
}

/// A step that makes at most one element of each record.
protocol RecordStep<Element>: ElementStep {
  /// Begins a stream, or the work of a worker. The result can keep state from one record to the next. It throws
  /// ``RejectedRecord`` for a bad record; any other error ends the stream.
  func begin() -> (JSONRecord) throws -> Element?
  /// Whether the caller's closure is called, which can throw other errors.
  static var hasClosure: Bool { get }
}

extension RecordStep {
  static var hasClosure: Bool { false }

  func stream(_ request: RecordRequest) -> any ElementStream<Element> { RecordStream(request, self) }
}

struct WholeRecords: RecordStep {
  typealias Element = JSONRecord

  /// Without workers it is the reader itself: a call of a generic stream takes 0.4 µs longer.
  func stream(_ request: RecordRequest) -> any ElementStream<JSONRecord> {
    request.workers == nil
      ? AsyncRecordReader(request, iteration: request.tally.begin()) : RecordStream(request, self)
  }

  func begin() -> (JSONRecord) throws -> JSONRecord? { { $0 } }
}

struct DecodedRecords<Element: Decodable>: RecordStep {
  let decoder: JSONSiftDecoder

  func begin() -> (JSONRecord) throws -> Element? {
    let decoding = RecordDecoding(decoder)
    return { try decoding.decode($0, as: Element.self) }
  }
}

struct TransformedRecords<Element>: RecordStep {
  static var hasClosure: Bool { true }
  let transform: @Sendable (JSONRecord) throws -> Element?

  func begin() -> (JSONRecord) throws -> Element? { transform }
}

/// The elements of another step, with the bad records among them.
struct ResultStep<Base>: ElementStep {
  let base: any ElementStep<Base>

  func stream(_ request: RecordRequest) -> any ElementStream<Result<Base, JSONBadRecord>> {
    ResultStream(base: base.stream(request))
  }
}

private final class ResultStream<Base>: ElementStream {
  private let base: any ElementStream<Base>

  init(base: any ElementStream<Base>) { self.base = base }

  nonisolated(nonsending) func next() async throws -> Result<Base, JSONBadRecord>? { try await base.nextResult() }

  nonisolated(nonsending) func nextResult() async throws -> Result<Result<Base, JSONBadRecord>, JSONBadRecord>? {
    try await base.nextResult().map { .success($0) }
  }

  var checkpoint: JSONCheckpoint { base.checkpoint }
  var errorCount: Int { base.errorCount }
}
