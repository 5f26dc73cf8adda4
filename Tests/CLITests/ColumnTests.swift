import Foundation
import Testing

/// `records --format arrow` and `shape --format types`. `Scripts/check arrow` reads the streams with other programs.
@Suite struct ColumnTests {
  private static let records = """
    {"id":1,"ms":1.5,"tags":["a"]}
    {"id":"2","ms":null,"tags":["b",7]}
    bad
    {"id":3.0,"ms":2,"tags":{}}

    """
  private static let columns = [
    "--select", "id=$.id", "--type", "id=int64", "--select", "tags=$.tags", "--type", "tags=list<utf8>",
  ]
  private static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

  @Test func `a value that misses its type is null, counted, and written to the rejects with path, offset and text`()
    throws
  {
    try withFolder { folder in
      let file = try folder.file("in.ndjson", Self.records)
      for extra in [[], ["-j", "1"], ["--where", "@.id != 9"], ["--where", "$.id != 9"]] {
        let rejects = folder.path("rejects")
        let found = try run(["records", "--format", "arrow", "--rejects", rejects] + Self.columns + extra + [file])
        #expect(found.status == 0)
        #expect(found.out.suffix(8) == Self.end[...])
        #expect(
          folder.cut(found.err).contains(
            "jsift: column 'id': 1 value is not of type int64, so null is written instead; the first: in.ndjson:2: "
              + "byte 37: \"2\"\n"))
        #expect(
          folder.cut(found.err).contains(
            "jsift: column 'tags': 2 values are not of type list<utf8>, so null is written instead"))
        let lines = folder.cut(try folder.text("rejects")).split(separator: "\n").map(String.init)
        #expect(
          lines == [
            #"{"file":"in.ndjson","line":2,"byteOffset":37,"offset":37,"length":3,"error":"expected int64","column":"id","path":"$['id']","raw":"\"2\""}"#,
            #"{"file":"in.ndjson","line":2,"byteOffset":63,"offset":63,"length":1,"error":"expected utf8","column":"tags","path":"$['tags'][1]","raw":"7"}"#,
            #"{"file":"in.ndjson","line":3,"byteOffset":67,"offset":67,"length":3,"error":"expected a value, found a letter","raw":"bad"}"#,
            #"{"file":"in.ndjson","line":4,"byteOffset":95,"offset":95,"length":2,"error":"expected list<utf8>","column":"tags","path":"$['tags']","raw":"{}"}"#,
          ], "\(extra)")
      }
    }
  }

  @Test func `the matches of a path become a list, as the array that contains them does`() throws {
    let input = #"{"tags":["a",null,"é"],"n":1}"# + "\n" + #"{"tags":["b"],"n":2}"# + "\n"
    func columns(_ path: String, _ rest: [String] = []) throws -> Outcome {
      try run(
        ["records", "--format", "arrow", "--select", "tags=\(path)", "--type", "tags=list<utf8>"] + rest, stdin: input)
    }
    let expected = try columns("$.tags")
    #expect(expected.status == 0 && expected.out.suffix(8) == Self.end[...])
    for rest in [[], ["-j", "1"], ["--where", "@.n > 0"]] {
      let found = try columns("$.tags[*]", rest)
      #expect(found.status == 0 && found.out == expected.out && found.err == "", "\(rest)")
    }
    try withFolder { folder in
      let file = try folder.file("in.ndjson", #"{"tags":["a",7]}"# + "\n" + #"{"tags":[true,"b",[]]}"# + "\n")
      let rejects = folder.path("rejects")
      let found = try run([
        "records", "--format", "arrow", "--select", "tags=$.tags[*]", "--type", "tags=list<utf8>", "--rejects", rejects,
        file,
      ])
      #expect(found.status == 0)
      let lines = folder.cut(try folder.text("rejects")).split(separator: "\n").map(String.init)
      #expect(
        lines == [
          #"{"file":"in.ndjson","line":1,"byteOffset":13,"offset":13,"length":1,"error":"expected utf8","column":"tags","path":"$['tags'][*]","raw":"7"}"#,
          #"{"file":"in.ndjson","line":2,"byteOffset":26,"offset":26,"length":4,"error":"expected utf8","column":"tags","path":"$['tags'][*]","raw":"true"}"#,
          #"{"file":"in.ndjson","line":2,"byteOffset":35,"offset":35,"length":2,"error":"expected utf8","column":"tags","path":"$['tags'][*]","raw":"[]"}"#,
        ])
    }
  }

  @Test func `types have a struct for objects in lists, names that differ, and json for an object with many keys`()
    throws
  {
    let input =
      #"{"a.b":1,"a":{"b":2},"l":[{"x":1,"y":"s"},{"x":2}],"m":{"k1":1,"k2":2}}"# + "\n" + #"{"m":{"k3":3}}"# + "\n"
    let expected = [
      #"{"name":"a.b","path":"$['a.b']","type":"int64","count":1}"#,
      #"{"name":"a.b_2","path":"$.a.b","type":"int64","count":1}"#,
      #"{"name":"l","path":"$.l","type":"list<struct<x:int64,y:utf8>>","count":1}"#,
      #"{"name":"m","path":"$.m","type":"json","count":2}"#,
    ]
    // Five keys in the record, three in `m`.
    for jobs in ["1", "2"] {
      let found = try run(["shape", "--format", "types", "--max-keys", "5", "-j", jobs], stdin: input)
      #expect(found.status == 0)
      #expect(found.text.split(separator: "\n").map(String.init).prefix(3) == expected.prefix(3))
      let narrow = try run(
        ["shape", "--format", "types", "--max-keys", "2", "-j", jobs],
        stdin: #"{"m":{"k1":1,"k2":2}}"# + "\n" + #"{"m":{"k3":3}}"# + "\n")
      #expect(narrow.text == expected[3] + "\n")
    }
    let full = try run(["shape", "--format", "types", "--max-paths", "3"], stdin: input)
    #expect(full.status == 2 && full.out.isEmpty)
    #expect(full.err == "jsift: expected at most 3 paths, found more; raise --max-paths or lower --max-keys\n")
  }

  @Test func `the stream of a run that fails has no end`() throws {
    for extra in [["--on-error", "stop"], ["--max-errors", "0"]] {
      let found = try run(["records", "--format", "arrow"] + Self.columns + extra, stdin: Self.records)
      #expect(found.status == 2)
      #expect(found.out.suffix(8) != Self.end[...])
      #expect(found.err.contains("the Arrow stream has no end because of an error; its readers reject it"))
    }
  }

  @Test func `a stream without rows is complete, and its exit status is 1`() throws {
    let found = try run(["records", "--format", "arrow"] + Self.columns, stdin: "")
    #expect(found.status == 1)
    #expect(found.out.suffix(8) == Self.end[...])
  }

  @Test func `types of columns hold every value, and are accepted by records`() throws {
    let records = """
      {"id":1,"user":{"name":"a","at":"2026-01-31T00:00:00Z"},"x":1,"tags":[1,2.5],"n":null,"big":9007199254740993,"half":1.0}
      {"id":2.0,"user":{"name":"2026-01-31","at":null},"x":"s","tags":[],"n":null,"big":0.5,"day":"2026-01-31","half":25e-1}

      """
    try withFolder { folder in
      let file = try folder.file("in.ndjson", records)
      let types = try run(["shape", "--format", "types", file])
      #expect(
        types.lines == [
          #"{"name":"id","path":"$.id","type":"int64","count":2}"#,
          #"{"name":"user.name","path":"$.user.name","type":"utf8","count":2}"#,
          #"{"name":"user.at","path":"$.user.at","type":"timestamp","count":1}"#,
          #"{"name":"x","path":"$.x","type":"json","count":2}"#,
          #"{"name":"tags","path":"$.tags","type":"list<float64>","count":2}"#,
          #"{"name":"n","path":"$.n","type":"json","count":0}"#,
          #"{"name":"big","path":"$.big","type":"json","count":2}"#,
          #"{"name":"half","path":"$.half","type":"float64","count":2}"#,
          #"{"name":"day","path":"$.day","type":"date","count":1}"#,
        ])
      let list = try folder.file("types", types.out)
      try run(["records", "--format", "arrow", "--types", list, file]).expect(err: "", status: 0)
    }
  }

  @Test(arguments: [
    ("--select a=$.a --type a=int", "jsift: --type 'a=int': expected int64, float64"),
    ("--select a=$.a --type b=int64", "jsift: --type 'b=int64': expected the name of a column: 'a'"),
    ("--select a=$.a --type a", "jsift: --type 'a': expected NAME=TYPE, found no '='"),
    (
      "--select a=$.a[*] --type a=int64", "can select several values; expected list<int64> or json, found int64"
    ),
    ("", "expected --select NAME=PATH"),
    ("--select a=$.a --raw", "--raw writes lines of text, and --format arrow does not"),
    ("--select a=$.a --with-location", "--with-location writes JSON, and --format arrow does not"),
    ("--select a=$.a --types x", "--types contains the paths; use it without --select"),
    ("--types /nowhere", "jsift: /nowhere: the input cannot be read: No such file or directory\n"),
    (
      "--select a=$.a --follow",
      "--follow writes results at once, and --format arrow writes batches; use only one of them"
    ),
  ])
  func `options that make no columns are rejected`(_ line: String, _ message: String) throws {
    let found = try run(["records", "--format", "arrow"] + words(line), stdin: "{}")
    #expect(found.status == 2)
    #expect(found.err.contains(message), "\(found.err)")
    #expect(found.out.isEmpty)
  }

  private static let forms =
    "int64, float64, bool, utf8, json, timestamp, timestamp(ms), timestamp(ns), date, decimal(p,s), list<…>, "
    + "struct<name:…,…> or dictionary<utf8>"

  /// Files of columns, and the message after `jsift: columns`.
  private static let files: [(String, String)] = [
    ("\n", ": expected at least one column\n"),
    (
      #"{"name":"a","path":"$.a","type":"json"}"# + "\n\n{\n",
      ":3: expected a key in quotes or '}', found the end of the text\n"
    ),
    (#"{"name":"a","path":"$.a","type":7}"#, #":1: expected {"name":…,"path":…,"type":…} with three strings"# + "\n"),
    (
      #"{"name":"a","path":"$.a","type":"int64"}"# + "\n" + #"{"name":"a","path":"$.b","type":"int64"}"#,
      ":2: expected a unique name, found a duplicate\n"
    ),
    (
      #"{"name":"a","path":"$.a.[0]","type":"int64"}"#,
      """
      :1: path '$.a.[0]': expected a name or '*' after '.', or '[' without '.', found '['
          | $.a.[0]
          |     ^ did you mean '$.a[0]'?

      """
    ),
    (#"{"name":"a","path":"$.a","type":"int"}"#, ":1: type 'int': expected \(forms)\n"),
  ]

  @Test(arguments: files)
  func `a file that makes no columns is rejected with its line`(text: String, message: String) throws {
    try withFolder { folder in
      let file = try folder.file("columns", text)
      let found = try run(["records", "--format", "arrow", "--types", file], stdin: "{}")
      #expect(folder.cut(found.err) == "jsift: columns" + message)
      #expect(found.status == 2 && found.out.isEmpty)
    }
  }

  @Test(arguments: [["--type", "a=int64", "--select", "a=$.a"], ["--types", "columns"]])
  func `types are for the format arrow`(options: [String]) throws {
    let found = try run(["records"] + options, stdin: "{}")
    #expect(found.err.hasPrefix("jsift: \(options[0]) is for --format arrow\nUsage: "), "\(found.err)")
    #expect(found.status == 2 && found.out.isEmpty)
  }

  @Test(.enabled(if: Terminal.isAvailable, "no Python, or no terminal to be had"))
  func `a stream is not written to a terminal`() throws {
    try withFolder { folder in
      _ = try folder.file("in.ndjson", Self.records)
      let command = "\"$JSIFT\" records --format arrow --select \"a=\\$.id\" in.ndjson"
      let found = try Terminal.shell(command, in: folder)
      #expect(
        found.text == "jsift: --format arrow writes bytes, not text; write them to a file (-o) or a pipe\r\n",
        "\(found)")
      #expect(found.status == 2)
    }
  }

  @Test(arguments: [[], ["--where", "@.a == 1"], ["--where", "$.a == 1"]])
  func `a column that exceeds the work limit ends the run at its record`(condition: [String]) throws {
    let records = "{\"a\":1}\n{\"a\":1,\"b\":[\(String(repeating: "1,", count: 100))0]}\n{\"a\":1}\n"
    let columns = ["--select", "a=$.a", "--select", "all=$..x", "--max-query-steps", "50"]
    let found = try run(["records", "--format", "arrow"] + columns + condition, stdin: records)
    #expect(
      found.err.hasPrefix(
        "jsift: standard input:2:1: expected a query that takes at most 50 steps, found one that takes more; use "
          + "--max-query-steps to change the limit (byte 8)\n"), "\(found.err)")
    #expect(found.err.hasSuffix("the Arrow stream has no end because of an error; its readers reject it\n"))
    #expect(found.status == 2 && found.out.suffix(8) != Self.end[...])
  }

  @Test(arguments: [["get", "$.a"], ["each", "$.a"], ["stats", "--by", "a=$.a"]])
  func `other commands have no typed columns`(_ command: [String]) throws {
    let found = try run(command + ["--format", "arrow"], stdin: "{}")
    #expect(found.status == 2)
    #expect(found.err.contains("--format arrow writes the columns of jsift records --select"))
  }
}
