/// A block of lines, and a sketch of it for each path.
struct SketchedBlock: Sendable {
  let block: JSONBlockIndex.Block
  let lineFeeds: Int
  let sketches: [ValueSketch]
}

/// Makes the sketches of one block after another.
final class BlockSketcher {
  private var reader: JSONRecordReader
  private let paths: [JSONPath]
  private var sketchers: [ValueSketcher]

  /// How the records of an indexed file are read.
  static var options: JSONRecordOptions { JSONRecordOptions(framing: .lines, recovery: .report) }

  init(_ paths: [JSONPath]) throws(JSONError) {
    reader = try JSONRecordReader(blocks: Self.options)
    try reader.keep(only: paths)
    self.paths = paths
    sketchers = paths.map { _ in ValueSketcher() }
  }

  func read(_ block: LineBlock) throws(JSONError) -> SketchedBlock {
    reader.begin(block)
    defer { reader.end(block) }
    let isComplete = try readRecords()
    return SketchedBlock(
      block: JSONBlockIndex.Block(
        offset: block.offset, line: block.line, isUncertain: !isComplete || block.skippedBytes > 0),
      lineFeeds: block.end.line - block.line, sketches: sketchers.indices.map { sketchers[$0].finish() })
  }

  /// Adds the values of all records to the sketches. Returns whether all records are good.
  private func readRecords() throws(JSONError) -> Bool {
    var isComplete = true
    while true {
      let count = unsafe reader.lendRows { path, text in
        unsafe sketchers[path].add(text)
      } endRow: {
        true
      }
      if count > 0 { continue }
      guard let element = try reader.nextElement() else { return isComplete }
      switch element {
      case .record(let record):
        if !add(record.value) { isComplete = false }
      case .bad: isComplete = false
      }
    }
  }

  /// Adds the values of a record that the kernel does not accept. Returns whether all of them are known.
  private func add(_ record: JSON) -> Bool {
    do throws(JSONError) {
      let values = PathEvaluations(of: record, count: paths.count, limits: JSONLimits())
      for (number, path) in paths.enumerated() {
        guard let value = try values.value(ofSingular: path) else { continue }
        let text = try value.bytes()
        unsafe text.withUnsafeBytes { unsafe sketchers[number].add($0) }
      }
      return true
    } catch {
      return false
    }
  }
}
