import Foundation
import JSONSift
import TestSupport
import Testing

/// `stats --template NAME=PATH` groups messages by their templates.
@Suite struct StatsTemplateTests {
  /// Returns the JSON of a string.
  private static func quoted(_ text: String) -> String {
    (try? JSON(text).bytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func template(of value: String) throws -> String {
    let found = try run(["stats", "--template", "m=$", "--input", "ndjson"], stdin: value)
    #expect(found.status == 0, "\(found.err)")
    let row = try JSON(parsing: found.text)
    #expect(row["count"].int == 1 && row["line"].int == 1 && row["example"].rawBytes == Array(value.utf8))
    return row["m"].stringValue
  }

  @Test(arguments: [
    ("user 17 logged in", "user <number> logged in"),
    ("took 1.5e-3 s, -4 (+2) =-7", "took <number> s, <number> (<number>) =<number>"),
    ("v1.2.3 utf8 35ms 3rd x86_64", "v<number> utf<number> <number>ms <number>rd x<number>_<number>"),
    ("a-1 2025-03-01T08:30:00Z", "a-<number> <number>-<number>-<number>T<number>:<number>:<number>Z"),
    ("id 550e8400-e29b-41d4-a716-446655440000.", "id <uuid>."),
    ("550E8400-E29B-41D4-A716-446655440000", "<uuid>"),
    ("x550e8400-e29b-41d4-a716-446655440000", "x<number>-e<number>b-<number>d<number>-a<number>-<number>"),
    ("from 10.0.0.1:8080, 255.255.255.255", "from <address>:<number>, <address>"),
    ("1.2.3.4.5 1.2.3.256 01.2.3.0004", "<number> <number> <number>"),
    (
      "::1 fe80::1%eth0 2001:db8:0:0:0:0:2:1 [::ffff:1]:80",
      "<address> <address>%eth<number> <address> [<address>]:<number>"
    ),
    ("peer fe80::1: gone; 00:1a:2B:3c:4d:5e", "peer <address>: gone; <address>"),
    (
      "std::vector a::b 08:30:00 1:2:3:4:5:6:7",
      "std::vector a::b <number>:<number>:<number> <number>:<number>:<number>:<number>:<number>:<number>:<number>"
    ),
    ("commit 3adac8cb at 0xFF 0x deadbeef abc12", "commit <hex> at <hex> <number>x deadbeef abc<number>"),
    ("27a7e8e6c35ad1ceea166f4913f77001", "<hex>"), ("open \"a b.txt\": no", "open <quoted>: no"),
    ("don't 'can't do' `x` ''", "don't <quoted> <quoted> <quoted>"), ("'a \"b' c\"", "<quoted> c\""),
    ("it's 'open", "it's 'open"), ("'a 'b 'c 5", "'a 'b 'c <number>"),
    ("a\n'b'\t5 \\ \"c\\\"\" \u{1B}[31m", "a\n<quoted>\t<number> \\ <quoted>\" \u{1B}[<number>m"),
    ("é5 日本7 😀'x'", "é<number> 日本<number> 😀'x'"), ("", ""), ("-", "-"), ("1e", "<number>e"),
    ("1e5x 1.", "<number>e<number>x <number>."),
  ])
  func `parts that vary are replaced`(_ message: String, _ template: String) throws {
    #expect(try Self.template(of: Self.quoted(message)) == template)
  }

  @Test func `numbers have one template, and other values are their own`() throws {
    let found = try run(
      ["stats", "--template", "m=$.m", "--input", "ndjson"],
      stdin: "{\"m\":5}\n{\"m\":-1e3}\n{\"m\":true}\n{\"m\":{\"a\":[1, 2]}}\n{}\n{\"m\":\"\\u0061\"}\n{\"m\":\"a\"}")
    #expect(
      found.text == """
        {"m":"<number>","count":2,"example":5,"line":1}
        {"m":true,"count":1,"example":true,"line":3}
        {"m":{"a":[1,2]},"count":1,"example":{"a":[1, 2]},"line":4}
        {"count":1,"line":5}
        {"m":"a","count":2,"example":"a","line":6}

        """)
  }

  /// A part of a message and its template.
  private static func part(_ random: inout SeededGenerator) -> (text: String, template: String) {
    func digits(_ count: Int, _ alphabet: String) -> String {
      String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "0" })
    }
    let (decimal, hex) = ("0123456789", "0123456789abcdefABCDEF")
    switch random.below(9) {
    case 0: return (digits(1 + random.below(8), decimal), "<number>")
    case 1: return ("-" + digits(2, decimal) + "." + digits(3, decimal), "<number>")
    case 2: return ([8, 4, 4, 4, 12].map { digits($0, hex) }.joined(separator: "-"), "<uuid>")
    case 3: return ((0..<4).map { _ in "\(random.below(256))" }.joined(separator: "."), "<address>")
    case 4: return ((0..<8).map { _ in digits(1 + random.below(4), hex) }.joined(separator: ":"), "<address>")
    case 5: return ("a1" + digits(4 + random.below(30), hex), "<hex>")
    case 6: return ("0x" + digits(1 + random.below(16), hex), "<hex>")
    case 7:
      let text = random.pick(["a b", "it's 5", "", "é", "x\\y", "\n1"])
      return ("\"" + text + "\"", "<quoted>")
    default: return ("node" + digits(1, decimal) + ".example", "node<number>.example")
    }
  }

  private static let words = ["request", "failed", "for", "user", "ünd", "timeout", "don't", "of"]

  @Test(arguments: ["2000", nil])
  func `groups, examples and lines are those of a simple computation, for every number of workers`(
    _ steps: String?
  ) throws {
    var random = SeededGenerator.announced()
    var lines: [String] = []
    var order: [String] = []
    var groups: [String: (count: Int, example: String, line: Int)] = [:]
    let forms = (0..<60).map { _ in (0..<(2 + random.below(6))).map { _ in random.below(2) } }
    for number in 1...(isDebug ? 14_000 : 40_000) {
      guard random.below(40) > 0 else {
        lines.append(random.pick(["", "{", " "]))
        continue
      }
      var (message, template) = ("", "")
      for kind in random.pick(forms) {
        let part = kind == 0 ? nil : Self.part(&random)
        let word = random.pick(Array(Self.words.prefix(3)))
        let separator = random.pick([" ", " ", ", ", " ("])
        message += (message.isEmpty ? "" : separator) + (part?.text ?? word)
        template += (template.isEmpty ? "" : separator) + (part?.template ?? word)
      }
      let level = random.pick(["info", "warn"])
      let text = Self.quoted(message)
      lines.append(#"{"level":"\#(level)","message":\#(text),"n":\#(number)}"#)
      let key = level + "\n" + template
      if groups[key] == nil { order.append(key) }
      groups[key] = (groups[key].map { $0.count + 1 } ?? 1, groups[key]?.example ?? text, groups[key]?.line ?? number)
    }
    let rows = order.map { key in
      let (level, template) = (key.prefix { $0 != "\n" }, key.drop { $0 != "\n" }.dropFirst())
      let group = groups[key] ?? (0, "", 0)
      return
        #"{"level":"\#(level)","m":\#(Self.quoted(String(template))),"count":\#(group.count),"example":\#(group.example),"line":\#(group.line)}"#
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    #expect(bytes.count > 1 << 20)
    try withFolder { folder in
      let file = try folder.file("app.log", bytes)
      let options = ["stats", "--by", "level=$.level", "--template", "m=$.message"]
      let limit = steps.map { ["--max-query-steps", $0] } ?? []
      for jobs in isDebug ? ["1", "3"] : ["1", "2", "3", "8"] {
        let found = try run(options + limit + ["-j", jobs, file])
        let differences = zip(found.lines, rows).filter { $0 != $1 }.map { "\($0)\n\($1)" }
        #expect(differences.isEmpty, "\(random) \(differences.prefix(3))")
        #expect(found.lines.count == rows.count && found.status == 0, "\(random) \(found.err)")
        let most = order.enumerated().sorted {
          let (left, right) = (groups[$0.element]?.count ?? 0, groups[$1.element]?.count ?? 0)
          return left != right ? left > right : $0.offset < $1.offset
        }
        let top = try run(options + limit + ["--top", "5", "-j", jobs, file])
        #expect(top.lines == most.prefix(5).map { rows[$0.offset] })
        let full = try run(options + limit + ["--max-groups", "9", "-j", jobs, file])
        #expect(full.status == 2 && full.lines.count == 9)
        #expect(full.err.hasSuffix("raise --max-groups (about 200 bytes per group and its first message)\n"))
      }
    }
  }

  @Test func `an example names its file if there are several, and elements have no line`() throws {
    try withFolder { folder in
      let one = try folder.file("a.ndjson", Array("{\"m\":\"x 1\",\"n\":2}\n".utf8))
      let two = try folder.file("b.ndjson", Array("\n{\"m\":\"x 2\"}\n{\"m\":\"y 1\",\"n\":3}\n".utf8))
      let found = try run(["stats", "--template", "m=$.m", "--of", "n=$.n", one, two, "--format", "csv"])
      #expect(
        found.text.replacing(folder.path(""), with: "") == """
          name,m,count,sum,min,max,mean,p50,p95,p99,absent,wrong,example,file,line
          n,x <number>,1,2,2,2,2,2,2,2,1,0,x 1,a.ndjson,1
          n,y <number>,1,3,3,3,3,3,3,3,0,0,y 1,b.ndjson,3

          """)
    }
    let found = try run(
      ["stats", "--each", "$.a", "--template", "m=$.m[*]"], stdin: #"{"a":[{"m":["x 1","x 2","y"]},{"m":["y"]}]}"#)
    #expect(
      found.text == #"{"m":"x <number>","count":1,"example":"x 1"}"# + "\n" + #"{"m":"y","count":2,"example":"y"}"#
        + "\n")
  }

  @Test(arguments: [
    (["--template", "$.m"], "expected NAME=PATH"), (["--template", "line=$.m"], "which is a column of the result"),
    (["--template", "m=$.m", "--by", "m=$.n"], "found 'm'"),
  ])
  func `a wrong name is refused`(_ options: [String], _ message: String) throws {
    let found = try run(["stats"] + options, stdin: "{}")
    #expect(found.status == 2 && found.err.contains(message), "\(found.err)")
  }
}
