import Foundation
import Testing

/// The spellings of times in records and on the command line, and records without a time.
@Suite struct TimeSpellingTests {
  private static let records = """
    {"n":1,"t":"2026-11-24T15:00:00Z"}
    {"n":2,"t":"2026-11-24T15:00:01"}
    {"n":3,"t":"2026-11-24T15:00:02+0000"}
    {"n":4,"t":"2026-11-24 15:00:03,123"}
    {"n":5,"t":"1795532404"}
    {"n":6,"t":"24/Nov/2026:15:00:00 +0000"}
    {"n":7,"t":{"$date":{"$numberLong":"1795532404123"}}}
    {"n":8}
    {"n":9,"t":"20261124"}
    {"n":10,"t":"2026-11-24t15:00:05.5 +01"}
    {"n":11,"t":null}
    {"n":12,"t":"2026-11-24T15:00:00,5\\u005a"}

    """
  private static let window = ["--time", "$.t", "--since", "2026-11-24T13:00:00Z", "--until", "2026-11-24T15:30:00Z"]
  private static let message = "4 records have no time at $.t; first: line 6, \"24/Nov/2026:15:00:00 +0000\"\n"

  @Test func `issue 48, row 6: times are read in each spelling, and records without one are reported`() throws {
    try withFolder { folder in
      let file = try folder.file("in.log", Self.records)
      let zone = ["--time-zone", "UTC"]
      var runs = [["records", "--select", "n=$.n", "--format", "csv"] + Self.window + zone]
      runs += [runs[0] + ["-j", "3"], runs[0] + ["--where", "@.n > 0"]]
      for arguments in runs {
        let found = try run(arguments + [file])
        #expect(found.text == "n\n1\n2\n3\n4\n5\n7\n10\n12\n", "\(arguments)")
        #expect(found.err == "jsift: " + Self.message && found.status == 0, "\(arguments)")
      }
      for kernel in ["portable", "none"] {
        let found = try shell(
          "JSONSIFT_KERNEL=\(kernel) $JSIFT '$.n' --time '$.t' --since 2026-11-24T13:00:00Z --time-zone UTC in.log",
          in: folder)
        #expect(found.text == "1\n2\n3\n4\n5\n7\n10\n12\n" && found.err == "jsift: " + Self.message, "\(kernel)")
      }
      for command in [["stats", "--by", "n=$.n"], ["shape"], ["shape", "--format", "types"]] {
        #expect(try run(command + Self.window + zone + [file]).err == "jsift: " + Self.message, "\(command)")
      }
      // The zone applies to times without an offset.
      #expect(try run(["$.n"] + Self.window + ["--time-zone", "Etc/GMT-3", file]).text == "1\n3\n5\n7\n10\n12\n")
      // A condition selects the records that are asked for a time.
      let some = try run(["records", "--count", "--where", "@.n > 8"] + Self.window + [file])
      #expect(some.err == "jsift: 2 records have no time at $.t; first: line 9, \"20261124\"\n")
      let summary = try run(
        ["records", "--summary", "-", "--where", "@.n == 8", "-o", folder.path("out")] + Self.window + [file])
      #expect(summary.err.hasPrefix("jsift: 1 record has no time at $.t; first: line 8, no value\n"))
      #expect(summary.err.contains("\"withoutTime\":1,\"status\":1}"))
      #expect(try run(["records", "--limit", "1"] + Self.window + [file]).err == "")
    }
  }

  @Test func `issue 48, row 6: the first record without a time has its file and line with any number of workers`()
    throws
  {
    let good = (0..<9000).map { "{\"n\":\($0),\"t\":\"2026-11-24 15:00:00,5\"}\n" }.joined()
    try withFolder { folder in
      let files = [
        try folder.file("a.log", good), try folder.file("b.log", good + "{\"t\":{}}\n" + good + "{\"t\":[]}\n"),
      ]
      for jobs in ["1", "4"] {
        let found = try run(
          ["records", "--count", "--time", "$.t", "--since", "2026", "-j", jobs].map { $0 == "2026" ? "2026-11" : $0 }
            + files)
        found.expect(text: "27000\n", err: "jsift: 2 records have no time at $.t; first: \(files[1]), line 9001, {}\n")
      }
    }
  }

  @Test func `issue 48, row 6: a sorted file is searched by times in each spelling`() throws {
    let lines = (0..<6000).map { number in
      let time = String(format: "%02d:%02d:%02d", number / 3600, number / 60 % 60, number % 60)
      return "{\"n\":\(number),\"t\":\"2026-11-24 \(time),5\"}\n"
    }
    try withFolder { folder in
      let file = try folder.file("in.log", lines.joined())
      let window = [
        "--time", "$.t", "--since", "2026-11-24 01:00", "--until", "2026-11-24 01:00:02", "--time-zone", "Etc/GMT-3",
      ]
      let found = try run(["$.n", "--sorted"] + window + [file])
      #expect(found.text == "3600\n3601\n" && found.err == "" && found.status == 0)
      let wrong = try folder.file("wrong.log", lines.joined() + lines[4000...].joined())
      #expect(try run(["$.n", "--sorted"] + window + [wrong]).status == 0)
      let near = try folder.file("near.log", lines[..<3601].joined() + lines[3500...].joined())
      let disorder = try run(["$.n", "--sorted"] + window + [near])
      #expect(disorder.status == 2 && disorder.err.contains("expected times in order"))
      // Intervals use the same times.
      let hours = try run(["stats", "--every", "1h", "--time", "$.t", "--time-zone", "Etc/GMT-3", file])
      #expect(hours.lines.first == #"{"time":"2026-11-23T21:00:00Z","count":3600}"#)
    }
  }

  @Test(arguments: ["20261126", "2026", "202611", "202611261400", "20261126140000"])
  func `issue 48, row 4: digits that can be a date are refused with both readings`(_ text: String) throws {
    for option in ["--since", "--until", "--now"] {
      let others = option == "--now" ? ["--since", "now"] : []
      let found = try run(["records", "--time", "$.t", option, text] + others, stdin: "{}")
      #expect(found.status == 2 && found.text == "")
      #expect(
        found.err.hasPrefix("jsift: \(option) '\(text)': expected a date or a number, found digits that can be both"))
      #expect(found.err.contains("write 2026-") && found.err.contains("\(text).0 for the number"), "\(found.err)")
    }
  }

  @Test func `issue 48, row 4: dates have hyphens, and other digits are numbers`() throws {
    let bounds = [
      "2026-11": "2026-11-01T00:00:00Z", "2026-11-26": "2026-11-26T00:00:00Z", "20261126.0": "1970-08-23T12:05:26Z",
      "1764072000": "2025-11-25T12:00:00Z", "2026-11-24 14:00:00,5 +0100": "2026-11-24T13:00:00.5Z",
    ]
    for (text, time) in bounds {
      let found = try run(["records", "--explain", "--time", "$.t", "--time-zone", "UTC", "--since", text], stdin: "")
      #expect(found.text.contains("from \(time)\n"), "\(text): \(found.text) \(found.err)")
    }
    for text in ["2026-13", "2026-1", "20261126T100000Z", "2026-11-24T14:00:00+1"] {
      #expect(try run(["records", "--time", "$.t", "--since", text], stdin: "{}").status == 2, "\(text)")
    }
  }

  @Test func `issue 48, row 12: a column of times keeps nanoseconds, and takes numbers with a unit`() throws {
    let records = """
      {"time":"2026-09-15T10:00:00.123456789Z","n":1789466400123}
      {"time":"2026-09-15T10:00:01.100000000Z","n":1789466401000}

      """
    let arguments = ["records", "--format", "arrow", "--select", "t=$.time", "--select", "n=$.n"]
    let types = try run(["shape", "--format", "types"], stdin: records)
    #expect(types.lines.first == #"{"name":"time","path":"$.time","type":"timestamp(ns)","count":2}"#)
    let exact = try run(
      arguments + ["--type", "t=timestamp(ns)", "--time-unit", "ms", "--type", "n=timestamp(ms)"], stdin: records)
    #expect(exact.err == "" && exact.status == 0)
    for (type, misses) in [("timestamp", 1), ("timestamp(us)", 1), ("timestamp(ms)", 1)] {
      let found = try run(arguments + ["--type", "t=\(type)"], stdin: records)
      #expect(found.err.contains("column 't'") && found.err.contains("\(misses)"), "\(found.err)")
    }
    #expect(try run(arguments + ["--type", "n=timestamp"], stdin: records).err.contains("column 'n'"))
    let unused = try run(arguments + ["--time-unit", "ms"], stdin: records)
    #expect(unused.status == 2 && unused.err.hasPrefix("jsift: --time-unit: expected --time PATH"))
  }
}
