import Foundation
import PackagePlugin

/// Makes the sources of ExampleTests from the code blocks of the pages and doc comments; `Tests/ExampleWriter` writes them.
@main struct ExampleSources: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let root = context.package.directoryURL
    let pages =
      try ["README.md"] + files(in: "Documentation", of: root).filter { $0.hasSuffix(".md") }
      + files(in: "Sources", of: root).filter { file in
        guard file.hasSuffix(".swift") else { return file.hasSuffix(".md") }
        return try String(contentsOf: root.appending(path: file), encoding: .utf8).contains("/// ```swift")
      }
    // Pages show some of these files.
    let others = try ["Tests/ExampleTests/DocCommentSetups.txt"] + files(in: "Fixtures/examples", of: root)
    let outputs = Set(pages.map(source)).sorted() + ["AllExamples.swift"]
    let folder = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Writing the examples of \(pages.count) pages",
        executable: try context.tool(named: "ExampleWriter").url,
        arguments: [root.path, folder.path] + pages, inputFiles: (pages + others).map { root.appending(path: $0) },
        outputFiles: outputs.map { folder.appending(path: $0) })
    ]
  }

  /// The files in a folder, which is a link where Scripts/Support/common.sh has made the package.
  private func files(in folder: String, of root: URL) throws -> [String] {
    let path = root.appending(path: folder).resolvingSymlinksInPath().path
    return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().map { "\(folder)/\($0)" }
  }

  /// The source that ExampleWriter makes of a page: one for all doc comments of a module, otherwise one for each page.
  private func source(of page: String) -> String {
    if page.hasSuffix(".swift") { return "Comments\(page.split(separator: "/")[1]).swift" }
    let name = page.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    return "\(page.contains(".docc/") ? "Guide" : "")\(name)Examples.swift"
  }
}
