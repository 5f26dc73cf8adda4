import Foundation
import JSONSift
import JSONSiftAnalysis
import JSONSiftArrow

// analysis: the products above the library in a program outside of the package: the shape of a log, the blocks of a file that
// can satisfy a condition, and its columns as a stream of Arrow.

let lines = (0..<1000).map { "{\"id\":\($0),\"name\":\"n\($0 % 7)\"}\n" }.joined()
let file = FileManager.default.temporaryDirectory.appendingPathComponent("analysis-\(UUID().uuidString).ndjson")

// Readers in global variables would be reported as leaks: see Scripts/Support/check-consumers.sh.
func analyze() throws -> Bool {
  var shape = try JSONShape.Reader(.path(file.path))
  while try shape.next() {}
  let paths = shape.takeShape().paths.map(\.path)

  let index = try JSONBlockIndex(of: file.path, paths: ["$.id"])
  let found = index.ranges(where: try JSONCondition("@.id == 4711"))

  guard var writer = ArrowStreamWriter([ArrowColumn("id", .int64), ArrowColumn("name", .utf8)]) else { return false }
  var reader = try JSONRecordReader(.path(file.path))
  while let record = try reader.next() { writer.append([record.value["id"], record.value["name"]]) }
  writer.finish()
  let bytes = writer.takeBytes()

  // Each row has a number of 8 bytes, an offset of 4, and a text of 2.
  guard paths == ["$", "$.id", "$.name"], found.count == 1, found[0].lowerBound == lines.utf8.count,
    writer.rowCount == 1000, bytes.count > 14_000
  else {
    print("shape \(paths), ranges \(found), \(writer.rowCount) rows in \(bytes.count) bytes")
    return false
  }
  print("shape, index and columns of \(writer.rowCount) records")
  return true
}

try Data(lines.utf8).write(to: file)
let isRight = try analyze()
try FileManager.default.removeItem(at: file)
exit(isRight ? 0 : 1)
