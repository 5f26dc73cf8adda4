import Foundation

/// The questions, and who is asked.
struct CompareQuestions {
  static let names = [
    "validate", "check", "count", "lazy", "value", "path", "descend", "log", "filter", "stats", "compact", "shape",
    "codable", "access", "known", "start",
  ]

  private let arguments: CompareArguments
  private let here: Installed
  let files = CompareFiles()

  init(_ arguments: CompareArguments, _ here: Installed) {
    self.arguments = arguments
    self.here = here
  }

  // MARK: What must be known

  private static let readAheadRemark = "a second thread copies the file out of the system's cache"
  private static let validatingAheadRemark =
    "a second thread copies the file out of the system's cache and validates it"
  private static let sieveRemark = "lines that cannot match are not parsed"
  private static let onDemandRemark = "what is not asked for is not parsed"
  private static let earlyRemark = "reads no further than its answer"
  private static let doubleRemark = "numbers become Double"
  private static let schemaRemark = "fields that no column asks for are not converted"

  /// More than this takes Foundation, jq and Python tens of seconds, and tens of gigabytes.
  private var medium: Int { arguments.mediumBytes }

  func make() throws -> [CompareQuestion] {
    let wanted = arguments.questions.isEmpty ? Self.names : arguments.questions
    return wanted.flatMap { $0 == "known" ? KnownDocuments(here: here).make() : [question($0)].compactMap { $0 } }
  }

  private func question(_ name: String) -> CompareQuestion? {
    switch name {
    case "validate": return validate
    case "check": return check
    case "count": return count
    case "lazy": return lazy
    case "value": return value
    case "path": return path
    case "descend": return descend
    case "log": return log
    case "filter": return filter
    case "compact": return compact
    case "shape": return shape
    case "stats": return stats
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
        tool("jsift --count", ["$.records[*]", "--count"], remark: Self.readAheadRemark),
        simdjson("simdjson DOM", "dom-count"),
        rapidjson("rapidjson DOM", "dom-count"), rapidjson("rapidjson SAX", "count"),
      ] + foundation("count") + [jq(".records|length")] + python("count"))
  }

  private var check: CompareQuestion {
    let one = { (_: CompareInput) in Meter.Answer(lines: 1, sum: 1000) }
    // It writes how many errors there are.
    let none = { (_: CompareInput) in Meter.Answer(lines: 1, sum: 0) }
    func jsift(_ jobs: String, _ remark: String? = nil) -> Contender {
      Contender(name: "jsift check -j \(jobs)", kind: .ours, remark: remark, answer: none) {
        [here.jsift, "check", "--count", "-j", jobs, $0.path]
      }
    }
    // A file is a little longer than it was asked to be.
    return CompareQuestion(
      name: "check", title: "Is a large document JSON?",
      inputs: {
        [try files.document(arguments.bytes), try files.document(medium), try files.document(arguments.smallBytes)]
      },
      trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) }, answer: one, baseline: "libyajl in C",
      contenders: [
        yajl("whole"),
        jsift("1", Self.readAheadRemark), jsift("2"),
        here.simdjson.map { program in
          Contender(name: "simdjson DOM", limit: 2 * medium) { [program, "texts", $0.path, "document"] }
        },
        Contender(name: "JSONSerialization", remark: Self.doubleRemark, limit: arguments.smallBytes) {
          [here.foundation, "serialization", "texts-document", $0.path]
        },
        here.python("orjson", "texts").map { words in
          Contender(name: "orjson", remark: Self.doubleRemark, limit: 2 * medium) { words + [$0.path, "document"] }
        },
      ].compactMap { $0 })
  }

  private var lazy: CompareQuestion {
    question(
      "lazy", "A value of every 1000th record of a document",
      { .init(lines: $0.answer.thousandths, sum: $0.answer.thousandthUserIDs * 1000) },
      [
        yajl("some"),
        ours("JSONSift, validated", ["validated", "some"]),
        simdjson("simdjson On-Demand", "some", remark: Self.onDemandRemark),
        simdjson("simdjson DOM", "dom-some"),
        rapidjson("rapidjson DOM", "dom-some"), rapidjson("rapidjson SAX", "some"),
      ] + foundation("some")
        + [
          jq(".records as $r | range(0; $r|length; 1000) | $r[.].user.id")
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
        tool("jsift", { ["$.records[\($0.place)].user.id"] }, remark: Self.readAheadRemark),
        simdjson("simdjson On-Demand", "value", remark: Self.onDemandRemark),
        simdjson("simdjson DOM", "dom-value"),
        rapidjson("rapidjson DOM", "dom-value"), rapidjson("rapidjson SAX", "value"),
      ] + foundation("value") + [jq { ".records[\($0.place)].user.id" }] + python("value"))
  }

  private var path: CompareQuestion {
    let small = arguments.smallBytes
    return CompareQuestion(
      name: "path", title: "One value of each record of a large document, $.records[*].user.id",
      inputs: { [try files.document(arguments.bytes), try files.document(medium), try files.document(small)] },
      trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) },
      answer: { .init(lines: $0.answer.records, sum: $0.answer.userIDs * 1000) }, isStream: true,
      baseline: "libyajl in C",
      contenders: [
        yajl("path"),
        tool("jsift -j 1", ["$.records[*].user.id", "-j", "1"], remark: Self.validatingAheadRemark),
        tool("jsift -j 2", ["$.records[*].user.id", "-j", "2"]),
        here.taskset.map { program in
          Contender(name: "jsift, one processor", kind: .ours) {
            [program, "-c", "0", here.jsift, "$.records[*].user.id", $0.path]
          }
        },
        simdjson("simdjson On-Demand", "path", remark: Self.onDemandRemark),
        rapidjson("rapidjson SAX", "path"),
        python("path", of: ["ijson"], limit: Int.max).first ?? nil,
      ].compactMap { $0 }
        + (foundation("path") + [
          jq(".records[].user.id // empty"),
          jq(
            #"select(length == 2 and .[0][0] == "records" and .[0][2:] == ["user", "id"]) | .[1]"#, name: "jq --stream",
            options: ["--stream"], limit: small),
        ] + python("path", of: ["orjson", "duckdb", "polars"])).compactMap { $0 })
  }

  private var descend: CompareQuestion {
    CompareQuestion(
      name: "descend", title: "Every member of a name, wherever it stands in a large document, $..id",
      inputs: { [try files.document(arguments.bytes), try files.document(medium)] },
      trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) },
      answer: { .init(lines: $0.answer.records, sum: $0.answer.userIDs * 1000) }, isStream: true,
      baseline: "libyajl in C",
      contenders: [
        yajl("descend"), tool("jsift", ["$..id"], remark: Self.readAheadRemark), jq(".. | .id? // empty"),
      ].compactMap { $0 })
  }

  // MARK: Logs

  private var count: CompareQuestion {
    func jsift(_ jobs: String, _ remark: String? = nil) -> Contender? {
      tool("jsift -j \(jobs)", ["records", "--count", "--on-error", "stop", "-j", jobs], remark: remark)
    }
    return CompareQuestion(
      name: "count", title: "Is every record of a log JSON, and how many are there?",
      inputs: { [try files.log(arguments.bytes), try files.log(medium)] },
      trial: { try files.log(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { .init(lines: 1, sum: $0.answer.records * 1000) }, baseline: "libyajl in C",
      contenders: [
        yajl("lines"), jsift("1", Self.readAheadRemark), jsift("2"),
        here.simdjson.map { program in
          Contender(name: "simdjson parse_many") { [program, "texts", $0.path, "lines"] }
        },
        here.python("orjson", "texts").map { words in
          Contender(name: "orjson", remark: Self.doubleRemark) { words + [$0.path, "lines"] }
        },
        here.jq.map { program in
          Contender(name: "jq", remark: Self.doubleRemark, limit: medium) {
            [program, "-n", "reduce inputs as $text (0; . + 1)", $0.path]
          }
        },
      ].compactMap { $0 })
  }

  private var log: CompareQuestion {
    // Without --on-error a bad line is told and passed over, and the status is 0; everybody else ends there.
    func jsift(_ options: [String], _ remark: String? = nil) -> Contender? {
      let name = (["jsift"] + options).joined(separator: " ")
      return tool(name, options + ["$.user.id", "--on-error", "stop"], remark: remark)
    }
    var contenders = [
      yajl("log"),
      jsift(["-j", "1"], Self.readAheadRemark), jsift(["-j", "2"]),
      simdjson("simdjson iterate_many", "log", remark: Self.onDemandRemark),
      python("log", of: ["orjson"], limit: Int.max).first ?? nil,
      here.python("duckdb", "log").map { duckDB($0, "DuckDB, schema given") },
      python("log", of: ["polars"], limit: Int.max).first ?? nil,
    ]
    contenders += [jq(".user.id")] + python("log", of: ["ijson"])
    return CompareQuestion(
      name: "log", title: "One value of each record of a log, $.user.id",
      inputs: { [try files.log(arguments.bytes), try files.log(medium)] },
      trial: { try files.log(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { .init(lines: $0.answer.records, sum: $0.answer.userIDs * 1000) },
      isStream: true, baseline: "libyajl in C", contenders: contenders.compactMap { $0 })
  }

  private var filter: CompareQuestion {
    let condition = ["$.latency_ms", "--where", "@.level == 'error'"]
    var contenders = [
      yajl("filter"),
      ours("JSONSift, every line parsed", ["validated", "filter"]),
      tool("jsift -j 1", condition + ["-j", "1"], remark: "\(Self.sieveRemark); \(Self.readAheadRemark)"),
      tool("jsift -j 2", condition + ["-j", "2"], remark: Self.sieveRemark),
      // Every line is checked: one that is ruled out is validated.
      tool("jsift --on-error stop -j 1", condition + ["--on-error", "stop", "-j", "1"], remark: Self.readAheadRemark),
      tool("jsift --on-error stop -j 2", condition + ["--on-error", "stop", "-j", "2"]),
      simdjson("simdjson iterate_many", "filter", remark: Self.onDemandRemark),
      simdjson("simdjson parse_many", "dom-filter"),
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
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { .init(lines: $0.answer.errors, sum: Int(($0.answer.errorLatency * 10).rounded()) * 100) },
      isStream: true, baseline: "libyajl in C", contenders: contenders.compactMap { $0 })
  }

  private var stats: CompareQuestion {
    // Of what it says of each level only the numbers that all print are compared. A bad line ends it, as it ends the others.
    func jsift(_ jobs: String) -> Contender? {
      let script =
        "\"$0\" stats --of ms='$.latency_ms' --by level='$.level' --on-error stop --format csv -j \(jobs) \"$1\" "
        + "| { read -r header; cut -d, -f3-6 | tr , '\\n'; }"
      return findProgram("bash").map { bash in
        Contender(name: "jsift stats -j \(jobs)", kind: .ours, remark: "percentiles too; a shell picks the columns") {
          [bash, "-o", "pipefail", "-c", script, here.jsift, $0.path]
        }
      }
    }
    // It counts the lines, and no more.
    let floor = Contender(
      name: "libyajl, empty callbacks", kind: .floor,
      answer: { .init(lines: 1, sum: $0.answer.records * 1000) }
    ) { [here.yajl, "lines", $0.path] }
    let contenders: [Contender?] = [
      floor, jsift("1"), jsift("2"), here.python("duckdb", "stats").map { duckDB($0, "DuckDB, schema given") },
      python("stats", of: ["polars"], limit: Int.max).first ?? nil,
      python("stats", of: ["orjson"], limit: Int.max).first ?? nil,
    ]
    return CompareQuestion(
      name: "stats", title: "Count, sum, least and largest latency_ms of each level in a log",
      inputs: { [try files.log(arguments.bytes), try files.log(medium)] },
      trial: { try files.log(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { input in
        let bounds = input.answer.latencyBounds.compactMap { $0 }
        let sum = input.answer.records * 1000 + Int((input.answer.latency * 10).rounded()) * 100
        return .init(
          lines: bounds.count * 4, sum: bounds.reduce(sum) { $0 + ($1.lowerBound + $1.upperBound) * 100 })
      },
      baseline: floor.name, contenders: contenders.compactMap { $0 })
  }

  private func duckDB(_ words: [String], _ name: String) -> Contender {
    Contender(name: name, remark: Self.schemaRemark) { words + [$0.path, "2"] }
  }

  private var compact: CompareQuestion {
    let floor = Contender(
      name: "libyajl, empty callbacks", kind: .floor, answer: { _ in .init(lines: 1, sum: 1000) }
    ) { [here.yajl, "whole", $0.path] }
    return CompareQuestion(
      name: "compact", title: "A large document without white space between its tokens",
      inputs: { [try files.document(arguments.bytes), try files.document(medium)] },
      trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) },
      // One line, of which the meter knows the length.
      answer: { _ in nil }, baseline: "libyajl, empty callbacks",
      contenders: [
        floor,
        tool("jsift format --compact", ["format", "--compact"], remark: Self.readAheadRemark),
        here.taskset.map { program in
          Contender(name: "jsift format --compact, one processor", kind: .ours) {
            [program, "-c", "0", here.jsift, "format", "--compact", $0.path]
          }
        },
        simdjson("simdjson minify", "minify", remark: "checks that strings end, and no more"),
        here.jq.map { program in
          Contender(name: "jq -c", remark: Self.doubleRemark, limit: medium, spellsAnew: true) {
            [program, "-c", ".", $0.path]
          }
        },
      ].compactMap { $0 })
  }

  private var shape: CompareQuestion {
    let floor = Contender(
      name: "libyajl, empty callbacks", kind: .floor,
      answer: { .init(lines: 1, sum: $0.answer.records * 1000) }
    ) { [here.yajl, "lines", $0.path] }
    func jsift(_ jobs: String, _ remark: String? = nil) -> Contender? {
      tool("jsift shape -j \(jobs)", ["shape", "--on-error", "stop", "-j", jobs], remark: remark)
    }
    return CompareQuestion(
      name: "shape", title: "Which paths a log has, with types, counts and bounds",
      inputs: { [try files.log(arguments.bytes)] }, trial: { try files.log(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { _ in nil }, baseline: "libyajl, empty callbacks",
      contenders: [floor, jsift("1", Self.readAheadRemark), jsift("2")].compactMap { $0 })
  }

  private var codable: CompareQuestion {
    // It counts the lines, and no more.
    let floor = Contender(
      name: "libyajl, empty callbacks", kind: .floor,
      answer: { .init(lines: 1, sum: $0.answer.records * 1000) }
    ) { [here.yajl, "lines", $0.path] }
    return CompareQuestion(
      name: "codable", title: "A log into types that have every member",
      inputs: { [try files.log(medium)] }, trial: { try files.log(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: true) },
      answer: { .init(lines: 2, sum: ($0.answer.records + $0.answer.userIDs) * 1000) },
      baseline: "JSONDecoder",
      contenders: [
        Contender(name: "JSONDecoder") { [here.foundation, "decoder", "decode", $0.path] },
        ours("JSONRecordReader.next(as:)", ["validated", "decode"]),
        floor,
      ].compactMap { $0 })
  }

  private var access: CompareQuestion {
    CompareQuestion(
      name: "access", title: "Every value of a document, as SwiftyJSON's users write it",
      inputs: { [try files.document(arguments.smallBytes)] }, trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) },
      answer: { _ in nil }, baseline: "JSONSerialization",
      contenders: [
        Contender(name: "JSONSerialization", remark: Self.doubleRemark) {
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
      flawed: { try Flaws.records($0, asLines: false) },
      answer: { .init(lines: 1, sum: $0.answer.lastUserID * 1000) }, isStart: true, baseline: "jq",
      contenders: [
        jq(".records[0].user.id"),
        tool("jsift", ["$.records[0].user.id"], remark: Self.earlyRemark),
        yajl("value"),
        simdjson("simdjson On-Demand", "value", remark: Self.onDemandRemark),
        rapidjson("rapidjson SAX", "value"),
      ].compactMap { $0 } + (foundation("value") + python("value")).compactMap { $0 })
  }

  // MARK: Contenders

  private func question(
    _ name: String, _ title: String, _ answer: @escaping (CompareInput) -> Meter.Answer, _ contenders: [Contender?]
  ) -> CompareQuestion {
    CompareQuestion(
      name: name, title: title, inputs: { [try files.document(medium)] },
      trial: { try files.document(CompareFiles.trialBytes) },
      flawed: { try Flaws.records($0, asLines: false) }, answer: answer, baseline: "libyajl in C",
      contenders: contenders.compactMap { $0 })
  }

  private func ours(_ name: String, _ words: [String], remark: String? = nil) -> Contender? {
    Contender(name: name, kind: .ours, remark: remark) { [here.ours] + words + [$0.path, $0.place] }
  }

  private func tool(_ name: String, _ words: [String], remark: String? = nil) -> Contender? {
    tool(name, { _ in words }, remark: remark)
  }

  private func tool(
    _ name: String, _ words: @escaping (CompareInput) -> [String], remark: String? = nil
  ) -> Contender? {
    Contender(name: name, kind: .ours, remark: remark) { [here.jsift] + words($0) + [$0.path] }
  }

  private func yajl(_ job: String) -> Contender? {
    Contender(name: "libyajl in C") { [here.yajl, job, $0.path, $0.place] }
  }

  private func simdjson(_ name: String, _ job: String, remark: String? = nil) -> Contender? {
    here.simdjson.map { program in
      Contender(name: name, remark: remark) { [program, job, $0.path, $0.place] }
    }
  }

  private func rapidjson(_ name: String, _ job: String) -> Contender? {
    here.rapidjson.map { program in
      Contender(name: name) { [program, job, $0.path, $0.place] }
    }
  }

  private func jq(_ filter: String) -> Contender? { jq(filter, name: "jq") }
  private func jq(_ filter: @escaping (CompareInput) -> String) -> Contender? {
    here.jq.map { program in
      Contender(name: "jq", remark: Self.doubleRemark, limit: medium) { [program, filter($0), $0.path] }
    }
  }

  private func jq(_ filter: String, name: String, options: [String] = [], limit: Int? = nil) -> Contender? {
    here.jq.map { program in
      Contender(name: name, remark: Self.doubleRemark, limit: limit ?? medium) {
        [program] + options + [filter, $0.path]
      }
    }
  }

  private func foundation(_ job: String) -> [Contender?] {
    [("JSONSerialization", "serialization", Self.doubleRemark), ("JSONDecoder", "decoder", String?.none)]
      .map { name, way, remark in
        Contender(name: name, remark: remark, limit: medium) { [here.foundation, way, job, $0.path, $0.place] }
      }
  }

  private func python(
    _ job: String, of libraries: [String] = ["ijson", "orjson", "duckdb", "polars"], limit: Int? = nil
  ) -> [Contender?] {
    let remarks = [
      "ijson": Self.doubleRemark, "orjson": Self.doubleRemark, "duckdb": Self.schemaRemark, "polars": Self.schemaRemark,
    ]
    let names = ["duckdb": "DuckDB"]
    return libraries.map { library in
      here.python(library, job).map { words in
        Contender(name: names[library] ?? library, remark: remarks[library], limit: limit ?? medium) {
          words + [$0.path, $0.place]
        }
      }
    }
  }
}
