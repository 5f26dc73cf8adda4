import Foundation
import TestSupport
import Testing

/// `--format` of the commands that write results.
@Suite struct RowFormatTests {
  private static let records = """
    {"id":1.0,"name":"Ada","t":[ 1,"x"]}
    {"id":"2","name":"say \\"hi\\", é","n":null}
    {"id":3,"name":"","t":{"a":"b\\tc"}}
    {"id":4,"name":"two\\nlines\\\\\\t!"}

    """
  private static let columns = ["--select", "id=$.id", "--select", "name=$.name", "--select", "t=$.t"]
  private static let types = """
    jsift: column 'id': 1 value is not of type number, the type of the first value that is not null
    jsift: column 't': absent in 2 of 4 rows; 1 value is not of type array, the type of the first value that is not null

    """

  @Test func `CSV has a header, quotes where RFC 4180 requires them, and empty fields for absent values`() throws {
    try run(["records", "--format", "csv"] + Self.columns, stdin: Self.records).expect(
      text: """
        id,name,t
        1.0,Ada,"[ 1,""x""]"
        2,"say ""hi"", é",
        3,"","{""a"":""b\\tc""}"
        4,"two
        lines\\\t!",

        """, err: Self.types, status: 0)
  }

  @Test(arguments: ["csv", "tsv"])
  func `fields of names are the same whether or not another path needs the values`(format: String) throws {
    // The first record is read as a value, because of its escape, and the next one as texts.
    let lines =
      "{\"\\u0069d\":7}\n{}\n" + Self.records
      + "x\n{\"\\u0069d\":\"\\ud83d\\ude00\",\"t\":[\t1]}\n{\"t\":null,\"t\":1}\n{}\n"
    // The last path leads into the value of another one, so that the record is read as a value.
    let values = try run(["records", "--format", format] + Self.columns + ["--select", "z=$.t.a.z"], stdin: lines)
    let texts = try run(["records", "--format", format] + Self.columns + ["--select", "z=$.none"], stdin: lines)
    #expect(texts.text == values.text && texts.status == values.status && texts.text.contains("😀"))
  }

  @Test func `TSV escapes characters that a field cannot contain`() throws {
    let result = try run(["records", "--format", "tsv"] + Self.columns, stdin: Self.records)
    #expect(
      result.text
        == "id\tname\tt\n1.0\tAda\t[ 1,\"x\"]\n2\tsay \"hi\", é\t\n3\t\"\"\t{\"a\":\"b\\\\tc\"}\n4\ttwo\\nlines\\\\\\t!\t\n"
    )
    #expect(result.err == Self.types)
  }

  @Test func `a table has aligned columns and shows strings without quotes`() throws {
    let result = try run(
      ["records", "--format", "table"] + Self.columns, stdin: Self.records + "{\"id\":5,\"name\":\"\\u001b[2J\"}")
    #expect(
      result.text == #"""
         id  name            t
        ---  --------------  ------------
        1.0  Ada             [ 1,"x"]
          2  say "hi", é
          3                  {"a":"b\tc"}
          4  two\nlines\\t!
          5  \u{1b}[2J

        """#)
  }

  @Test func `json is one array, and ndjson is one value per line`() throws {
    let json = try run(
      ["records", "--format", "json", "--select", "id=$.id", "--select", "n=$.n"], stdin: Self.records)
    json.expect(text: "[{\"id\":1.0},\n{\"id\":\"2\",\"n\":null},\n{\"id\":3},\n{\"id\":4}]\n", err: "")
    #expect(try run(["records", "--format", "ndjson"], stdin: Self.records).text == Self.records)
    #expect(try run(["records", "--format", "json"], stdin: "1\n[2, 3]\n").text == "[1,\n[2, 3]]\n")
    #expect(try run(["$.x", "--format", "json"], stdin: "{}").text == "[]\n")
    #expect(try run(["$.id", "--format", "json", "--count"], stdin: Self.records).text == "4\n")
  }

  @Test func `get and each write rows too, and locations are columns`() throws {
    #expect(try run(["$.id", "--format", "csv"], stdin: Self.records).text == "value\n1.0\n2\n3\n4\n")
    #expect(
      try run(["-p", "i=$.id", "-p", "t=$.t[0]", "--format", "tsv"], stdin: Self.records).text
        == "name\tvalue\ni\t1.0\nt\t1\ni\t2\ni\t3\ni\t4\n")
    #expect(
      try run(["each", "$", "--input", "json", "--format", "csv"], stdin: "{\"a\":1,\"b\":null}").text
        == "key,value\na,1\nb,null\n")
    #expect(
      try run(["$.t[0]", "--format", "csv", "--with-location"], stdin: Self.records).text
        == "file,line,byteOffset,path,value\n-,1,\(Self.offset(of: " 1,")),$['t'][0],1\n")
    let located = try run(
      ["records", "--format", "csv", "--with-location", "--select", "id=$.id"], stdin: "{\"id\":7}\n{}\n")
    #expect(located.text == "file,line,byteOffset,id\n-,1,0,7\n-,2,9,\n")
  }

  private static func offset(of text: String) -> Int {
    let start = records.utf8.firstRange(of: Array(text.utf8))?.lowerBound ?? records.startIndex
    return records.utf8.distance(from: records.startIndex, to: start) + 1
  }

  @Test func `a header is written without rows, and a row without values is not an empty line`() throws {
    try run(["records", "--format", "csv", "--select", "a=$.a"], stdin: "").expect(text: "a\n", status: 1)
    #expect(try run(["records", "--format", "csv", "--select", "a=$.a"], stdin: "{}\n").text == "a\n\"\"\n")
    #expect(try run(["records", "--format", "table", "--select", "a=$.a"], stdin: "").text == "")
  }

  /// According to RFC 4180 an empty line would be a row with one empty field, but most readers skip it, so the row
  /// would be lost. Python's csv module and pandas write a pair of quotes too.
  @Test func `no row is lost if its only column is absent or empty`() throws {
    let input = "{\"a\":1}\n{}\n{\"a\":\"\"}\n{\"a\":null}\n{\"b\":1}\n"
    let csv = try run(["records", "--format", "csv", "--select", "a=$.a"], stdin: input)
    #expect(csv.text == "a\n1\n\"\"\n\"\"\nnull\n\"\"\n")
    // With a second column, absent and empty fields differ.
    let two = try run(["records", "--format", "csv", "--select", "a=$.a", "--select", "b=$.b"], stdin: input)
    #expect(two.text == "a,b\n1,\n,\n\"\",\nnull,\n,1\n")
  }

  private static let nulls = """
    {"a":null,"b":1}
    {"a":"null","b":"NA"}
    {"b":"\\"q"}
    {"a":"","b":0}
    {"a":"\\\\N","b":"\\"\\""}

    """

  @Test(arguments: [
    ("csv", [], "null,1|\"null\",NA|,\"\"\"q\"|\"\",0|\\N,\"\"\"\"\"\""),
    ("csv", ["--null", ""], ",1|null,NA|,\"\"\"q\"|\"\",0|\\N,\"\"\"\"\"\""),
    ("csv", ["--null=NA"], "NA,1|null,\"NA\"|,\"\"\"q\"|\"\",0|\\N,\"\"\"\"\"\""),
    ("csv", ["--null", "\\N"], "\\N,1|null,NA|,\"\"\"q\"|\"\",0|\"\\N\",\"\"\"\"\"\""),
    ("csv", ["--null", "0"], "0,1|null,NA|,\"\"\"q\"|\"\",\"0\"|\\N,\"\"\"\"\"\""),
    ("tsv", [], "null,1|\"null\",NA|,\\\"q|\"\",0|\\\\N,\\\"\""),
    ("tsv", ["--null="], ",1|null,NA|,\\\"q|\"\",0|\\\\N,\\\"\""),
    ("tsv", ["--null", "\\N"], "\\N,1|null,NA|,\\\"q|\"\",0|\\\\N,\\\"\""),
    ("tsv", ["--null", "NA"], "NA,1|null,\"NA\"|,\\\"q|\"\",0|\\\\N,\\\"\""),
  ])
  func `null, a string with the same text, the empty string and an absent value differ`(
    format: String, options: [String], expected: String
  ) throws {
    let select = ["--select", "a=$.a", "--select", "b=$.b"]
    let result = try run(["records", "--format", format] + options + select, stdin: Self.nulls)
    let rows = expected.split(separator: "|").map {
      format == "csv" ? String($0) : String($0).replacing(",", with: "\t")
    }
    #expect(result.lines.dropFirst() == rows[...])
    #expect(result.status == 0)
    let groups = try run(["stats", "--by", "a=$.a", "--format", format] + options, stdin: Self.nulls)
    #expect(groups.lines.dropFirst().map { $0.dropLast(2) } == rows.map { $0.prefix { $0 != "," && $0 != "\t" } })
  }

  @Test(arguments: [
    (["$", "--null", "x"], "--null is for --format csv and tsv, and --format ndjson has its own null"),
    (["$", "--format", "table", "--null", "x"], "and --format table has its own null"),
    (["stats", "--by", "a=$", "--format", "json", "--null", "x"], "and --format json has its own null"),
    (["$", "--format", "csv", "--null", "a,b"], "--null takes a text without quotes, commas, tabs and line breaks"),
    (["$", "--format", "tsv", "--null", "\""], "--null takes a text without quotes, commas, tabs and line breaks"),
    (["$", "--format", "tsv", "--null", "a\tb"], "--null takes a text without quotes, commas, tabs and line breaks"),
  ])
  func `a text for null that the format does not support is rejected`(arguments: [String], reason: String) throws {
    let result = try run(arguments, stdin: "1")
    #expect(result.text == "")
    #expect(result.err.contains(reason))
    #expect(result.status == 2)
  }

  @Test func `no field contains U+0000`() throws {
    let input = "{\"a\":\"x\\u0000y\",\"b\":\"\\\\0\"}\n"
    let select = ["--select", "a=$.a", "--select", "b=$.b"]
    #expect(try run(["records", "--format", "csv"] + select, stdin: input).text == "a,b\nx\\0y,\\0\n")
    #expect(try run(["records", "--format", "tsv"] + select, stdin: input).text == "a\tb\nx\\0y\t\\\\0\n")
  }

  @Test func `impossible combinations of options are rejected`() throws {
    let columns = try run(["records", "--format", "csv"], stdin: "{}")
    #expect(columns.err.contains("--format csv: expected --select NAME=PATH, which names the columns"))
    #expect(columns.status == 2)
    let raw = try run(["$.a", "-r", "--format", "csv"], stdin: "{}")
    #expect(raw.err.contains("--raw writes lines of text, and --format csv does not; use only one of them"))
    #expect(raw.status == 2)
  }

  @Test func `a table is wide enough for its first rows, and truncates later values`() throws {
    let rows = (0..<600).map { "{\"a\":\"\(String(repeating: "x", count: $0 < 500 ? 5 : 9))\",\"b\":\($0)}\n" }.joined()
    let result = try run(["records", "--format", "table", "--select", "a=$.a", "--select", "b=$.b"], stdin: rows)
    #expect(result.lines.count == 602)
    #expect(result.lines[2] == "xxxxx    0")
    #expect(result.lines[601] == "xxxx…  599")
  }
}
