import Foundation
import TestSupport
import Testing

/// `each --element` writes some of the elements of an array, and begins near them if an index knows their positions.
@Suite struct ElementTests {
  @Test(arguments: [
    ("0", "[0]\n"), ("2-3", "[2]\n[3]\n"), ("3-", "[3]\n[4]\n"), ("4-9", "[4]\n"),
    ("0-9223372036854775807", "[0]\n[1]\n[2]\n[3]\n[4]\n"), ("5", ""), ("9007199254740990", ""),
  ])
  func `elements count from 0, in documents and in each record`(argument: String, expected: String) throws {
    let text = "[[0],[1],[2],[3],[4]]"
    let document = try run(["each", "$", "--input", "json", "--element", argument], stdin: text)
    #expect(document.text == expected && document.status == (expected.isEmpty ? 1 : 0) && document.err == "")
    let records = try run(
      ["each", "$.a", "--element", argument], stdin: "{\"a\":\(text)}\n{\"a\":{}}\n{\"a\":\(text)}\n")
    #expect(records.text == expected + expected)
  }

  @Test(arguments: [
    (
      "--element x",
      "jsift: --element takes an index or a range, counted from 0, such as 40, 40-60 or 40- (to the end), not 'x'"
    ),
    ("--element 5-4", "jsift: --element takes an index or a range, counted from 0"),
    ("--element 9223372036854775807", "jsift: --element takes an index or a range, counted from 0"),
  ])
  func `a wrong number is rejected`(line: String, message: String) throws {
    let found = try run(["each", "$"] + words(line), stdin: "[1]")
    #expect(found.status == 2)
    #expect(found.err.hasPrefix(message), "\(found.err)")
  }

  @Test func `in a document reading ends after the last element`() throws {
    try withFolder { folder in
      let file = try folder.file("a.json", "{\"a\":[1,2,3,],}")
      let found = try run(["each", "$.a", "--element", "1-2", file])
      #expect(found.text == "2\n3\n" && found.err == "" && found.status == 0)
      let pretty = try run(["each", "$.a", "--element", "1-3", file])
      #expect(pretty.text == "2\n3\n" && pretty.err.contains("a.json:1:13: expected a value") && pretty.status == 2)
    }
  }

  @Test func `output with an index is the same, and little is read`() throws {
    try withFolder { folder in
      let count = 60_000
      let pad = String(repeating: "x", count: 90)
      let elements = (0..<count).map { "{\"id\":\($0),\"pad\":\"\(pad)\"}" }.joined(separator: ",\n")
      let file = try folder.file("a.json", "{\"k\":[1],\"items\":[\(elements)],\"z\":[2]}")
      let commands = [
        ["each", "$.items", "--element", "0"], ["each", "$.items", "--element", "45000-45002", "--with-location"],
        ["each", "$.items", "--element", "59998-60010", "--with-location"], ["each", "$.items", "--element", "60000"],
        ["each", "$.items", "--element", "50000-50010", "--limit", "2"], ["$.items[50000].id"],
        ["$.items[50000:50003].id", "--with-location"], ["-p", "a=$.items[50000].id", "-p", "b=$.items[30000].id"],
        ["-p", "a=$.items[50000].id", "-p", "b=$.k[0]"], ["$.items[-1].id"], ["$.z[0]"],
        ["$.items[50000,49999,50000].id"], ["each", "$.items", "--element", "59990-", "--max-record-bytes", "100"],
        ["each", "$.items", "--element", "50000-50001", "--rejects", folder.path("rejects")],
        ["each", "$.items", "--element", "50000-50001", "--summary", folder.path("summary")],
      ]
      let plain = try commands.map { try run($0 + [file]) }
      let summary = try folder.text("summary")
      #expect(
        plain[1].lines.count == 3
          && plain[1].lines[0].contains("\"path\":\"$['items'][45000]\",\"value\":{\"id\":45000,"))
      let made = try run(["index", "-p", "$.items", file])
      #expect(made.status == 0 && made.err == "")
      for (command, plain) in zip(commands, plain) {
        let found = try run(command + [file])
        #expect(found.out == plain.out && found.err == plain.err && found.status == plain.status, "\(command)")
      }
      #expect(try folder.text("summary") == summary)
      let bytes = """
        strace -f -e trace=pread64,read -o trace "$JSIFT" get '$.items[50000].id' a.json &&
        awk -F' = ' '/a.json|pread64/ { sum += $NF } END { print sum }' trace
        """
      if try shell("command -v strace", in: folder).status == 0 {
        let numbers = try shell(bytes, in: folder).lines.compactMap { Int($0) }
        // Without the index five megabytes are read.
        #expect(numbers.first == 50000 && numbers.last.map { $0 < 3 << 20 } == true, "\(numbers)")
      }
      // Indexed again without a path, and not used after a change.
      #expect(try run(["index", file]).status == 0)
      #expect(try run(["$.items[50000].id", file]).text == "50000\n")
      try Data("{\"items\":[{\"id\":-1},\(elements)]}".utf8).write(to: URL(fileURLWithPath: file))
      #expect(try run(["$.items[50000].id", file]).text == "49999\n")
    }
  }

  @Test func `an index of a document does not concern lines, and the reverse`() throws {
    try withFolder { folder in
      let log = try folder.file("a.log", "{\"id\":1}\n{\"id\":2}\n")
      let document = try folder.file("a.json", "[\n1,\n2]")
      #expect(try run(["index", log, document]).status == 0)
      #expect(try run(["records", "--record", "2", log]).text == "{\"id\":2}\n")
      _ = try shell("mv a.json.jsidx b; mv a.log.jsidx a.json.jsidx; mv b a.log.jsidx", in: folder)
      #expect(try run(["records", "--record", "2", log]).text == "{\"id\":2}\n")
      #expect(try run(["records", "--where", "@.id == 2", "--index", "grow", log]).text == "{\"id\":2}\n")
      #expect(try run(["each", "$", "--element", "1", document]).text == "2\n")
    }
  }
}
