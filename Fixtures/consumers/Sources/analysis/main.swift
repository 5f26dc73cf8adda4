import Foundation
import JSONSift
import JSONSiftAnalysis
import JSONSiftArrow

// analysis: the products above the library in a program outside of the package: the shape of a log, the blocks of a file that
// can satisfy a condition, and its columns as a stream of Arrow.

let lines = (0..<1000).map { "{\"id\":\($0),\"name\":\"n\($0 % 7)\"}\n" }.joined()
let file = FileManager.default.temporaryDirectory.appendingPathComponent("analysis-\(UUID().uuidString).ndjson")
try Data(lines.utf8).write(to: file)
defer { try? FileManager.default.removeItem(at: file) }

var shape = try JSONShape.Reader(.path(file.path))
while try shape.next() {}
let paths = shape.takeShape().paths.map(\.path)

let index = try JSONBlockIndex(of: file.path, paths: ["$.id"])
let found = index.ranges(where: try JSONCondition("@.id == 4711"))

guard var writer = ArrowStreamWriter([ArrowColumn("id", .int64), ArrowColumn("name", .utf8)]) else { exit(1) }
var reader = try JSONRecordReader(.path(file.path))
while let record = try reader.next() { writer.append([record.value["id"], record.value["name"]]) }
writer.finish()
let bytes = writer.takeBytes()

guard paths == ["$", "$.id", "$.name"], found.count == 1, found[0].lowerBound == lines.utf8.count,
  writer.rowCount == 1000,
  bytes.count > 16_000
else {
  print("shape \(paths), ranges \(found), \(writer.rowCount) rows in \(bytes.count) bytes")
  exit(1)
}
print("shape, index and columns of \(writer.rowCount) records")
