import Hummingbird
import JSONSift
import NIOCore
import NIOPosix

/// A record of the log, as the slow consumer wants it.
struct TimedVisit: Sendable {
  let line: Int
  let user: Int
  let milliseconds: Double

  /// `nil` if the record is no visit.
  init?(_ record: JSONRecord) {
    guard let user = record["user"]["id"].int, let milliseconds = record["ms"].double else { return nil }
    line = record.line
    self.user = user
    self.milliseconds = milliseconds
  }
}

/// Serves the routes of `Routes.swift`, until it is stopped:
///
///     swift run -c release ServerRecords serve PORT LOG
///
/// Or checks the example. Streams an HTTP body over loopback into records, out as values, to a consumer that is slower than
/// the server; and shows that the server has to wait, and that memory does not grow. Then asks the routes.
///
///     swift run -c release ServerRecords [MEGABYTES]
@main
struct ServerRecords {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.count == 3, arguments[1] == "serve", let port = Int(arguments[2]) {
      let address = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
      return try await Application(router: makeRouter(log: arguments[3]), configuration: address).run()
    }
    let megabytes = arguments.first.flatMap { Int($0) } ?? 48
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await LogServer(bytes: megabytes << 20, on: group)
    for workers in [1, 2] { try await run(workers, server, on: group) }
    try await server.stop()
    try await RouteChecks.run(on: group)
    print("ServerRecords: all is well")
  }

  /// One request, from the first byte to the last.
  private static func run(_ workers: Int, _ server: LogServer, on group: any EventLoopGroup) async throws {
    server.meter.reset()
    var watch = Watch(server.meter)
    var count = 0
    var sum = 0.0
    try await LogClient.withBody(of: server.port, on: group) { body in
      // What the library needs: an asynchronous sequence of bytes that lie side by side.
      let visits = JSONRecords(body).where("@.user").workers(workers) { TimedVisit($0) }
      for try await visit in visits {
        count += 1
        sum += visit.milliseconds
        // Slow: nothing is asked for meanwhile.
        if count.isMultiple(of: 4000) {
          try await Task.sleep(for: .milliseconds(5))
          watch.look(bytesConsumed: visit.line * LogServer.recordBytes)
        }
      }
    }
    let expected = server.expected
    try require(count == expected.records, "got \(count) records, expected \(expected.records)")
    try require(sum == expected.sum, "got the sum \(sum), expected \(expected.sum)")
    try watch.conclude("\(workers) worker(s), \(count) records")
  }

  static func require(_ isRight: Bool, _ message: String) throws {
    guard isRight else { throw Failure(description: message) }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
