import Foundation
import TestSupport
import Testing

@Suite struct CompressedInputTests {
  /// Two lines, `{"a":1}` and `{"a":2}`, compressed by gzip and zstd.
  private static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 86, 74, 84, 178, 50, 172, 229, 170, 6, 209, 70, 181, 92, 0, 102, 192, 90,
    25, 16, 0, 0, 0,
  ]
  private static let zstd: [UInt8] = [
    40, 181, 47, 253, 36, 16, 129, 0, 0, 123, 34, 97, 34, 58, 49, 125, 10, 123, 34, 97, 34, 58, 50, 125, 10, 238, 237,
    172, 242,
  ]

  #if Compression
    @Test func `compressed files and compressed standard input are read like their content`() throws {
      try withFolder { folder in
        let files = [
          try folder.file("x.ndjson.gz", Self.gzip), try folder.file("y", Self.zstd),
          try folder.file("z", "{\"a\":3}\n{\"a\":4}"),
        ]
        let result = try run(["$.a"] + files)
        result.expect(text: "1\n2\n1\n2\n3\n4\n", err: "", status: 0)
        for input in [Self.gzip, Self.zstd, Self.gzip + Self.gzip] {
          let result = try run(["records", "--where", "@.a > 1"], stdin: input)
          #expect(result.lines.first == "{\"a\":2}")
          #expect(result.status == 0)
        }
      }
    }

    @Test(arguments: ["0", "-1"])
    func `a maximum of decompressed bytes is at least one`(maximum: String) throws {
      let result = try run(["records", "--max-decompressed-bytes", maximum], stdin: Self.gzip)
      #expect(
        result.err.hasPrefix("jsift: --max-decompressed-bytes takes a number of at least 1, not \(maximum)\nUsage: "))
      #expect(result.out.isEmpty && result.status == 2)
    }

    @Test func `a truncated compressed file gives its records and one error`() throws {
      try withFolder { folder in
        let file = try folder.file("x.ndjson.gz", Array(Self.gzip.dropLast(4)))
        for arguments in [["$.a", file], ["$.a", "--input", "ndjson", "--on-error", "stop", file]] {
          let result = try run(arguments)
          #expect(result.text == "1\n2\n")
          #expect(
            folder.cut(result.err)
              == "jsift: x.ndjson.gz: expected more gzip data after byte \(Self.gzip.count - 4) of the compressed input, "
              + "found the end\n")
          #expect(result.status == 2)
        }
      }
    }

    @Test func `a large truncated compressed file gives the same lines with any number of workers`() throws {
      try withFolder { folder in
        var generator = SystemRandomNumberGenerator()
        // More than is read before workers start.
        let bytes = isDebug ? 1_100_000 : 1_400_000
        let lines = (0..<(isDebug ? 95_000 : 120_000)).map { "{\"a\":\($0),\"b\":\(generator.next())}\n" }.joined()
        _ = try folder.file("x.ndjson", lines)
        _ = try shell("gzip <x.ndjson | head -c \(bytes) >cut.ndjson.gz", in: folder)
        let size = try Data(contentsOf: URL(fileURLWithPath: folder.path("cut.ndjson.gz"))).count
        #expect(size == bytes)
        let expected = try run(["records", folder.path("cut.ndjson.gz"), "-j", "1"])
        #expect(expected.lines.count > (isDebug ? 63_000 : 80_000))
        #expect(expected.status == 2)
        for jobs in isDebug ? ["3"] : ["2", "3"] {
          let found = try run(["records", folder.path("cut.ndjson.gz"), "-j", jobs])
          #expect(found.out == expected.out)
          found.expect(err: expected.err, status: 2)
        }
      }
    }

    @Test(arguments: ["1", "2"])
    func `the decompressed size can be limited, and the message names the compressed file`(jobs: String) throws {
      try withFolder { folder in
        let file = try folder.file("x.ndjson.gz", Self.gzip)
        let result = try run(["$.a", "--max-decompressed-bytes", "10", "-j", jobs, file, file])
        #expect(result.text == "1\n1\n")
        let line =
          "jsift: x.ndjson.gz: expected at most 10 decompressed bytes from the compressed input, found more at its compressed "
          + "byte "
        #expect(folder.cut(result.err).split(separator: "\n").count { $0.hasPrefix(line) } == 2, "\(result.err)")
        #expect(result.status == 2)
        #expect(try run(["$.a", "--max-decompressed-bytes", "16", "-j", jobs, file]).text == "1\n2\n")
      }
    }

    @Test func `the ratio limit stops a decompression bomb, and the message names the option`() throws {
      try withFolder { folder in
        let bomb = "head -c 70000000 /dev/zero | tr '\\0' ' ' | fold -w 1000000 | gzip -9"
        let result = try shell("\(bomb) >bomb.gz && \"$JSIFT\" '$.a' --input ndjson bomb.gz", in: folder)
        #expect(result.text == "")
        #expect(
          result.err.hasPrefix(
            "jsift: bomb.gz: expected at most 1000 decompressed bytes for each byte of the compressed input, found more"
          ))
        #expect(result.err.hasSuffix("; use --max-decompressed-bytes to change the limit\n"))
        #expect(result.status == 2)
        #expect(try shell("gzip -dc bomb.gz | \"$JSIFT\" '$.a' --input ndjson", in: folder).err == "")
        for jobs in isDebug ? ["1"] : ["1", "2"] {
          let open = try shell(
            "\"$JSIFT\" '$.a' --input ndjson --max-decompressed-bytes 80000000 -j \(jobs) bomb.gz", in: folder)
          open.expect(err: "", status: 1)
        }
        _ = try shell("rm bomb.gz", in: folder)
      }
    }

    @Test func `several workers on compressed input give the results of one worker on the plain lines`() throws {
      try withFolder { folder in
        // Random digits: the compressed file is larger than what one worker reads alone.
        var lines = ""
        var state: UInt64 = 7
        for index in 0..<60_000 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          lines += index % 997 == 5 ? "{\"bad\":}\n" : "{\"id\":\(index),\"text\":\"\(state)\(state ^ 0x5555_5555)\"}\n"
        }
        _ = try folder.file("x.ndjson", lines)
        let plain = try shell("\"$JSIFT\" '$.id' -j 1 x.ndjson && gzip -k x.ndjson", in: folder)
        #expect(plain.lines.count > 59_000)
        for jobs in isDebug ? [1, 3] : [1, 2, 8] {
          let file = try shell("\"$JSIFT\" '$.id' -j \(jobs) x.ndjson.gz", in: folder)
          file.expect(text: plain.text, err: plain.err.replacingOccurrences(of: "x.ndjson", with: "x.ndjson.gz"))
          if isDebug, jobs == 1 { continue }
          let pipe = try shell("cat x.ndjson.gz | \"$JSIFT\" '$.id' -j \(jobs) --input ndjson", in: folder)
          #expect(pipe.text == plain.text)
          #expect(try shell("cat x.ndjson.gz | \"$JSIFT\" '$.id' -j \(jobs)", in: folder).text == plain.text)
        }
      }
    }

    @Test func `one compressed document on standard input is read to its end with any number of workers`() throws {
      try withFolder { folder in
        let items = (0..<50_000).map { "{\"id\":\($0)}" }.joined(separator: ",\n")
        _ = try folder.file("x.json", "{\"items\":[\n\(items)\n]}")
        for jobs in [1, 2] {
          let result = try shell("gzip -c x.json | \"$JSIFT\" --count '$.items[*].id' -j \(jobs)", in: folder)
          result.expect(text: "50000\n", err: "")
        }
      }
    }

    @Test func `a file after a damaged one is read`() throws {
      try withFolder { folder in
        var damaged = Self.zstd
        damaged[damaged.count - 1] ^= 1
        let bad = try folder.file("bad.zst", damaged)
        let good = try folder.file("good.gz", Self.gzip)
        let result = try run(["$.a", bad, good])
        // The block is intact; the checksum error is reported after its content.
        #expect(result.text == "1\n2\n1\n2\n")
        #expect(
          folder.cut(result.err)
            == "jsift: bad.zst: expected valid zstd data up to byte \(damaged.count) in the compressed input, found damage: "
            + "Restored data doesn't match checksum\n")
        #expect(result.status == 2)
      }
    }
  #else
    @Test func `a tool built without decompression reports compressed files`() throws {
      try withFolder { folder in
        for (name, bytes, format) in [("x.gz", Self.gzip, "gzip"), ("x.zst", Self.zstd, "zstd")] {
          let result = try run(["$.a", try folder.file(name, bytes)])
          #expect(result.text == "")
          #expect(
            folder.cut(result.err)
              == "jsift: \(name): expected JSON text, found \(format) data, which needs JSONSiftCompression (for "
              + "jsift, a build with --traits Compression)\n")
          #expect(result.status == 2)
        }
      }
    }
  #endif
}
