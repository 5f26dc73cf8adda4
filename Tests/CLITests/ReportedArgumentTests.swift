import Foundation
import TestSupport
import Testing

/// What people type: patterns of other languages, values that begin with a minus, arguments in the wrong place, and hints
/// that are pasted.
@Suite struct ReportedArgumentTests {
  private static let log = "{\"a\":1,\"m\":\"x 5\"}\n{\"a\":-8,\"m\":\"y\"}\n"

  @Test func `issue 48, row 2: every option with a path or condition rejects a literal pattern that is none`() throws {
    try withFolder { folder in
      _ = try folder.file("a.ndjson", Self.log)
      let path = #"$[?search(@.m, "\\d")]"#
      for arguments in [
        "records --where '!search(@.m, \"\\\\d\")'", "get '$.a' --where 'search(@.m, \"\\\\d\")'", "'\(path)'",
        "-p 'x=\(path)'", "records --select 'x=\(path)'", "stats --of 'x=\(path)'", "stats --by 'x=\(path)'",
        "stats --distinct 'x=\(path)'", "index -p '\(path)'", "each '\(path)'",
      ] {
        let found = try shell("\"$JSIFT\" \(arguments) a.ndjson", in: folder)
        #expect(found.status == 2 && found.out.isEmpty, "\(arguments)")
        #expect(found.err.contains("'[0-9]' instead of '\\d'"), "\(arguments): \(found.err)")
      }
      // The proposal works when it is pasted.
      for pattern in [#""\d""#, #""\\d""#, #"'\\d'"#, #""\\bx""#] {
        let condition = "search(@.m, \(pattern))".replacing("'", with: "'\\''")
        let wrong = try shell("\"$JSIFT\" records --where '\(condition)' a.ndjson", in: folder)
        let hint = try #require(wrong.err.split(separator: "did you mean ").last?.split(separator: "?\n").first)
        #expect(
          try shell("\"$JSIFT\" records --where \(hint) a.ndjson", in: folder).text.hasPrefix("{\"a\":1,"), "\(hint)")
      }
      // A pattern from the values keeps RFC 9535.
      #expect(try shell("\"$JSIFT\" records --where '!match(@.m, @.p)' a.ndjson", in: folder).text == Self.log)
    }
  }

  @Test(arguments: [
    ("records --where '-7 >= @.a'", "{\"a\":-8,\"m\":\"y\"}\n"),
    ("records '--where=-7 >= @.a'", "{\"a\":-8,\"m\":\"y\"}\n"), ("'$.a' --where '-7 >= @.a'", "-8\n"),
    ("-p '-pa=$.a' --limit 1", "{\"-pa\":1}\n"), ("'-p=-a=$.a' --limit 1", "{\"-a\":1}\n"),
    ("-rp '-a=$.a' --limit 1", "-a\t1\n"), ("records --select '-o=$.a' --limit 1", "{\"-o\":1}\n"),
    ("records --select x='$.n' --null -r --format csv --limit 1", "x\n\"\"\n"),
    ("stats --by '-b=$.m' --of '-c=$.a' --top 1 | cut -c 1-26", "{\"name\":\"-c\",\"-b\":\"x 5\",\"c\n"),
  ])
  func `a value of an option may begin with a minus`(_ command: String, _ expected: String) throws {
    try withFolder { folder in
      _ = try folder.file("a.ndjson", Self.log)
      let parts = command.split(separator: " | ", maxSplits: 1)
      let found = try shell("\"$JSIFT\" \(parts[0]) a.ndjson" + (parts.count > 1 ? " | " + parts[1] : ""), in: folder)
      #expect(found.text == expected, "\(found.err)")
    }
  }

  /// Commands, and what their hint proposes.
  static let misplaced: [(String, String)] = [
    ("records '@.a == 1' a.ndjson", "jsift records --where '@.a == 1' FILE"),
    ("records '@.a = 1' a.ndjson", "jsift records --where '@.a == 1' FILE"),
    ("stats '@.a in [1,2]' --by m='$.m'", "jsift stats --where '@.a == 1 || @.a == 2' FILE"),
    ("shape '@.a == 1'", "jsift records --where '@.a == 1' FILE | jsift shape"),
    ("check --where '@.a == 1' a.ndjson", "jsift records --where '@.a == 1' FILE | jsift check"),
    ("each '$.items' --where '@.a == 1' a.ndjson", "jsift '$.items[?@.a == 1]' FILE"),
    ("records '$[\"a\"]' a.ndjson", "jsift '$[\"a\"]' FILE"), ("a.ndjson", "jsift '$' a.ndjson"),
    ("a.ndjson '$.a'", "jsift '$.a' a.ndjson"), ("each a.ndjson '$.a'", "jsift each '$.a' a.ndjson"),
    ("'$.a == 1' a.ndjson", "jsift records --where '$.a == 1'"), ("'.a | length' a.ndjson", "jsift '$.a[*]' --count"),
    ("'.[] | select(.a == 1) | .m' a.ndjson", "did you mean '$[?@.a == 1].m'?"),
    ("'select(.a==1 and .m==\"x\") | .m' a.ndjson", "jsift '$.m' --where '@.a==1 && @.m==\"x\"'"),
    ("'.a | .b' a.ndjson", "did you mean '$.a.b'?"), ("'. | keys' a.ndjson", "paths have no pipes"),
    ("records --where '@.a in [1, 2]'", "did you mean '@.a == 1 || @.a == 2'?"),
    ("records --where '!(@.a not in (1, 2)) && @.m'", "did you mean '!(!(@.a == 1 || @.a == 2)) && @.m'?"),
    ("records --where '1 in @.list'", "did you mean '@.list[?@ == 1]'?"),
    ("records --where '@.m =~ \"\\\\d\"'", "did you mean 'search(@.m, \"[0-9]\")'?"),
    ("'$.a-b' a.ndjson", "did you mean '$[\"a-b\"]'?"),
    ("records --where \"@.m == 'it\\\\'s' and @.a\"", #"did you mean '@.m == '\''it\'\''s'\'' && @.a'?"#),
    ("-p \"\\$['a b']\"", #"did you mean --path 'b=$["a b"]'?"#), ("records '.id'", "jsift '$.id' FILE"),
    ("index '$.id' a.ndjson", "jsift index -p '$.id' FILE"), ("each '.tags[]' a.ndjson", "did you mean '$.tags'?"),
    ("'[.items[].id]' a.ndjson", "did you mean '$.items[*].id'?"),
    ("records --where '\"m\" == \"x\"' a.ndjson", #"did you mean '@["m"] == "x"'?"#),
    ("records --where '-1 < a' a.ndjson", "did you mean '-1 < @[\"a\"]'?"),
    ("records --where 'WHERE @.m is null' a.ndjson", "did you mean '@.m == null'?"),
    ("records --where '@.m IS NOT NULL' a.ndjson", "did you mean '(@.m && @.m != null)'?"),
    ("records --where '@.m LIKE \"x_5%\"' a.ndjson", "did you mean 'match(@.m, \"x.5.*\")'?"),
    ("records --where '@.m contains \"a.b\"' a.ndjson", #"did you mean 'search(@.m, "a\\.b")'?"#),
    ("records --where '@.a between 1 and 5 && @.m' a.ndjson", "did you mean '(@.a >= 1 && @.a <= 5) && @.m'?"),
    ("records --where '@.m exists' a.ndjson", "did you mean '@.m'?"),
    ("'$.a[last].b' a.ndjson", "did you mean '$.a[-1].b'?"), ("'$.a[$-1]' a.ndjson", "did you mean '$.a[-1]'?"),
    ("'$.a[1..2]' a.ndjson", "did you mean '$.a[1:3]'?"), ("'$.a[1-2]' a.ndjson", "did you mean '$.a[1:3]'?"),
    ("'$[\u{201C}a\u{201D}]' a.ndjson", #"did you mean '$["a"]'?"#),
    ("stats --of x='$.a' --of x='$.m' a.ndjson", "expected a unique name, found a duplicate"),
  ]

  @Test(arguments: misplaced)
  func `issue 48, rows 19 and 20: a hint says what was meant, quoted for a shell`(
    _ command: String, _ hint: String
  ) throws {
    try withFolder { folder in
      _ = try folder.file("a.ndjson", Self.log)
      let found = try shell("\"$JSIFT\" \(command)", in: folder, stdin: "")
      #expect(found.status == 2 && found.out.isEmpty)
      #expect(found.err.contains(hint), "\(found.err)")
    }
  }

  @Test func `a name with an equals sign that is no file is not taken for a condition`() throws {
    let found = try run(["records", "day=1/a.ndjson"])
    #expect(found.err == "jsift: day=1/a.ndjson: the input cannot be read: No such file or directory\n")
  }
}
