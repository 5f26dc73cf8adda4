import TestSupport
import Testing

/// What is highlighted in messages. The text itself is the same with and without colours.
@Suite struct ColourTests {
  private static let (bold, red, green, plain) = ("\u{1B}[1m", "\u{1B}[1;31m", "\u{1B}[1;32m", "\u{1B}[0m")

  @Test func `the name of the program, locations and carets are highlighted`() throws {
    try withFolder { folder in
      _ = try folder.file("a: b^.log", "{\"id\":1}\n{\"^ | id\":2,}\n")
      let cases: [(String, String)] = [
        (
          "\"$JSIFT\" '$.id' 'a: b^.log'",
          """
          \(Self.red)jsift:\(Self.plain) a: b^.log:2:13: expected a key in quotes after ',', found '}' (byte 21)
            2 | {"^ | id":2,}
              |             \(Self.green)^\(Self.plain)
          \(Self.red)jsift:\(Self.plain) a: b^.log: 1 bad record was skipped; --on-error stop ends at the first

          """
        ),
        (
          "\"$JSIFT\" check 'a: b^.log' >&2",
          """
          \(Self.bold)a: b^.log:2:13\(Self.plain): expected a key in quotes after ',', found '}' (byte 21)
            2 | {"^ | id":2,}
              |             \(Self.green)^\(Self.plain)

          """
        ),
        ("\"$JSIFT\" '$.a^' none", "\(Self.red)jsift:\(Self.plain) path '$.a^': expected "),
        ("\"$JSIFT\" --jobs x '$'", "\(Self.red)jsift:\(Self.plain) "),
      ]
      for (command, expected) in cases {
        let coloured = try shell("unset NO_COLOR; CLICOLOR_FORCE=1 " + command, in: folder).err
        #expect(coloured.hasPrefix(expected), "\(coloured.debugDescription)")
        if expected.hasSuffix("\n") { #expect(coloured == expected) }
        #expect(coloured.contains("\(Self.green)^\(Self.plain)") == !command.contains("--jobs"))
        let without = try shell("NO_COLOR=1 CLICOLOR_FORCE=1 " + command, in: folder).err
        let colours = [Self.bold, Self.red, Self.green, Self.plain]
        #expect(without == colours.reduce(coloured) { $0.replacing($1, with: "") })
      }
    }
  }
}
