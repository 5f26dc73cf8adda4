import TestSupport
import Testing

@Suite struct UsageTests {
  @Test(arguments: [
    ("--nope $", "Unknown option '--nope'"), ("$ -x", "Unknown option '-x'"),
    ("", "Missing expected argument '<path>'"), ("get", "Missing expected argument '<path>'"),
    ("$ --limit", "Missing value for '--limit <n>'"),
    ("$ --limit x", "The value 'x' is invalid for '--limit <n>'"),
    ("$ --limit 99999999999999999999", "is invalid for '--limit <n>'"),
    ("$ --limit=-1", "--limit takes a number of at least 0, not -1"),
    ("$ --max-depth 0", "--max-depth takes a number of at least 1, not 0"),
    ("$ --max-record-bytes 0", "--max-record-bytes takes a number of at least 1, not 0"),
    ("$ --max-query-steps 0", "--max-query-steps takes a number of at least 1, not 0"),
    ("$ --input xml", "The value 'xml' is invalid for '--input <form>'"),
    ("$ --on-error cry", "The value 'cry' is invalid for '--on-error <skip|stop>'"),
    ("records --nope", "Unknown option '--nope'"), ("each", "Missing expected argument '<path>'"),
    ("$ --max-errors=-1", "--max-errors takes a number of at least 0, not -1"),
    ("check --from-offset=-1", "--from-offset takes a number of at least 0, not -1"),
    ("check --limit=-1", "--limit takes a number of at least 1, not -1"),
    ("$ --progress often", "The value 'often' is invalid for '--progress <auto|always|never>'"),
    (
      "$ --skip-prefix --input json",
      "--skip-prefix is for text before the JSON on a line, and with --input json records are not lines"
    ),
    (
      "check --skip-prefix --input values", "and with --input values records are not lines; use only one of them"
    ),
    ("records --skip-prefix --input seq", "with --input seq records are not lines; use only one of them"),
    ("check -j 0", "--jobs takes a number of at least 1, not 0"),
    ("$ --limit -1", "--limit takes a number of at least 0, not -1"),
    ("records --max-errors -2", "--max-errors takes a number of at least 0, not -2"),
    ("$ --max-depth -1", "--max-depth takes a number of at least 1, not -1"),
    ("$ --max-record-bytes -1", "--max-record-bytes takes a number of at least 1, not -1"),
    ("check -j -1", "--jobs takes a number of at least 1, not -1"),
    ("check --from-offset -7", "--from-offset takes a number of at least 0, not -7"),
    ("format --indent -1", "--indent takes a number from 0 to 16, not -1"),
    ("shape --examples -1", "--examples takes a number from 0 to 100, not -1"),
    ("shape --max-paths -1", "--max-paths takes a number of at least 1, not -1"),
    ("stats --of a=$.a --max-groups -1", "--max-groups takes a number of at least 1, not -1"),
    ("$ --limit --count", "The value '--count' is invalid for '--limit <n>'"),
    ("$ -p", "Missing value for '-p <name=path>'"),
    (
      "records --where @.a --where @.b", "--where takes one condition, not 2; combine conditions with '&&' or '||'"
    ),
    ("records --where", "Missing value for '--where <expr>'"),
    ("records --select", "Missing value for '--select <name=path>'"),
  ])
  func `a wrong command line is reported with the reason, the usage and exit status 2`(
    line: String, reason: String
  ) throws {
    let result = try run(words(line), stdin: "[]")
    #expect(result.text == "")
    #expect(result.err.contains(reason))
    #expect(result.err.uppercased().contains("USAGE: JSIFT"))
    #expect(result.status == 2)
  }

  /// More values than the parser of arguments gets one by one.
  @Test func `issue 48, cost: an option that is repeated often has the values that it has when repeated rarely`() throws
  {
    let names = (0..<40).map { "a\($0)" }
    let record = "{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    let whole = record + "\n"
    // Each form of the option, in turn.
    let selected = names.enumerated().flatMap {
      $0 % 2 == 0 ? ["--select", "\($1)=$.\($1)"] : ["--select=\($1)=$.\($1)"]
    }
    let result = try run(["records"] + selected + ["--limit", "1"], stdin: whole + whole)
    #expect(result.text == whole && result.status == 0)
    let paths = names.enumerated().flatMap { $0 % 2 == 0 ? ["-p\($1)=$.\($1)"] : ["--path", "\($1)=$.\($1)"] }
    #expect(try run(["-r"] + paths + ["--input", "json"], stdin: whole).lines == names.map { "\($0)\t\($0)" })
    let groups = try run(["stats"] + names.flatMap { ["--by", "\($0)=$.\($0)"] }, stdin: whole)
    #expect(groups.text == record.dropLast() + ",\"count\":1}\n")
    let twice = try run(["records"] + selected + ["--select", "a7=$.b"], stdin: whole)
    #expect(twice.err.contains("--select 'a7=$.b': expected a unique name, found a duplicate") && twice.status == 2)
    let missing = try run(["records"] + selected + ["--select"], stdin: whole)
    #expect(missing.err.contains("Missing value for '--select <name=path>'") && missing.status == 2)
  }

  @Test func `issue 48, cost: more arguments than the parser reads in a moment are an error`() throws {
    let result = try run(["$"] + Array(repeating: "-r", count: 1000), stdin: "1")
    #expect(result.err.hasPrefix("jsift: expected at most 1000 arguments, found 1001;"))
    #expect(result.text == "" && result.status == 2)
    #expect(try run(["$", "--count"] + Array(repeating: "/dev/null", count: 2000)).status == 1)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["get", "--help"], ["records", "-h"], ["help", "records"], ["each", "-h"],
    ["check", "-h"], ["--help-all"], ["shape", "--help-all"],
  ])
  func `help is written to standard output with exit status 0`(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.text.hasPrefix("OVERVIEW: "))
    #expect(result.text.contains("USAGE: jsift"))
    result.expect(err: "", status: 0)
  }

  @Test(arguments: [
    (["$.b", "-j1"], "$.b", "-j=1"), (["$.b", "-rj2"], "$.b", "-r -j 2"), (["-pid=$.b"], "", "-p id=$.b"),
    (["-rpid=$.b", "-j1"], "", "-r -p id=$.b"), (["-rp", "id=$.b"], "", "-r -p id=$.b"),
    (["$.b", "-rj", "1"], "$.b", "-r"),
    (["records", "-j3"], "records", "-j 3"), (["shape", "-j1"], "shape", "-j 1"), (["check", "-j1"], "check", "-j 1"),
  ])
  func `the value of a short option may follow it directly`(
    attached: [String], head: String, apart: String
  ) throws {
    let input = "{\"b\":\"x\"}\n{\"b\":2}\n"
    let expected = try run((head.isEmpty ? [] : [head]) + apart.split(separator: " ").map(String.init), stdin: input)
    let found = try run(attached, stdin: input)
    found.expect(text: expected.text, err: expected.err, status: expected.status)
    #expect(found.status == 0)
  }

  /// Fails if a new short option is not handled where combined short options are split.
  @Test func `each short option accepts a value that follows it directly`() throws {
    let arguments = try CommandDefinition.ofTool().commands.flatMap(\.shown)
    let options = arguments.filter { $0.kind == "option" }.flatMap { $0.names ?? [] }.filter { $0.kind == "short" }
    #expect(Set(options.map(\.name)) == ["j", "o", "p", "A", "B", "C"])
    for (option, value) in [("j", "1"), ("o", "/dev/null"), ("p", "a=$")] {
      for head in ["-\(option)", "-r\(option)"] {
        let result = try run([option == "p" ? "get" : "records", head + value, "/dev/null"])
        #expect(!result.err.contains("jsift: Unknown option"), "\(result.err)")
        #expect(result.status == 1)
      }
    }
  }

  @Test func `a file name that follows a short option directly may contain anything`() throws {
    try withFolder { folder in
      for name in [Array("a=b".utf8), Array("-x".utf8), [0xFF, 0x3D, 0xFE]] {
        for head in ["-o", "-ro", "-o=", "--output="] {
          let path = (head == "--output=" || name[0] != 0x2D ? Array((folder.path + "/").utf8) : []) + name
          guard path.count > name.count else { continue }
          try run(bytes: [Array("$".utf8), Array(head.utf8) + path], stdin: Array("7".utf8)).expect(err: "")
          #expect(try run(bytes: [Array("$".utf8), path]).text == "7\n")
        }
      }
      #expect(try shell("\"$JSIFT\" '$' -o-x && cat ./-x", in: folder, stdin: "7").text == "7\n")
    }
  }

  @Test func `arguments after two dashes, and other arguments than short options, are unchanged`() throws {
    try withFolder { folder in
      _ = try folder.file("-j1", "[1]")
      #expect(try shell("\"$JSIFT\" '$' -- -j1", in: folder).text == "[1]\n")
      #expect(try run(["$", "-jr"], stdin: "1").err.contains("The value 'r' is invalid for '-j <n>'"))
      #expect(try run(["$", "-rx"], stdin: "1").err.contains("Unknown option '-x'"))
      #expect(try run(["each", "$", "-pa=$.b"], stdin: "1").err.contains("Unknown option '-p'"))
    }
  }

  @Test(arguments: ["get", "records", "merge", "each", "check", "shape", "format", "stats", "index"])
  func `the help of a command fits into 60 lines of 80 columns, and --help-all has all options`(command: String) throws
  {
    let short = try run([command, "--help"])
    let lines = short.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60)
    for line in lines where !line.hasPrefix("  jsift ") { #expect(line.count <= 80, "\(line)") }
    #expect(!short.text.contains("…"), "the first clause of the help of an option fits into its line")
    #expect(lines.count { $0.hasPrefix("  jsift ") } == 3)
    let all = try run([command, "--help-all"])
    #expect(all.status == 0 && all.err == "")
    let definition = try #require(try CommandDefinition.ofTool().commands.first { $0.commandName == command })
    for name in definition.shown.flatMap({ $0.names ?? [] }) { #expect(all.text.contains(name.text)) }
    #expect(short.text.contains("All \(definition.shown.count { $0.kind != "positional" }) options"))
    #expect(try run(["help", command]).text == short.text)
  }

  @Test func `help for an unknown command reports it`() throws {
    let cases = [
      ("recrods", "did you mean 'records'?"),
      ("nope", "commands: get, records, merge, each, check, shape, format, stats, edit, index, report"),
      ("$.a", "commands: get, records, merge, each, check, shape, format, stats, edit, index, report"),
      ("Get", "did you mean 'get'?"),
    ]
    for (name, wayOut) in cases {
      try run(["help", name]).expect(text: "", err: "jsift: help: unknown command '\(name)'; \(wayOut)\n", status: 2)
    }
    #expect(try run(["help", "help"]).status == 0)
  }

  @Test func `help for more than one command is an error`() throws {
    let cases = [
      (["get", "extra"], "found 'extra' after 'get'; did you mean 'jsift help get'?"),
      (["get", "get"], "found 'get' after 'get'; did you mean 'jsift help get'?"),
      (["get", "recrods"], "found 'recrods' after 'get'; did you mean 'jsift help get' or 'jsift help records'?"),
      (["help", "get"], "found 'get' after 'help'; did you mean 'jsift help help' or 'jsift help get'?"),
      (["each", "-v", "a\nb"], "found 'a·b' after 'each'; did you mean 'jsift help each'?"),
    ]
    for (arguments, wayOut) in cases {
      try run(["help"] + arguments).expect(text: "", err: "jsift: help: expected one command, \(wayOut)\n", status: 2)
    }
    #expect(try run(["help", "get", "--help"]).status == 0)
  }

  @Test(arguments: [
    ["records", "$.a"], ["shape", "$.a[0]"], ["check", "$..b"], ["format", "$"], ["stats", "--of", "a=$.a", "$['x']"],
    ["-p", "a=$.a", "$.a"], ["get", "$.a", "$.b"], ["each", "$.a", "$.b"],
  ])
  func `a path in the position of a file is reported as such`(arguments: [String]) throws {
    let result = try run(arguments)
    let name = try #require(arguments.last)
    result.expect(
      err: """
        jsift: '\(name)': expected a file, found a path
            = jsift get expects the path before the files: jsift '\(name.replacing("'", with: "\""))' FILE; with -p all arguments are files

        """, status: 2)
    // These messages are the same for all arguments, so a debug build tests them once.
    if isDebug, arguments[0] != "records" { return }
    for file in ["$x", "nosuch", "a.$", "$HOME/x"] {
      #expect(try !run(["records", file]).err.contains("found a path"))
    }
  }

  @Test func `an empty file name is reported as such`() throws {
    #expect(try run(["$", ""]).err == "jsift: '': the input cannot be read: No such file or directory\n")
    for option in ["--output", "--rejects"] {
      let result = try run(["$", option, ""], stdin: "1")
      #expect(result.err == "jsift: \(option) '': expected a file name, found an empty string\n")
      #expect(result.text == "" && result.status == 2)
    }
  }

  @Test func `the help lists all commands and the exit statuses`() throws {
    let text = try run(["--help"]).text
    #expect(text.contains("get (default)"))
    #expect(text.contains("records"))
    #expect(text.contains("each"))
    #expect(text.contains("check"))
    #expect(text.contains("Exit status: 0 something was found, 1 nothing was found, 2 there was an error."))
  }

  @Test func `the version is a line with three numbers, and one with those of the libraries`() throws {
    for arguments in [["--version"], ["get", "--version"]] {
      let result = try run(arguments)
      #expect(result.lines.first?.wholeMatch(of: #/[0-9]+\.[0-9]+\.[0-9]+/#) != nil)
      #expect(result.lines.last?.wholeMatch(of: #/with libyajl 2[0-9.]+(, zlib [0-9.]+, libzstd [0-9.]+)?/#) != nil)
      #expect(result.lines.count == 2)
      result.expect(err: "", status: 0)
    }
  }

  @Test(arguments: [
    (
      "$.é é",
      """
      jsift: path '$.é é': expected '.' or '[' before the next segment (a name with other characters is written \
      as ['a-b']), found a character that is not ASCII
          | $.é é
          |     ^ did you mean '$["é é"]'?

      """
    ),
    (
      "",
      """
      jsift: path '': expected '$' at the start of a path, found the end of the text
          |\u{20}
          | ^ did you mean '$'?

      """
    ),
  ])
  func `a bad path is reported with a caret, nothing is read, and the exit status is 2`(
    path: String, expected: String
  ) throws { try run([path, "no such file"]).expect(text: "", err: expected, status: 2) }

  @Test func `a path that is not UTF-8 is reported as such`() throws {
    let result = try run(bytes: [Array("$['".utf8) + [0xFF] + Array("']".utf8)], stdin: Array("{}".utf8))
    #expect(result.text == "")
    #expect(result.err.hasPrefix("jsift: path '$['"))
    #expect(result.err.contains("UTF-8"))
    #expect(!result.err.contains("jsift-argument"))
    #expect(result.status == 2)
  }

  @Test(arguments: [("stape", "shape"), ("shats", "stats"), ("chek", "check"), ("ech", "each")])
  func `issue 16: the suggested command is the one with the nearest name`(word: String, command: String) throws {
    #expect(try run([word]).err.contains("did you mean the command '\(command)'?"))
    #expect(try run(["help", word]).err.contains("did you mean '\(command)'?"))
  }
}
