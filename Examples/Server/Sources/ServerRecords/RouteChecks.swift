import Foundation
import Hummingbird
import NIOCore

/// Runs the Hummingbird server on loopback and compares what its routes answer.
enum RouteChecks {
  static func run(on group: any EventLoopGroup) async throws {
    let lines = (0..<2000).map { "{\"user\":{\"id\":\($0)},\"ms\":\($0 % 200)}\n" }
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("visits-\(UUID().uuidString).ndjson")
    try Data(lines.joined().utf8).write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }

    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: makeRouter(log: log.path),
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) })
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await application.run() }
      guard let port = await ports.first(where: { _ in true }) else { return }
      try await check(port, lines, on: group)
      try await checkLargeBody(port, on: group)
      tasks.cancelAll()
    }
    print("Hummingbird: the routes answer what they must")
  }

  private static func check(_ port: Int, _ lines: [String], on group: any EventLoopGroup) async throws {
    // Cut anywhere, with two bad lines and a bad element among the good ones.
    let bad = "{\"user\":\n{\"user\":{\"id\":\"x\"},\"ms\":1}\n{\"user\":{\"id\":1},\"ms\":1,\"tags\":[\"a\",5]}\n"
    let upload = ByteBuffer(string: lines[..<10].joined() + bad)
    for size in [7, 64, upload.readableBytes] {
      let chunks = stride(from: 0, to: upload.readableBytes, by: size).map {
        ByteBuffer(bytes: upload.readableBytesView.dropFirst($0).prefix(size))
      }
      let answer = try await LogClient.send(.POST, "/visits", chunks, to: port, on: group)
      let faults = [
        #"{"record":10,"byte":250,"error":"line 11, column 9 (byte 258): expected a value, found the end of the text"}"#,
        #"{"record":11,"byte":259,"error":"line 12, column 15 (byte 273): user.id: \#(wrong) Int but found a string instead."}"#,
        #"{"record":12,"byte":322,"error":"tags[1]: \#(wrong) String but found a number instead. (line 13, byte 322)"}"#,
      ]
      try expect(answer, is: #"{"visits":11,"milliseconds":46,"faults":[\#(faults.joined(separator: ","))]}"#)
    }
    let invalid = ByteBuffer(string: String(repeating: "x\n", count: 200))
    let rejected = try await LogClient.send(.POST, "/visits", [invalid], to: port, on: group)
    try expect(rejected.hasPrefix("400 ") && rejected.contains("more than 100 faults"), rejected)

    let compressed = ByteBuffer(bytes: [0x1F, 0x8B, 8])
    let refused = try await LogClient.send(.POST, "/visits", [compressed], to: port, on: group)
    try expect(refused.hasPrefix("415 "), refused)

    let all = lines.map { ByteBuffer(string: $0) }
    let users = try await LogClient.send(.POST, "/users", all, to: port, on: group)
    try expect(users == "990\n", users)

    let slow = try await LogClient.send(.GET, "/slow", to: port, on: group)
    try expect(slow.split(separator: "\n").count == 990, "\(slow.prefix(200))")
  }

  /// Uploads one array of 100 MiB with a bad element and a bad record in its middle. Nothing holds it, not even the client.
  private static func checkLargeBody(_ port: Int, on group: any EventLoopGroup) async throws {
    let count = 100 << 20 / LogServer.chunkBytes
    let bad = #"{"user":{"id":1},"ms":1,"tags":["a",5]},{"user":{"id":"x"},"ms":1},"#
    let body = (0...count).lazy.map { number in
      var chunk = ByteBuffer(string: number == 0 ? "[" : number == count / 2 ? bad : "")
      if number < count {
        chunk.writeImmutableBuffer(LogServer.chunk(number, separator: ","))
      } else {
        chunk.writeString("{\"user\":{\"id\":0},\"ms\":0}]")
      }
      return chunk
    }
    let answer = try await LogClient.send(.POST, "/visits", body, type: "application/json", to: port, on: group)
    let record = count / 2 * LogServer.chunkBytes / LogServer.recordBytes
    let start = 1 + count / 2 * LogServer.chunkBytes
    let (byte, next, id) = (start + 36, start + 40, start + 54)
    let faults = [
      #"{"record":\#(record),"byte":\#(byte),"error":"tags[1]: \#(wrong) String but found a number instead. (line 1, byte \#(byte))"}"#,
      #"{"record":\#(record + 1),"byte":\#(next),"error":"line 1, column \#(id + 1) (byte \#(id)): user.id: \#(wrong) Int but found a string instead."}"#,
    ]
    let (records, sum) = LogServer.contents(chunks: count)
    try expect(
      answer,
      is: #"{"visits":\#(records + 2),"milliseconds":\#(Int(sum) + 1),"faults":[\#(faults.joined(separator: ","))]}"#)
    let peak = Watch.peakBytes
    print("Hummingbird: an array of 100 MiB; resident memory \(peak >> 20) MiB at most")
    try ServerRecords.require(peak < 64 << 20, "an upload of 100 MiB takes \(peak) bytes of memory")
  }

  private static let wrong = "Expected to decode"

  private static func expect(_ found: String, is expected: String) throws {
    try ServerRecords.require(found == expected, "a route answered: \(found)\nexpected:         \(expected)")
  }

  private static func expect(_ holds: Bool, _ found: String) throws {
    try ServerRecords.require(holds, "a route answered: \(found)")
  }
}
