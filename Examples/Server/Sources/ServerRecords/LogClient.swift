import NIOCore
import NIOHTTP1
import NIOPosix

/// A client of the servers on loopback: one request on one connection.
enum LogClient {
  /// Gets the log, as slowly as `use` takes it.
  static func withBody(
    of port: Int, on group: any EventLoopGroup, _ use: (HTTPBody<HTTPResponseHead>) async throws -> Void
  ) async throws {
    try await request(.GET, "/log", [], "", of: port, on: group, use)
  }

  /// Sends a request with some chunks as its body, each made when it is sent. Returns the answer: its text, behind its status
  /// if that is not 200.
  static func send(
    _ method: HTTPMethod, _ uri: String, _ chunks: some Collection<ByteBuffer> = [],
    type: String = "application/x-ndjson", to port: Int, on group: any EventLoopGroup
  ) async throws -> String {
    var text: [UInt8] = []
    var status = HTTPResponseStatus.ok
    try await request(method, uri, chunks, type, of: port, on: group) { body in
      for try await part in body.parts {
        if case .head(let head) = part { status = head.status }
        if case .body(let buffer) = part { text += buffer.readableBytesView }
        if case .end = part { break }
      }
    }
    return (status == .ok ? "" : "\(status.code) ") + String(decoding: text, as: UTF8.self)
  }

  private static func request(
    _ method: HTTPMethod, _ uri: String, _ chunks: some Collection<ByteBuffer>, _ type: String, of port: Int,
    on group: any EventLoopGroup, _ use: (HTTPBody<HTTPResponseHead>) async throws -> Void
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
      var head = HTTPRequestHead(version: .http1_1, method: method, uri: uri)
      head.headers.add(name: "host", value: "127.0.0.1")
      head.headers.add(name: "connection", value: "close")
      if !chunks.isEmpty {
        head.headers.add(name: "transfer-encoding", value: "chunked")
        head.headers.add(name: "content-type", value: type)
      }
      try await outbound.write(.head(head))
      for chunk in chunks { try await outbound.write(.body(.byteBuffer(chunk))) }
      try await outbound.write(.end(nil))
      try await use(HTTPBody(parts: inbound))
    }
  }
}
