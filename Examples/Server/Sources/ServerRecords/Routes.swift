import Hummingbird
import JSONSift
import NIOCore

/// A record of the log that clients send.
struct Visit: Codable, Sendable {
  struct User: Codable, Sendable { var id: Int }
  var user: User
  var ms: Double
}

/// What the server answers.
struct Summary: ResponseCodable, Sendable {
  struct BadLine: Codable, Sendable {
    var line: Int
    var error: String
  }
  var visits = 0
  var milliseconds = 0.0
  var badLines: [BadLine] = []
}

/// - Parameter log: The file that is asked by `GET /slow`.
func makeRouter(log: String) -> Router<BasicRequestContext> {
  let router = Router()

  router.post("visits") { request, _ in
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.maxErrors = 100
    options.reading.limits.recordBytes = 1 << 20
    let chunks = request.body.map(\.readableBytesView)

    var summary = Summary()
    do {
      for try await result in JSONRecords(chunks, options: options).decode(Visit.self).results {
        switch result {
        case .success(let visit):
          summary.visits += 1
          summary.milliseconds += visit.ms
        case .failure(let bad):
          summary.badLines.append(.init(line: bad.line, error: bad.error.message))
        }
      }
    } catch let error as JSONError where error.code == .tooManyErrors {
      throw HTTPError(.badRequest, message: "\(error.message); the first: \(summary.badLines.first?.error ?? "")")
    }
    return summary
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
