import Foundation
import TestSupport
import Testing

/// `Documentation/Options.md` documents which general options each command accepts.
@Suite struct OptionTableTests {
  private static let commands = ["get", "records", "each", "check", "shape", "format", "stats", "edit"]

  /// A command line without options, for each command.
  private static let plain = [
    "get": ["get", "$.a"], "records": ["records"], "each": ["each", "$.b"], "check": ["check"], "shape": ["shape"],
    "format": ["format"], "stats": ["stats", "--by", "a=$.a"],
    "edit": ["edit", "--mask", "$.a"],
  ]

  /// The values with which an option is tested. `FILE` is a path in the folder of the test.
  private static let trials: [String: [String]] = [
    "--input": ["ndjson"], "--skip-prefix": [], "--join": ["cri"],
    "--max-record-lines": ["9", "--input", "mixed"], "--unwrap": ["$"], "--unwrap-else": ["keep", "--unwrap", "$"],
    "--each": ["$.c"], "--fast": [], "--prefilter": ["always"], "--on-error": ["stop"],
    "--rejects": ["FILE"], "--rejects-inline": ["bad"], "--max-errors": ["9"], "--from-offset": ["0"],
    "--range": ["0-1"], "--split": ["1/2"], "--line": ["1"], "--record": ["1"], "--first-line": ["2", "--range", "0-"],
    "--first-offset": ["2", "--range", "0-"], "--max-depth": ["9"], "--max-record-bytes": ["999"],
    "--max-string-bytes": ["9"], "--max-key-bytes": ["9"], "--max-number-bytes": ["9"], "--max-reject-bytes": ["9"],
    "--lone-surrogates": ["replace"], "--expect-size": ["38"], "--expect-mtime": ["MTIME"], "--summary": ["FILE"],
    "--max-query-steps": ["99999"], "--max-decompressed-bytes": ["999"], "--progress": ["never"], "--jobs": ["2"],
    "--output": ["FILE"], "--limit": ["1"], "--count": [], "--where": ["@.a > 0"], "--time": ["$.a", "--since", "0"],
    "--since": ["0", "--time", "$.a"], "--until": ["9", "--time", "$.a"],
    "--time-unit": ["s", "--time", "$.a", "--since", "0"], "--time-zone": ["UTC", "--time", "$.a", "--since", "0"],
    "--now": ["9", "--time", "$.a", "--since", "-9s"], "--sorted": ["--time", "$.a", "--since", "0"],
    "--slack": ["1s", "--sorted", "--time", "$.a", "--since", "0"], "--format": ["json"], "--null": ["-"], "--raw": [],
    "--with-location": [], "--explain": [], "--follow": [],
  ]

  /// The rows of the table: an option, and for each command whether it accepts it.
  private static func rows() throws -> [(option: String, isTaken: [Bool])] {
    let page = String(decoding: try PackageFiles.bytes(of: "Documentation/Options.md"), as: UTF8.self)
    return page.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[0].replacing("`", with: ""), cells[1...commands.count].map { $0.hasPrefix("yes") })
    }
  }

  @Test func `each command accepts the options listed in the page, and rejects the others`() throws {
    let rows = try Self.rows()
    #expect(Set(rows.map(\.option)) == Set(Self.trials.keys))
    let isCompressing = try run(["get", "--help-all"]).text.contains("--max-decompressed-bytes")
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1,\"b\":[2],\"c\":[{\"a\":1,\"b\":[2]}]}\n")
      // 1764072000.
      _ = try shell("TZ=UTC touch -t 202511251200.00 x.ndjson", in: folder)
      for (option, isTaken) in rows where isCompressing || option != "--max-decompressed-bytes" {
        for (command, isTaken) in zip(Self.commands, isTaken) {
          // A followed file has no end.
          if option == "--follow", isTaken { continue }
          let values = (Self.trials[option] ?? []).map { value in
            value == "FILE" ? folder.path("\(command)\(option)") : value == "MTIME" ? "1764072000" : value
          }
          // `--null` requires a format without a representation of null.
          let format = option == "--null" && isTaken ? ["--format", "csv"] : []
          let select = command == "records" && !format.isEmpty ? ["--select", "a=$.a"] : []
          let found = try run((Self.plain[command] ?? []) + format + select + [option] + values + [file])
          // `--where` is rejected with a hint.
          let isRejected = found.err.contains("Unknown option '\(option)'") || found.err.contains("has no \(option);")
          #expect(isRejected != isTaken, "\(command) \(option)")
          if isTaken { #expect(found.status == 0, "\(command) \(option): \(found.err)") }
        }
      }
    }
  }
}
