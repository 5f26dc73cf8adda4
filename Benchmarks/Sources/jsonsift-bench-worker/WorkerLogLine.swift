/// A record of the generated log with a property for every key, as the benchmark has it. The worker links no
/// Foundation.
struct WorkerLogLine: Codable {
  var ts: String, level: String, service: String, host: String
  var request: Request
  var latency_ms: Double
  var user: User
  var message: String
  var parent: String?
  var headers: Headers
  var timings: [Double]
  var query: String
  var trace: [Span]

  struct Request: Codable { var method: String, path: String, status: Int }
  struct User: Codable { var id: Int, name: String, tags: [String], active: Bool }
  struct Headers: Codable {
    var accept: String, language: String, agent: String, request: String
    enum CodingKeys: String, CodingKey {
      case accept, language = "accept-language", agent = "user-agent", request = "x-request"
    }
  }
  struct Span: Codable { var span: Int, at: String, cached: Bool }
}

/// Five fields of a record that has forty.
struct WorkerNarrow: Decodable {
  var f03: Int, f11: String, f20: Double, f29: Bool, f37: Int
}
