import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// What the server has sent, and how often it had to wait for its client.
final class Meter: Sendable {
  private let counts = Mutex((sent: 0, waits: 0))

  var sent: Int { counts.withLock { $0.sent } }
  var waits: Int { counts.withLock { $0.waits } }
  func reset() { counts.withLock { $0 = (0, 0) } }

  func add(sent: Int, hasWaited: Bool) {
    counts.withLock { counts in
      counts.sent += sent
      if hasWaited { counts.waits += 1 }
    }
  }
}

/// An HTTP server on loopback that answers each request with a log of so many bytes, as fast as the client takes them.
struct LogServer {
  /// Each record is as long as the others, with its line feed.
  static let recordBytes = 128
  private static let recordsInChunk = 512
  static let chunkBytes = recordsInChunk * recordBytes

  let port: Int
  let meter = Meter()
  /// What a client must find.
  let expected: (records: Int, sum: Double)
  private let task: Task<Void, any Error>

  init(bytes: Int, on group: any EventLoopGroup) async throws {
    let chunks = max(bytes / Self.chunkBytes, 1)
    expected = Self.contents(chunks: chunks)
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.so_sndbuf), value: 128 << 10)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
            wrappingChannelSynchronously: channel)
        }
      }
    port = listener.channel.localAddress?.port ?? 0
    let meter = meter
    task = Task {
      try await listener.executeThenClose { connections in
        for try await connection in connections {
          do {
            try await Self.answer(connection, chunks, meter)
          } catch {
            // A client that goes away is its own affair.
          }
        }
      }
    }
  }

  /// The number of the records in some chunks, and the sum of their milliseconds.
  static func contents(chunks: Int) -> (records: Int, sum: Double) {
    let records = chunks * recordsInChunk
    return (records, (0..<records).reduce(0) { $0 + Double($1 % 1000) / 4 })
  }

  func stop() async throws {
    task.cancel()
    _ = await task.result
  }

  private static func answer(
    _ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>, _ chunks: Int, _ meter: Meter
  ) async throws {
    try await connection.executeThenClose { inbound, outbound in
      for try await case .end in inbound {
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        head.headers.add(name: "content-type", value: "application/x-ndjson")
        head.headers.add(name: "connection", value: "close")
        try await outbound.write(.head(head))
        for chunk in 0..<chunks {
          let bytes = Self.chunk(chunk)
          let count = bytes.readableBytes
          // A channel that cannot take more makes this task wait in `write`.
          let mustWait = !connection.channel.isWritable
          try await outbound.write(.body(.byteBuffer(bytes)))
          meter.add(sent: count, hasWaited: mustWait)
        }
        try await outbound.write(.end(nil))
        // The client closes: what has not gone out yet would be lost.
      }
    }
  }

  /// Records of one length, each followed by a byte: the padding is a member.
  static func chunk(_ number: Int, separator: String = "\n") -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: chunkBytes)
    for place in 0..<recordsInChunk {
      let index = number * recordsInChunk + place
      let quarters = index % 1000
      let text =
        "{\"user\":{\"id\":\(index)},\"ms\":\(quarters / 4).\(["00", "25", "50", "75"][quarters % 4]),\"padding\":\""
      buffer.writeString(text)
      buffer.writeRepeatingByte(UInt8(ascii: "."), count: recordBytes - text.utf8.count - 3)
      buffer.writeString("\"}\(separator)")
    }
    return buffer
  }
}
