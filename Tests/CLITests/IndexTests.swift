import Foundation
import TestSupport
import Testing

/// With an index, commands read less, and write the same.
@Suite struct IndexTests {
  private static let log: String = (0..<(isDebug ? 12_000 : 60_000)).map { line in
    switch line % 997 {
    case 7: "{\"id\":\(line),}\n"
    case 9: "\r\n"
    case 13 where line < 1000: String(repeating: "[", count: 1100) + "\n"
    case 11: "{\"id\":\"\(line)\",\"s\":null}\r\n"
    default:
      "{\"id\":\(line),\"s\":\"s\(line / 1000)\",\"ms\":\(line % 977),\"pad\":\"\(String(repeating: "x", count: 80))\"}\n"
    }
  }.joined()

  private static let commands = [
    ["records", "--where", "@.id == 4821"], ["records", "--where", "@.s == 's3' || @.id == 11000.0"],
    ["records", "--count", "--where", "@.s == 's3'"],
    ["records", "--where", "@.id < 3 || @.id >= 11990", "--with-location"],
    ["get", "$.ms", "--where", "@.s == 's5'", "--limit", "3"], ["get", "$.ms", "--where", "@.s == 'none'"],
    ["get", "-p", "ms=$.ms", "--where", "@.s == null", "--format", "csv"],
    ["stats", "--of", "ms=$.ms", "--where", "@.s == 's8' && @.ms > 3"],
    [
      "records", "--select", "id=$.id", "--format", "csv", "--where", "@.id == 9 || @.id == 9000", "--rejects",
      "rejects",
    ],
    ["records", "--where", "@.id == 4821", "--rejects-inline", "bad"], ["records", "--where", "@.pad == 'x'"],
    ["records", "--where", "@.id == 4821", "--on-error", "stop"],
    ["records", "--where", "@.id == 4821", "--max-errors", "2"],
    ["records", "--where", "@.id == 4821", "--from-offset", "500"],
    ["records", "--where", "@.id == 4821", "--range", "0-9"], ["records", "--where", "@.id == 4821", "--skip-prefix"],
    ["records", "--where", "@.id == 4821", "--input", "ndjson", "-", "app.log"],
    ["records", "--where", "@.id == 4821", "--max-record-bytes", "90"],
  ]

  /// Compares the output and the status of each command with and without the index.
  ///
  /// - Parameter count: The number of commands.
  private static func compare(
    in folder: Folder, _ state: String, index policy: String = "auto", first count: Int = Self.commands.count
  ) throws {
    for (number, command) in commands.prefix(count).enumerated() {
      for jobs in count < commands.count ? [number % 2 == 0 ? "1" : "3"] : ["1", "3"] {
        let arguments = command.map { $0 == "rejects" || $0 == "app.log" ? folder.path($0) : $0 } + ["-j", jobs]
        let files = command.contains("app.log") ? [] : [folder.path("app.log"), folder.path("other.log")]
        let input = command.contains("app.log") ? "{\"id\":4821}\n" : nil
        let isOne = command.contains("--range") || command.contains("--from-offset")
        let names = isOne ? Array(files.prefix(1)) : files
        let plain = try outcome(arguments + names + ["--index", "never"], input)
        let plainRejects = try? folder.text("rejects")
        let indexed = try outcome(arguments + names + ["--index", policy], input)
        #expect(indexed.out == plain.out, "\(state) \(command) \(jobs)")
        #expect(indexed.status == plain.status, "\(state) \(command) \(jobs): \(indexed.err)")
        #expect((try? folder.text("rejects")) == plainRejects, "\(state) \(command)")
      }
    }
  }

  /// The number of bad records that a run has reported.
  private static func badRecords(_ outcome: Outcome) -> Int {
    outcome.err.firstMatch(of: /(\d+) bad records? (was|were) skipped/).flatMap { Int($0.1) } ?? 0
  }

  private static func outcome(_ arguments: [String], _ input: String?) throws -> Outcome {
    if let input { try run(arguments, stdin: input) } else { try run(arguments) }
  }

  private static func folder(_ body: (Folder) throws -> Void) throws {
    try withFolder { folder in
      let file = try folder.file("app.log", log)
      _ = try folder.file("other.log", "{\"id\":4821,\"s\":\"s8\",\"ms\":4}\nbad\n")
      let made = try run(["index", "-p", "$.id", "-p", "$.s", file])
      #expect(made.status == 0 && made.err == "" && made.out.isEmpty, "\(made.err)")
      try body(folder)
    }
  }

  @Test func `every command writes the same with an index, and reads less`() throws {
    try Self.folder { folder in
      try Self.compare(in: folder, "fresh")
      let arguments = ["records", "--where", "@.id == 4821", folder.path("app.log")]
      let (found, all) = (try run(arguments), try run(arguments + ["--index", "never"]))
      #expect(found.lines.count == 1 && found.out == all.out)
      // Fewer bad lines are seen.
      #expect(Self.badRecords(found) < Self.badRecords(all) && Self.badRecords(found) > 0, "\(found.err) \(all.err)")
    }
  }

  @Test func `lines that were appended are found with and without an index`() throws {
    try Self.folder { folder in
      _ = try shell("printf '%s\\n' '{\"id\":4821,\"s\":\"s5\"}' '{\"id\":' '{\"id\":11000}' >> app.log", in: folder)
      try Self.compare(in: folder, "appended", first: 4)
      try Self.compare(in: folder, "appended", index: "grow")
      let stale = try run(["records", "--where", "@.id == 4821", folder.path("app.log")])
      #expect(
        folder.cut(stale.err).hasPrefix(
          "jsift: app.log.jsidx: not used: app.log has changed since it was indexed; jsift index app.log indexes it "
            + "again, or --index grow uses the index if lines were only appended\n"))
      let again = try run(["index", folder.path("app.log")])
      #expect(again.status == 0 && again.err == "")
      try Self.compare(in: folder, "indexed again", first: 4)
      #expect(try !run(["records", "--where", "@.id == 4821", folder.path("app.log")]).err.contains("jsidx"))
    }
  }

  @Test(arguments: [
    "cp app.log new && mv new app.log", "truncate -s 500000 app.log",
    "printf X | dd of=app.log bs=1 seek=70 conv=notrunc",
    "tail -n 4000 app.log > new && cat new > app.log", ": > app.log", "rm app.log && mkfifo app.log && rm app.log",
    "truncate -s 100 app.log.jsidx", ": > app.log.jsidx", "printf X | dd of=app.log.jsidx bs=1 seek=300 conv=notrunc",
    "head -c 2000 /dev/urandom > app.log.jsidx", "rm app.log.jsidx && mkdir app.log.jsidx",
    "cp other.log app.log.jsidx", "gzip -k app.log && mv app.log.gz app.log", "rm app.log.jsidx",
  ])
  func `an index that does not describe its file changes nothing`(change: String) throws {
    try Self.folder { folder in
      _ = try shell("sleep 0.05; { \(change); } 2>/dev/null", in: folder)
      try Self.compare(in: folder, change, first: 2)
      if !change.contains("dd of=app.log bs") { try Self.compare(in: folder, change, index: "grow", first: 2) }
    }
  }

  @Test func `an index that is written while the tool is killed is whole, or the previous one`() throws {
    try Self.folder { folder in
      for delay in [0, 1, 2, 5, 10, 20, 40, 80] {
        _ = try shell(
          "$JSIFT index -p '$.id' -p '$.s' app.log & sleep 0.0\(delay < 10 ? "0" : "")\(delay); kill -9 $!; wait",
          in: folder)
        let found = try run(["records", "--where", "@.id == 4821", folder.path("app.log")])
        #expect(!found.err.contains("jsidx") && found.lines.count == 1, "\(delay): \(found.err)")
      }
    }
  }

  @Test func `an index that cannot be written leaves the previous one`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", "{\"id\":1}\n{\"id\":2}\n")
      #expect(try shell("\"$JSIFT\" index -p '$.id' a.log", in: folder).status == 0)
      let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.log.jsidx")))
      let result = try shell("ulimit -f 0\nexec \"$JSIFT\" index a.log", in: folder)
      result.expect(err: "jsift: a.log.jsidx: File too large\n", status: 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("a.log.jsidx"))) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.log", "a.log.jsidx"])
    }
  }

  @Test func `errors say what was found and what is expected`() throws {
    try withFolder { folder in
      let document = try folder.file("1.json", "[1,\n2]")
      let log = try folder.file("a.log", "{\"id\":1}\n{\"id\":2}\n")
      let sequence = try folder.file("a.seq", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n")
      for (arguments, message) in [
        (["index"], "jsift: index: expected named files, found none\n"),
        (["index", "-"], "jsift: index: expected named files, found standard input\n"),
        (["index", "-p", "$..id", log], "jsift: --path '$..id': expected a path with names and indexes only\n"),
        (["index", "-p", "$.id", document], "jsift: 1.json: expected an array with elements at $['id'], found none\n"),
        (
          ["index", "-p", "$.id", "-p", "$.a", log, document],
          "jsift: --path: 1.json is one document: expected the path of one array, found 2 paths\n"
        ),
        (
          ["index", "-p", "$.id", sequence],
          "jsift: a.seq: expected records that are lines, found another framing, which cannot be indexed\n"
        ),
        (
          ["index", "-p", "$.id", folder.path("none")],
          "jsift: none: the input cannot be read: No such file or directory\n"
        ),
      ] {
        let result = try run(arguments)
        #expect(folder.cut(result.err) == message)
        #expect(result.status == 2)
      }
    }
  }

  @Test func `an index that cannot be read does not tell the paths, and is replaced by one with paths`() throws {
    try withFolder { folder in
      let log = try folder.file("a.log", "{\"id\":1}\n{\"id\":2}\n")
      let index = try folder.file("a.log.jsidx", "no index\n")
      let again = try run(["index", log])
      #expect(
        folder.cut(again.err)
          == "jsift: a.log.jsidx: expected an index of this version of JSONSift, found other data; name the paths with -p to "
          + "replace it, or delete it\n")
      #expect(again.status == 2)
      #expect(try String(contentsOfFile: index, encoding: .utf8) == "no index\n")
      #expect(try run(["index", "-p", "$.id", log]).status == 0)
      #expect(try run(["index", log]).status == 0)
    }
  }
}
