/// Bytes of a stream that are not always available: from a pipe, or from an asynchronous sequence of chunks.
///
/// A reader that finds too few bytes keeps its state, like one whose bytes are pushed. The task waits here, and calls the
/// reader again. So the readers need no second, asynchronous form.
class NonblockingInput {
  /// Reads the available bytes. Returns 0 at the end, and `nil` if none are available yet. Does not block.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int? { 0 }

  /// Skips up to `count` bytes without reading them, and returns their number; `nil` if they must be read.
  func skip(_ count: Int) -> Int? { nil }

  /// The number of bytes left; `nil` if bytes cannot be skipped without reading them.
  var rest: Int? { nil }

  /// Returns the input for reads at any offset, after `count` bytes were read; `nil` if it must be read from its start.
  func positional(afterReading count: Int) -> PositionalInput? { nil }

  /// Waits until bytes are available.
  nonisolated(nonsending) func wait() async throws {}

  /// Waits like ``wait()``. An error of other JSON, which the source has read, becomes one of reading: no caller takes it for
  /// an error of a record.
  final nonisolated(nonsending) func waitForBytes() async throws {
    do {
      try await wait()
    } catch let error as JSONError where !error.code.endsInput {
      throw JSONError(ofSource: error)
    }
  }

  /// Waits like ``wait()``, but blocks the thread.
  func waitBlocking() {}
}

/// A descriptor whose readiness can be awaited.
final class DescriptorInput: NonblockingInput {
  private let file: File
  /// Whether the descriptor is a regular file, which `poll` always reports as ready.
  let isRegular: Bool

  init(_ file: consuming File) {
    isRegular = file.regularSize() != nil
    self.file = file
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int? {
    try unsafe isRegular ? file.read(into: buffer) : file.readIfReady(into: buffer)
  }

  override func skip(_ count: Int) -> Int? { file.skip(count) }

  override var rest: Int? { file.regularRest }

  override func positional(afterReading count: Int) -> PositionalInput? {
    PositionalInput(file, at: file.position, afterReading: count)
  }

  override nonisolated(nonsending) func wait() async throws {
    switch await DescriptorWaiter.shared.wait(for: file.descriptor) {
    case .ready: break
    case .cancelled: throw CancellationError()
    case .failed(let number): throw JSONError(.unreadable, at: 0, system: number)
    }
  }

  override func waitBlocking() { file.waitUntilReady() }
}

/// A file that grows; see ``JSONSource/following(every:until:)``.
final class FollowedInput: NonblockingInput {
  private let file: File
  private let following: JSONSource.Following

  init(_ file: consuming File, _ following: JSONSource.Following) {
    self.file = file
    self.following = following
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int? {
    // Checked before the read, so that the bytes written before the file was replaced are read first.
    let isLast = hasEnded
    let count = try unsafe file.read(into: buffer)
    if count > 0 || isLast { return count }
    // Read again: bytes may have been written before the caller said that it is done.
    return following.isDone() ? try unsafe file.read(into: buffer) : nil
  }

  /// Whether the file has been replaced or truncated.
  private var hasEnded: Bool { file.isReplaced(at: following.path) || file.regularRest ?? 0 < 0 }

  override func skip(_ count: Int) -> Int? { file.skip(count) }

  override nonisolated(nonsending) func wait() async throws {
    try await Task.sleep(for: following.interval)
  }

  override func waitBlocking() { file.pause(following.interval) }
}

/// The chunks of an asynchronous sequence.
final class ChunkInput<Chunks: AsyncIteratorProtocol>: NonblockingInput where Chunks.Element: Sequence<UInt8> {
  private var chunks: Chunks
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false

  init(_ chunks: Chunks) { self.chunks = chunks }

  override func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int? {
    if chunk.isEmpty { return isAtEnd ? 0 : nil }
    let count = min(chunk.count, buffer.count)
    unsafe buffer.copyBytes(from: chunk.prefix(count))
    chunk = chunk.dropFirst(count)
    // Releases a used-up chunk before the next one arrives.
    if chunk.isEmpty { chunk = [] }
    return count
  }

  override nonisolated(nonsending) func wait() async throws {
    while chunk.isEmpty, !isAtEnd {
      try Task.checkCancellation()
      if let next = try await chunks.next(isolation: #isolation) {
        // An array is not copied; the bytes of other contiguous chunks are copied at once.
        chunk = Array(next)[...]
      } else {
        // Many sequences end when their task is cancelled: that is not the end of the input.
        try Task.checkCancellation()
        isAtEnd = true
      }
    }
  }
}

/// The bytes of an asynchronous sequence, gathered into chunks.
struct GatheredBytes<Bytes: AsyncIteratorProtocol>: AsyncIteratorProtocol where Bytes.Element == UInt8 {
  private var bytes: Bytes
  private var isAtEnd = false
  /// A line feed ends a chunk early, so that a record does not wait for the next one.
  private static var maxChunkLength: Int { 1 << 14 }

  init(_ bytes: Bytes) { self.bytes = bytes }

  mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

  mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
    var chunk: [UInt8] = []
    while !isAtEnd, chunk.count < Self.maxChunkLength, chunk.last != ASCII.lineFeed {
      if let byte = try await bytes.next(isolation: actor) {
        chunk.append(byte)
      } else {
        try Task.checkCancellation()
        isAtEnd = true
      }
    }
    return chunk.isEmpty ? nil : chunk
  }
}
