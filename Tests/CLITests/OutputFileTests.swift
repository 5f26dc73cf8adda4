import Foundation
import Testing

@Suite struct OutputFileTests {
  @Test(arguments: [
    (["$.a"], "1\n"), (["records"], "{\"a\":1}\n{\"b\":2}\n"), (["records", "--count"], "2\n"), (["each", "$"], ""),
    (["format", "--compact"], "{\"a\":1}\n{\"b\":2}\n"),
  ])
  func `results are written to the file, and nothing to standard output`(arguments: [String], expected: String) throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "{\"a\":1}\n{\"b\":2}\n")
      for flag in ["-o", "--output"] {
        try run(arguments + [flag, folder.path("out.txt"), input]).expect(text: "", err: "")
        let text = try String(contentsOfFile: folder.path("out.txt"), encoding: .utf8)
        #expect(arguments[0] == "each" ? text.hasPrefix("{\"a\":1}\n") : text == expected)
        #expect(try folder.names == ["in.ndjson", "out.txt"])
      }
    }
  }

  @Test func `after an error the file is unchanged, and no partial file remains`() throws {
    try withFolder { folder in
      let bad = try folder.file("bad.json", "[1,\n2 3]")
      let out = try folder.file("out.json", "before")
      for path in [out, folder.path("new.json")] {
        let result = try run(["format", "-o", path, bad])
        #expect(result.status == 2)
        #expect(result.err.hasSuffix(": unchanged because of an error\n"), "\(result.err)")
      }
      #expect(try String(contentsOfFile: out, encoding: .utf8) == "before")
      #expect(try folder.names == ["bad.json", "out.json"])
    }
  }

  @Test(arguments: ["--output=", "-o=", "--rejects="])
  func `an empty value after an equals sign does not take the input as the value`(flag: String) throws {
    try withFolder { folder in
      let text = "{\"a\":1}\n[\n"
      let input = try folder.file("in.ndjson", text)
      let result = try run(["$.a", flag, input])
      result.expect(text: "", status: 2)
      #expect(result.err.contains("expected a file name, found an empty string"), "\(result.err)")
      #expect(try String(contentsOfFile: input, encoding: .utf8) == text)
      #expect(try folder.names == ["in.ndjson"])
    }
  }

  @Test func `skipped bad records are not an error`() throws {
    try withFolder { folder in
      let bad = try folder.file("bad.ndjson", "1\n[\n3\n")
      #expect(try run(["records", "-o", folder.path("out"), bad]).status == 0)
      #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8) == "1\n3\n")
    }
  }

  @Test func `a replaced file keeps its permissions, and a link remains a link`() throws {
    try withFolder { folder in
      let real = try folder.file("real", "before")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: real)
      #expect(try run(["$", "-o", folder.path("link")], stdin: "7").status == 0)
      #expect(try String(contentsOfFile: real, encoding: .utf8) == "7\n")
      let permissions = try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int
      #expect(permissions == 0o640)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == real)
    }
  }

  @Test func `a name with spaces, a line break and bad UTF-8 is accepted`() throws {
    try withFolder { folder in
      let name = Array((folder.path + "/a b\n").utf8) + [0xFF]
      try run(bytes: [Array("$".utf8), Array("-o".utf8), name], stdin: Array("7".utf8)).expect(status: 0)
      #expect(try folder.names.count == 1)
      #expect(try run(bytes: [Array("$".utf8), name]).text == "7\n")
    }
  }

  @Test func `a FIFO is written to, not replaced`() throws {
    try withFolder { folder in
      _ = try folder.fifo("pipe")
      let result = try shell("cat pipe > got & \"$JSIFT\" '$' -o pipe; wait; cat got", in: folder, stdin: "[1]")
      result.expect(text: "[1]\n", status: 0)
    }
  }

  @Test func `an input, a folder and a path in a missing folder are rejected before anything is read`() throws {
    try withFolder { folder in
      let input = try folder.file("in.json", "[1]")
      for (path, reason) in [
        (input, "expected a file that is not an input"), (folder.path, "Is a directory"),
        (folder.path("no/where"), "No such file or directory"),
      ] {
        let result = try run(["$", input, "-o", path])
        #expect(result.status == 2)
        #expect(result.err.hasSuffix("\(reason)\n"), "\(result.err)")
      }
      #expect(try String(contentsOfFile: input, encoding: .utf8) == "[1]")
    }
  }

  @Test(arguments: [["records"], ["stats", "--of", "n=$"], ["format"], ["$"]])
  func `the output file and the rejects file must differ`(arguments: [String]) throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "1\n[\n3\n")
      let out = folder.path("out")
      let result = try run(arguments + ["-o", out, "--rejects", out, input])
      #expect(result.status == 2)
      #expect(result.err.hasSuffix("expected a file other than --rejects\n"), "\(result.err)")
    }
  }

  @Test func `a rejected run does not change the rejects file`() throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "1\n[\n")
      let keep = try folder.file("keep", "before")
      for (out, arguments) in [
        (folder.path("no/where"), ["records"]), (keep, ["records"]), (keep, ["format"]), (keep, ["shape"]),
        (keep, ["stats", "--of", "n=$"]), (keep, ["$"]),
      ] {
        #expect(try run(arguments + ["--rejects", keep, "-o", out, input]).status == 2)
        #expect(try folder.text("keep") == "before")
      }
      let new = folder.path("new")
      #expect(try run(["records", "--rejects", new, "-o", new, input]).status == 2)
      #expect(try folder.names.sorted() == ["in.ndjson", "keep"])
    }
  }

  @Test func `a dangling link remains a link, and its target is created`() throws {
    try withFolder { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "other")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("second"), withDestinationPath: folder.path("link"))
      #expect(try run(["$", "-o", folder.path("second")], stdin: "7").status == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "other")
      #expect(try folder.text("other") == "7\n")
      #expect(try folder.names.sorted() == ["link", "other", "second"])
    }
  }

  @Test func `links in a circle are rejected, and remain`() throws {
    try withFolder { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.path("one"), withDestinationPath: "two")
      try FileManager.default.createSymbolicLink(atPath: folder.path("two"), withDestinationPath: "one")
      let result = try run(["$", "-o", folder.path("one")], stdin: "7")
      #expect(result.status == 2)
      #expect(result.err.hasSuffix("one: Too many levels of symbolic links\n"), "\(result.err)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("one")) == "two")
      #expect(try folder.names == ["one", "two"])
    }
  }

  @Test func `the partial file of a killed run remains, and does not affect the next run`() throws {
    try withFolder { folder in
      let child = try Child(
        "/bin/sh", [Array("-c".utf8), Array("exec '\(try Tool.path())' records -o '\(folder.path("out"))'".utf8)],
        hasInput: true)
      child.write("[1]\n[2]\n")
      while try folder.names.isEmpty { Child.rest() }
      child.send(signal: SIGKILL)
      #expect(child.finish() == -SIGKILL)
      let left = try folder.names
      #expect(left.count == 1 && left[0].hasPrefix(".out.") && left[0].hasSuffix(".part"))
      #expect(try run(["$", "-o", folder.path("out")], stdin: "7").status == 0)
      #expect(try folder.text("out") == "7\n")
      #expect(try folder.names.sorted() == (left + ["out"]).sorted())
    }
  }

  @Test(arguments: [SIGQUIT, SIGTERM, SIGHUP, SIGXCPU, SIGALRM, SIGUSR1])
  func `no signal that ends the program leaves a partial file`(signal: Int32) throws {
    try withFolder { folder in
      // Some of the signals would write a core dump.
      let script = "ulimit -c 0; exec '\(try Tool.path())' records -o '\(folder.path("out"))'"
      let child = try Child("/bin/sh", [Array("-c".utf8), Array(script.utf8)], hasInput: true)
      child.write("[1]\n[2]\n")
      while try folder.names.isEmpty { Child.rest() }
      child.send(signal: signal)
      #expect(child.finish() == -signal)
      #expect(try folder.names.isEmpty)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a second signal right after the first does not cut the removal of the partial file`(signal: Int32) throws {
    try withFolder { folder in
      for second in [SIGINT, SIGTERM, SIGHUP] {
        for pause: UInt32 in [0, 0, 0, 20, 200, 1_000] {
          let child = try Tool.start(["records", "-o", folder.path("out")])
          child.write("[1]\n[2]\n")
          while try folder.names.isEmpty { Child.rest() }
          child.send(signal: signal)
          if pause > 0 { _ = usleep(pause) }
          child.send(signal: second)
          #expect([-signal, -second].contains(child.finish()))
          #expect(try folder.names.isEmpty)
        }
      }
    }
  }

  @Test(arguments: [0, 1_000, 20_000] as [UInt32])
  func `a second signal right after the first does not cut the orderly end of following`(pause: UInt32) throws {
    try withFolder { folder in
      let input = try folder.file("in.ndjson", "[1]\n[2]\n")
      for signals in [[SIGTERM, SIGTERM], [SIGINT, SIGINT], [SIGHUP, SIGTERM, SIGINT]] {
        let child = try Tool.start(["records", "--follow", "-o", folder.path("out"), input])
        // The results are in the partial file once the program waits for more input.
        while try folder.names.first(where: { $0.hasSuffix(".part") }).map({ try folder.text($0) }) != "[1]\n[2]\n" {
          Child.rest()
        }
        for signal in signals {
          child.send(signal: signal)
          if pause > 0 { _ = usleep(pause) }
        }
        #expect(child.finish() == 0)
        #expect(try folder.names == ["in.ndjson", "out"])
        #expect(try folder.text("out") == "[1]\n[2]\n")
        try FileManager.default.removeItem(atPath: folder.path("out"))
      }
    }
  }

  @Test func `a second signal long after the first ends a run that cannot end by itself`() throws {
    try withFolder { folder in
      // More than a pipe holds.
      let input = try folder.file("in.ndjson", String(repeating: "[1,2,3,4,5,6,7]\n", count: 40_000))
      let child = try Tool.start(["records", "--follow", input])
      _ = child.lines(1)
      // At the first signal the process must wait for the pipe: results that fit into it end the run.
      while child.unreadBytes < 60_000 { Child.rest() }
      // Signals that arrive while the process does not run are one signal, so there are several.
      for _ in 0..<200 where child.isRunning {
        child.send(signal: SIGTERM)
        for _ in 0..<5 { Child.rest() }
      }
      #expect(child.finish() == -SIGTERM)
    }
  }

  @Test func `output larger than the system allows is reported, and the file is unchanged`() throws {
    try withFolder { folder in
      _ = try folder.file("out", "before")
      let input = "[\(String(repeating: "1,", count: 400_000))1]"
      let result = try shell("ulimit -f 8\nexec \"$JSIFT\" '$[*]' -o out", in: folder, stdin: input)
      result.expect(err: "jsift: out: File too large\n", status: 2)
      #expect(try folder.text("out") == "before")
      #expect(try folder.names == ["out"])
    }
  }

  #if os(Linux)
    @Test func `a file is replaced only after its bytes have reached the disk`() throws {
      try withFolder { folder in
        _ = try folder.file("out", "before")
        let run = "FAIL_FSYNC=1 $FAULTS \"$JSIFT\" '$' -o out"
        let result = try FaultyCalls.shell(run, in: folder, stdin: "7")
        result.expect(err: "jsift: out: Input/output error\n", status: 2)
        #expect(try folder.text("out") == "before")
        #expect(try folder.names == ["libfaults.so", "out"])
      }
    }

    @Test func `an error while closing is reported`() throws {
      try withFolder { folder in
        let run = "FAIL_CLOSE=.part $FAULTS \"$JSIFT\" '$' -o out"
        let result = try FaultyCalls.shell(run, in: folder, stdin: "7")
        result.expect(err: "jsift: out: No space left on device\n", status: 2)
        #expect(try folder.names == ["libfaults.so"])
      }
    }
  #endif

  @Test(arguments: [
    ["records"], ["get", "$"], ["each", "$"], ["shape"], ["format"], ["stats", "--by", "a=$"],
    ["records", "--format", "table", "--select", "a=$"],
  ])
  func `a signal leaves no partial file, and the number of bytes read is reported`(arguments: [String]) throws {
    try withFolder { folder in
      let out = folder.path("out")
      let child = try Tool.start(arguments + ["-o", out])
      child.write("[1]\n[2]\n")
      while try folder.names.isEmpty { Child.rest() }
      Child.rest()
      child.send(signal: SIGINT)
      let status = child.finish()
      #expect(status == -SIGINT)
      #expect(String(decoding: child.err, as: UTF8.self) == "jsift: interrupted after 8 bytes of input\n")
      #expect(try folder.names.isEmpty)
    }
  }
}

extension Folder {
  fileprivate var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}
