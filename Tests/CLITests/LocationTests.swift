import Testing

@Suite struct LocationTests {
  @Test func `a result in one document has its file, offset and path`() throws {
    try withFolder { folder in
      let file = try folder.file("d.json", "{\"a\":[\n 10, {\"b'\":\n 2}]}")
      let result = try run(["$.a[*]", "--with-location", file])
      #expect(
        folder.cut(result.text) == """
          {"file":"d.json","byteOffset":8,"path":"$['a'][0]","value":10}
          {"file":"d.json","byteOffset":12,"path":"$['a'][1]","value":{"b'": 2}}

          """)
      #expect(
        folder.cut(try run(["$..*", "--with-location", "--limit", "5", file]).text).split(separator: "\n").last
          == #"{"file":"d.json","byteOffset":20,"path":"$['a'][1]['b\\'']","value":2}"#)
    }
  }

  @Test func `a result in a record has the record's line, and its path begins at the record`() throws {
    let result = try run(["$.a[1]", "--with-location"], stdin: "{\"a\":[1,2]}\n\n  {\"a\":[3,4]}\n")
    #expect(
      result.text == """
        {"file":"-","line":1,"byteOffset":8,"path":"$['a'][1]","value":2}
        {"file":"-","line":3,"byteOffset":23,"path":"$['a'][1]","value":4}

        """)
  }

  @Test func `a result of a named path has its name, and a result of each has its key in the path`() throws {
    let input = "{\"a\":{\"k\":1}}\n[]\n"
    #expect(
      try run(["-p", "x=$.a", "--with-location"], stdin: input).text
        == #"{"file":"-","line":1,"byteOffset":5,"name":"x","path":"$['a']","value":{"k":1}}"# + "\n")
    #expect(
      try run(["each", "$.a", "--with-location"], stdin: input).text
        == #"{"file":"-","line":1,"byteOffset":10,"path":"$['a']['k']","value":1}"# + "\n")
  }

  @Test(arguments: [[], ["--where", "@.a"]])
  func `a record has its line and offset, also with select`(condition: [String]) throws {
    let input = "{\"a\":1}\n{\"a\"\n {\"a\":2}\n"
    let whole = try run(["records", "--with-location"] + condition, stdin: input)
    #expect(
      whole.text == #"{"file":"-","line":1,"byteOffset":0,"value":{"a":1}}"# + "\n"
        + #"{"file":"-","line":3,"byteOffset":14,"value":{"a":2}}"# + "\n")
    let selected = try run(["records", "--with-location", "--select", "b=$.a"] + condition, stdin: input)
    #expect(selected.text == whole.text.replacing("\"a\"", with: "\"b\""))
    let document = try run(["records", "--input", "json", "--with-location"] + condition, stdin: " {\"a\":1}")
    #expect(document.text == #"{"file":"-","byteOffset":1,"value":{"a":1}}"# + "\n")
  }

  @Test func `raw and with-location cannot be combined`() throws {
    let result = try run(["$", "-r", "--with-location"], stdin: "1")
    #expect(result.err.contains("--with-location writes JSON, and --raw does not; use only one of them"))
    #expect(result.status == 2)
  }

  @Test func `limit and count can be combined with with-location`() throws {
    #expect(try run(["$[*]", "--with-location", "--limit", "1", "--input", "json"], stdin: "[1,2]").lines.count == 1)
    #expect(try run(["$[*]", "--with-location", "--count", "--input", "json"], stdin: "[1,2]").text == "2\n")
  }
}
