import NIOCore
import NIOHTTP1

/// The chunks of the body of one request or response. NIO reads the socket only as far as they are taken.
struct HTTPBody<Head: Equatable & Sendable>: AsyncSequence, Sendable {
  typealias Element = ByteBufferView

  let parts: NIOAsyncChannelInboundStream<HTTPPart<Head, ByteBuffer>>

  struct AsyncIterator: AsyncIteratorProtocol {
    var parts: NIOAsyncChannelInboundStream<HTTPPart<Head, ByteBuffer>>.AsyncIterator
    var hasEnded = false

    mutating func next() async throws -> ByteBufferView? {
      while !hasEnded, let part = try await parts.next() {
        switch part {
        case .head: break
        case .body(let buffer): return buffer.readableBytesView
        case .end: hasEnded = true
        }
      }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts.makeAsyncIterator()) }
}
