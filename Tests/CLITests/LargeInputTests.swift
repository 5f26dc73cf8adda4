import TestSupport
import Testing

@Suite struct LargeInputTests {
  @Test(arguments: ["json", "ndjson", "values"])
  func `a string larger than the read window is one result`(form: String) throws {
    let text = String(repeating: "0123456789abcdeé", count: 1 << 16)
    let input = "{\"a\":1,\"s\":\"\(text)\",\"z\":2}\n"
    let result = try run(["-r", "--input", form, "$.s"], stdin: input)
    #expect(result.out == Array((text + "\n").utf8))
    result.expect(err: "", status: 0)
    #expect(try run(["--input", form, "$.z"], stdin: input).text == "2\n")
    #expect(try run(["--input", form, "$"], stdin: input).out == Array(input.utf8))
  }

  @Test func `a line of 5 MB among short ones keeps its order and its bytes`() throws {
    try withFolder { folder in
      // A debug build uses a quarter, which still spans several windows.
      let count = isDebug ? 425_000 : 1_700_000
      let long = "{\"a\":[" + String(repeating: "1, ", count: count) + "1]}"
      let input = "{\"a\":0}\n\(long)\n{\"a\":2}\n{\"a\"\n"
      let file = try folder.file("long.ndjson", input)
      let result = try run(["records", file])
      #expect(result.out == Array("{\"a\":0}\n\(long)\n{\"a\":2}\n".utf8))
      #expect(result.err.contains(":4:5: expected ':' after a key, found the end of the text"))
      #expect(try run(["--count", "$.a[*]", file]).text == "\(count + 1)\n")
    }
  }

  @Test func `the error in a line of 5 MB is reported with its column`() throws {
    let blanks = String(repeating: "1, ", count: 1_700_000)
    let result = try run(["--input", "ndjson", "$"], stdin: "[\(blanks)x]\n[1]\n")
    #expect(result.text == "[1]\n")
    let position = "jsift: standard input:1:5100002"
    #expect(result.err.hasPrefix("\(position): expected a value after ',', found a letter (byte 5100001)\n"))
    #expect(result.status == 0)
  }

  @Test func `many results of a pretty-printed document are written in order`() throws {
    let elements = (0..<100_000).map { "  {\n    \"id\": \($0)\n  }" }.joined(separator: ",\n")
    try run(["$[*].id"], stdin: "[\n\(elements)\n]\n").expect(text: (0..<100_000).map { "\($0)\n" }.joined(), status: 0)
  }

  @Test func `a document of one line longer than the read window is read as a document`() throws {
    let elements = (0..<100_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    for input in ["[\(elements)]", "[\(elements)]\n"] {
      try run(["--count", "$[*]"], stdin: input).expect(text: "100000\n", err: "", status: 0)
    }
  }
}
