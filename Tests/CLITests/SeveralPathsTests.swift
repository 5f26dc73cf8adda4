import Testing

@Suite struct SeveralPathsTests {
  private static let document = #"{"a":[{"b":1.0},{"b": "x\ty"}],"é":true,"e":{}}"#

  @Test func `several paths are evaluated in one pass, and each line names its path`() throws {
    let result = try run(["-p", "b=$.a[*].b", "--path", "e=$.é"], stdin: Self.document)
    result.expect(text: "{\"b\":1.0}\n{\"b\":\"x\\ty\"}\n{\"e\":true}\n", err: "", status: 0)
  }

  @Test func `a raw line is the name, a tab and the value`() throws {
    #expect(
      try run(["-r", "-p", "b=$.a[*].b", "-p", "e=$.e"], stdin: Self.document).text == "b\t1.0\nb\tx\ty\ne\t{}\n")
  }

  @Test func `with named paths every argument is a file`() throws {
    try withFolder { folder in
      let one = try folder.file("1.json", #"{"a":1}"#)
      let two = try folder.file("2.ndjson", "{\"a\":2}\n{\"b\":3}\n")
      try run(["-p", "a=$.a", one, "-p", "b=$.b", two]).expect(text: "{\"a\":1}\n{\"a\":2}\n{\"b\":3}\n", status: 0)
    }
  }

  @Test(arguments: [
    (#"a"b\"#, #"{"a\"b\\":1}"#), ("é\n", #"{"é\n":1}"#), ("$.a", #"{"$.a":1}"#), ("\u{1}", #"{"\u0001":1}"#),
  ])
  func `a name is written as JSON`(name: String, expected: String) throws {
    #expect(try run(["-p", "\(name)=$"], stdin: "1").text == expected + "\n")
  }

  @Test func `the name ends at the first equals sign`() throws {
    #expect(try run(["-p", "k=$[?@.b=='=']"], stdin: #"[{"b":"="}]"#).text == #"{"k":{"b":"="}}"# + "\n")
  }

  @Test func `a combining mark after the equals sign belongs to the path`() throws {
    let result = try run(["-p", "a=\u{338}$[0]"], stdin: "[1]")
    #expect(result.status == 2 && result.text.isEmpty && result.err.contains("path"))
  }

  @Test func `a path that matches nothing is reported, with whether its parent exists`() throws {
    try run(["-p", "b=$.a[0].b", "-p", "x=$.x.y", "-p", "e=$.e.y"], stdin: Self.document).expect(
      text: "{\"b\":1.0}\n",
      err: """
        jsift: x: no match for $['x']['y']: the parent was not found, or is not an array or object
        jsift: e: no match for $['e']['y']: the parent exists, but has no match in it

        """, status: 0)
  }

  @Test func `a path is reported only if no file has a match, and no match at all gives exit status 1`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "{\"a\":1}\n{\"x\":{}}\n")
      let two = try folder.file("2.json", #"{"b":[2,"#)
      #expect(try run(["-p", "a=$.a", "-p", "y=$.x.y", one, "-"], stdin: "{}").err.hasPrefix("jsift: y: no match"))
      let none = try run(["-p", "z=$.z.z", one])
      #expect(
        none.err == "jsift: z: no match for $['z']['z']: the parent was not found, or is not an array or object\n")
      #expect(none.status == 1)
      // The content after an error is unknown, so absent paths are not reported.
      #expect(try !run(["-p", "z=$.z.z", two]).err.contains("nothing at"))
    }
  }

  @Test func `limit and count apply to all paths together, and text after a limit is not validated`() throws {
    let result = try run(["-p", "b=$.a[*].b", "-p", "z=$.z.z", "--limit", "1"], stdin: Self.document)
    result.expect(text: "{\"b\":1.0}\n", err: "")
    #expect(try run(["-p", "b=$.a[*].b", "-p", "e=$.e", "--count"], stdin: Self.document).text == "3\n")
  }

  @Test(arguments: [
    ("id", "--path 'id': expected NAME=PATH, found no '='; for example --path 'id=$.user.id'"),
    ("$.user.id", "--path '$.user.id': expected NAME=PATH, found no '='; did you mean --path 'id=$.user.id'?"),
    ("=$.a[0]", "--path '=$.a[0]': expected NAME=PATH, found no name before '='; did you mean --path 'a=$.a[0]'?"),
    ("=", "--path '=': expected NAME=PATH, found no name before '='; for example --path 'id=$.user.id'"),
    (
      "$[?@.k=='v']",
      "--path '$[?@.k=='v']': expected NAME=PATH, found only a path; did you mean --path 'v=$[?@.k==\"v\"]'?"
    ),
    ("a=$.[0]", "path '$.[0]': expected a name or '*' after '.', or '[' without '.', found '['"),
  ])
  func `an argument that is not NAME=PATH is reported with a correction and exit status 2`(
    argument: String, message: String
  ) throws {
    let result = try run(["-p", argument, "no such file"])
    #expect(result.text == "")
    #expect(result.err.split(separator: "\n").first.map(String.init) == "jsift: " + message)
    #expect(result.status == 2)
  }

  @Test func `a named path that is not UTF-8 is reported as such`() throws {
    let result = try run(bytes: [Array("-p".utf8), Array("a=$['".utf8) + [0xFF] + Array("']".utf8)], stdin: [])
    #expect(result.err.hasPrefix("jsift: --path 'a=$['"))
    #expect(result.err.contains("expected UTF-8"))
    #expect(result.status == 2)
  }
}
