/// 2000 records of some 400 bytes, as a log and as one document, with what is in them.
struct Input: Sendable {
  static let shared = Input()
  static let count = 2000

  let log: [UInt8]
  let document: [UInt8]
  /// The sum of `user.id` over all records.
  let ids: Int
  /// How many records are errors.
  let errors: Int

  private init() {
    var lines: [String] = []
    var (ids, errors) = (0, 0)
    for index in 0..<Self.count {
      let isError = index % 100 == 7
      let id = index * 7919 % 1_000_000
      ids += id
      errors += isError ? 1 : 0
      lines.append(
        #"{"ts":"2025-03-01T12:00:00Z","level":"\#(isError ? "error" : "info")","service":"checkout","host":"node-"#
          + #"\#(index % 100).example.net","request":{"method":"GET","path":"/api/v1/orders/\#(index)","status":200},"#
          + #""latency_ms":\#(index % 400).5,"user":{"id":\#(id),"name":"José Álvarez","tags":["beta","eu-west"],"#
          + #""active":true},"message":"cart \"spring sale\" updated, total 42,50 €","parent":null,"#
          + #""timings":[0.125,17.5,3.75,\#(index).25]}"#)
    }
    self.ids = ids
    self.errors = errors
    log = Array((lines.joined(separator: "\n") + "\n").utf8)
    document = Array((#"{"meta":{"version":1},"records":["# + lines.joined(separator: ",\n") + "]}").utf8)
  }
}

/// A line of ``Input/log`` with a property for every key. It is not the `LogLine` of the benchmark package, whose log has more
/// members; a package sees only the products of another one, and that has none.
struct InputLine: Codable {
  var ts: String, level: String, service: String, host: String
  var request: Request
  var latency_ms: Double
  var user: User
  var message: String
  var parent: String?
  var timings: [Double]

  struct Request: Codable { var method: String, path: String, status: Int }
  struct User: Codable { var id: Int, name: String, tags: [String], active: Bool }
}
