import Foundation

/// The well-known documents, each parsed from memory again and again by one program, and three values read each time.
struct KnownDocuments {
  let here: Installed

  /// What is parsed by each program, in bytes: long enough that its start does not count.
  private static let work = 256_000_000

  /// Near the start of each document, in its middle, and at its end.
  private static let documents: [(name: String, file: String, places: [String])] = [
    ("twitter", "twitter", ["statuses.3.user.id", "statuses.97.text", "search_metadata.count"]),
    (
      "citm", "citm_catalog",
      ["events.138586341.id", "performances.100.id", "performances.240.seatCategories.0.areas.0.areaId"]
    ),
    (
      "canada", "canada",
      [
        "features.0.geometry.coordinates.2.3.0", "features.0.geometry.coordinates.479.0.1",
        "features.0.properties.name",
      ]
    ),
    ("gsoc", "gsoc-2018", ["7.sponsor.name", "600.name", "1263.author.name"]),
  ]

  /// The documents that are here.
  func make() -> [CompareQuestion] {
    Self.documents.compactMap { document in
      let path = Corpus.folder + "/" + document.file + ".json"
      guard let text = FileManager.default.contents(atPath: path) else { return nil }
      let count = max(Self.work / max(text.count, 1), 1)
      return question(document.name, CompareInput(path: path, bytes: text.count * count), text, count, document.places)
    }
  }

  private func question(
    _ name: String, _ input: CompareInput, _ text: Data, _ count: Int, _ places: [String]
  ) -> CompareQuestion {
    func words(_ program: [String]) -> (CompareInput) -> [String] {
      // Of a text that is made to be broken once is enough.
      { program + [$0.path, $0.path == input.path ? "\(count)" : "1"] + places }
    }
    func peer(_ name: String, _ program: [String]?, remark: String? = nil) -> Contender? {
      program.map { Contender(name: name, remark: remark, words: words($0)) }
    }
    let contenders: [Contender?] = [
      Contender(
        name: "libyajl, empty callbacks", kind: .floor, answer: { _ in .init(lines: 1, sum: count * 1000) },
        words: words([here.yajl, "again"])),
      Contender(name: "JSONSift", kind: .ours, words: words([here.ours, "validated", "again"])),
      peer("simdjson DOM", here.simdjson.map { [$0, "dom-again"] }),
      peer("simdjson On-Demand", here.simdjson.map { [$0, "again"] }, remark: "what is not asked for is not parsed"),
      peer("rapidjson DOM", here.rapidjson.map { [$0, "again"] }),
      peer("JSONSerialization", [here.foundation, "serialization", "again"], remark: "numbers become Double"),
    ]
    return CompareQuestion(
      name: "known-\(name)", title: "\(name): parsed from memory \(count) times, three of its values read each time",
      inputs: { [input] }, trial: { input }, flawed: { try Self.flawed(text, $0) }, answer: { _ in nil },
      baseline: "libyajl, empty callbacks", contenders: contenders.compactMap { $0 })
  }

  /// The document with one member more, which nobody asks for, in front of its others.
  private static func flawed(_ text: Data, _ value: [UInt8]) throws -> CompareInput {
    guard let open = text.firstIndex(of: 0x7B) else {
      throw Worker.Failed(description: "a well-known document is no object")
    }
    let bytes = Array("{\"flaw\":".utf8) + value + Array(",".utf8) + text[(open + 1)...]
    return try CompareInput(TemporaryFile("flaw", bytes: bytes), bytes.count, LogRecords.Answer())
  }
}
