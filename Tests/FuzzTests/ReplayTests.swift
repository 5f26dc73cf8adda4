import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The corpus of the fuzz targets and their past findings, without a sanitizer and with normal sizes.
@Suite struct ReplayTests {
  /// The inputs of each target in `Fuzz/corpus.tar`, whose files are TARGET/NAME.
  private static let corpus = Result {
    let files = try TarArchive(PackageFiles.bytes(of: "Fuzz/corpus.tar")).files
    return Dictionary(grouping: files) { String($0.path.prefix { $0 != "/" }) }
  }

  private static func past(_ target: String) -> [(path: String, bytes: [UInt8])] {
    let folder = PackageFiles.root.appending(path: "Fuzz/past/\(target)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name))).map { ("past/\(target)/\(name)", [UInt8]($0)) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `no input of the corpus and no past finding makes results differ`(target: String) throws {
    let target = try #require(FuzzTarget.named(target))
    let stored = try #require(try Self.corpus.get()[target.name])
    for (path, bytes) in stored + Self.past(target.name) {
      do {
        try target.check(bytes)
      } catch {
        Issue.record("\(path): \(error)")
      }
    }
  }

  @Test func `every target has a name of its own`() {
    #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
  }

  @Test func `every folder of the corpus and of past findings belongs to a target`() throws {
    let past = try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root.appending(path: "Fuzz/past").path)
    for folder in try Array(Self.corpus.get().keys) + past where !folder.hasPrefix(".") {
      #expect(FuzzTarget.named(folder) != nil, "\(folder)")
    }
  }

  @Test func `Fuzz/corpus.tsv says how many inputs and bytes each target has`() throws {
    let found = try Self.corpus.get().map { target, inputs in
      "\(target)\t\(inputs.count)\t\(inputs.reduce(0) { $0 + $1.bytes.count })"
    }
    let table = try String(decoding: PackageFiles.bytes(of: "Fuzz/corpus.tsv"), as: UTF8.self)
    #expect(table == (["target\tinputs\tbytes"] + found.sorted()).map { $0 + "\n" }.joined())
  }

  @Test(arguments: [0, 130, 150]) func `a damaged archive is not read`(place: Int) throws {
    var bytes = try PackageFiles.bytes(of: "Fuzz/corpus.tar")
    bytes[place] ^= 1
    #expect(throws: TarArchive.Damage.self) { try TarArchive(bytes) }
    #expect(throws: TarArchive.Damage.self) { try TarArchive(Array(bytes.prefix(700))) }
  }
}
