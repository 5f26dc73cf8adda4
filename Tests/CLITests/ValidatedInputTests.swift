import Foundation
import TestSupport
import Testing

/// The results do not depend on the kernel that validates text, nor on whether a kernel is used.
@Suite struct ValidatedInputTests {
  /// A valid record, and bad ones.
  private static let good =
    #"{"ts":"2024-05-01T10:00:00Z","user":{"id":17,"name":"Ann é 😀"},"tags":["a","\n"],"ms":-1.5e3}"#
  private static let bad = [
    #"{"a":[1,]}"#, "[1 2]", #"{"a":tru}"#, "[01]", "\"\\x\"", #"["\ud800"]"#, "{\"a\" 1}", "[}", "\"open", "[1",
    "\u{FEFF}1", "[\(String(repeating: "[", count: 1100))",
  ]

  private static let commands = [
    "check -j 1", "check -j 2", "check -j 2 --count", "check --limit 3", "check --rejects out", "check --skip-prefix",
    "check --max-depth 3", "records --count -j 1", "records --count -j 2",
    "records --count --limit \(isDebug ? 2000 : 5000)", "records --count --on-error stop",
    "records --count --rejects out", "records --count --max-errors 10", "records --count --skip-prefix",
  ]
  // If the machine does not support a kernel, the best supported kernel is used.
  private static let kernels = isDebug ? ["portable", "avx512"] : ["portable", "neon", "avx2", "avx512"]

  /// Damages some of many records, the same ones in every run.
  private static func records(_ lineEnd: String, start: String = "", count: Int, good: String = good) -> String {
    (0..<count).map { number in
      let record = number % 97 == 50 ? bad[number / 97 % bad.count] : good
      return start + record + lineEnd
    }.joined()
  }

  @Test func `results, errors and rejects are the same with and without the validation`() throws {
    // Enough lines for workers; a debug build gets fewer and longer ones.
    let long = Self.good.replacing("Ann", with: String(repeating: "Ann ", count: 100))
    let files = [
      ("ndjson", isDebug ? Self.records("\n", count: 2_500, good: long) : Self.records("\n", count: 11_500)),
      ("seq", Self.records("\n", start: "\u{1E}", count: 600)),
      ("values", String(repeating: Self.good, count: 500) + "[1,]"),
      ("prefix", Self.records("\n", start: "INFO ", count: 600)),
    ]
    try withFolder { folder in
      for (number, (framing, text)) in files.enumerated() {
        let file = try folder.file("x.\(framing)", text)
        // In a debug build the small files are tested with every other command, and one kernel.
        let isPart = isDebug && number > 0
        let commands = Self.commands.enumerated().filter { !isPart || $0.offset % 2 == number % 2 }.map(\.element)
        let input = framing == "prefix" ? "ndjson" : framing
        let script = """
          for command in \(commands.map { "'\($0)'" }.joined(separator: " ")); do
            : >out
            $JSIFT $command --input \(input) '\(file)'; echo "$command: $?"
            cat out
          done
          """
        let without = try shell("export JSONSIFT_KERNEL=none\n\(script)", in: folder)
        for kernel in isPart ? [Self.kernels[number % 2]] : Self.kernels {
          let with = try shell("export JSONSIFT_KERNEL=\(kernel)\n\(script)", in: folder)
          #expect(with.out == without.out, "\(framing) with \(kernel)")
          #expect(with.err == without.err, "\(framing) with \(kernel)")
        }
        #expect(without.err.contains("bad records were skipped") == (framing != "values"))
      }
    }
  }

  private static let isValidating = ProcessInfo.processInfo.environment["JSONSIFT_KERNEL"] != "none"

  @Test(.enabled(if: isValidating, "the environment switches the validation off"), arguments: ["1", "2"])
  func `progress reports the number of undecided places, the reason of the first, and the bytes parsed`(
    jobs: String
  ) throws {
    try withFolder { folder in
      let good = String(repeating: Self.good + "\n", count: 8000)
      let files = [
        try folder.file("a.ndjson", good + "[01]\n" + good), try folder.file("b.ndjson", good + "[\"\\ud800\"]\n"),
      ]
      for command in [["check"], ["records", "--count"]] {
        let messages = try run(command + ["-j", jobs, "--progress", "always"] + files).err
        #expect(messages.contains(", 2 undecided places (first: a number), 16 B parsed"), "\(messages)")
        #expect(try !run(command + ["-j", jobs, "--progress", "always"], stdin: good).err.contains("undecided"))
      }
      let plan = try run(["records", "--count", "--explain"]).text
      #expect(plan.contains("validated records are counted without parsing"))
    }
  }

  @Test(arguments: [["--limit", "2"], ["--limit", "2", "--follow"], ["--limit", "2", "--skip-prefix"]])
  func `counting stops at its limit while the input continues`(options: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{}\n{}\n{}\n")
      let input = options.contains("--follow") ? "'\(file)'" : "- <x.pipe"
      let script = """
        mkfifo x.pipe
        (exec >x.pipe; printf '{}\\n{}\\n{}\\n'; exec sleep 20) &
        $JSIFT records --count --input ndjson -j 1 \(options.joined(separator: " ")) \(input)
        echo $?
        kill $!
        """
      let start = ContinuousClock.now
      #expect(try shell(script, in: folder).text == "2\n0\n")
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }

  @Test func `documents give the same results with and without the validation`() throws {
    try withFolder { folder in
      var files: [String] = []
      for (number, bad) in Self.bad.enumerated() {
        let before = String(repeating: Self.good + ",\n", count: number * 60)
        files.append(try folder.file("\(number).json", "[\(before)\(bad),\(Self.good)]"))
      }
      files.append(try folder.file("good.json", "[\(String(repeating: Self.good + ",\n", count: 800))0]"))
      let script = "$JSIFT check \(files.map { "'\($0)'" }.joined(separator: " ")); echo $?"
      let without = try shell("export JSONSIFT_KERNEL=none\n\(script)")
      #expect(without.lines.filter { $0.contains("(byte ") }.count == Self.bad.count)
      for kernel in Self.kernels {
        let with = try shell("export JSONSIFT_KERNEL=\(kernel)\n\(script)")
        #expect(with.out == without.out, "\(kernel)")
        #expect(with.err == without.err, "\(kernel)")
      }
    }
  }
}
