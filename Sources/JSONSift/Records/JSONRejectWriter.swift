#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes bad records down, so that they can be looked at, repaired and read again: one JSON object on each line.
///
/// ```text
/// {"file":"app.log","line":7,"byteOffset":1041,"offset":1041,"length":58,"error":"expected a value, found '}'","raw":"{\"a\":}"}
/// ```
///
/// `raw` are the bytes of the record where they are UTF-8; where they are not, `rawBase64` has them in Base64. Where
/// `"truncated":true` stands they are only the first bytes. Then, and always, the record is `length` bytes of the file
/// from byte `byteOffset` on; `offset` is the same number under another name.
public struct JSONRejectWriter: ~Copyable {
  private let file: File
  private var buffer: [UInt8] = []
  private static let bufferBytes = 1 << 16

  /// Opens a file, and empties it.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public init(path: String) throws(JSONError) { try self.init(pathBytes: Array(path.utf8)) }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public init(pathBytes path: [UInt8]) throws(JSONError) {
    do throws(File.Failure) {
      file = try File(writing: path)
    } catch {
      throw JSONError(.unwritable, at: 0, number: Int(error.number))
    }
  }

  /// Writes to an open descriptor, which is not closed.
  public init(descriptor: Int32) { file = File(borrowing: descriptor) }

  /// Adds a record. It may stay in memory until ``flush()``.
  ///
  /// - Parameters:
  ///   - record: As a reader has handed it out.
  ///   - name: The file that the record comes from.
  /// - Throws: ``JSONError/Code/unwritable``.
  public mutating func write(_ record: JSONBadRecord, file name: String) throws(JSONError) {
    try write(lines: Self.line(record, file: name)[...])
  }

  /// Adds what ``line(_:file:)`` has made.
  package mutating func write(lines: ArraySlice<UInt8>) throws(JSONError) {
    buffer += lines
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes what is in memory. A writer that goes away without it loses that.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public mutating func flush() throws(JSONError) {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    do throws(File.Failure) {
      try unsafe bytes.span.withUnsafeBytes { (bytes) throws(File.Failure) in try unsafe file.write(bytes) }
    } catch {
      throw JSONError(.unwritable, at: 0, number: Int(error.number))
    }
  }

  /// Writes what is in memory and closes the file. A writer that goes away without it closes the file too, and loses what is in
  /// memory and the error.
  ///
  /// - Throws: ``JSONError/Code/unwritable``, also where a full or distant disk says only now that it has not taken all bytes.
  public consuming func close() throws(JSONError) {
    try flush()
    do throws(File.Failure) {
      try file.finish()
    } catch {
      throw JSONError(.unwritable, at: 0, number: Int(error.number))
    }
  }

  /// The line of a record, with its line feed.
  public static func line(_ record: JSONBadRecord, file name: String) -> [UInt8] {
    var text = Array("{\"file\":".utf8)
    append(name, to: &text)
    text += ",\"line\":\(record.line),\"byteOffset\":\(record.byteRange.lowerBound)".utf8
    text += ",\"offset\":\(record.byteRange.lowerBound)".utf8
    text += ",\"length\":\(record.byteRange.count),\"error\":".utf8
    append(record.error.message, to: &text)
    if let raw = rawText(record) {
      text += ",\"raw\":".utf8
      append(raw, to: &text)
    } else {
      text += ",\"rawBase64\":\"".utf8
      text += Data(record.rawBytes).base64EncodedData()
      text.append(ASCII.quote)
    }
    if record.isTruncated { text += ",\"truncated\":true".utf8 }
    text += "}\n".utf8
    return text
  }

  /// The bytes as text, if they are. A character that the cap has cut is left out.
  private static func rawText(_ record: JSONBadRecord) -> String? {
    if let text = String(validating: record.rawBytes, as: UTF8.self) { return text }
    guard record.isTruncated else { return nil }
    let tail = unsafe record.rawBytes.withUnsafeBytes { unsafe ByteScan.incompleteTail($0) }
    return String(validating: record.rawBytes.dropLast(tail), as: UTF8.self)
  }

  private static func append(_ string: String, to text: inout [UInt8]) {
    // A string always has a JSON form.
    text += (try? JSON(string: string).bytes()) ?? Array("\"\"".utf8)
  }
}
