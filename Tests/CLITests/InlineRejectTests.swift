import Foundation
import TestSupport
import Testing

/// `--rejects-inline`: bad records are rows of the output.
@Suite struct InlineRejectTests {
  private static let text = "{\"a\":1}\n{\"a\":}\n{\"a\":\"x,\"}\n[1\n"
  private static let first = #"{"offset":8,"length":6,"error":"expected a value, found '}'","raw":"{\"a\":}"}"#
  private static let second =
    #"{"offset":26,"length":2,"error":"expected ',' or ']' after an element, found the end of the text","raw":"[1"}"#

  /// A JSON text as a field of CSV.
  private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  private static let formats: [([String], [String])] = [
    (["records"], [#"{"a":1}"#, "{\"bad\":\(first)}", #"{"a":"x,"}"#, "{\"bad\":\(second)}"]),
    (["$.a"], ["1", "{\"bad\":\(first)}", #""x,""#, "{\"bad\":\(second)}"]),
    (["-p", "v=$.a"], [#"{"v":1}"#, "{\"bad\":\(first)}", #"{"v":"x,"}"#, "{\"bad\":\(second)}"]),
    (["each", "$"], [#"{"a":1}"#, "{\"bad\":\(first)}", #"{"a":"x,"}"#, "{\"bad\":\(second)}"]),
    (["records", "--select", "b=$.a"], [#"{"b":1}"#, "{\"bad\":\(first)}", #"{"b":"x,"}"#, "{\"bad\":\(second)}"]),
    (["records", "--where", "@.a == 'x,'"], ["{\"bad\":\(first)}", #"{"a":"x,"}"#, "{\"bad\":\(second)}"]),
    (["$.a", "--format", "json"], ["[1,", "{\"bad\":\(first)},", #""x,","#, "{\"bad\":\(second)}]"]),
    (
      ["$.a", "--with-location"],
      [
        #"{"file":"x.ndjson","line":1,"byteOffset":5,"path":"$['a']","value":1}"#,
        "{\"file\":\"x.ndjson\",\"line\":2,\"byteOffset\":8,\"bad\":\(first)}",
        #"{"file":"x.ndjson","line":3,"byteOffset":20,"path":"$['a']","value":"x,"}"#,
        "{\"file\":\"x.ndjson\",\"line\":4,\"byteOffset\":26,\"bad\":\(second)}",
      ]
    ),
    (
      ["records", "--select", "a=$.a", "--format", "csv"],
      ["a,bad", "1,", ",\(quoted(first))", "\"x,\",", ",\(quoted(second))"]
    ),
    (
      ["$.a", "--format", "csv", "--with-location"],
      [
        "file,line,byteOffset,path,value,bad", "x.ndjson,1,5,$['a'],1,", "x.ndjson,2,8,,,\(quoted(first))",
        "x.ndjson,3,20,$['a'],\"x,\",", "x.ndjson,4,26,,,\(quoted(second))",
      ]
    ),
  ]

  @Test(arguments: formats)
  func `a bad record is a row in its place`(arguments: [String], lines: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.text)
      for jobs in ["1", "2"] {
        let result = try run(arguments + ["--rejects-inline", "bad", "-j", jobs, file])
        #expect(folder.cut(result.text).split(separator: "\n").map(String.init) == lines)
        #expect(
          folder.cut(result.err).contains("jsift: x.ndjson: 2 bad records were written as rows with the name 'bad'\n"))
        #expect(!result.err.contains("absent"))
        #expect(result.status == 0)
      }
    }
  }

  @Test func `bytes that are not UTF-8 are in Base64, and a long record is cut`() throws {
    let bytes = [0xFF, 0x0A] + Array("\"\(String(repeating: "x", count: 70_000))\n".utf8)
    let result = try run(["records", "--rejects-inline", "bad", "--input", "ndjson"], stdin: bytes)
    #expect(
      result.lines.first
        == #"{"bad":{"offset":0,"length":1,"error":"expected UTF-8, found an invalid byte sequence","rawBase64":"/w=="}}"#
    )
    #expect(result.lines.last?.hasPrefix("{\"bad\":{\"offset\":2,\"length\":70001,\"error\":") == true)
    #expect(result.lines.last?.hasSuffix(",\"truncated\":true}}") == true)
    // Only bad records are nothing that was found.
    #expect(result.status == 1)
  }

  /// Several readers and blocks, with records over the limit.
  private static func log(lines: Int) -> String {
    (0..<lines).map { line in
      switch line % 50 {
      case 7: "{\"id\":\(line),}\n"
      case 9: "\r\n"
      case 11: "{\"id\":\(line),\"ms\":\"\(String(repeating: "x", count: line % 90))\"}\n"
      default: "{\"id\":\(line),\"level\":\"\(line % 3 == 0 ? "error" : "info")\",\"ms\":\(line % 977)}\n"
      }
    }.joined()
  }

  @Test(arguments: ["1", "3"])
  func `splits have the rows of one run, and leave no other file`(jobs: String) throws {
    try withFolder { folder in
      for lines in [200, 25_000] {
        let file = try folder.file("x.ndjson", Self.log(lines: lines))
        for command in [["$.id"], ["records", "--where", "@.level == 'error'"], ["each", "$"]] {
          let arguments = command + ["--max-record-bytes", "60", "--rejects-inline", "bad", "-j", jobs, file]
          let whole = try run(arguments)
          #expect(whole.status == 0)
          for count in [5] {
            var out: [UInt8] = []
            for number in 1...count { out += try run(arguments + ["--split", "\(number)/\(count)"]).out }
            #expect(out == whole.out, "\(command)")
          }
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.ndjson"])
    }
  }

  @Test func `bad rows are not results in the summary, and a limit counts them`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.text)
      let summary = try run(["records", "--rejects-inline", "bad", "--summary", "-", file])
      #expect(summary.err.contains("\"records\":4,\"results\":2,\"rejects\":2,"))
      let limited = try run(["records", "--rejects-inline", "bad", "--limit", "2", file])
      #expect(limited.lines == [#"{"a":1}"#, "{\"bad\":\(Self.first)}"])
    }
  }

  @Test func `an Arrow stream has a column of bad records and of values that miss their type`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.text)
      let columns = [
        "records", "--format", "arrow", "--select", "a=$.a", "--type", "a=int64", "--rejects-inline", "bad",
      ]
      let miss =
        #"{"misses":[{"offset":20,"length":4,"error":"expected int64","column":"a","path":"$['a']","raw":"\"x,\""}]}"#
      var first: [UInt8]?
      for extra in [[], ["-j", "1"], ["--where", "@.a != 9"], ["--where", "$.a != 9"]] {
        let result = try run(columns + extra + [file])
        let text = String(decoding: result.out, as: UTF8.self)
        // The texts of one column follow each other.
        #expect(text.contains(Self.first + miss + Self.second))
        #expect(result.status == 0)
        #expect(result.out == first ?? result.out)
        first = result.out
      }
      // A list may have more misses than a row shows.
      let list = try run(
        ["records", "--format", "arrow", "--select", "a=$", "--type", "a=list<int64>", "--rejects-inline", "bad"],
        stdin: "[\(String(repeating: "true,", count: 102))1]\n")
      let text = String(decoding: list.out, as: UTF8.self)
      #expect(text.contains("],\"more\":2}"))
    }
  }

  @Test(arguments: [
    (
      "$.a --rejects-inline bad --raw", "--rejects-inline writes JSON, and --raw does not; use only one of them"
    ),
    ("$.a --rejects-inline bad --count", "--rejects-inline writes rows, and --count does not"),
    (
      "$.a --rejects-inline bad --rejects r",
      "--rejects-inline 'bad' writes bad records as rows; use it without --rejects"
    ),
    (
      "$.a --rejects-inline bad --on-error stop", "writes bad records as rows; use it without --on-error stop"
    ),
    ("$.a --rejects-inline=", "--rejects-inline '': expected a name, found an empty string"),
    (
      "records --select bad=$.a --rejects-inline bad", "expected a unique name, found the name of another column"
    ),
    (
      "$.a --format csv --rejects-inline value", "expected a unique name, found the name of another column"
    ),
    (
      "$.a --with-location --rejects-inline line", "expected a unique name, found the name of another column"
    ),
  ])
  func `options that contradict it are rejected`(line: String, message: String) throws {
    let result = try run(words(line), stdin: Self.text)
    #expect(result.err.contains(message), "\(result.err)")
    #expect(result.status == 2)
  }

  @Test func `a name that is not UTF-8 is rejected`() throws {
    let name = Array("b".utf8) + [0xFF]
    let result = try run(
      bytes: [Array("$.a".utf8), Array("--rejects-inline".utf8), name], stdin: Array(Self.text.utf8))
    #expect(result.err == "jsift: --rejects-inline 'b·': expected UTF-8\n")
    #expect(result.out.isEmpty && result.status == 2)
  }
}
