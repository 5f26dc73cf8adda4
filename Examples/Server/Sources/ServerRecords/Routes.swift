import Hummingbird
import JSONSift
import NIOCore
import Synchronization

/// A record of the log that clients send.
struct Visit: Codable, Sendable {
  struct User: Codable, Sendable { var id: Int }
  var user: User
  var ms: Double
  var tags: [String]?
}

/// What the server answers.
struct Summary: Encodable, Sendable {
  /// A record that was not read, or an element that was left out of one.
  struct Fault: Encodable, Sendable {
    /// The number of the record in the body, from 0.
    var record: Int
    /// Where the record or element begins in the body.
    var byte: Int
    /// The path in the record, what is wrong there, and its line and byte.
    var error: String
  }
  var visits = 0
  var milliseconds = 0.0
  var faults: [Fault] = []
}

/// - Parameter log: The file that is asked by `GET /slow`.
func makeRouter(log: String) -> Router<BasicRequestContext> {
  let router = Router()

  router.post("visits") { request, _ in
    // The elements of one array, or one record in each line.
    let isArray = request.headers[.contentType]?.hasPrefix("application/json") ?? false
    var options = JSONRecordOptions(framing: isArray ? .children(of: "$") : .lines, recovery: .report)
    options.reading.limits.recordBytes = 1 << 20
    let chunks = request.body.map(\.readableBytesView)

    // Filled while a record is decoded.
    let elements = Mutex<[JSONSiftDecoder.ElementFailure]>([])
    let decoder = JSONSiftDecoder()
    decoder.elementFailures = .report(atMost: 100) { failure in elements.withLock { $0.append(failure) } }

    var summary = Summary()
    var record = 0
    func report(_ byte: Int, _ error: String) throws {
      guard summary.faults.count < 100 else {
        throw HTTPError(.badRequest, message: "more than 100 faults; the first: \(summary.faults[0].error)")
      }
      summary.faults.append(.init(record: record, byte: byte, error: error))
    }
    do {
      for try await result in JSONRecords(chunks, options: options).decode(Visit.self, with: decoder).results {
        for failure in elements.withLock({ exchange(&$0, with: []) }) {
          try report(failure.byteRange.lowerBound, "\(failure)")
        }
        switch result {
        case .success(let visit):
          summary.visits += 1
          summary.milliseconds += visit.ms
        case .failure(let bad):
          try report(bad.byteRange.lowerBound, "\(bad)")
        }
        record += 1
      }
    } catch let error as JSONError where [.compressedInput, .foreignEncoding].contains(error.code) {
      throw HTTPError(.unsupportedMediaType, message: error.message)
    }
    let answer = ByteBuffer(bytes: try JSONSiftEncoder().bytes(of: summary))
    return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: answer))
  }

  router.post("users") { request, _ in
    let slow = JSONRecords(request.body.map(\.readableBytesView))
      .where("@.ms > 100")
      .workers { $0["user"]["id"].int }
    var users: Set<Int> = []
    for try await user in slow { users.insert(user) }
    return "\(users.count)\n"
  }

  router.get("slow") { _, _ in
    Response(
      status: .ok, headers: [.contentType: "application/x-ndjson"],
      body: ResponseBody { writer in
        let visits = JSONRecords(log).where("@.ms > 100").decode(Visit.self)
        try await JSONSiftEncoder().writeLines(visits) { try await writer.write(ByteBuffer(bytes: $0)) }
        try await writer.finish(nil)
      })
  }

  return router
}
