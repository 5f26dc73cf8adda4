/// A record of the generated log with a property for every key, for programs that decode it. It needs no Foundation.
public struct LogLine: Codable, Equatable {
  public var ts: String, level: String, service: String, host: String
  public var request: Request
  public var latency_ms: Double
  public var user: User
  public var message: String
  public var parent: String?
  public var headers: Headers
  public var timings: [Double]
  public var query: String
  public var trace: [Span]

  public struct Request: Codable, Equatable { public var method: String, path: String, status: Int }
  public struct User: Codable, Equatable { public var id: Int, name: String, tags: [String], active: Bool }
  public struct Headers: Codable, Equatable {
    public var accept: String, language: String, agent: String, request: String
    enum CodingKeys: String, CodingKey {
      case accept, language = "accept-language", agent = "user-agent", request = "x-request"
    }
  }
  public struct Span: Codable, Equatable { public var span: Int, at: String, cached: Bool }
}
