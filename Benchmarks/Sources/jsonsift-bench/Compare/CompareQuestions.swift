import Foundation

/// The questions, and who is asked.
struct CompareQuestions {
  static let names = ["validate", "lazy", "value", "path", "filter", "codable", "access", "start"]

  private let arguments: CompareArguments
  private let here: Installed
  let files = CompareFiles()

  init(_ arguments: CompareArguments, _ here: Installed) {
    self.arguments = arguments
    self.here = here
  }

  // MARK: What each does not check

  private static let yajlLacks = "over-long UTF-8, surrogates in UTF-8, lone \\ud800: pass"
  private static let fastLacks = "what is passed over: only that strings end and brackets match"
  private static let sieveLacks = "lines that cannot match are not parsed"
  private static let onDemandLacks = "UTF-8 everywhere, but the grammar only of values that are touched"
  private static let jqLacks = "bad UTF-8 is replaced, 01 passes, large numbers are rounded"
  private static let ijsonLacks = "lone \\ud800 pass"
  private static let serializationLacks = "[1,] passes, numbers become Double"
  private static let decoderLacks = "UTF-8, escapes and numbers of values that no property asks for"
  private static let duckDBLacks = "[1,] passes; fields that no column asks for"
  private static let polarsLacks = "not known to us"

  /// More than this takes Foundation, jq and Python tens of seconds, and tens of gigabytes.
  private var medium: Int { arguments.mediumBytes }

  func make() throws -> [CompareQuestion] {
    let wanted = arguments.questions.isEmpty ? Self.names : arguments.questions
    return wanted.compactMap(question)
  }

  private func question(_ name: String) -> CompareQuestion? {
    switch name {
    case "validate": return validate
    case "lazy": return lazy
    case "value": return value
    case "path": return path
    case "filter": return filter
    case "codable": return codable
    case "access": return access
    case "start": return start
    default: return nil
    }
  }

  // MARK: One document

  private var validate: CompareQuestion {
    question(
      "validate", "Is a document JSON, and how many records has it?",
      { .init(lines: 1, sum: ($0.answer.records + 1) * 1000) },
      [
        yajl("count"),
        ours("JSONSift, JSON(contentsOf:)", ["validated", "count"]),
        tool("jsift --count", ["$.records[*]", "--count"]),
        simdjson("simdjson DOM", "dom-count", lacks: nil),
        rapidjson("rapidjson DOM", "dom-count"), rapidjson("rapidjson SAX", "count"),
      ] + foundation("count") + [jq(".records|length")] + python("count"))
  }

  private var lazy: CompareQuestion {
    question(
      "lazy", "A value of every 1000th record of a document",
      { .init(lines: $0.answer.thousandths, sum: $0.answer.thousandthUserIDs * 1000) },
      [
        yajl("some"),
        ours("JSONSift, validated", ["validated", "some"]),
        ours("JSONSift, fast-forward", ["fast", "some"], lacks: Self.fastLacks),
        simdjson("simdjson On-Demand", "some", lacks: Self.onDemandLacks),
        simdjson("simdjson DOM", "dom-some", lacks: nil),
        rapidjson("rapidjson DOM", "dom-some"), rapidjson("rapidjson SAX", "some"),
      ] + foundation("some")
        + [
          jq(".records as $r | range(0; $r|length; 1000) | $r[.].user.id"),
          // DuckDB and polars have no way to skip, so they are asked for all in `path`.
        ] + python("some", of: ["ijson", "orjson"]))
  }

  private var value: CompareQuestion {
    question(
      "value", "One value of the last record of a document",
      { .init(lines: 1, sum: $0.answer.lastUserID * 1000) },
      [
        yajl("value"),
        ours("JSONSift, validated", ["validated", "value"]),
        ours("JSONSift, fast-forward", ["fast", "value"], lacks: Self.fastLacks),
        tool("jsift", { ["$.records[\($0.place)].user.id"] }),
        tool("jsift --fast", { ["--fast", "$.records[\($0.place)].user.id"] }, lacks: Self.fastLacks),
        simdjson("simdjson On-Demand", "value", lacks: Self.onDemandLacks),
        simdjson("simdjson DOM", "dom-value", lacks: nil),
        rapidjson("rapidjson DOM", "dom-value"), rapidjson("rapidjson SAX", "value"),
      ] + foundation("value") + [jq { ".records[\($0.place)].user.id" }] + python("value"))
  }

  private var path: CompareQuestion {
    let small = arguments.smallBytes
    return CompareQuestion(
      name: "path", title: "One value of each record of a large document, $.records[*].user.id",
      inputs: { [try files.document(arguments.bytes), try files.document(medium), try files.document(small)] },
      trial: { try files.document(CompareFiles.trialBytes) },
      answer: { .init(lines: $0.answer.records, sum: $0.answer.userIDs * 1000) }, isStream: true,
      baseline: "libyajl in C",
      contenders: [
        yajl("path"),
        tool("jsift", ["$.records[*].user.id"]),
        tool("jsift --fast", ["--fast", "$.records[*].user.id"], lacks: Self.fastLacks),
        simdjson("simdjson On-Demand", "path", lacks: Self.onDemandLacks),
        rapidjson("rapidjson SAX", "path"),
        python("path", of: ["ijson"], limit: Int.max).first ?? nil,
      ].compactMap { $0 } + (foundation("path") + [
        jq(".records[].user.id // empty"),
        jq(
          #"select(length == 2 and .[0][0] == "records" and .[0][2:] == ["user", "id"]) | .[1]"#, name: "jq --stream",
          options: ["--stream"], limit: small),
      ] + python("path", of: ["orjson", "duckdb", "polars"])).compactMap { $0 })
  }

  // MARK: Logs

  private var filter: CompareQuestion {
    let condition = ["$.latency_ms", "--where", "@.level == 'error'"]
    var contenders = [
      yajl("filter"),
      ours("JSONSift, every line parsed", ["validated", "filter"]),
      tool("jsift -j 1", condition + ["-j", "1"], lacks: Self.sieveLacks),
      tool("jsift -j 2", condition + ["-j", "2"], lacks: Self.sieveLacks),
      simdjson("simdjson iterate_many", "filter", lacks: Self.onDemandLacks),
      simdjson("simdjson parse_many", "dom-filter", lacks: nil),
      rapidjson("rapidjson SAX", "filter"),
      python("filter", of: ["orjson"], limit: Int.max).first ?? nil,
      here.python("duckdb", "filter").map { duckDB($0, "DuckDB, schema given") },
      here.python("duckdb", "filter-auto").map { duckDB($0, "DuckDB, schema inferred") },
      python("filter", of: ["polars"], limit: Int.max).first ?? nil,
    ]
    contenders += foundation("filter") + [jq(#"select(.level == "error").latency_ms"#)]
    contenders += python("filter", of: ["ijson"])
    return CompareQuestion(
      name: "filter", title: "The records of a log with an error, one in a hundred",
      inputs: { [try files.log(arguments.bytes), try files.log(medium)] },
      trial: { try files.log(CompareFiles.trialBytes) },
      answer: { .init(lines: $0.answer.errors, sum: Int(($0.answer.errorLatency * 10).rounded()) * 100) },
      isStream: true, baseline: "libyajl in C", contenders: contenders.compactMap { $0 })
  }

  private func duckDB(_ words: [String], _ name: String) -> Contender {
    Contender(name: name, unchecked: Self.duckDBLacks) { words + [$0.path, "2"] }
  }

  private var codable: CompareQuestion {
    // It counts the lines, and no more.
    let floor = Contender(
      name: "libyajl, empty callbacks", kind: .floor, unchecked: Self.yajlLacks,
      answer: { .init(lines: 1, sum: $0.answer.records * 1000) }
    ) { [here.yajl, "lines", $0.path] }
    return CompareQuestion(
      name: "codable", title: "A log into types that have every member",
      inputs: { [try files.log(medium)] }, trial: { try files.log(CompareFiles.trialBytes) },
      answer: { .init(lines: 2, sum: ($0.answer.records + $0.answer.userIDs) * 1000) },
      baseline: "JSONDecoder",
      contenders: [
        Contender(name: "JSONDecoder", unchecked: "[1,] passes") { [here.foundation, "decoder", "decode", $0.path] },
        ours("JSONRecordReader.decode", ["validated", "decode"]),
        floor,
      ].compactMap { $0 })
  }

  private var access: CompareQuestion {
    CompareQuestion(
      name: "access", title: "Every value of a document, as SwiftyJSON's users write it",
      inputs: { [try files.document(arguments.smallBytes)] }, trial: { try files.document(CompareFiles.trialBytes) },
      answer: { _ in nil }, baseline: "JSONSerialization",
      contenders: [
        Contender(name: "JSONSerialization", unchecked: Self.serializationLacks) {
          [here.foundation, "serialization", "walk", $0.path]
        },
        ours("JSONSift, for (key, value) in json", ["validated", "walk"]),
      ].compactMap { $0 })
  }

  // MARK: Start-up

  private var start: CompareQuestion {
    CompareQuestion(
      name: "start", title: "What it costs to begin: one value of a document of 1 KB",
      inputs: { [try files.document(1)] }, trial: { try files.document(1) },
      answer: { .init(lines: 1, sum: $0.answer.lastUserID * 1000) }, isStart: true, baseline: "jq",
      contenders: [
        jq(".records[0].user.id"),
        tool("jsift", ["$.records[0].user.id"]),
        yajl("value"),
        simdjson("simdjson On-Demand", "value", lacks: Self.onDemandLacks),
        rapidjson("rapidjson SAX", "value"),
      ].compactMap { $0 } + (foundation("value") + python("value")).compactMap { $0 })
  }

  // MARK: Contenders

  private func question(
    _ name: String, _ title: String, _ answer: @escaping (CompareInput) -> Meter.Answer, _ contenders: [Contender?]
  ) -> CompareQuestion {
    CompareQuestion(
      name: name, title: title, inputs: { [try files.document(medium)] },
      trial: { try files.document(CompareFiles.trialBytes) }, answer: answer, baseline: "libyajl in C",
      contenders: contenders.compactMap { $0 })
  }

  private func ours(_ name: String, _ words: [String], lacks: String? = nil) -> Contender? {
    Contender(name: name, kind: .ours, unchecked: lacks) { [here.ours] + words + [$0.path, $0.place] }
  }

  private func tool(_ name: String, _ words: [String], lacks: String? = nil) -> Contender? {
    tool(name, { _ in words }, lacks: lacks)
  }

  private func tool(
    _ name: String, _ words: @escaping (CompareInput) -> [String], lacks: String? = nil
  ) -> Contender? {
    Contender(name: name, kind: .ours, unchecked: lacks) { [here.jsift] + words($0) + [$0.path] }
  }

  private func yajl(_ job: String) -> Contender? {
    Contender(name: "libyajl in C", unchecked: Self.yajlLacks) { [here.yajl, job, $0.path, $0.place] }
  }

  private func simdjson(_ name: String, _ job: String, lacks: String?) -> Contender? {
    here.simdjson.map { program in
      Contender(name: name, unchecked: lacks) { [program, job, $0.path, $0.place] }
    }
  }

  private func rapidjson(_ name: String, _ job: String) -> Contender? {
    here.rapidjson.map { program in
      Contender(name: name, unchecked: nil) { [program, job, $0.path, $0.place] }
    }
  }

  private func jq(_ filter: String) -> Contender? { jq(filter, name: "jq") }
  private func jq(_ filter: @escaping (CompareInput) -> String) -> Contender? {
    here.jq.map { program in
      Contender(name: "jq", unchecked: Self.jqLacks, limit: medium) { [program, filter($0), $0.path] }
    }
  }

  private func jq(_ filter: String, name: String, options: [String] = [], limit: Int? = nil) -> Contender? {
    here.jq.map { program in
      Contender(name: name, unchecked: Self.jqLacks, limit: limit ?? medium) { [program] + options + [filter, $0.path] }
    }
  }

  private func foundation(_ job: String) -> [Contender?] {
    [("JSONSerialization", "serialization", Self.serializationLacks), ("JSONDecoder", "decoder", Self.decoderLacks)]
      .map { name, way, lacks in
        Contender(name: name, unchecked: lacks, limit: medium) { [here.foundation, way, job, $0.path, $0.place] }
      }
  }

  private func python(
    _ job: String, of libraries: [String] = ["ijson", "orjson", "duckdb", "polars"], limit: Int? = nil
  ) -> [Contender?] {
    let lacks = ["ijson": Self.ijsonLacks, "duckdb": Self.duckDBLacks, "polars": Self.polarsLacks]
    let names = ["duckdb": "DuckDB"]
    return libraries.map { library in
      here.python(library, job).map { words in
        Contender(name: names[library] ?? library, unchecked: lacks[library], limit: limit ?? medium) {
          words + [$0.path, $0.place]
        }
      }
    }
  }
}
