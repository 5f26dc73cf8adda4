/// What do models cost that need no code, beside `JSONDecoder` and its `Codable`? Both sides fill objects of one class.
struct Models {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  func run() throws {
    let count = arguments.models
    report.begin("models", "\(count) objects of 8 properties, each job in a process of its own")
    let idle = try Worker.run(["nothing", "-"], by: Job.models)
    report.note("A process that does nothing, with Foundation, has a peak of \(megabytes(idle.peakBytes)).")
    report.add("nothing", "worker", "peak MB", Double(idle.peakBytes) / 1e6)
    let (bytes, sum) = Self.text(count)
    let file = try TemporaryFile("models.json", bytes: bytes)
    let answer = Worker.Answer(count: count, sum: Double(sum))
    let jobs = [
      ("JSONDecoder", "decoder"), ("SGYJSONDeserializer", "models"), ("the same, 5 times", "models-5"),
      ("streamed, one at a time", "stream"),
    ]
    let results = try report.jobs(
      "objects", bytes: bytes.count, rounds: arguments.effort.peerRounds,
      jobs.map { Job(name: $0.0, words: [$0.1, file.path], answer: answer, worker: Job.models) })
    report.wanted("SGYJSONDeserializer, x JSONDecoder", results[1].ratio, atLeast: 1)
    // What leaks in one pass would be there four times more.
    report.wanted("peak of 5 passes, x that of one", results[2].peakBytes / results[1].peakBytes, atMost: 1.1)
  }

  /// `[{"id":0,…},…]`, and the sum that the worker makes of the objects.
  private static func text(_ count: Int) -> (bytes: [UInt8], sum: Int) {
    let cities: [String?] = ["Berlin", "São Paulo", nil, "Reykjavík"]
    let tags = [[], ["a"], ["premium", "eu-west"], ["a \\\"quoted\\\" tag"]]
    var bytes = Array("[".utf8)
    bytes.reserveCapacity(count * 190)
    var sum = 0
    for id in 0..<count {
      let name = "user number \(id)"
      let email = id % 3 == 0 ? nil : "user\(id)@example.org"
      let score = Double(id % 1000) / 8
      let city = cities[id % cities.count]
      let own = tags[id / 7 % tags.count]
      var text = id == 0 ? "" : ",\n"
      text += #"{"id":\#(id),"name":"\#(name)","email":"#
      text += email.map { "\"\($0)\"" } ?? "null"
      text += #","active":\#(id % 2 == 0),"score":\#(score),"level":\#(id % 100 - 50)"#
      if let city { text += #","city":"\#(city)""# }
      text += #","tags":["# + own.map { "\"\($0)\"" }.joined(separator: ",") + "]}"
      bytes += text.utf8
      sum += id + name.utf8.count + (email?.utf8.count ?? 1000) + (id % 2 == 0 ? 1 : 0) + id % 1000 + id % 100 - 50
      sum += city?.utf8.count ?? 2000
      // A backslash of the text is none of the value.
      for tag in own { sum += tag.utf8.count { $0 != UInt8(ascii: "\\") } }
    }
    return (bytes + "]\n".utf8, sum)
  }
}
