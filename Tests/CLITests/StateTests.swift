import Foundation
import TestSupport
import Testing

/// `--state` reads only what is new, and `--append` writes each record exactly once.
@Suite struct StateTests {
  /// A folder with logs, and runs over them with one state.
  private struct Logs {
    let folder: Folder
    var options = "--state st"

    func read(_ files: String = "app.log*", _ more: String = "") throws -> Outcome {
      try shell("$JSIFT records \(options) \(more) \(files)", in: folder)
    }

    func append(_ text: String, to name: String = "app.log") throws {
      _ = try shell("cat >> '\(name)'", in: folder, stdin: text)
    }

    func shell(_ command: String, in folder: Folder, stdin: String? = nil) throws -> Outcome {
      try CLITests.shell(command, in: folder, stdin: stdin)
    }

    func run(_ command: String) throws { try #require(CLITests.shell(command, in: folder).status == 0) }
  }

  private func withLogs(_ body: (Logs) throws -> Void) throws { try withFolder { try body(Logs(folder: $0)) } }

  @Test func `a second run reads what is new, with the lines and offsets of the whole file`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n\n{\"id\":2}\n")
      try logs.read("app.log", "--with-location").expect(status: 0)
      try logs.append("{\"id\":3}\n")
      try logs.read("app.log", "--with-location").expect(
        text: "{\"file\":\"app.log\",\"line\":4,\"byteOffset\":19,\"value\":{\"id\":3}}\n", err: "", status: 0)
      try logs.read("app.log", "--with-location").expect(text: "", err: "", status: 1)
    }
  }

  @Test(arguments: [
    "mv app.log app.log.1", "cp app.log app.log.1; : > app.log", "gzip -c app.log > app.log.1.gz; rm app.log",
    "cp app.log x; gzip x; mv x.gz app.log.1.gz; : > app.log", "mkdir old; mv app.log old/; mv old app.logs",
  ])
  func `a rotated file goes on where it was, with its last line that has no line feed`(rotation: String) throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      try logs.read().expect(text: "{\"id\":1}\n", status: 0)
      try logs.append("{\"id\":2}\n{\"id\":3}")
      try logs.run(rotation)
      try logs.append("{\"id\":4}\n")
      let files = "$(find . -name 'app.log*' -type f | sort)"
      let first = try logs.read(files)
      #expect(first.lines.sorted() == ["{\"id\":2}", "{\"id\":3}", "{\"id\":4}"], "\(first.err)")
      try logs.read(files).expect(text: "", err: "", status: 1)
    }
  }

  @Test func `a last line without a line feed waits, and says so once`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n{\"id\":")
      let message = "jsift: app.log: the last line has no line feed yet and waits for a later run (6 bytes)\n"
      try logs.read().expect(text: "{\"id\":1}\n", err: message, status: 0)
      try logs.read().expect(text: "", err: "", status: 1)
      try logs.append("2}\n")
      try logs.read().expect(text: "{\"id\":2}\n", err: "", status: 0)
    }
  }

  @Test
  func `a file that was rotated, read without its last line feed, and is written to again, goes on at the next line`()
    throws
  {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      try logs.read().expect(status: 0)
      try logs.append("{\"id\":2}")
      try logs.run("mv app.log app.log.1")
      try logs.read().expect(text: "{\"id\":2}\n", err: "", status: 0)
      try logs.append("\n{\"id\":3}\n", to: "app.log.1")
      try logs.read("app.log*", "").expect(text: "{\"id\":3}\n", err: "", status: 0)
      try logs.read().expect(text: "", err: "", status: 1)
    }
  }

  @Test func `a file that is rewritten in place is read from its start, also if it has become longer`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n{\"id\":2}\n")
      try logs.read().expect(status: 0)
      try logs.run("printf '{\"id\":7}\\n{\"id\":8}\\n{\"id\":9}\\n' > app.log")
      let outcome = try logs.read()
      #expect(outcome.text == "{\"id\":7}\n{\"id\":8}\n{\"id\":9}\n")
      #expect(outcome.err.contains("app.log: another file than at the last run"))
    }
  }

  @Test func `a file with two names is read once, and patterns are expanded`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      try logs.run("ln -s app.log app.log.current; mkdir -p a/b; printf '{\"id\":2}\\n' > a/b/app.log")
      let first = try logs.read("'**/app.log*'")
      #expect(first.lines.sorted() == ["{\"id\":1}", "{\"id\":2}"])
      try logs.read("'**/app.log*'").expect(text: "", err: "", status: 1)
    }
  }

  @Test(arguments: ["1", "2"])
  func `large files are read by workers, also a compressed one from its middle`(jobs: String) throws {
    try withLogs { logs in
      let lines = (0..<60_000).map { "{\"id\":\($0),\"text\":\"\(String(repeating: "x", count: 40))\"}\n" }
      try logs.append(lines[..<30_000].joined())
      try logs.read("app.log", "-j\(jobs)").expect(text: lines[..<30_000].joined(), status: 0)
      try logs.append(lines[30_000...].joined())
      try logs.run("gzip -c app.log > app.log.1.gz; : > app.log")
      try logs.append("{\"id\":-1}\n")
      try logs.read("app.log.1.gz app.log", "-j\(jobs)").expect(
        text: lines[30_000...].joined() + "{\"id\":-1}\n", err: "", status: 0)
    }
  }

  @Test func `a state that does not fit is refused, unless it may be begun anew`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      try logs.read().expect(status: 0)
      let other = try logs.read("app.log", "--where '@.id > 0'")
      other.expect(
        text: "",
        err: "jsift: --state st: expected the command that wrote this state, found one that asks something else\n",
        status: 2)
      try logs.read("app.log", "-j2 --progress never").expect(text: "", err: "", status: 1)
      try logs.read("app.log", "--where '@.id > 0' --state-mismatch restart").expect(text: "{\"id\":1}\n", status: 0)
      try logs.read("app.log", "--where '@.id > 0' --state-mismatch restart").expect(text: "", status: 1)
      try logs.run("echo '[1]' > st")
      let damaged = try logs.read("app.log", "--where '@.id > 0'")
      #expect(damaged.status == 2 && damaged.err.contains("expected the state of a run, found another file"))
    }
  }

  @Test(arguments: [
    ("--limit 1", "without --limit"), ("-o out", "without --output"), ("--input json", "found --input json"),
    ("--follow", "without --follow"), ("--join cri", "found --join cri"), ("--from-offset 3", "without --from-offset"),
    ("--range 0-3", "without --range"),
    ("--append out --format json", "--append: expected --format ndjson, csv or tsv"),
  ])
  func `options that read another part or write another form are refused`(option: String, message: String) throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      let outcome = try logs.read("app.log", option)
      #expect(outcome.status == 2 && outcome.text == "")
      #expect(outcome.err.contains(message), "\(outcome.err)")
    }
  }

  @Test func `standard input and documents are refused`() throws {
    try withLogs { logs in
      #expect(try logs.read("-").err.contains("expected the names of files, found standard input"))
      try logs.append("{\n\"id\":1}\n", to: "app.log.json")
      #expect(try logs.read().err.contains("app.log.json: expected records that are lines"))
      try logs.read("app.log", "").expect(status: 2)
    }
  }

  @Test func `a closed pipe, a failed run and a bad limit leave the state as it was`() throws {
    try withLogs { logs in
      try logs.append((0..<50_000).map { "{\"id\":\($0)}\n" }.joined() + "x\n")
      try logs.run("$JSIFT records --state st app.log | head -n 1 > /dev/null")
      try logs.read("app.log", "--max-errors 0").expect(status: 2)
      #expect(try logs.read("app.log").lines.count == 50_000)
    }
  }

  @Test func `what a run has appended that did not end is cut off, and columns have one header`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      let options = "--append out --select id='$.id' --format csv"
      try logs.read("app.log", options).expect(text: "", status: 0)
      try logs.append("garbage\n", to: "out")
      try logs.append("{\"id\":2}\n")
      try logs.read("app.log", options).expect(text: "", status: 0)
      #expect(try logs.folder.text("out") == "id\n1\n2\n")
      try logs.run(": > out")
      let short = try logs.read("app.log", options)
      short.expect(
        err: "jsift: --append out: expected at least 7 bytes, those of earlier runs, found 0\n", status: 2)
      #expect(try logs.read("app.log", "--select id='$.id' --format csv").err.contains("expected --append out"))
      try logs.run("rm out")
      try logs.append("{\"id\":3}\n")
      try logs.read("app.log", options).expect(
        err: "jsift: --append out: the file of earlier runs is missing; a new one is begun\n", status: 0)
      #expect(try logs.folder.text("out") == "id\n3\n")
    }
  }

  @Test func `two runs cannot use a state at a time`() throws {
    try withLogs { logs in
      try logs.append("{\"id\":1}\n")
      let outcome = try shell(
        "mkfifo hold; (exec 9>st.lock; flock -n 9 || exit 5; $JSIFT records --state st app.log)", in: logs.folder)
      outcome.expect(text: "", status: 2)
      #expect(outcome.err.contains("expected a state that no other run uses, found one that is locked"))
    }
  }

  #if os(Linux)
    /// The number of histories that the test makes, one for 50 of `JSONSIFT_TEST_ROUNDS`.
    private static var histories: Int {
      (ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1000) / 50
    }

    @Test(arguments: [true, false])
    func `whatever happens to the files and the runs, each record is written, and once to a file`(
      appending: Bool
    ) throws {
      var random = SeededGenerator.announced()
      var kills = 0
      let tools = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: tools) }
      try FaultyCalls.build(in: Folder(path: tools.path))
      let library = tools.path + "/libfaults.so"
      for _ in 0..<Self.histories {
        try withFolder { folder in
          var log = RotatedLog(folder: folder)
          var out = ""
          try log.append(&random)
          for _ in 0..<random.below(12) + 3 {
            try log.change(&random)
            guard random.below(3) > 0 else { continue }
            let outcome = try log.read(
              appending: appending, killedAt: random.below(2) == 0 ? random.below(70) + 1 : nil, library)
            kills += outcome.status == 137 ? 1 : 0
            #expect([0, 1, 137].contains(outcome.status), "\(outcome.err) \(log.history) \(random)")
            out += outcome.text
            log.isRead = outcome.status != 137
          }
          try log.finish()
          for _ in 0..<2 { out += try log.read(appending: appending, killedAt: nil, library).text }
          if appending { out = try folder.text("out") }
          let found = out.split(separator: "\n").map(String.init)
          let expected = log.ids.map { "{\"id\":\($0)}" }.sorted()
          let missing = Set(expected).subtracting(found)
          let repeated = appending ? Dictionary(grouping: found) { $0 }.filter { $1.count > 1 }.keys.sorted() : []
          #expect(
            missing.isEmpty && repeated.isEmpty && Set(found).count == expected.count,
            "missing \(missing), repeated \(repeated) \(log.history) \(random)")
        }
      }
      #expect(kills > 0)
    }

    /// A log to which everything happens that happens to logs.
    private struct RotatedLog {
      let folder: Folder
      var ids: [Int] = []
      var history: [String] = []
      /// Whether a run has read all that is there.
      var isRead = false
      private var rotations = 0
      private var next = 0
      private var place = "logs"
      /// Whether the last line has no line feed.
      private var isOpen = false
      /// Whether a rotated file may have such a line, which waits.
      private var hasOpenRotation = false

      init(folder: Folder) { self.folder = folder }

      mutating func read(appending: Bool, killedAt call: Int?, _ library: String) throws -> Outcome {
        let kill = call.map { "LD_PRELOAD='\(library)' KILL_AT=\($0) " } ?? ""
        history.append("read \(call.map { "\($0)" } ?? "")")
        return try shell(
          "\(kill)$JSIFT records --state st \(appending ? "--append out" : "") --input ndjson 'logs*/app.log*'",
          in: folder)
      }

      private mutating func run(_ command: String) throws {
        history.append(command)
        let outcome = try shell("mkdir -p \(place) && cd \(place) && touch app.log && \(command)", in: folder)
        try #require(outcome.status == 0, "\(outcome.err)")
      }

      mutating func change(_ random: inout SeededGenerator) throws {
        rotations += 1
        let isAllRead = isRead
        isRead = false
        switch random.below(8) {
        case 0: try rotate("mv app.log app.log.\(rotations)")
        case 1: try rotate("cp app.log app.log.\(rotations) && : > app.log")
        case 2: try rotate("gzip -c app.log > app.log.\(rotations).gz && rm app.log")
        case 3: try run("for f in app.log.*[0-9]; do if [ -e $f ]; then gzip $f; break; fi; done")
        case 4 where isAllRead && !isOpen && !hasOpenRotation:
          // What was read is gone.
          try run("rm -f app.log.* && : > app.log")
          isRead = true
        case 5:
          let new = place + "x"
          if FileManager.default.fileExists(atPath: folder.path(place)) {
            history.append("mv \(place) \(new)")
            _ = try shell("mv \(place) \(new)", in: folder)
            place = new
          }
        default: try append(&random)
        }
      }

      mutating func append(_ random: inout SeededGenerator) throws {
        var text = ""
        for _ in 0..<random.below(4) + 1 {
          text += isOpen ? "\\n" : ""
          text += "{\"id\":\(next)}"
          ids.append(next)
          next += 1
          isOpen = true
        }
        if random.below(3) > 0 {
          text += "\\n"
          isOpen = false
        }
        try run("printf '\(text)' >> app.log")
      }

      private mutating func rotate(_ command: String) throws {
        try run(command)
        hasOpenRotation = hasOpenRotation || isOpen
        isOpen = false
      }

      /// Gives all files that may have a last line without a line feed other names, so that nobody waits for it.
      mutating func finish() throws {
        history.append("finish")
        _ = try shell("for f in \(place)/app.log*; do case $f in *.gz) ;; *) gzip \"$f\";; esac; done", in: folder)
      }
    }
  #endif
}
