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
      tasks.cancelAll()
    }
    print("Hummingbird: the routes answer what they must")
  }

  private static func check(_ port: Int, _ lines: [String], on group: any EventLoopGroup) async throws {
    // Cut anywhere, with two bad lines among the good ones.
    let upload = Array((lines[..<10].joined() + "{\"user\":\n{\"user\":{\"id\":\"x\"},\"ms\":1}\n").utf8)
    for size in [7, 64, upload.count] {
      let chunks = stride(from: 0, to: upload.count, by: size).map { Array(upload[$0..<min($0 + size, upload.count)]) }
      let answer = try await LogClient.send(.POST, "/visits", chunks, to: port, on: group)
      try expect(answer.contains(#""visits":10"#) && answer.contains(#""milliseconds":45"#), answer)
      try expect(answer.contains(#""line":11"#) && answer.contains(#""line":12"#), answer)
    }
    let bad = [Array(String(repeating: "x\n", count: 200).utf8)]
    let rejected = try await LogClient.send(.POST, "/visits", bad, to: port, on: group)
    try expect(rejected.hasPrefix("400 ") && rejected.contains("at most 100 bad records"), rejected)

    let all = lines.map { Array($0.utf8) }
    let users = try await LogClient.send(.POST, "/users", all, to: port, on: group)
    try expect(users == "990\n", users)

    let slow = try await LogClient.send(.GET, "/slow", to: port, on: group)
    try expect(slow.split(separator: "\n").count == 990, "\(slow.prefix(200))")
  }

  private static func expect(_ holds: Bool, _ found: String) throws {
    try ServerRecords.require(holds, "a route answered: \(found)")
  }
}
