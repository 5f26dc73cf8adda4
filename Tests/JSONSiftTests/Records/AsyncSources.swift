import Foundation
import TestSupport

@testable import JSONSift

/// The requests that a ``ChunkStream`` has received.
final class ChunkLog: Sendable {
  private let counts = Lock((taken: 0, iterators: 0))
  /// The number of returned chunks.
  var taken: Int { counts.withLock { $0.taken } }
  /// The number of live iterators.
  var iterators: Int { counts.withLock { $0.iterators } }
  func take() { counts.withLock { $0.taken += 1 } }
  func open() { counts.withLock { $0.iterators += 1 } }
  func close() { counts.withLock { $0.iterators -= 1 } }
}

/// An asynchronous sequence of chunks of some bytes, which logs its requests.
struct ChunkStream: AsyncSequence, Sendable {
  typealias Element = ArraySlice<UInt8>
  let bytes: [UInt8]
  let size: Int
  var log = ChunkLog()
  /// Whether it yields to other tasks before each chunk.
  var yields = false

  final class Life {
    let log: ChunkLog
    init(_ log: ChunkLog) {
      self.log = log
      log.open()
    }
    deinit { log.close() }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ChunkStream
    let life: Life
    var start = 0

    mutating func next() async -> ArraySlice<UInt8>? {
      if stream.yields { await Task.yield() }
      guard start < stream.bytes.count else { return nil }
      let end = Swift.min(start + stream.size, stream.bytes.count)
      defer { start = end }
      stream.log.take()
      return stream.bytes[start..<end]
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self, life: Life(log)) }
}

/// The bytes of a text one by one.
struct ByteStream: AsyncSequence, Sendable {
  typealias Element = UInt8
  let bytes: [UInt8]

  struct AsyncIterator: AsyncIteratorProtocol {
    let bytes: [UInt8]
    var index = 0
    mutating func next() async -> UInt8? {
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return bytes[index]
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes) }
}

/// The write end of a pipe, and a thread that writes bytes into it in chunks of one size.
final class PipeWriter: Sendable {
  let readEnd: Int32

  init(_ bytes: [UInt8], chunks size: Int) throws {
    let (readEnd, writeEnd) = try File.nonblockingPipe()
    self.readEnd = readEnd
    // Writing to a pipe without a reader must be an error of `write`.
    _ = signal(SIGPIPE, SIG_IGN)
    // Like a shell's pipe: a read blocks.
    for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFL, 0) }
    Thread.detachNewThread {
      defer { _ = close(writeEnd) }
      for chunk in TestSupport.chunks(of: bytes, size: size) {
        var rest = chunk[...]
        while !rest.isEmpty {
          let count = unsafe rest.withUnsafeBytes { unsafe write(writeEnd, $0.baseAddress, $0.count) }
          // A signal may interrupt the call, and a pipe may accept fewer bytes than it is given.
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }
  }

  deinit { _ = close(readEnd) }
}

/// Returns a stream with every kind of line: blank, with CRLF, long, short, bad in several ways; without a final line feed.
func mixedLines(_ count: Int, bad: Bool = true, seed: UInt64 = 7) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  var text = RandomText(random: random)
  let faults = [
    "{\"a\":tru}", "{\"a\":1} {\"b\":2}", "\"cut", "[1,2", "{\"k\":\"\u{1}\"}", "01", "nul\u{0}l",
    "{\"é\":[\"\\ud800\"]}",
  ]
  var bytes: [UInt8] = []
  for line in 0..<count {
    switch random.below(bad ? 12 : 10) {
    case 0: bytes += random.pick(["", " ", "\r", "\t \r"]).utf8
    case 1: bytes += "{\"line\":\(line),\"long\":\"\(String(repeating: "é😀x", count: random.below(90)))\"}".utf8
    case 10: bytes += random.pick(faults).utf8
    case 11: bytes += [0x22, 0xC3, 0x28, 0x22]
    // Between tokens a line break is white space, but here it would end the record.
    default: bytes += text.value(depth: 3).utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }
    if random.below(7) == 0 { bytes.append(0x0D) }
    if line < count - 1 { bytes.append(0x0A) }
  }
  return bytes
}

/// Returns how many descriptors of this process refer to a file. Linux only; `nil` elsewhere.
func openDescriptors(of path: String) -> Int? {
  #if os(Linux)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
  #else
    return nil
  #endif
}

/// Waits until a condition holds, for a few seconds at most.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<2000 {
    if condition() { return true }
    try? await Task.sleep(nanoseconds: 5_000_000)
  }
  return condition()
}
