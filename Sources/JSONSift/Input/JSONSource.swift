#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the bytes of a reader come from. Each reader opens it for itself.
///
/// ```swift
/// let source = JSONSource.path("events.ndjson")
/// ```
///
/// A path and bytes in memory can be read any number of times. A sequence of chunks can be read once, and the second reader
/// throws ``JSONError/Code/unreadable``. Whether an asynchronous sequence can be read again depends on the sequence.
public struct JSONSource: Sendable {
  indirect enum Kind: Sendable {
    case path([UInt8])
    case descriptor(Int32)
    case bytes([UInt8])
    /// Returns the function that returns the chunks, once.
    case chunks(@Sendable () throws(JSONError) -> NextChunk)
    case reader(of: JSONSource, @Sendable (JSONSource) throws(JSONError) -> any ByteReader)
    case descriptorAt(Int32, Int)
    /// Bytes that arrive over time, for which only a task can wait.
    case arriving(@Sendable () -> NonblockingInput)
    /// Bytes for which the reader's owner waits.
    case nonblocking(@Sendable () -> NonblockingInput)
    case unopenable(JSONError)
  }

  /// Returns the next chunk; `nil` at the end.
  typealias NextChunk = () throws -> [UInt8]?

  let kind: Kind
  /// The file's name, which helps to guess the framing.
  package private(set) var name: String?
  /// The name of the file in errors.
  package private(set) var file: String?
  private(set) var callbacks = Callbacks()
  private(set) var following: Following?
  /// The file that a path must refer to.
  private(set) var expectation: FileExpectation?
  /// Counts the input that a reader owns.
  private(set) var tally: InputTally?
  /// Whether it is known that the bytes are not compressed: then reading that begins elsewhere does not look at the start.
  package private(set) var isPlain = false
  /// Whether the source is a followed file, or was made from one by another module.
  package private(set) var mayGrow = false
  /// The inputs that are merged.
  var merge: MergePlan?

  /// The closures of the tool, which the thread that opens the source calls.
  ///
  /// Unchecked Sendable: the tool opens such a source on the thread that made it.
  struct Callbacks: @unchecked Sendable {
    var beforeRead: (() -> Void)?
    var afterRead: ((Int) -> Void)?
    var skippedLine: ((Int, Int) -> Void)?
    var indivisiblePart: ((CompressedFormat) -> Void)?
  }

  /// How a reader waits for a file to grow.
  struct Following: Sendable {
    let path: [UInt8]
    let interval: Duration
    let isDone: @Sendable () -> Bool
  }

  private init(kind: Kind, name: String? = nil, file: String? = nil) {
    self.kind = kind
    self.name = name
    self.file = file ?? name
  }

  /// Returns the same source with other bytes: those of an open input, or of a reader.
  func replacing(_ kind: Kind) -> JSONSource {
    var source = JSONSource(kind: kind, name: name, file: file)
    (source.callbacks, source.following, source.tally, source.mayGrow) = (callbacks, following, tally, mayGrow)
    source.merge = merge
    return source
  }

  /// Returns the source with a change.
  private func with(_ change: (inout JSONSource) -> Void) -> JSONSource {
    var source = self
    change(&source)
    return source
  }

  /// Returns the same source with a closure that is called before each read, which may block. A program can flush its output
  /// there.
  package func beforeEachRead(_ body: @escaping () -> Void) -> JSONSource { with { $0.callbacks.beforeRead = body } }

  /// Returns the same source with a closure that is called after each read with the number of bytes read.
  package func afterEachRead(_ body: @escaping (_ count: Int) -> Void) -> JSONSource {
    with { $0.callbacks.afterRead = body }
  }

  /// Returns the same source with a closure for a checkpoint in the middle of a line. It receives the checkpoint's offset,
  /// and the offset of the line at which reading begins.
  package func whenLineIsSkipped(_ body: @escaping (_ offset: Int, _ next: Int) -> Void) -> JSONSource {
    with { $0.callbacks.skippedLine = body }
  }

  /// Returns the same source with a closure for a range of a compressed input that cannot be divided. It receives the format.
  package func whenPartIsIndivisible(_ body: @escaping (_ format: CompressedFormat) -> Void) -> JSONSource {
    with { $0.callbacks.indivisiblePart = body }
  }

  /// Returns the same ``path(_:)``, which is only read if it is the expected file.
  package func expecting(_ expectation: FileExpectation) -> JSONSource { with { $0.expectation = expectation } }

  /// Returns the same source, which the caller knows not to be compressed.
  package var knownToBePlain: JSONSource { with { $0.isPlain = true } }

  /// Returns the same source, whose reader counts what it owns. Each tally belongs to one reader.
  package func counted(by tally: InputTally?) -> JSONSource { with { $0.tally = tally } }

  /// Returns the same file in following mode: at its end the reader waits for more bytes, like `tail -F`. A source that is
  /// not a ``path(_:)`` is returned unchanged.
  ///
  /// The source ends when `isDone` returns true, when another file with the same name replaces the file, or when the file
  /// has become shorter. By then everything in the old file has been read, and a new reader of the same path begins with the
  /// new file. A file that is rewritten in place, and at the next check has at least as many bytes as were read, cannot be
  /// distinguished from one that has grown: only the bytes after the ones already read are read.
  ///
  /// If the framing is guessed, a first line that is a whole value means lines at once, whatever the file's name.
  ///
  /// - Parameters:
  ///   - interval: The time between two checks of the file.
  ///   - isDone: Called at the end of the file, before each wait. A signal ends a wait.
  public func following(
    every interval: Duration = .milliseconds(250), until isDone: @escaping @Sendable () -> Bool = { false }
  ) -> JSONSource {
    guard case .path(let path) = kind else { return self }
    var source = self
    // About 35 years; the clock of tasks does not take the longest durations.
    source.following = Following(path: path, interval: min(interval, .seconds(1 << 30)), isDone: isDone)
    source.mayGrow = true
    return source
  }

  /// A file, a FIFO or a device, opened when reading begins. A thread reads up to a megabyte ahead in a long file; it ends
  /// with its reader.
  public static func path(_ path: String) -> JSONSource { JSONSource(kind: .path(Array(path.utf8)), name: path) }

  /// A file, by the bytes of its name: a file name need not be UTF-8.
  public static func path(bytes path: [UInt8]) -> JSONSource {
    JSONSource(kind: .path(path), name: String(decoding: path, as: UTF8.self))
  }

  /// A file, by its URL. A URL that is not a file URL is reported as ``JSONError/Code/unreadable`` when reading begins.
  public static func url(_ url: URL) -> JSONSource {
    do throws(JSONError) {
      return .path(bytes: try url.filePath(for: .unreadable))
    } catch {
      return .unopenable(error)
    }
  }

  /// A source that throws an error when it is opened.
  static func unopenable(_ error: JSONError) -> JSONSource { JSONSource(kind: .unopenable(error)) }

  /// An open descriptor. It is read from its current position, which is offset 0 of the input, and is not closed. Its
  /// position afterwards is unspecified, because up to a megabyte of a long file is read ahead.
  public static func descriptor(_ descriptor: Int32) -> JSONSource { JSONSource(kind: .descriptor(descriptor)) }

  /// Standard input, from its current position.
  public static var standardInput: JSONSource { .descriptor(0) }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> JSONSource { JSONSource(kind: .bytes(bytes)) }

  /// Chunks of any size, each requested when the previous one is used up: `[UInt8]`, `ArraySlice`, `Data`, a view of a
  /// buffer. Empty chunks are ignored. The chunks can be read once: a second reader throws
  /// ``JSONError/Code/unreadable``.
  public static func chunks<Chunks: Sequence>(_ chunks: sending Chunks) -> JSONSource
  where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    var iterator = chunks.makeIterator()
    // The bytes of an array are not copied here; other contiguous bytes are copied at once.
    nonisolated(unsafe) let next: NextChunk = { iterator.next().map { Array($0) } }
    // SAFETY: the caller has given the sequence away, and only the first opening gets it.
    return unsafe once(next)
  }

  /// Chunks from a function that can fail: it is called when the previous chunk is used up, and returns `nil` at the end. A
  /// test double of an input is such a function. The chunks can be read once.
  ///
  /// - Parameter next: Returns the next chunk. Any error that it throws ends reading: a ``JSONError`` that is about reading is
  ///   thrown as it is, another error as ``JSONError/Code/unreadable`` with its description.
  public static func chunks(next: sending @escaping () throws -> [UInt8]?) -> JSONSource { once(next) }

  private static func once(_ next: sending @escaping NextChunk) -> JSONSource {
    nonisolated(unsafe) let next = next
    let isRead = Lock(false)
    return JSONSource(
      kind: .chunks { () throws(JSONError) in
        let wasRead = isRead.withLock { isRead in
          defer { isRead = true }
          return isRead
        }
        guard !wasRead else { throw JSONError(.unreadable, at: 0, .reason("the chunks can be read once only")) }
        return unsafe next
      })
  }

  /// Chunks that arrive over time: `[UInt8]`, `ArraySlice`, `Data`, NIO's `ByteBufferView`. The bytes may be cut into chunks
  /// anywhere. A chunk is requested when the previous one is used up. Only ``JSONRecords`` can wait for them; any other
  /// reader throws ``JSONError/Code/unreadable``.
  public static func chunks<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) -> JSONSource
  where Chunks.Element: Sequence<UInt8> {
    JSONSource(kind: .arriving { ChunkInput(chunks.makeAsyncIterator()) })
  }

  /// Single bytes that arrive over time, for ``JSONRecords``. Each byte is one asynchronous call: chunks are cheaper.
  public static func bytes<Bytes: AsyncSequence & Sendable>(_ bytes: Bytes) -> JSONSource where Bytes.Element == UInt8 {
    JSONSource(kind: .arriving { ChunkInput(GatheredBytes(bytes.makeAsyncIterator())) })
  }

  /// An open file, read from an offset in it. The descriptor's own position does not change.
  package static func file(_ descriptor: Int32, at offset: Int) -> JSONSource {
    JSONSource(kind: .descriptorAt(descriptor, offset))
  }

  /// A file that grows, whose owner waits until there is more of it.
  static func growing(_ path: [UInt8], _ input: @escaping @Sendable () -> NonblockingInput) -> JSONSource {
    JSONSource(kind: .nonblocking(input), name: String(decoding: path, as: UTF8.self)).with { $0.mayGrow = true }
  }

  /// Bytes from a reader of another module, which reads those of a source. `open` is called when reading begins.
  package static func reading(
    _ source: JSONSource, name: String?,
    _ open: @escaping @Sendable (JSONSource) throws(JSONError) -> any ByteReader
  ) -> JSONSource {
    var own = JSONSource(kind: .reader(of: source, open), name: name, file: source.file)
    own.mayGrow = source.mayGrow
    return own
  }

  /// Bytes from a reader that needs no source.
  package static func reading(
    name: String?, _ open: @escaping @Sendable () throws(JSONError) -> any ByteReader
  ) -> JSONSource {
    JSONSource(kind: .reader(of: .bytes([])) { (_) throws(JSONError) in try open() }, name: name)
  }
}

extension JSONError {
  /// The error of a source: one of reading as it is, any other one, also if it is about other JSON, as the reason why nothing can
  /// be read.
  ///
  /// - Parameter offset: The number of bytes that were read, where the source does not know it.
  init(ofSource error: any Error, at offset: Int = 0) {
    if let error = error as? JSONError, error.code.endsInput {
      self = error.code == .unreadable ? JSONError(error.code, at: offset, error.payload) : error
    } else {
      self.init(.unreadable, at: offset, .reason("\(error)"))
    }
  }
}
