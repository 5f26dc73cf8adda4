extension JSONFraming {
  /// The whole input is one value.
  public static var document: JSONFraming { JSONFraming(DocumentFramer.self) }
}

final class DocumentFramer: RangeFramer {
  static let name = "document"
  static let stopReason: String? = "one document is one record"

  init() {}

  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) {
    reader.hasEnded = checkpoint.map { $0.byteOffset > 0 && $0.framing == .document } ?? false
  }

  func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? {
    guard reader.textLine == 0 else { return nil }
    let longest = reader.maxSearchLength
    while reader.window.count <= longest, try reader.window.fill() {}
    guard reader.window.isAtEnd || reader.window.count > longest else { return nil }
    reader.beginRecord()
    return reader.window.count > longest ? longest + 1 : reader.window.count
  }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    JSONCheckpoint(byteOffset: offset, line: 1, lineOffset: 0, framing: .document)
  }
}
