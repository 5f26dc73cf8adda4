import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks the server for the log.
enum LogClient {
  static func withBody(
    of port: Int, on group: any EventLoopGroup, _ use: (ResponseBody) async throws -> Void
  ) async throws {
    let channel = try await ClientBootstrap(group: group)
      .channelOption(.socketOption(.so_rcvbuf), value: 128 << 10)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel,
            configuration: .init(backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4)))
        }
      }
    try await channel.executeThenClose { inbound, outbound in
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/log")
      head.headers.add(name: "host", value: "127.0.0.1")
      head.headers.add(name: "connection", value: "close")
      try await outbound.write(.head(head))
      try await outbound.write(.end(nil))
      try await use(ResponseBody(parts: inbound))
    }
  }
}

/// The chunks of an answer's body. NIO reads the socket only as far as they are taken.
struct ResponseBody: AsyncSequence, Sendable {
  typealias Element = ByteBufferView

  let parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>

  struct AsyncIterator: AsyncIteratorProtocol {
    var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private var hasEnded = false

    init(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator) { self.parts = parts }

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

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts.makeAsyncIterator()) }
}
