import Foundation
import TestSupport
import Testing

@Suite struct EditTests {
  private static let log = """
    {"id":1,"password":"hunter2","s":"a"}
    {"id":2,"user":{"PASS-WORD":"x"},"s":"b"}
    {"id":3}

    """

  @Test func `rules of all kinds are applied, and everything else is copied`() throws {
    let result = try run(
      ["edit", "--mask", "$..password", "--delete", "$.s", "--set", "$.z=[1, 2]", "--rename", "$.id=n=1"],
      stdin: Self.log)
    result.expect(
      text: """
        {"n=1":1,"password":"***","z":[1, 2]}
        {"n=1":2,"user":{"PASS-WORD":"x"},"z":[1, 2]}
        {"n=1":3,"z":[1, 2]}

        """, err: "", status: 0)
  }

  @Test func `the path ends before the first equals sign behind a complete path`() throws {
    let rules = ["edit", "--set", "$.a[?@.b=='=']=7", "--mask", "$['k=v']=fixed:x=y"]
    try run(rules, stdin: #"{"a":[{"b":"="},{"b":1}],"k=v":2}"#).expect(
      text: #"{"a":[7,{"b":1}],"k=v":"x=y"}"#, err: "", status: 0)
  }

  @Test func `a rule that selects nothing is named, and is an error on request`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      let rules = ["edit", "--mask", "$.password", "--delete", "$.none"]
      let result = try run(rules + [input])
      #expect(result.status == 1)
      #expect(result.err == "jsift: --delete $.none: the rule has selected nothing\n")
      let required = try run(rules + ["--require", "-o", folder.path("out"), input])
      #expect(required.status == 2)
      #expect(try folder.entries == ["in.ndjson"])
      #expect(try run(rules + ["--require", input]).status == 2)
    }
  }

  @Test func `a receipt has the counts of each rule, and a dry run writes nothing else`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      try run(
        ["edit", "--mask", "$..password", "--delete", "$.s", "--dry-run", "--receipt", folder.path("receipt"), input]
      ).expect(text: "", err: "", status: 0)
      #expect(
        try folder.text("receipt")
          == #"{"rules":[{"rule":"--delete $.s","changed":2,"selected":2},"#
          + #"{"rule":"--mask $..['password']","changed":1,"selected":1}],"unmatched":[],"strings":["$.user['PASS-WORD']"],"#
          + #""copied":{"unselectedRecords":0,"badRecords":0,"prefixes":0}}"# + "\n")
    }
  }

  @Test func `a receipt has what was copied without rules, and is the same for any number of workers`() throws {
    try withFolder { folder in
      let pad = String(repeating: "x", count: 150)
      let lines = (0..<40_000).map { index in
        switch index % 50 {
        case 7: "{\"k\(index)\":\"\(pad)\",\"copied\":{\"u\(index % 3)\":\"\(pad)\"}}\n"
        case 9: "{\"bad\":\n"
        default: "{\"a\":1,\"k\(index * 7919 % 15_000)\":[\"\(pad)\"],\"s\":\"\(pad)\"}\n"
        }
      }
      let input = try folder.file("in.ndjson", lines.joined())
      let texts = try ["1", "2", "3", "7"].map { jobs in
        let result = try run([
          "edit", "--where", "@.a", "--mask", "$.s", "--keep-bad", "--jobs", jobs, "--receipt", folder.path("receipt"),
          "-o", folder.path("out"), input,
        ])
        #expect(result.status == 0, "\(result.err)")
        return try folder.text("receipt") + folder.text("out")
      }
      #expect(texts.allSatisfy { $0 == texts[0] })
      #expect(texts[0].contains(#""strings":["$.copied.u0","$.copied.u1","$.copied.u2","$.k0[*]","#))
      #expect(texts[0].contains(#","…"],"copied":{"unselectedRecords":800,"badRecords":800,"prefixes":0}}"#))
    }
  }

  @Test func `files that exist get at most the permissions of the input`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "{\"a\":\"x\"}\n{\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: input)
      let names = ["receipt", "rejects", "out", "summary"]
      for name in names {
        let file = try folder.file(name, "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
      }
      let closed = try folder.file("closed", "old")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: closed)
      func run(_ rejects: String) throws -> Outcome {
        try CLITests.run([
          "edit", "--mask", "$.a", "--receipt", folder.path("receipt"), "--rejects", folder.path(rejects), "-o",
          folder.path("out"), "--summary", folder.path("summary"), input,
        ])
      }
      #expect(try run("rejects").status == 0)
      for name in names {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        #expect(attributes[.posixPermissions] as? Int == 0o640, "\(name)")
        #expect(try folder.text(name) != "old")
      }
      #expect(try run("closed").status == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: closed)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `names, values and patterns are read from files, and a key makes hashes`() throws {
    try withFolder { folder in
      let names = try folder.file("names", "pass_word\n\nuser-name\r\n")
      let values = try folder.file("values", "hunter2\n")
      let patterns = try folder.file("patterns", "[0-9]{4}\n")
      let key = try folder.file("key", "0123456789abcdef")
      let input = #"{"passWord":1,"t":"hunter2 1234","username":"u"}"#
      let rules = ["edit", "--mask-names", names, "--mask-values", values, "--mask-patterns", patterns]
      try run(rules, stdin: input).expect(
        text: #"{"passWord":"***","t":"*** ***","username":"***"}"#, err: "", status: 0)
      let hashed = try run(["edit", "--mask", "$.t=hash", "--key-file", key], stdin: input)
      #expect(hashed.text.contains(#/"t":"[0-9a-f]{32}"/#))
      #expect(try run(["edit", "--mask", "$.t=hash"], stdin: input).status == 2)
    }
  }

  @Test func `a summary has the input, its range and no files with rules`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "{\"a\":1}\n{\"a\":2}\n")
      let names = try folder.file("names", "a\n")
      let run = try run(["edit", "--mask-names", names, "--split", "1/2", "--summary", "-", input])
      #expect(run.err.contains("{\"files\":[\"\(input)\"],"))
      #expect(run.err.contains("\"range\":[0,8]"))
      let overwritten = try CLITests.run(["edit", "--mask-names", names, "--summary", names, input])
      #expect(overwritten.status == 2)
      #expect(try folder.text("names") == "a\n")
    }
  }

  @Test func `a byte order mark does not disable the first line of a file with rules`() throws {
    try withFolder { folder in
      let names = try folder.file("names", "\u{FEFF}password\n")
      let values = try folder.file("values", "\u{FEFF}hunter2\r\n")
      let patterns = try folder.file("patterns", "\u{FEFF}[0-9]{4}\n")
      let rules = ["edit", "--mask-names", names, "--mask-values", values, "--mask-patterns", patterns]
      try run(rules, stdin: #"{"password":1,"t":"hunter2 1234"}"#).expect(
        text: #"{"password":"***","t":"*** ***"}"#, err: "", status: 0)
    }
  }

  @Test func `a file is replaced in place, with its permissions, and through a link`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: input)
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: input)
      _ = try folder.file("in.ndjson.jsidx", "old")
      try run(["edit", "--in-place", "--delete", "$.s", folder.path("link")]).expect(text: "", err: "", status: 0)
      #expect(try folder.text("in.ndjson").hasPrefix("{\"id\":1,\"password\":\"hunter2\"}\n"))
      let attributes = try FileManager.default.attributesOfItem(atPath: input)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try Set(folder.entries).isSuperset(of: ["in.ndjson", "link"]))
    }
  }

  @Test(arguments: [
    "ln in.ndjson second", "gzip -c in.ndjson > x && mv x in.ndjson", "rm in.ndjson && mkdir in.ndjson",
  ])
  func `a file with two links, a compressed file and a folder are not replaced`(command: String) throws {
    try withFolder { folder in
      _ = try folder.file("in.ndjson", Self.log)
      _ = try shell(command, in: folder)
      let names = try folder.entries
      let result = try run(["edit", "--in-place", "--delete", "$.s", folder.path("in.ndjson")])
      #expect(result.status == 2)
      #expect(result.err.contains("expected"), "\(result.err)")
      #expect(try folder.entries == names)
    }
  }

  @Test func `a file that grows meanwhile is not replaced`() throws {
    try withFolder { folder in
      _ = try folder.file("in.ndjson", String(repeating: Self.log, count: 20_000))
      let result = try shell(
        "(while [ -z \"$(ls .in.ndjson.* 2>/dev/null)\" ]; do :; done; echo '{}' >> in.ndjson) & "
          + "$JSIFT edit --in-place --mask '$..password' in.ndjson; status=$?; wait; exit $status", in: folder)
      #expect(result.status == 2)
      #expect(try folder.text("in.ndjson").hasSuffix("{}\n"))
      #expect(try folder.entries == ["in.ndjson"])
    }
  }

  @Test func `a dry run in place touches no file`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      _ = try folder.file("in.ndjson.jsidx", "old")
      let result = try run(
        ["edit", "--mask", "$.password", "--in-place", "--dry-run", "--rejects", folder.path("bad"), input])
      result.expect(text: "", err: "", status: 0)
      #expect(try folder.text("in.ndjson") == Self.log)
      #expect(try folder.entries == ["in.ndjson", "in.ndjson.jsidx"])
    }
  }

  @Test func `a dry run writes no rejects, and a required rule does not go with them`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "{\"a\":1}\n{\n")
      let rules = ["edit", "--mask", "$.a", "--dry-run", "--rejects", folder.path("bad"), input]
      #expect(try run(rules).status == 0)
      let required = try run(rules + ["--require"])
      #expect(required.status == 2)
      #expect(required.err.contains("--rejects is written before"), "\(required.err)")
      #expect(try folder.entries == ["in.ndjson"])
    }
  }

  @Test func `an edit in place through a link removes the index of the file`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
      _ = try folder.file("real/in.ndjson", Self.log)
      _ = try folder.file("real/in.ndjson.jsidx", "old")
      _ = try folder.file("link.jsidx", "old")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: "real/in.ndjson")
      try run(["edit", "--in-place", "--delete", "$.s", folder.path("link")]).expect(text: "", err: "", status: 0)
      #expect(try folder.entries == ["link", "real"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("real")) == ["in.ndjson"])
    }
  }

  @Test func `an edit in place that fails leaves the index`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      _ = try folder.file("in.ndjson.jsidx", "old")
      #expect(try run(["edit", "--in-place", "--require", "--delete", "$.none", input]).status == 2)
      #expect(try folder.entries == ["in.ndjson", "in.ndjson.jsidx"])
    }
  }

  /// The output is complete after the last check of the input, and the run then waits for a reader of the FIFO.
  @Test(arguments: [
    (change: "echo '{}' >> in.ndjson", last: "{}\n"),
    (change: "mv in.ndjson old; echo '{\"id\":\"new\"}' > in.ndjson", last: "{\"id\":\"new\"}\n"),
    (change: "sed s/hunter2/hunter3/ in.ndjson > x; cat x > in.ndjson; rm x", last: "{\"id\":3}\n"),
  ])
  func `a file that changes or loses its name directly before the replacement is not replaced`(
    change: String, last: String
  ) throws {
    for options in ["", "--expect-size \(Self.log.utf8.count)"] {
      try withFolder { folder in
        _ = try folder.file("in.ndjson", Self.log)
        let result = try shell(
          "mkfifo receipt; $JSIFT edit --in-place --mask '$..password' --receipt receipt \(options) in.ndjson &\n"
            + "job=$!; while [ ! -s \"$(ls .in.ndjson.* 2>/dev/null)\" ]; do :; done; \(change); cat receipt; wait $job",
          in: folder)
        #expect(result.status == 2, "\(result.err)")
        let text = try folder.text("in.ndjson")
        #expect(text.hasSuffix(last) && !text.contains("***"), "\(text)")
        #expect(try folder.entries.allSatisfy { !$0.hasSuffix(".part") })
      }
    }
  }

  @Test func `values that an edit could join are on two lines`() throws {
    let values = ["edit", "--input", "values"]
    try run(values + ["--set", "$=1"], stdin: "[1][2] [3]").expect(text: "1\n1 1", err: "", status: 0)
    try run(values + ["--mask", "$=null"], stdin: #"{"t":"a"}{"t":"b"}"#).expect(text: "null\nnull", err: "", status: 0)
    try run(values + ["--mask", "$.a"], stdin: #"{"b":1}{"b":2}{"a":3}"#).expect(
      text: "{\"b\":1}{\"b\":2}\n{\"a\":\"***\"}", err: "", status: 0)
  }

  @Test func `the first record of a file begins a line`() throws {
    try withFolder { folder in
      let first = try folder.file("c1.log", "{\"a\":\"1\"}\n{\"a\":\"2\"}")
      let second = try folder.file("c2.log", "{\"a\":\"3\"}\n")
      let empty = try folder.file("empty.log", "")
      for jobs in ["1", "4"] {
        try run(["edit", "--mask", "$.a", "--jobs", jobs, first, empty, second, second, first, empty]).expect(
          text: String(repeating: "{\"a\":\"***\"}\n", count: 5) + "{\"a\":\"***\"}", err: "", status: 0)
      }
      let numbers = [try folder.file("1", "1"), try folder.file("2", "2")]
      let result = try run(["edit", "--input", "values", "--delete", "$.x"] + numbers)
      #expect(result.text == "1\n2")
    }
  }

  @Test func `a receipt that cannot be written keeps the file`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", Self.log)
      for output in [["--in-place"], ["-o", folder.path("out")]] {
        let result = try run(
          ["edit", "--mask", "$..password"] + output + ["--receipt", folder.path("none/receipt"), input])
        #expect(result.status == 2)
        #expect(try folder.text("in.ndjson") == Self.log)
        #expect(try folder.entries == ["in.ndjson"])
      }
    }
  }

  @Test(arguments: [
    "-o s2 --receipt ./s2", "--receipt s1 --summary ./s1", "-o s1 --rejects ./s1", "--receipt names", "-o names",
    "-o ./key", "--rejects names", "--summary value",
  ])
  func `two outputs, or an output and a file of a rule, are not the same file`(options: String) throws {
    try withFolder { folder in
      _ = try folder.file("in.ndjson", Self.log)
      _ = try folder.file("names", "password\n")
      _ = try folder.file("key", "0123456789abcdef")
      _ = try folder.file("value", "1")
      let result = try shell(
        "$JSIFT edit --mask-names names --mask '$.s=hash' --key-file key --set '$.id=@value' \(options) in.ndjson",
        in: folder)
      #expect(result.status == 2)
      #expect(result.err.contains("expected a file"), "\(result.err)")
      #expect(try folder.entries == ["in.ndjson", "key", "names", "value"])
      #expect(try folder.text("names") == "password\n")
    }
  }

  /// Secrets in every place where a record can be damaged or cut, and options that show or keep parts of the input.
  @Test func `no secret is in any output, message or file`() throws {
    let secret = "SeCr3tXyZ"
    let escaped = #"\u0053eCr3tXyZ"#
    var lines = [
      "{\"password\":\"\(secret)\",\"t\":\"\(escaped)\"}",
      "{\"a\":{\"Pass_Word\":[\"\(secret)\",{\"b\":\"\(secret)\"}]}}",
      "{\"\(secret)\":1,\"\(escaped)\":2}", #"{"m":"{\"password\":\"q\#(secret)q\"}"}"#, "prefix \(secret) {\"a\":1}",
      "{\"password\":\(secret)}", "{\"a\":\"\(secret)", "\(secret)", "{\"\(secret)\":}", "[\"\(secret)\"\"\(secret)\"]",
      "{\"a\":\"\\u00\(secret)\"}", "{\"a\":\"\(secret)\\ud800\"}",
      "{\"\(secret)\":\(String(repeating: "[", count: 2000))",
      "{\"password\":\"\(String(repeating: "x", count: 300_000))\(secret)\"}",
      "{\"b\":\"\(String(repeating: "x", count: 600_000))\(secret)\"",
    ]
    lines += (0..<3000).map { "{\"id\":\($0),\"x\":\"\(secret)\($0)\"}" }
    try withFolder { folder in
      let values = try folder.file("values", "\(secret)\n")
      let rules = ["edit", "--mask-names", try folder.file("names", "password\n"), "--mask-values", values, "--inside"]
      let inputs = [
        try folder.file("in.ndjson", lines.joined(separator: "\n")),
        try folder.file("in.json", "{\"a\":[\(lines[0]),\n\(lines[5])]}"),
        try folder.file("limits.json", "{\"\(secret)\":\"\(String(repeating: secret, count: 100))\"}"),
      ]
      let outputs = [
        "-o", folder.path("out"), "--rejects", folder.path("rejects"), "--summary", folder.path("summary"),
        "--receipt", folder.path("receipt"),
      ]
      for options in [
        [], ["--skip-prefix"], ["--skip-prefix", "--keep-prefix"], ["--jobs", "1"], ["--on-error", "stop"],
        ["--max-errors", "3"], ["--max-string-bytes", "100"], ["--max-record-bytes", "5000"], ["--max-depth", "2"],
        ["--lone-surrogates", "replace"], ["--where", "@.id"], ["--progress", "always"], ["--dry-run"],
        ["--preset", "share"], ["--rename", "$..password=p"], ["--require", "--dry-run"], ["--input", "values"],
      ] {
        for input in inputs {
          for standard in [false, true] {
            let own = ["out", "rejects", "summary", "receipt"]
            for name in own { try? FileManager.default.removeItem(atPath: folder.path(name)) }
            let result = try run(rules + options + (standard ? [] : outputs) + [input])
            // Records that the condition does not select are copied.
            var texts = options.first == "--where" ? [result.err] : [result.text, result.err]
            for name in own where try folder.entries.contains(name) && !(name == "out" && options.first == "--where") {
              texts.append(try folder.text(name))
            }
            for text in texts {
              #expect(
                !text.contains(secret) && !text.contains(escaped), "\(options) \(input) \(result.err.prefix(500))")
            }
          }
        }
      }
    }
  }
}

extension Folder {
  fileprivate var entries: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
