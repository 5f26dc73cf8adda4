import Testing

/// Files that programs really leave: the name, the first bytes or the damage are not those of the format.
@Suite struct RealFileTests {
  // MARK: Values behind the first one

  /// Files that are not one value, and the results of `$.a`.
  static let several: [(text: String, results: String)] = [
    ("{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", "1\n2\n"), ("{\"a\":1}{\"a\":2}{\"a\":3}", "1\n2\n3\n"),
    ("{\"a\":1}\t{\"a\":2}\n", "1\n2\n"), ("{\n\"ok\":1\n}\n{\n\"a\":\"boom\"\n}\n", "\"boom\"\n"),
    ("{\n\"a\":1}\n\u{FEFF}{\"a\":2}", "1\n2\n"), ("{\n\"a\":1} true\n", "1\n"),
    (
      "{\"x\":\"" + String(repeating: "x", count: 262_100) + "\",\n\"a\":1,\"y\":\""
        + String(repeating: "y", count: 60_000) + "\"}\n{\n\"a\":2}", "1\n2\n"
    ),
  ]

  @Test(arguments: several)
  func `issue 48, row 5: values behind the first one are read after an early answer, however the bytes arrive`(
    text: String, results: String
  ) throws {
    try withFolder { folder in
      _ = try folder.file("v.json", text)
      let options = ["", "-j 3"].map { "\"$JSIFT\" '$.a' v.json \($0)" }
      for command in options + ["cat v.json | \"$JSIFT\" '$.a'", "JSONSIFT_KERNEL=none \"$JSIFT\" '$.a' v.json"] {
        let result = try shell(command, in: folder)
        #expect(result.text == results, "\(command)")
        result.expect(err: "", status: 0)
      }
    }
  }

  @Test func `issue 48, row 5: the options of get see the values behind the first one, and other paths reject it`()
    throws
  {
    try withFolder { folder in
      let file = try folder.file("v.json", Self.several[0].text)
      #expect(try run(["$.a", "--count", file]).text == "2\n")
      #expect(try run(["$.a", "--limit", "1", file]).text == "1\n")
      #expect(try run(["-p", "x=$.a", "-p", "y=$.b", file]).text == "{\"x\":1}\n{\"x\":2}\n")
      for other in [["$..a"], ["each", "$"], ["records"]] {
        let result = try run(other + [file])
        #expect(result.err.contains("\n    = --input values reads one value after another"))
        #expect(result.status == 2)
        #expect(try run(other + [file, "--input", "values"]).lines.count == 2)
      }
      #expect(try run(["$.a", "--with-location", file]).lines.last?.contains("\"line\":4,\"byteOffset\":20,") == true)
    }
  }

  @Test func `issue 48, row 5: a comma behind the value is reported, and other text keeps the early answer`() throws {
    try withFolder { folder in
      let comma = try run(["$.a", try folder.file("c.json", "{\"a\":1},\n{\"a\":2},\n")])
      #expect(comma.text == "1\n")
      #expect(comma.err.contains(":1:8: expected the end of the text after one value, found ','"))
      #expect(comma.status == 2)
      let far = "{\n\"a\":1,\"y\":\"" + String(repeating: "y", count: 70_000) + "\"}\n{\n\"a\":2}"
      for text in ["{\"a\":1}GARBAGE", "{\"a\":1} not json", "{\"a\":1", far] {
        try run(["$.a", try folder.file("g.json", text)]).expect(text: "1\n", err: "", status: 0)
      }
    }
  }

  @Test func `issue 48, row 5: an input that is said to be one document is rejected if another value follows`() throws {
    try withFolder { folder in
      let result = try run(["$.a", "--input", "json", try folder.file("v.json", Self.several[0].text)])
      #expect(result.text == "1\n")
      // The user has named the form, so the message proposes no other one.
      #expect(result.err.contains("found '{' (byte") && !result.err.contains("--input values"))
      #expect(result.status == 2)
    }
  }

  // MARK: Logs

  static let npm = "\n> app@1.0.0 start\n> node src/index\n\n{\"level\":30}\n{\"level\":50}\n"

  @Test func `issue 48, row 8: text before the first record, and the name of a rotated log, mean lines`() throws {
    try withFolder { folder in
      try run(["$.level"], stdin: Self.npm).expect(text: "30\n50\n", status: 0)
      #expect(try run(["$.level"], stdin: "2026-11-26 10:00:00 starting\n{\"level\":1}\n").text == "1\n")
      let text = "starting\nINFO {\"level\":1}\n" + String(repeating: "x\n", count: 70) + "{\"level\":7}\n"
      for name in ["app.log.1", "app.log-20261124", "app.log.2026-11-24", "app-2026.jsonl.3", "app.log.old"] {
        #expect(try run(["$.level", try folder.file(name, text)]).text == "7\n", "\(name)")
      }
      #expect(try run(["$.level", try folder.file("notes.txt", text)]).status == 2)
    }
  }

  /// Arrays with an element on each line, and other first lines that look similar.
  @Test(arguments: [
    ("[\n{\"id\":1},\n{\"id\":2}\n]\n", "$[*].id", "1\n2\n"), ("[{\"id\":1}\n,{\"id\":2}\n]", "$[*].id", "1\n2\n"),
    ("[\n{\"id\":1}\n]\n", "$[*].id", "1\n"), ("[{\"id\":1},\n{\"id\":2}]", "$[*].id", "1\n2\n"),
    ("[\n  {\n    \"id\": 1\n  }\n]\n", "$[*].id", "1\n"),
    // A damaged line among records.
    ("[\n{\"id\":1}\n{\"id\":2}\n", "$.id", "1\n2\n"), ("[1,2\n{\"id\":2}\n", "$.id", "2\n"),
    ("[INFO] x\n{\"id\":2}\n", "$.id", "2\n"),
  ])
  func `issue 48, row 13: an array with an element on each line is one document, whatever its name`(
    text: String, path: String, results: String
  ) throws {
    try withFolder { folder in
      for name in ["wd.log", "wd.ndjson"] {
        let file = try folder.file(name, text)
        #expect(try run([path, file]).text == results)
      }
    }
  }

  // MARK: Gaps

  @Test func `issue 48, row 9: NUL bytes at the start of a line are one gap, and the record behind them is read`()
    throws
  {
    try withFolder { folder in
      func nul(_ count: Int) -> String { String(repeating: "\0", count: count) }
      let text =
        "{\"a\":1}\n" + nul(4096) + "{\"a\":2}\n" + nul(5) + "\n" + nul(300_000) + "{\"a\":3}\n{\"a\":4}\n" + nul(7)
      let file = try folder.file("n.log", text)
      for options in [
        [], ["-j", "3"], ["--skip-prefix"], ["--max-record-bytes", "1000"], ["--rejects", folder.path("r")],
      ] {
        let result = try run(["$.a", file] + options)
        #expect(result.text == "1\n2\n3\n4\n", "\(options)")
        #expect(
          result.err.contains("n.log:2:1: expected a value, found a gap of 4096 NUL bytes up to byte 4104 (byte 8)\n"))
        #expect(result.err.contains("n.log:4:1: expected a value, found a gap of 300000 NUL bytes up to byte 304118"))
        #expect(result.err.contains("4 bad records were skipped"))
        #expect(result.status == 0)
      }
      #expect(try folder.text("r").contains("\"line\":2,\"byteOffset\":8,\"offset\":8,\"length\":4096,"))
      let parts = try ["0-9", "9-"].map { try run(["$.a", "--range", $0, file]).text }
      #expect(parts == ["1\n2\n", "3\n4\n"])
    }
  }

  // MARK: Byte order marks

  @Test func `issue 48, row 14: a byte order mark at the start of a line is skipped, and named inside a record`() throws
  {
    let text = "{\"a\":1}\n\u{FEFF}{\"a\":2}\n\u{FEFF}\n{\"a\":\u{FEFF}3}\n"
    for options in [["--input", "ndjson"], ["-j", "2", "--input", "ndjson"], ["--input", "values"]] {
      let result = try run(["$.a"] + options, stdin: text)
      #expect(result.text == "1\n2\n", "\(options)")
      #expect(result.err.contains("expected a value, found a byte order mark"))
    }
    #expect(try run(["$.a", "--input", "json"], stdin: "{\"a\":\u{FEFF}3}").err.contains("found a byte order mark"))
  }

  // MARK: Prefixes

  @Test(arguments: [
    "\u{1B}[32m{\"a\":1}\u{1B}[0m", "\u{1B}[36mapp |\u{1B}[0m {\"a\":1}", "{\"a\":1}\u{1B}[0m \u{1B}[K",
    "\u{1B}]8;;http://x[1]\u{7}l\u{1B}]8;;\u{7} {\"a\":1}", "[2026-11-26 10:00] {\"a\":1}", "[INFO] [x] {\"a\":1}",
    "{tag} {\"a\":1}", "[===> {\"a\":1}", "[12:30 {\"a\":1}", "{x [y {\"a\":1}",
  ])
  func `issue 48, row 10: escape sequences and brackets that begin no record are prefixes`(line: String) throws {
    try run(["$.a", "--skip-prefix"], stdin: line + "\n").expect(text: "1\n", err: "")
  }

  @Test func `issue 48, row 10: no value is taken out of the middle of a record that was cut`() throws {
    let text =
      "{\"x\":{\"a\":1}\n[0,{\"a\":1}\nx [{\"a\":1} {\"a\":2}\n{} {\"a\":1}\n" + String(repeating: "[x", count: 20_000)
    let result = try run(["$..a", "--skip-prefix"], stdin: text)
    #expect(result.text == "")
    #expect(result.err.contains("5 bad records"))
  }

  @Test func `issue 48, row 21: a record behind text, or in a script, has a hint that works`() throws {
    try withFolder { folder in
      let file = try folder.file("compose.log", "nginx | {not json}\napp_1 | { \"ms\": 5 }\napp_2 | { \"ms\": 7 }\n")
      #expect(try run(["$.ms", file]).err.contains("compose.log: --skip-prefix skips the text before the record"))
      #expect(try run(["$.ms", "--skip-prefix", file]).text == "5\n7\n")
      let text = "nginx | {not json}\napp_1 | { \"ms\": 5 }\n"
      #expect(try run(["$.ms"], stdin: text).err.contains("\n    = --skip-prefix skips the text before the record"))
      #expect(try !run(["$.ms"], stdin: "{\"ms\":1}\n{\"ms\":}\n").err.contains("--skip-prefix"))
      _ = try folder.file("it's.js", "window.part0 = [\n  {\"id\":\"1\"},\n  {\"id\":\"2\"}\n];\n")
      let hint = try shell("\"$JSIFT\" each '$' it\\'s.js", in: folder)
      let command = try #require(hint.err.split(separator: "with: ").last?.split(separator: " | jsift").first)
      #expect(try shell("\(command) | \"$JSIFT\" '$[*].id'", in: folder).text == "\"1\"\n\"2\"\n")
    }
  }

  @Test func `files of lines that are one document, or several values on a line, are read or have a hint that works`()
    throws
  {
    try withFolder { folder in
      let documents = [
        "\u{FEFF}[\r\n{\"a\":1},\r\n{\"a\":2}\r\n]\r\n", "{\"items\":[\n{\"a\":1},\n{\"a\":2}\n]}\n",
        "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n",
      ]
      for text in documents {
        #expect(try run(["$..a", try folder.file("d.log", text)]).text == "1\n2\n", "\(text)")
      }
      _ = try folder.file("c.log", "{\"a\":1},\n{\"a\":2},\r\n")
      let commas = try shell("\"$JSIFT\" '$.a' c.log", in: folder)
      let command = try #require(commas.err.split(separator: "with: ").last?.split(separator: " | jsift").first)
      #expect(try shell("\(command) | \"$JSIFT\" '$.a'", in: folder).text == "1\n2\n", "\(commas.err)")
      let values = try run(["$.a", try folder.file("v.log", "{\"a\":1}{\"a\":2}\n{\"a\":3}\n")])
      #expect(values.text == "3\n" && values.err.contains("v.log: --input values reads one value after another"))
    }
  }

  @Test func `a tar archive is named, compressed or not, and a pipe does not wait for its header`() throws {
    try withFolder { folder in
      _ = try folder.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
      _ = try shell("tar -cf a.tar a.ndjson && tar -czf a.tgz a.ndjson", in: folder)
      for name in ["a.tar", "a.tgz"] {
        let found = try run(["$.a", folder.path(name)])
        #expect(found.status == 2 && found.text.isEmpty)
        #expect(folder.cut(found.err).contains("found tar data; tar -xOf \(name) | jsift …"), "\(found.err)")
        #expect(try shell("tar -xOf \(name) | \"$JSIFT\" '$.a' --input ndjson", in: folder).text == "1\n2\n")
      }
      // A reader that waits for the header would have the first result after the end of the input.
      let order = try shell(
        "{ printf '1\\n'; sleep 2; echo ended >&2; } | { \"$JSIFT\" '$' --input ndjson --limit 1; echo first >&2; }",
        in: folder)
      #expect(order.text == "1\n" && order.err == "first\nended\n")
    }
  }

  @Test func `records divided by NUL have a command that divides them by lines`() throws {
    try withFolder { folder in
      let file = try folder.file("gelf.log", "{\"a\":1}\0{\"a\":2}\0{\"a\":3}\0")
      #expect(
        try folder.cut(run(["$.a", file]).err).contains(
          "NUL bytes divide the records; lines are made with: tr '\\0' '\\n' < gelf.log | jsift …\n"))
      #expect(try shell("tr '\\0' '\\n' < gelf.log | \"$JSIFT\" '$.a'", in: folder).text == "1\n2\n3\n")
    }
  }

  @Test func `a page is named, and so is a command behind its options`() throws {
    let page = try run(["$.a"], stdin: "<!DOCTYPE html>\n<html></html>\n")
    #expect(page.status == 2 && page.err.contains("= this looks like HTML or XML, and not like JSON"))
    let command = try run(["-j2", "each", "$.items", "e.json"])
    #expect(command.status == 2 && command.err.contains("'each': a command comes before its options: jsift each …"))
  }

  @Test(arguments: [
    "2026-11-24T10:00:00Z stdout F {\"a\":1}\n", "12:{\"a\":1}\n13:{\"a\":1}\n", "0|app  | {\"a\":1}\n",
    "event: x\ndata: {\"a\":1}\n\n",
  ])
  func `text before the values of a pipe has a hint at skip-prefix that works`(text: String) throws {
    #expect(try run(["$.a"], stdin: text).err.contains("\n    = --skip-prefix skips the text before the record"))
    #expect(try run(["$.a", "--skip-prefix"], stdin: text).text.hasPrefix("1\n"))
  }

  @Test(arguments: ["cb([{\"a\":1}]);\n", "window[\"x\"].y = [{\"a\":1}];\n", "export default [{\"a\":1}];\n"])
  func `a script has a command that leaves the value`(text: String) throws {
    try withFolder { folder in
      _ = try folder.file("x.js", text)
      let hint = try shell("\"$JSIFT\" '$' x.js", in: folder)
      let command = try #require(hint.err.split(separator: "with: ").last?.split(separator: " | jsift").first)
      #expect(try shell("\(command) | \"$JSIFT\" '$[*].a'", in: folder).text == "1\n", "\(hint.err)")
    }
  }

  @Test func `a line of dashes between documents is not ignored, also behind an answer`() throws {
    try withFolder { folder in
      let file = try folder.file("m.json", "{\n\"a\":1\n}\n---\n{\n\"a\":2\n}\n")
      let found = try run(["$.a", file])
      #expect(found.text == "1\n" && found.status == 2 && found.err.contains("found '-'"))
    }
  }

  // MARK: Other formats

  @Test func `issue 48, row 16: other encodings and formats are named, with a command that converts them`() throws {
    try withFolder { folder in
      _ = try folder.file("a.json", "{\"a\":1}")
      let names = ["UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"]
      for name in names {
        let made = try shell("iconv -f UTF-8 -t \(name) a.json > u.json; \"$JSIFT\" '$.a' u.json", in: folder)
        #expect(
          made.err.contains("expected JSON text in UTF-8, found UTF-\(name.contains("16") ? "16" : "32") text; iconv"))
        #expect(made.status == 2)
        let command = try #require(made.err.split(separator: "; ").last?.split(separator: " | jsift").first)
        #expect(try shell("\(command) | \"$JSIFT\" '$.a'", in: folder).text == "1\n", "\(name)")
      }
      // The first bytes of bzip2, xz, zip and Parquet.
      let heads: [(String, [UInt8])] = [
        ("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
        ("zip", [0x50, 0x4B, 3, 4]), ("Parquet", [0x50, 0x41, 0x52, 0x31]),
      ]
      for (name, head) in heads {
        let result = try run(["records", try folder.file("x", head + [1, 2, 3])])
        #expect(result.err.contains("expected JSON text, found \(name) data"))
        #expect(result.status == 2)
      }
    }
  }

  #if Compression
    @Test func `issue 48, row 23: an empty file with the name of a compressed one is damaged`() throws {
      try withFolder { folder in
        for name in ["e.json.gz", "e.zst"] {
          let result = try run(["$", try folder.file(name, "")])
          #expect(result.err.contains("found an empty file"))
          #expect(result.status == 2)
        }
        #expect(try run(["$", try folder.file("e.log", "")]).status == 1)
      }
    }

    @Test func `issue 48, row 17: the index of a gzip file says what has blocks`() throws {
      try withFolder { folder in
        _ = try folder.file("a.ndjson", "{\"a\":1}\n")
        let result = try shell("gzip a.ndjson; \"$JSIFT\" index -p '$.a' a.ndjson.gz", in: folder)
        #expect(
          result.err.contains("found gzip data, which has no blocks that an index can find; gzip -dc a.ndjson.gz"))
        #expect(result.status == 2)
      }
    }
  #endif
}
