import Foundation
import TestSupport
import Testing

/// Inputs that people have reported: halves of surrogate pairs, long keys and numbers, long bad records, private logs.
@Suite struct ReportedInputTests {
  private static let pairs = "Fixtures/reported/sur.ndjson"
  private static let replaced = """
    {"id":1,"t":"cut \\ufffd"}
    {"id":2,"t":"ok \\ud83d\\ude00"}
    {"id":3,"t":"\\ufffdx"}

    """

  @Test func `issue 48, row 11: half of a surrogate pair is U+FFFD in comparisons and in the output of each command`()
    throws
  {
    try withFolder { folder in
      let file = try folder.file("s.ndjson", PackageFiles.bytes(of: Self.pairs))
      _ = try shell("gzip -k s.ndjson; \"$JSIFT\" index -p '$.t' s.ndjson", in: folder)
      let wrong = try run(["records", file])
      #expect(wrong.lines == [#"{"id":2,"t":"ok \ud83d\ude00"}"#])
      #expect(wrong.err.contains("; use --lone-surrogates replace to read U+FFFD for it (byte 17)"))
      let replace = ["--lone-surrogates", "replace", file]
      #expect(try run(["check"] + replace).status == 0)
      #expect(try run(["format", "--compact"] + replace).text == Self.replaced)
      #expect(try run(["format", "--compact", "--sort-keys"] + replace).text == Self.replaced)
      #expect(try run(["-r", "$.t"] + replace).text == "cut \u{FFFD}\nok 😀\n\u{FFFD}x\n")
      #expect(try run(["records", "--where", #"@.t == "\ufffdx""#] + replace).lines == [#"{"id":3,"t":"\ufffdx"}"#])
      #expect(
        try run(["stats", "--by", "t=$.t", "--top", "1"] + replace).text == "{\"t\":\"cut \u{FFFD}\",\"count\":1}\n")
      #expect(try run(["shape"] + replace).text.contains(#""examples":["cut \ufffd","ok \ud83d\ude00","\ufffdx"]"#))
      let arrow = try run(["records", "--select", "t=$", "--format", "arrow"] + replace).text
      #expect(arrow.contains(#""cut \ufffd""#) && !arrow.contains(#"\ud83d""#))
      for options in [["-j", "1"], ["-j", "3"]] {
        for kernel in ["", "portable", "none"] {
          let found = try shell(
            "JSONSIFT_KERNEL=\(kernel) \"$JSIFT\" records \(options.joined(separator: " ")) --lone-surrogates=replace s.ndjson.gz",
            in: folder)
          // Compression is a trait of the package.
          if !found.err.contains("Compression") { #expect(found.text == Self.replaced, "\(options) \(kernel)") }
        }
      }
    }
    let document = #"{"a":[{"k\ud83d":"x\udc00y\ud83d\ude00 \\ud83d \\\ud83d"}]}"#
    let expected = #"{"k\ufffd":"x\ufffdy\ud83d\ude00 \\ud83d \\\ufffd"}"# + "\n"
    for command in [["$.a[*]"], ["each", "$.a"], ["$.a[*]", "--input", "ndjson"]] {
      #expect(try run(command + ["--lone-surrogates", "replace"], stdin: document).text == expected)
    }
  }

  @Test func `issue 48, row 22: the message of a limit names the option that raises it`() throws {
    let number = String(repeating: "1", count: 1500)
    let text =
      "{\"\(String(repeating: "k", count: 70_000))\":\(number),\"s\":\"\(String(repeating: "x", count: 90))\"}\n"
    var options: [String] = []
    for (option, limit) in [("--max-key-bytes", "70000"), ("--max-number-bytes", "1500")] {
      let found = try run(["records"] + options, stdin: text)
      #expect(found.text.isEmpty && found.err.contains("; use \(option) to change the limit"), "\(option)")
      options += [option, limit]
    }
    #expect(try run(["records"] + options, stdin: text).text == text)
    #expect(try run(["$", "--input", "json"] + options, stdin: text).text == text)
    let short = try run(["records", "--max-string-bytes", "89"] + options, stdin: text)
    #expect(short.text.isEmpty && short.err.contains("; use --max-string-bytes to change the limit"))
  }

  @Test func `a bad record of standard input is kept whole with max-reject-bytes, by any number of workers`() throws {
    try withFolder { folder in
      let bad = String(repeating: "x", count: 1_200_000)
      for (options, isWhole) in [([], false), (["--max-reject-bytes", "2000000"], true)] {
        for jobs in ["1", "3"] {
          for limit in [[], ["--max-record-bytes", "1000"]] {
            let rejects = folder.path("rejects")
            _ = try run(["records", "-j", jobs, "--rejects", rejects] + options + limit, stdin: "{}\n\(bad)\n{}\n")
            #expect(try (folder.text("rejects").utf8.count > bad.utf8.count) == isWhole, "\(jobs) \(limit)")
          }
        }
      }
    }
  }

  @Test func `files about a log are as private as the log`() throws {
    try withFolder { folder in
      for (name, mode) in [("private.ndjson", "600"), ("group.ndjson", "640"), ("open.ndjson", "644")] {
        _ = try folder.file(name, "{\"a\":1}\nbad\n")
        _ = try shell("chgrp $(id -g) \(name); chmod \(mode) \(name)", in: folder)
      }
      _ = try folder.file("kept", "")
      let found = try shell(
        """
        umask 022; chmod 664 kept; exec 2>/dev/null
        "$JSIFT" index -p '$.a' private.ndjson group.ndjson open.ndjson
        "$JSIFT" records private.ndjson open.ndjson -o out --rejects rejects --summary summary
        "$JSIFT" records < group.ndjson -o redirected
        cat private.ndjson | "$JSIFT" records -o piped
        "$JSIFT" records private.ndjson -o kept
        chmod 600 open.ndjson; cp open.ndjson.jsidx before; "$JSIFT" index -p '$.a' open.ndjson
        for name in *.jsidx out rejects summary redirected piped kept; do echo $name $(ls -l $name | cut -c 2-10); done
        """, in: folder)
      #expect(
        found.lines == [
          "group.ndjson.jsidx rw-r-----", "open.ndjson.jsidx rw-------", "private.ndjson.jsidx rw-------",
          "out rw-------",
          "rejects rw-------", "summary rw-------", "redirected rw-r-----", "piped rw-r--r--", "kept rw-rw-r--",
        ])
    }
  }
}
