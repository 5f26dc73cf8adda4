import Foundation

/// A document to measure.
struct Corpus {
  let name: String
  let bytes: [UInt8]

  /// The files that were named, or else the corpora of the test data, or else a document of our own.
  static func load(_ files: [String], report: Report) throws -> [Corpus] {
    if !files.isEmpty { return try files.map(read) }
    let folder = folder
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".json") }.sorted()
    if !names.isEmpty { return try names.map { try read(folder + "/" + $0) } }
    report.note("no corpora in \(folder): using a generated document; see README.md, or name files")
    var records = LogRecords(.long)
    return [Corpus(name: "generated", bytes: records.document(of: 2_000_000))]
  }

  static var folder: String {
    (ProcessInfo.processInfo.environment["JSONSIFT_TEST_DATA"] ?? "../shared/data") + "/corpora"
  }

  private static func read(_ path: String) throws -> Corpus {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let name = URL(fileURLWithPath: path).lastPathComponent
    return Corpus(name: name.hasSuffix(".json") ? String(name.dropLast(5)) : name, bytes: Array(data))
  }
}
