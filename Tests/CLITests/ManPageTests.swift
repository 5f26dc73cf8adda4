import Foundation
import TestSupport
import Testing

/// `Documentation/jsift.1`. After a change of options or help `Scripts/pages man` writes it again.
@Suite struct ManPageTests {
  private static let path = "Documentation/jsift.1"

  /// Whether the build has all optional features, whose options the page contains.
  static let hasAllFeatures =
    (try? CommandDefinition.ofTool())?.commands.contains {
      $0.shown.contains { $0.names?.last?.name == "max-decompressed-bytes" }
    } ?? false

  @Test(.enabled(if: hasAllFeatures, "the tool is built without its trait Compression"))
  func `the manual page matches the definitions`() throws {
    let tool = try CommandDefinition.ofTool()
    let version = try run(["--version"]).lines.first ?? ""
    let page = ManPage(tool, version: version).text
    if ProcessInfo.processInfo.environment["JSONSIFT_WRITE_MAN_PAGE"] != nil {
      try Data(page.utf8).write(to: PackageFiles.root.appending(path: Self.path))
    }
    let committed = String(decoding: try PackageFiles.bytes(of: Self.path), as: UTF8.self)
    #expect(committed == page, "Scripts/pages man writes it anew")
    #expect(page.utf8.count > 5000)
  }
}
