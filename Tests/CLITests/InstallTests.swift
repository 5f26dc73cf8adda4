import Foundation
import TestSupport
import Testing

/// `Scripts/install`, without building.
@Suite struct InstallTests {
  private static let script = "'\(PackageFiles.root.path.replacing("'", with: "'\\''"))/Scripts/install'"

  @Test func `uninstalling removes the installed files, and nothing else`() throws {
    try withFolder { folder in
      let files = [
        "bin/jsift", "share/man/man1/jsift.1", "share/bash-completion/completions/jsift",
        "share/zsh/site-functions/_jsift", "share/fish/vendor_completions.d/jsift.fish",
      ]
      for name in files + ["bin/other"] {
        let path = folder.path("a prefix/" + name)
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
      }
      let result = try shell("\(Self.script) --uninstall 'a prefix'", in: folder)
      #expect(result.lines.count == files.count)
      #expect(result.status == 0)
      for name in files { #expect(!FileManager.default.fileExists(atPath: folder.path("a prefix/" + name))) }
      #expect(FileManager.default.fileExists(atPath: folder.path("a prefix/bin/other")))
      let again = try shell("\(Self.script) --uninstall 'a prefix'", in: folder)
      #expect(again.text == "" && again.status == 1 && again.err.contains("there is no jsift under"))
    }
  }

  @Test(arguments: ["--nope", "--help", "one two"])
  func `unknown arguments are rejected with the usage`(arguments: String) throws {
    let result = try shell("\(Self.script) \(arguments)")
    #expect(result.text == "")
    #expect(result.err.hasPrefix("install [--plain | --portable] [PREFIX]: "))
    #expect(result.status == 2)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `each shell has a completion script, with all options`(shellName: String) throws {
    let script = try run(["--generate-completion-script", shellName])
    #expect(script.status == 0)
    #expect(script.text.contains("max-record-bytes"))
  }

  /// Whether a shell is installed, so that its script can be tested.
  private static func has(_ shellName: String) -> Bool { (try? shell("command -v \(shellName)"))?.status == 0 }

  @Test func `bash can parse its completions`() throws { try Self.expectReadable(by: "bash") }

  @Test(.enabled(if: has("zsh"), "zsh is not installed"))
  func `zsh can parse its completions`() throws { try Self.expectReadable(by: "zsh") }

  @Test(.enabled(if: has("fish"), "fish is not installed"))
  func `fish can parse its completions`() throws { try Self.expectReadable(by: "fish", option: "--no-execute") }

  /// Expects that a shell can parse its completion script; the script is not executed.
  private static func expectReadable(by shellName: String, option: String = "-n") throws {
    let script = try run(["--generate-completion-script", shellName])
    try withFolder { folder in
      _ = try folder.file("script", script.out)
      let check = try shell("\(shellName) \(option) script", in: folder)
      #expect(check.status == 0, "\(check.err)")
    }
  }
}
