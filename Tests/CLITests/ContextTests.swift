import Foundation
import TestSupport
import Testing

/// `-A`, `-B` and `-C`: records around those that satisfy a condition.
@Suite struct ContextTests {
  /// A random log of several blocks, with bad lines, and the numbers of its records that satisfy the condition.
  private struct Log {
    var text = ""
    var records: [(text: String, line: Int, isMatch: Bool)] = []

    init(_ random: inout SeededGenerator, lines: Int) {
      let rarity = random.pick([2, 9, 60, 3000])
      for number in 1...lines {
        if random.below(50) == 0 {
          text += random.pick(["{\"bad\" 1}\n", "\n"])
          continue
        }
        let isMatch = random.below(rarity) == 0
        let record =
          "{\"n\":\(number),\"hit\":\(isMatch),\"pad\":\"\(String(repeating: "x", count: random.below(60)))\"}"
        records.append((record, number, isMatch))
        text += record + "\n"
      }
    }

    /// The records that are written, with the numbers of their groups.
    func selected(before: Int, after: Int) -> [(group: Int, index: Int)] {
      var isWritten = records.map { _ in false }
      for (index, record) in records.enumerated() where record.isMatch {
        for other in max(index - before, 0)...min(index + after, records.count - 1) { isWritten[other] = true }
      }
      var group = 0
      return records.indices.filter { isWritten[$0] }.map { index in
        if index == 0 || !isWritten[index - 1] { group += 1 }
        return (group, index)
      }
    }
  }

  @Test func `the records around others are those of a reference, for every number of workers`() throws {
    var random = SeededGenerator.announced()
    for round in 0..<6 {
      let log = Log(&random, lines: round < 2 ? 200 : 40_000)
      try withFolder { folder in
        let file = try folder.file("x.ndjson", log.text)
        let (before, after) = (random.pick([0, 1, 3, 700]), random.pick([0, 1, 5, 900]))
        let expected = log.selected(before: before, after: after)
        let options = ["records", "--where", "@.hit == true", "-B\(before)", "-A", "\(after)", file]
        let text = expected.map { log.records[$0.index].text + "\n" }.joined()
        let located = expected.map { "\($0.group),\(log.records[$0.index].line)" }
        for jobs in ["1", "2", "5"] {
          #expect(try run(options + ["-j", jobs]).text == text, "-j \(jobs), \(random)")
          let groups = try run(options + ["-j", jobs, "--with-location", "--format", "csv", "--select", "n=$.n"])
          let found = groups.lines.dropFirst().map { line in
            let fields = line.split(separator: ",")
            return "\(fields[0]),\(fields[2])"
          }
          #expect(found == located, "-j \(jobs), \(random)")
        }
        #expect(
          try run(options + ["--limit", "3"]).text
            == expected.prefix(3).map { log.records[$0.index].text + "\n" }.joined())
      }
    }
  }

  private static let log = (1...9).map { "{\"id\":\($0),\"hit\":\($0 == 2 || $0 == 7)}\n" }.joined()

  @Test func `groups are divided in tables and numbered beside locations, and nowhere else`() throws {
    try withFolder { folder in
      let files = [try folder.file("a", Self.log), try folder.file("b", Self.log)]
      let options = ["records", "--where", "@.hit == true", "-C1"]
      let table = try run(options + ["--select", "id=$.id", "--format", "table", files[0]])
      table.expect(text: "id\n--\n 1\n 2\n 3\n\n 6\n 7\n 8\n", status: 0)
      let numbered = try run(options + ["--with-location", "--format", "json"] + files)
      #expect(
        numbered.lines.count == 12 && numbered.text.hasPrefix("[{\"group\":1,\"file\":\"\(files[0])\",\"line\":1,"))
      #expect(numbered.lines[6].hasPrefix("{\"group\":3,\"file\":\"\(files[1])\",\"line\":1,"))
      #expect((try JSONSerialization.jsonObject(with: Data(numbered.out)) as? [Any])?.count == 12)
      let wide = try run(options + ["--with-location", "--select", "id=$.id", "--format", "table", files[0]])
      #expect(wide.lines.first?.hasPrefix("group  file") == true)
      #expect(try run(options + files).lines.count == 12)
      #expect(try run(options + ["--select", "id=$.id", "--format", "tsv", files[0]]).text == "id\n1\n2\n3\n6\n7\n8\n")
      // Only the records of the window stand around others.
      let timed = try run(options + ["--time", "$.id", "--since", "2", files[0]])
      #expect(timed.lines.map { $0.prefix(7) } == ["{\"id\":2", "{\"id\":3", "{\"id\":6", "{\"id\":7", "{\"id\":8"])
    }
  }

  private static let invalid: [(String, String)] = [
    ("-C 1", "--context selects records around those that satisfy a condition; use it with --where"),
    (
      "-A1 --where '@.a' --count",
      "--after-context writes records that do not satisfy the condition; use it without --count"
    ),
    (
      "-B1 --where '@.a' --rejects-inline x",
      "--before-context writes records that do not satisfy the condition; use it without --rejects-inline"
    ),
    ("-C -1 --where '@.a'", "--context takes a number of at least 0, not -1"),
  ]

  @Test(arguments: invalid)
  func `options that have no meaning with records around others are rejected`(options: String, message: String) throws {
    let result = try shell("$JSIFT records \(options) /dev/null")
    #expect(result.err.hasPrefix("jsift: \(message)\n"))
    #expect(result.status == 2)
  }
}
