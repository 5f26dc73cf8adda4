import Foundation
import Testing

@Suite struct FileNameTests {
  private static let bad = "{\"a\":1}\n{\"a\"}\n"
  private static let reported = """
    :2:5: expected ':' after a key, found '}' (byte 12)
      2 | {"a"}
        |     ^

    """

  @Test(arguments: [
    ("with blanks.log", "with blanks.log"), ("with\nline\nfeeds.log", "with·line·feeds.log"), ("é日本😀.log", "é日本😀.log"),
    ("tab\tand\u{1B}[31mred.log", "tab and·[31mred.log"), ("quote'\"$(x).log", "quote'\"$(x).log"),
    ("records.log", "records.log"), ("\u{7F}.log", "·.log"),
  ])
  func `a file with an unusual name is read, and the name is shown in one line`(name: String, shown: String) throws {
    try withFolder { folder in
      let file = try folder.file(name, Self.bad)
      let result = try run(["--on-error", "stop", "$.a", file])
      #expect(result.text == "1\n")
      #expect(result.err.hasSuffix("/\(shown)\(Self.reported)"))
      #expect(result.err.split(separator: "\n").count == 3)
      #expect(result.status == 2)
    }
  }

  @Test(arguments: ["\u{85}", "\u{9B}31m", "\u{2028}", "\u{2029}", "\u{202E}"])
  func `no character of a file name breaks the line or controls the terminal`(character: String) throws {
    try withFolder { folder in
      let result = try run(["$", folder.path("a\(character)b")])
      let message = folder.cut(result.err)
      #expect(!message.contains(character))
      #expect(message.hasSuffix(": the input cannot be read: No such file or directory\n"))
      #expect(result.status == 2)
    }
  }

  // Apple's file systems reject names that are not UTF-8.
  #if !canImport(Darwin)
    @Test func `a file whose name is not UTF-8 is read, and the name is shown in one line`() throws {
      try withFolder { folder in
        let name: [UInt8] = Array("caf".utf8) + [0xE9, 0x0A, 0xFF] + Array(".ndjson".utf8)
        let path = Array(folder.path.utf8) + [UInt8(ascii: "/")] + name
        try write(Array(Self.bad.utf8), to: path)
        let other = try folder.file("other.ndjson", "{\"a\":2}\n")
        let result = try run(bytes: [Array("$.a".utf8), path, Array(other.utf8)])
        #expect(result.text == "1\n2\n")
        #expect(folder.cut(result.err).hasPrefix("jsift: caf···.ndjson" + Self.reported))
        #expect(result.status == 0)
      }
    }

    /// The file extension determines the framing, whatever the other bytes are.
    @Test func `the extension of a name that is not UTF-8 determines the framing`() throws {
      try withFolder { folder in
        let path = Array(folder.path.utf8) + [UInt8(ascii: "/"), 0xFF] + Array(".json".utf8)
        try write(Array("[1][2]\n".utf8), to: path)
        try run(bytes: [Array("$[*]".utf8), path]).expect(text: "1\n", status: 2)
      }
    }

    @Test func `a missing file whose name is not UTF-8 is reported in one line`() throws {
      let result = try run(bytes: [Array("$".utf8), Array("/none".utf8) + [0xC3, 0x28, 0x0D, 0xFF]], stdin: [])
      result.expect(err: "jsift: /none·(··: the input cannot be read: No such file or directory\n", status: 2)
    }

    private func write(_ bytes: [UInt8], to path: [UInt8]) throws {
      let name = (path + [0]).map { CChar(bitPattern: $0) }
      let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      guard descriptor >= 0 else { throw SystemFailure(call: "open", number: errno) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    }
  #endif

  @Test func `many files are read in their order, and a missing one is reported`() throws {
    try withFolder { folder in
      for number in 0..<300 { _ = try folder.file("f\(number)", "{\"a\":\(number)}") }
      let names = (0..<300).map { "f\($0)" }
      for command in ["\"$JSIFT\" get '$.a' -j 1", "\"$JSIFT\" '$.a' --", "\"$JSIFT\" -p a='$.a' -r --limit 300"] {
        let all = try shell("\(command) \(names.joined(separator: " ")) none", in: folder)
        let values = all.lines.map { $0.replacing("a\t", with: "") }
        #expect(values == (0..<300).map { "\($0)" })
        #expect(all.status == (command.contains("--limit") ? 0 : 2))
        #expect(all.err.contains("none: ") != command.contains("--limit"))
      }
    }
  }
}
