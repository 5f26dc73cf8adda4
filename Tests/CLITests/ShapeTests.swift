import Foundation
import TestSupport
import Testing

/// `jsift shape`
@Suite struct ShapeTests {
  private static let log = """
    {"id":1,"user":{"name":"Ada","tags":["a","b"]},"ok":true}
    {"id":20,"user":{"name":"Bob","tags":[]},"ok":null,"x":1.50}
    {"id":3,"user":null,"s":"\\u00e9"}

    """

  @Test func `each path is one line with types, counts, share and bounds`() throws {
    try run(["shape"], stdin: Self.log).expect(
      text: #"""
        {"path":"$","types":{"object":3},"count":3,"records":3,"share":1,"minMembers":3,"maxMembers":4,"names":5}
        {"path":"$.id","types":{"number":3},"count":3,"records":3,"share":1,"parents":3,"min":1,"max":20,"examples":[1,20,3]}
        {"path":"$.user","types":{"object":2,"null":1},"count":3,"records":3,"share":1,"parents":3,"minMembers":2,"maxMembers":2,"names":2}
        {"path":"$.user.name","types":{"string":2},"count":2,"records":2,"share":0.6667,"parents":2,"minLength":3,"maxLength":3,"examples":["Ada","Bob"]}
        {"path":"$.user.tags","types":{"array":2},"count":2,"records":2,"share":0.6667,"parents":2,"minItems":0,"maxItems":2}
        {"path":"$.user.tags[*]","types":{"string":2},"count":2,"records":1,"share":0.3333,"minLength":1,"maxLength":1,"examples":["a","b"]}
        {"path":"$.ok","types":{"boolean":1,"null":1},"count":2,"records":2,"share":0.6667,"parents":3,"examples":[true]}
        {"path":"$.x","types":{"number":1},"count":1,"records":1,"share":0.3333,"parents":3,"min":1.50,"max":1.50,"examples":[1.50]}
        {"path":"$.s","types":{"string":1},"count":1,"records":1,"share":0.3333,"parents":3,"minLength":1,"maxLength":1,"examples":["\u00e9"]}

        """#, err: "", status: 0)
  }

  @Test func `a table shows types, bounds and examples as readable text`() throws {
    try run(["shape", "--format", "table", "--examples", "2"], stdin: Self.log).expect(
      text: #"""
        path            type                     count  records  range         examples
        --------------  -----------------------  -----  -------  ------------  ------------
        $               object                       3  100 %    3…4 members
        $.id            number                       3  100 %    1 … 20        1, 20
        $.user          object 67 %, null 33 %       3  100 %    2 members
        $.user.name     string                       2  67 %     3 characters  "Ada", "Bob"
        $.user.tags     array                        2  67 %     0…2 elements
        $.user.tags[*]  string                       2  33 %     1 character   "a", "b"
        $.ok            boolean 50 %, null 50 %      2  67 %                   true
        $.x             number                       1  33 %     1.50          1.50
        $.s             string                       1  33 %     1 character   "\u00e9"

        """#, status: 0)
  }

  @Test func `csv has fields under a header, and json is one array`() throws {
    let csv = try run(["shape", "--format", "csv"], stdin: "{\"a\":\"x,y\"}\n")
    #expect(
      csv.text == """
        path,types,count,records,share,parents,min,max,minLength,maxLength,minItems,maxItems,minMembers,maxMembers,names,map,examples
        $,"{""object"":1}",1,1,1,,,,,,,,1,1,1,,
        $.a,"{""string"":1}",1,1,1,1,,,3,3,,,,,,,"[""x,y""]"

        """)
    let json = try run(["shape", "--format", "json", "--examples", "0"], stdin: "7\n8\n")
    #expect(
      json.text
        == "[{\"path\":\"$\",\"types\":{\"number\":2},\"count\":2,\"records\":2,\"share\":1,\"min\":7,\"max\":8}]\n")
    #expect(try run(["shape", "--format", "json"], stdin: "").text == "[]\n")
    #expect(try run(["shape"], stdin: "").status == 1)
  }

  @Test func `keys that are data are one path, and their number is reported`() throws {
    let users = (0..<30).map { "\"u\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
    let all = try run(["shape", "--input", "json", "--format", "table"], stdin: "{\"users\":{\(users)}}")
    #expect(
      all.text == """
        path         type    count  present  range                 examples
        -----------  ------  -----  -------  --------------------  --------
        $            object      1           1 member
        $.users      object      1  100 %    map, 30 similar keys
        $.users.*    object     30  100 %    1 member
        $.users.*.n  number     30  100 %    0 … 29                0, 1, 2

        """)
    let few = try run(["shape", "--input", "json", "--max-keys", "20"], stdin: "{\"users\":{\(users)}}")
    #expect(few.lines.count == 4)
    #expect(few.lines[1].hasSuffix("\"names\":20,\"map\":\"more\"}"))
    // Every path is accepted by `get`.
    #expect(try run(["--count", "$.users.*.n"], stdin: "{\"users\":{\(users)}}").text == "30\n")
  }

  @Test func `bad records are skipped and reported, and a bad document gives the values before the error`() throws {
    let lines = try run(["shape"], stdin: "{\"a\":1}\n{\"b\":\n{\"a\":2}\n")
    #expect(lines.lines.count == 2)
    #expect(lines.lines[1].contains("\"max\":2"))
    #expect(lines.err.contains("1 bad record was skipped; --on-error stop ends at the first"))
    #expect(lines.status == 0)
    let stop = try run(["shape", "--on-error", "stop"], stdin: "{\"a\":1}\n{\"b\":\n{\"a\":2}\n")
    #expect(stop.lines.count == 2)
    #expect(stop.lines[1].contains("\"max\":1"))
    #expect(stop.status == 2)
    let document = try run(["shape", "--input", "json"], stdin: "{\"a\":[1,2],\n\"b\":x}")
    #expect(document.lines.count == 3)
    #expect(document.err.hasPrefix("jsift: standard input:2:5: "))
    #expect(document.status == 2)
    #expect(try run(["shape", "--max-errors", "0"], stdin: "1\n[\n").status == 2)
    #expect(try run(["shape", "no such file"]).status == 2)
  }

  @Test func `too many paths are an error, and nothing is written`() throws {
    let result = try run(["shape", "--max-paths", "3"], stdin: "{\"a\":{\"b\":{\"c\":1}}}\n{\"d\":1}\n")
    #expect(result.text == "")
    #expect(result.err.contains("expected at most 3 paths, found more; raise --max-paths (about 1 KB per path)"))
    #expect(result.status == 2)
    for arguments in [["--max-keys", "0"], ["--examples", "101"], ["--max-paths", "0"]] {
      #expect(try run(["shape"] + arguments, stdin: "1").status == 2)
    }
  }

  @Test func `one record with too many paths is the same error, with any number of workers`() throws {
    let inner = "{" + (0..<60).map { "\"b\($0)\":[[1]]" }.joined(separator: ",") + "}"
    let text = "{" + (0..<60).map { "\"a\($0)\":" + inner }.joined(separator: ",") + "}\n"
    for arguments in [["--input", "json"], ["-j", "1"], ["-j", "3"]] {
      let input = text + (arguments[0] == "-j" ? text : "")
      let result = try run(["shape", "--max-paths", "2000"] + arguments, stdin: input)
      #expect(result.text == "")
      #expect(result.err.contains("expected at most 2000 paths, found more"))
      #expect(result.status == 2)
    }
    // Merged, the two files have few paths, because `m` is a map. The second file alone exceeds the limit nonetheless.
    try withFolder { folder in
      let map = try folder.file("a.json", "{\"m\":{\"x\":1,\"y\":1,\"z\":1}}\n")
      let deep = try folder.file("b.json", "{\"m\":{\"x\":{\"a\":1},\"y\":{\"a\":1}}}\n")
      try run(["shape", "--max-paths", "5", "--max-keys", "2", "-j", "1", map, deep]).expect(text: "", status: 2)
      #expect(try run(["shape", "--max-paths", "6", "--max-keys", "2", "-j", "1", map, deep]).status == 0)
    }
  }

  @Test func `messages about too many paths do not depend on the number of workers`() throws {
    let lines = (0..<60_000).map { $0 % 50 == 7 ? "bad" : "{\"k\($0 % 2000)\":{\"member\":\($0)}}" }
    try withFolder { folder in
      let bad = try folder.file("bad.ndjson", "1\n[\n")
      let wide = try folder.file("wide.ndjson", lines.joined(separator: "\n"))
      for limit in ["20", "700", "1500", "1501"] {
        let arguments = ["shape", "--max-paths", limit, "--max-keys", "100000", bad, wide]
        let alone = try run(arguments + ["-j", "1"])
        #expect(alone.text == "" && alone.status == 2)
        #expect(folder.cut(alone.err).contains("jsift: bad.ndjson: 1 bad record was skipped"))
        for jobs in isDebug ? ["5"] : ["2", "5"] {
          let result = try run(arguments + ["-j", jobs])
          #expect(result.err == alone.err && result.text == "" && result.status == 2, "\(limit), \(jobs) workers")
        }
      }
    }
  }

  @Test func `a table truncates long paths in the middle, and other formats do not`() throws {
    let name = String(repeating: "a", count: 300)
    let text = "{\"\(name)\":{\"left\":1,\"right\":2}}"
    let table = try run(["shape", "--input", "json", "--format", "table"], stdin: text)
    #expect(table.lines.count == 6)
    #expect(table.lines.dropFirst(3).allSatisfy { $0.hasPrefix("$." + name.prefix(57) + "…") })
    #expect(table.text.contains("aaa.left ") && table.text.contains("aaa.right "))
    #expect(table.lines.allSatisfy { $0.count < 200 })
    #expect(try run(["shape", "--input", "json"], stdin: text).text.contains("\"$.\(name).right\""))
  }
}
