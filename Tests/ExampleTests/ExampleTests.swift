import Foundation
import Testing

/// What the pages show is compiled with the tests, and does here what they say. The plug-in `ExampleSources` makes `allExamples`
/// and `allConsoles` of the pages' blocks.
@Suite struct ExampleTests {
  @Test func `there are examples and many of them run`() {
    #expect(allExamples.count > 20)
    #expect(allExamples.count { $0.isRun } > 40)
    #expect(!allConsoles.isEmpty)
  }

  @Test(arguments: allExamples.filter { $0.isRun })
  func `an example runs and behaves as its page states`(_ example: Example) async throws {
    let stage = try Stage(page: example.page)
    defer { stage.remove() }
    try await Stage.$current.withValue(stage) { try await example.body() }
    if let output = example.output { #expect(stage.output == output) }
  }

  @Test(arguments: allConsoles)
  func `a command prints the output on its page`(_ console: Console) throws {
    let stage = try Stage(page: console.page)
    defer { stage.remove() }
    let commands = console.commands
    #expect(!commands.isEmpty)
    for (command, output) in commands {
      let shell = try Shell.run(command, in: stage.folder)
      if output.isEmpty {
        #expect(shell.status == 0, "\(command)\n\(shell.errors)")
      } else if output != shell.errors + shell.output {
        // A terminal shows output and errors as they are written; a page shows one after the other.
        #expect(shell.output + shell.errors == output, "\(command)")
      }
    }
  }
}

/// Runs command lines with `jsift` on the path, as a reader of the page would.
private enum Shell {
  static func run(_ command: String, in folder: URL) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec 2>.errors </dev/null\n" + command]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = try toolFolder().path + ":" + (environment["PATH"] ?? "")
    environment["LC_ALL"] = "C"
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let errors = try Data(contentsOf: folder.appending(path: ".errors"))
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self), String(decoding: errors, as: UTF8.self))
  }

  /// The folder of the built `jsift`, which this target depends on.
  private static func toolFolder() throws -> URL {
    var starts = [URL(filePath: ProcessInfo.processInfo.arguments[0])]
    #if os(Linux)
      starts.insert(URL(filePath: "/proc/self/exe"), at: 0)
    #else
      starts.insert(Bundle(for: Stage.self).bundleURL, at: 0)
    #endif
    for start in starts {
      var folder = start.resolvingSymlinksInPath().deletingLastPathComponent()
      // On macOS the tests are in a bundle, three folders deeper.
      for _ in 0..<4 {
        if FileManager.default.isExecutableFile(atPath: folder.appending(path: "jsift").path) { return folder }
        folder.deleteLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
