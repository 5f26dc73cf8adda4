import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `stats --format bars` and `--format svg` draw what the other formats write.
@Suite struct ChartTests {
  private static let log = """
    {"t":"2026-01-01T00:00:10Z","level":"info","ms":5}
    {"t":"2026-01-01T00:00:20Z","level":"error","ms":40}
    {"t":"2026-01-01T00:01:10Z","level":"info","ms":10}
    {"t":"2026-01-01T00:01:11Z","level":"info","ms":20}
    {"t":"2026-01-01T00:04:00Z","level":"info","ms":30}
    {"t":"2026-01-01T02:00:00Z","level":"warn","ms":"x"}
    {"level":"info"}
    """

  private static func bars(_ arguments: String..., log: String = log) throws -> [String] {
    let found = try run(["stats", "--format", "bars", "--input", "ndjson"] + arguments, stdin: log)
    found.expect(err: "", status: 0)
    return found.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `each group is a bar with its number`() throws {
    #expect(
      try Self.bars("--by", "level=$.level") == [
        "records",
        "      0            1             2              3             4             5",
        "info  ####################################################################### 5",
        "error ############## 1",
        "warn  ############## 1",
        "",
      ])
  }

  @Test func `the values of the last key are the parts of a bar`() throws {
    let lines = try Self.bars("--every", "1h", "--time", "$.t", "--by", "level=$.level")
    #expect(lines[0] == "records per 1h")
    #expect(lines[1].hasSuffix("# info  = error  + warn"))
    #expect(lines[3].hasPrefix("2026-01-01T00:00:00Z ####") && lines[3].hasSuffix("= 5"))
    #expect(lines[4] == "2026-01-01T01:00:00Z")
    #expect(lines[5].hasPrefix("2026-01-01T02:00:00Z +") && lines[5].hasSuffix("+ 1"))
    #expect(lines[6].hasPrefix("(none)               #") && lines[6].hasSuffix("# 1"))
  }

  @Test func `a long gap in time is one row, and a short one a row for each interval`() throws {
    let lines = try Self.bars("--every", "1m", "--time", "$.t")
    let labels = lines.dropFirst(2).map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(
      labels == [
        "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z", "2026-01-01T00:03:00Z",
        "2026-01-01T00:04:00Z", "...", "2026-01-01T02:00:00Z", "(none)", "",
      ])
    #expect(lines[7].hasSuffix("115 intervals without records"))
  }

  @Test func `numbers are a line from their minimum to their maximum`() throws {
    let lines = try Self.bars("--of", "ms=$.ms", "--by", "level=$.level")
    #expect(lines[0] == "ms")
    #expect(lines[3].hasPrefix("info  ") && lines[3].contains("[") && lines[3].hasSuffix("5 10 30 30 30"))
    #expect(lines[5] == "warn  no numbers")
  }

  @Test func `of more than five parts the smallest are other`() throws {
    let log = (1...8).flatMap { value in (0..<value).map { _ in "{\"a\":1,\"b\":\"v\(value)\"}" } }.joined(
      separator: "\n")
    let lines = try Self.bars("--by", "a=$.a", "--by", "b=$.b", log: log)
    #expect(lines[1].hasSuffix("# v4  = v5  + v6  - v7  : v8  . other"))
    #expect(lines[3].hasSuffix(" 36"))
  }

  @Test func `wide characters take two columns, and what is not seen is named`() throws {
    let lines = try Self.bars(
      "--by", "a=$.a", log: "{\"a\":\"日本\"}\n{\"a\":\"ab\\u202ecd\"}\n{\"a\":\"\\u001b[31m\\n\"}")
    #expect(lines[2].hasPrefix("日本         #"))
    #expect(lines[3].hasPrefix("ab\\u{202e}cd #"))
    #expect(lines[4].hasPrefix("\\u{1b}[31m\\n #"))
  }

  @Test func `different values are different bars, and equal ones are one`() throws {
    let log =
      ["1", "\"1\"", "1.0", "null", "\"null\"", "\"\"", "\"(none)\""].map { "{\"a\":\($0)}\n" }.joined() + "{}\n"
    let lines = try Self.bars("--by", "a=$.a", log: log)
    #expect(
      lines.dropFirst(2).map { $0.split(separator: " ").first.map(String.init) ?? "" } == [
        "1", "\"1\"", "null", "\"null\"", "\"\"", "\"(none)\"", "(none)", "",
      ])
    #expect(lines[2].hasSuffix("# 2"))
  }

  @Test func `numbers of distinct values are not added`() throws {
    let log = (0..<20).map { "{\"k\":\"a\",\"l\":\($0 % 2),\"u\":\($0 / 2 % 3)}\n" }.joined()
    let lines = try Self.bars("--distinct", "u=$.u", "--by", "k=$.k", "--by", "l=$.l", log: log)
    #expect(lines[2].hasPrefix("a / 0 #") && lines[2].hasSuffix("# 3") && lines[3].hasPrefix("a / 1 #"))
  }

  @Test func `on a logarithmic scale zero is less than all other numbers`() throws {
    let log = "{\"k\":\"a\",\"n\":0}\n{\"k\":\"b\",\"n\":1000}\n"
    let lines = try Self.bars("--of", "n=$.n", "--by", "k=$.k", "--scale", "log", log: log)
    #expect(
      lines[3].hasPrefix("a o ")
        && lines[4].firstIndex(of: "o") ?? lines[4].startIndex > lines[4].index(lines[4].startIndex, offsetBy: 10))
  }

  @Test func `a logarithmic scale shows small bars beside large ones`() throws {
    let log = String(repeating: "{\"a\":1}\n", count: 1000) + "{\"a\":2}\n"
    let linear = try Self.bars("--by", "a=$.a", log: log)
    let logarithmic = try Self.bars(
      "--by", "a=$.a", "--scale", "log", log: log + String(repeating: "{\"a\":2}\n", count: 9))
    #expect(linear[3] == "2 # 1")
    #expect(logarithmic[0] == "records (logarithmic)")
    #expect(logarithmic[1].split(separator: " ") == ["10", "100", "1000"])
  }

  @Test(arguments: [
    (["--format", "csv", "--scale", "log"], "--scale is for a picture; use it with --format bars or --format svg"),
    (
      ["--format", "svg", "--null", "x"],
      "--null is for --format csv and tsv, and a picture has no null; use only one of them"
    ),
  ])
  func `options of another format are rejected`(_ options: [String], _ message: String) throws {
    let found = try run(["stats", "--by", "a=$.a"] + options, stdin: "")
    #expect(found.err.contains(message) && found.status == 2)
  }

  @Test(arguments: [["--every", "1m", "--time", "$.t"], [], ["--of", "ms=$.ms"]])
  func `SVG is well-formed XML with every label`(_ options: [String]) throws {
    let log = Self.log + "\n{\"t\":\"2026-01-01T00:00:10Z\",\"level\":\"<&\\u0000\\u202e\\\"'>\",\"ms\":1e300}"
    let found = try run(
      ["stats", "--format", "svg", "--input", "ndjson", "--by", "level=$.level"] + options, stdin: log)
    found.expect(err: "", status: 0)
    let parser = XMLParser(data: Data(found.out))
    let reader = TextReader()
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.text.contains("<&\\u{0}\\u{202e}\"'>"))
    #expect(!found.out.contains(0) && !found.text.unicodeScalars.contains("\u{202E}"))
  }

  private final class TextReader: NSObject, XMLParserDelegate {
    var text = ""
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  @Test func `the picture is the same with any number of workers`() throws {
    let log = (0..<40_000).map { "{\"t\":\($0 * 7),\"level\":\"l\($0 % 7)\",\"ms\":\($0 % 1000)}\n" }.joined()
    let pictures = try ["1", "2", "3"].map { jobs in
      try ["bars", "svg"].map { format in
        try run(
          ["stats", "--format", format, "-j", jobs, "--every", "1h", "--time", "$.t", "--by", "level=$.level"],
          stdin: log
        ).out
      }
    }
    #expect(pictures[0] == pictures[1] && pictures[0] == pictures[2])
  }
}
