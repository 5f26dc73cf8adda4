/// A record of the generated log with a property for every key, for programs that decode it. It needs no Foundation.
package struct LogLine: Codable, Equatable {
  package var ts: String, level: String, service: String, host: String
  package var request: Request
  package var latency_ms: Double
  package var user: User
  package var message: String
  package var parent: String?
  package var headers: Headers
  package var timings: [Double]
  package var query: String
  package var trace: [Span]

  package struct Request: Codable, Equatable { package var method: String, path: String, status: Int }
  package struct User: Codable, Equatable { package var id: Int, name: String, tags: [String], active: Bool }
  package struct Headers: Codable, Equatable {
    package var accept: String, language: String, agent: String, request: String
    enum CodingKeys: String, CodingKey {
      case accept, language = "accept-language", agent = "user-agent", request = "x-request"
    }
  }
  package struct Span: Codable, Equatable { package var span: Int, at: String, cached: Bool }
}
