import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The corpus of the fuzz targets and their past findings, without a sanitizer and with normal sizes.
@Suite struct ReplayTests {
  private static func inputs(_ folder: String, _ target: String) -> [(name: String, bytes: [UInt8])] {
    let folder = PackageFiles.root.appending(path: "Fuzz/\(folder)/\(target)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name))).map { (name, [UInt8]($0)) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `no input of the corpus and no past finding makes results differ`(target: String) throws {
    let target = try #require(FuzzTarget.named(target))
    let inputs = Self.inputs("corpus", target.name) + Self.inputs("past", target.name)
    #expect(!inputs.isEmpty)
    for (name, bytes) in inputs {
      do {
        try target.check(bytes)
      } catch {
        Issue.record("\(target.name) \(name): \(error)")
      }
    }
  }

  @Test func `every target has a name of its own`() {
    #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
  }
}
