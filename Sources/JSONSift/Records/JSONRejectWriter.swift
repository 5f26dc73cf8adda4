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
///
/// # Nothing is lost without a word
///
/// ``write(_:file:)`` has handed the line to the system when it returns, so a program that ends, crashes or is killed loses
/// none that it has written. What the system does not take stays in memory and is tried again by the next call; each call
/// throws as long as that fails. ``close()`` reports what only closing a file shows.
///
/// # Going on later
///
/// A program that goes on where it was killed takes the place in this file together with that of its reader, and stores
/// both at once. The file is then cut off where the checkpoint stands: rejects of records that are read again are not there
/// twice.
///
/// ```swift
/// try save(reader.checkpoint, rejects.checkpoint())
/// var rejects = try JSONRejectWriter(path: "rejects.ndjson", resumingAt: saved)
/// ```
public struct JSONRejectWriter: ~Copyable {
  private var file: File?
  private var buffer: [UInt8] = []
  /// How much of the file is written, and the line behind it.
  private var reached: (byteOffset: Int, line: Int)
  private static let bufferBytes = 1 << 16

  /// Opens a file, and empties it or, with a checkpoint, goes on in it.
  ///
  /// - Parameters:
  ///   - path: The file. It is made if there is none.
  ///   - checkpoint: What ``checkpoint()`` of an earlier writer of this file returned. What stands behind it is removed.
  /// - Throws: ``JSONError/Code/unwritable``; also if the file is shorter than the checkpoint says, or no regular file: then
  ///   rejects from before the checkpoint are missing.
  public init(path: String, resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    try self.init(pathBytes: Array(path.utf8), resumingAt: checkpoint)
  }

  /// The same, by its URL.
  public init(_ url: URL, resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    try self.init(pathBytes: url.filePath(for: .unwritable), resumingAt: checkpoint)
  }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public init(pathBytes path: [UInt8], resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    reached = (checkpoint?.byteOffset ?? 0, checkpoint?.line ?? 1)
    var size: Int?
    do throws(File.Failure) {
      let file = try File(writing: path, checkpoint == nil ? .emptied : .kept)
      size = file.regularSize()
      if let checkpoint, let size, size >= checkpoint.byteOffset { try file.truncate(to: checkpoint.byteOffset) }
      self.file = consume file
    } catch {
      throw JSONError(.unwritable, at: 0, system: error.number)
    }
    if let checkpoint, size.map({ $0 < checkpoint.byteOffset }) ?? true {
      throw JSONError(
        .unwritable, at: size ?? 0, .shortRejects(wanted: checkpoint.byteOffset, size: size))
    }
  }

  /// Writes to an open descriptor, from where it stands. It is not closed.
  public init(descriptor: Int32) {
    file = File(borrowing: descriptor)
    reached = (0, 1)
  }

  /// Adds a record. It is in the file when this returns.
  ///
  /// - Parameters:
  ///   - record: As a reader has handed it out.
  ///   - name: The file that the record comes from.
  /// - Throws: ``JSONError/Code/unwritable``. The line, or the part of it that was not written, is kept; the next call
  ///   writes it first.
  /// - Complexity: O(length of the line), and one write of the system.
  public mutating func write(_ record: JSONBadRecord, file name: String) throws(JSONError) {
    buffer += Self.line(record, file: name)
    try flush()
  }

  /// Adds what ``line(_:file:)`` has made. It may stay in memory until ``flush()``.
  package mutating func write(lines: ArraySlice<UInt8>) throws(JSONError) {
    buffer += lines
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes what an earlier call could not.
  ///
  /// - Throws: ``JSONError/Code/unwritable``. What was not written is kept.
  public mutating func flush() throws(JSONError) {
    guard !buffer.isEmpty else { return }
    var written = 0
    defer {
      unsafe buffer.withUnsafeBytes { bytes in
        reached.byteOffset += written
        reached.line += unsafe ByteScan.countLineFeeds(UnsafeRawBufferPointer(rebasing: bytes[..<written]))
      }
      buffer.removeSubrange(..<written)
    }
    do throws(File.Failure) {
      try unsafe buffer.span.withUnsafeBytes { (bytes) throws(File.Failure) in
        try unsafe file?.write(bytes, from: &written)
      }
    } catch {
      throw JSONError(.unwritable, at: reached.byteOffset + written, system: error.number)
    }
  }

  /// The place behind the last reject, once all of them are written. To be stored together with the checkpoint of the
  /// reader, and given to ``init(path:resumingAt:)``. Its line is the number of rejects plus one.
  ///
  /// The rejects before it survive the end of the process, not of the system: a file that has lost some of them is refused
  /// when it is resumed.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public mutating func checkpoint() throws(JSONError) -> JSONCheckpoint {
    try flush()
    return LinePosition(offset: reached.byteOffset, line: reached.line).checkpoint
  }

  /// Writes what is left and closes the file. A writer that goes away without this is closed too, but has nobody to tell if
  /// that fails.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public consuming func close() throws(JSONError) {
    try flush()
    do throws(File.Failure) {
      try file.take()?.finish()
    } catch {
      throw JSONError(.unwritable, at: reached.byteOffset, system: error.number)
    }
  }

  deinit {
    // What is left has been told as an error, or nobody has asked for it to be written yet.
    guard !buffer.isEmpty else { return }
    unsafe buffer.withUnsafeBytes { bytes in _ = try? unsafe file?.write(bytes) }
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
