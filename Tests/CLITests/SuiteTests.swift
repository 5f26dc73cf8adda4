import Foundation
import TestSupport
import Testing

/// The files of JSONTestSuite. The first letter of a name determines the expected outcome.
enum JSONTestSuite {
  static let folder: String? = {
    let here = URL(fileURLWithPath: #filePath)
    let beside = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared/data").path
    let data = ProcessInfo.processInfo.environment["JSONSIFT_TEST_DATA"] ?? beside
    let folder = data + "/JSONTestSuite/test_parsing"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  static func files(_ prefix: String) -> [String] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted()
  }

  /// Returns the files; in a debug build, which takes a tenth of a second per process, every fourth file.
  static func sample(_ prefix: String) -> [String] {
    files(prefix).enumerated().filter { !isDebug || $0.offset % 4 == 0 }.map(\.element)
  }
}

/// Each file is passed to the tool in a separate process.
@Suite(.enabled(if: JSONTestSuite.folder != nil, "no third-party data; JSONSIFT_TEST_DATA names the folder"))
struct SuiteTests {
  private static func result(_ name: String) throws -> Outcome {
    try run(["--input", "json", "$", (JSONTestSuite.folder ?? "") + "/" + name])
  }

  @Test func `all files of the suite exist`() {
    #expect(JSONTestSuite.files("y_").count == 95)
    #expect(JSONTestSuite.files("n_").count == 188)
    #expect(JSONTestSuite.files("i_").count == 35)
  }

  @Test(arguments: JSONTestSuite.sample("y_"))
  func `a valid file is one line`(name: String) throws {
    let result = try Self.result(name)
    #expect(result.status == 0)
    #expect(result.out.count(where: { $0 == 0x0A }) == 1)
    #expect(result.out.last == 0x0A)
    #expect(result.err == "")
  }

  @Test(arguments: JSONTestSuite.sample("n_"))
  func `an invalid file is reported with the position of the error`(name: String) throws {
    let result = try Self.result(name)
    try #require(result.status == 2)
    // A complete value is written before the error after it is detected.
    #expect(result.out.count(where: { $0 == 0x0A }) <= 1)
    #expect(result.err.contains("\(name):") && result.err.contains(" (byte "))
    #expect(result.err.split(separator: "\n").count == 3)
  }

  @Test(arguments: JSONTestSuite.sample("i_"))
  func `a file whose validity is implementation-defined has the chosen status and byte offset`(name: String) throws {
    let choice = try #require(JSONTestSuiteChoices.all[name])
    let result = try Self.result(name)
    if choice == "accept" {
      result.expect(err: "", status: 0)
      #expect(result.out.count(where: { $0 == 0x0A }) == 1)
      #expect(result.out.last == 0x0A)
    } else {
      let byte = try #require(choice.split(separator: "@").last)
      #expect(result.status == 2)
      #expect(result.out.isEmpty)
      #expect(result.err.contains("\(name):") && result.err.contains(" (byte \(byte))"))
    }
  }
}
