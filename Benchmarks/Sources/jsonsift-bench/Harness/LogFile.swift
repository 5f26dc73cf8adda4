/// A generated file of 1 KB records, with the answers. It is gone when the value is.
struct LogFile {
  let bytes: Int
  let answer: LogRecords.Answer
  private let file: TemporaryFile

  var path: String { file.path }

  /// One record on each line.
  init(lines count: Int, hasDecoys: Bool = false) throws {
    try self.init("\(count).ndjson", hasDecoys: hasDecoys) { try $0.lines(of: count, to: $1) }
  }

  /// All records in one document.
  init(document count: Int) throws {
    try self.init("\(count).json") { try $0.document(of: count, to: $1) }
  }

  /// Counts the bytes on the way.
  private init(
    _ name: String, hasDecoys: Bool = false,
    _ make: (inout LogRecords, @escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    var records = LogRecords(.long, hasDecoys: hasDecoys)
    var bytes = 0
    file = try TemporaryFile(name) { write in
      try make(&records) { block in
        bytes += block.count
        try write(block)
      }
    }
    self.bytes = bytes
    answer = records.answer
  }
}
