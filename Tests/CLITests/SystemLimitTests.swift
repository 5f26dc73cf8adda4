import Testing

/// The behaviour under low system limits. macOS does not enforce these limits in this way.
#if os(Linux)
  @Suite struct SystemLimitTests {
    /// More than is read before workers start.
    private static let log = (0..<4_000).map { number in
      number % 500 == 77 ? "{\"id\":\n" : "{\"id\":\(number),\"text\":\"\(String(repeating: "x", count: 270))\"}\n"
    }.joined()

    /// The stack of a thread has the size of the limit, which here exceeds the permitted memory.
    private static let noThreads = "ulimit -s 4000000 && ulimit -v 3000000 || exit 98"

    @Test(arguments: [
      "'$.id' a.log", "records --limit 900 a.log", "'$.id' -j 8 a.log a.log", "check a.log", "shape --examples 1 a.log",
      "'$.id' --count - < a.log",
    ])
    func `one worker gives the same results if no thread can be created`(command: String) throws {
      try withFolder { folder in
        _ = try folder.file("a.log", Self.log)
        let expected = try shell("exec \"$JSIFT\" \(command)", in: folder)
        let found = try shell("\(Self.noThreads)\nexec \"$JSIFT\" \(command)", in: folder)
        #expect(!expected.out.isEmpty)
        #expect(found.out == expected.out)
        found.expect(err: expected.err, status: expected.status)
      }
    }

    @Test func `a pipe is read if no thread can be created`() throws {
      try withFolder { folder in
        _ = try folder.file("a.log", Self.log)
        let found = try shell("\(Self.noThreads)\ncat a.log | \"$JSIFT\" '$.id' --count", in: folder)
        found.expect(text: "3992\n", status: 0)
      }
    }

    @Test func `256 MiB of address space are enough for several workers that read a pipe`() throws {
      try withFolder { folder in
        _ = try folder.file("a.log", Self.log)
        let repeated = "cat a.log a.log a.log a.log a.log a.log a.log a.log"
        let found = try shell("ulimit -v 262144 || exit 98\n\(repeated) | \"$JSIFT\" '$.id' -j 4 | wc -l", in: folder)
        #expect(found.text.contains("\(3992 * 8)"), "\(found.err)")
      }
    }

    @Test(arguments: [4, 5, 6, 7, 8, 12])
    func `one worker gives the same results if there are few descriptors`(limit: Int) throws {
      try withFolder { folder in
        _ = try folder.file("a.log", Self.log)
        let found = try shell("ulimit -n \(limit) || exit 98\nexec \"$JSIFT\" '$.id' --count a.log a.log", in: folder)
        found.expect(text: "7984\n", status: 0)
      }
    }

    @Test func `a stack that is too small is reported with exit status 2`() throws {
      let found = try shell("ulimit -s 64 || exit 98\nexec \"$JSIFT\" '$'", stdin: "[1]\n")
      #expect(found.text == "")
      #expect(
        found.err == "jsift: expected a stack of at least 256 KiB, found a limit of 64 KiB; raise it with ulimit -s\n")
      #expect(found.status == 2)
    }

    @Test func `a stack limit that may be raised is raised`() throws {
      try withFolder { folder in
        _ = try folder.file("a.log", Self.log)
        let found = try shell("ulimit -Ss 64 || exit 98\nexec \"$JSIFT\" '$.id' --count a.log", in: folder)
        found.expect(text: "3992\n", status: 0)
      }
    }
  }
#endif
