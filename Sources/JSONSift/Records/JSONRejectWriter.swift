#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes bad records to a file, to be inspected, repaired and read again: one JSON object on each line.
///
/// ```text
/// {"file":"app.log","line":7,"byteOffset":1041,"offset":1041,"length":58,"error":"expected a value, found '}'","raw":"{\"a\":}"}
/// ```
///
/// `raw` contains the bytes of the record if they are UTF-8; otherwise `rawBase64` contains them in Base64. With
/// `"truncated":true` they are only the first bytes. In all cases the record is `length` bytes of the file from byte
/// `byteOffset` on; `offset` is the same number under another name.
///
/// # No silent losses
///
/// When ``write(_:from:)`` returns, the line has been passed to the system: a program that ends, crashes or is killed loses
/// no line that it has written. Bytes that the system does not accept stay in memory, and the next call tries again; each
/// call throws as long as that fails. ``close()`` reports errors that only closing a file reveals.
/// Other processes must not shorten the file: the offsets of checkpoints stay true, so zero bytes fill what was removed.
///
/// # Resuming later
///
/// A program that resumes after it was killed stores the checkpoint of this file together with the checkpoint of its reader,
/// in one atomic step. The file is then truncated at the checkpoint, so that rejects of records that are read again do not
/// appear twice.
///
/// ```swift
/// try save(reader.checkpoint, rejects.checkpoint())
/// var rejects = try JSONRejectWriter(path: "rejects.ndjson", resumingAt: saved)
/// ```
public struct JSONRejectWriter: ~Copyable {
  private var file: File?
  /// The name of the file, for errors.
  private let name: String?
  private var buffer: [UInt8] = []
  /// The number of bytes written to the file, and the line after them.
  private var reached: (byteOffset: Int, line: Int)
  private static let bufferBytes = 1 << 16

  /// Opens a file, and empties it or, with a checkpoint, continues it.
  ///
  /// - Parameters:
  ///   - path: The file. It is created if it does not exist.
  ///   - checkpoint: The result of ``checkpoint()`` of an earlier writer of this file. Bytes after it are removed.
  /// - Throws: ``JSONError/Code/unwritable`` if the file cannot be opened. With a checkpoint, also if rejects before it are
  ///   missing: the file is shorter than the checkpoint, or is not a regular file.
  public init(path: String, resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    try self.init(pathBytes: Array(path.utf8), resumingAt: checkpoint)
  }

  /// Opens a file, by its URL.
  public init(_ url: URL, resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    try self.init(pathBytes: url.filePath(for: .unwritable), resumingAt: checkpoint)
  }

  /// Opens a file, by the bytes of its name: a file name need not be UTF-8.
  public init(pathBytes path: [UInt8], resumingAt checkpoint: JSONCheckpoint? = nil) throws(JSONError) {
    let name = String(decoding: path, as: UTF8.self)
    self.name = name
    reached = (checkpoint?.byteOffset ?? 0, checkpoint?.line ?? 1)
    var size: Int?
    do throws(File.Failure) {
      let file = try File(writing: path, checkpoint == nil ? .emptied : .kept)
      size = file.regularSize()
      if let checkpoint, let size, size >= checkpoint.byteOffset { try file.truncate(to: checkpoint.byteOffset) }
      self.file = consume file
    } catch {
      throw JSONError(.unwritable, at: 0, system: error.number).naming(name)
    }
    if let checkpoint, size.map({ $0 < checkpoint.byteOffset }) ?? true {
      throw JSONError(.unwritable, at: size ?? 0, .shortRejects(wanted: checkpoint.byteOffset, size: size)).naming(name)
    }
  }

  /// Writes to an open descriptor, from its current position. The descriptor is not closed.
  public init(descriptor: Int32) {
    file = File(borrowing: descriptor)
    name = nil
    reached = (0, 1)
  }

  /// Writes a record. It is in the file when the method returns.
  ///
  /// - Parameters:
  ///   - record: The bad record, as returned by a reader.
  ///   - name: The file that contains the record.
  /// - Throws: ``JSONError/Code/unwritable``. The line, or the unwritten part of it, is kept; the next call writes it first.
  /// - Complexity: O(length of the line), and one system call for writing.
  public mutating func write(_ record: JSONBadRecord, from name: String) throws(JSONError) {
    buffer += Self.line(record, file: name)
    try flush()
  }

  /// Appends lines made by ``line(_:file:)``. They may stay in memory until ``flush()``.
  package mutating func write(lines: ArraySlice<UInt8>) throws(JSONError) {
    buffer += lines
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes the bytes that an earlier call could not write.
  ///
  /// - Throws: ``JSONError/Code/unwritable``. Unwritten bytes are kept.
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
      throw JSONError(.unwritable, at: reached.byteOffset + written, system: error.number).naming(name)
    }
  }

  /// Writes all rejects, and returns the position after the last one. Store it together with the checkpoint of the reader,
  /// and pass it to ``init(path:resumingAt:)``. Its line is the number of rejects plus one.
  ///
  /// The rejects before it survive a crash of the process, but may be lost in a crash of the system. In that case
  /// ``init(path:resumingAt:)`` throws.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public mutating func checkpoint() throws(JSONError) -> JSONCheckpoint {
    try flush()
    return LinePosition(offset: reached.byteOffset, line: reached.line).checkpoint
  }

  /// Writes the remaining bytes and closes the file. A writer that is released without this call closes the file too, but
  /// cannot report a failure.
  ///
  /// - Throws: ``JSONError/Code/unwritable``.
  public consuming func close() throws(JSONError) {
    try flush()
    try File.Failure.converting(try file.take()?.finish()) {
      JSONError(.unwritable, at: reached.byteOffset, system: $0.number).naming(name)
    }
  }

  deinit {
    // The remaining bytes were reported in an error, or have not been flushed yet.
    guard !buffer.isEmpty else { return }
    unsafe buffer.withUnsafeBytes { bytes in _ = try? unsafe file?.write(bytes) }
  }

  /// Returns the line of a record, with its line feed.
  public static func line(_ record: JSONBadRecord, file name: String) -> [UInt8] {
    line(record, file: name, hidingText: false)
  }

  /// - Parameter hidesText: Whether the bytes of the record are left out.
  package static func line(_ record: JSONBadRecord, file name: String, hidingText hidesText: Bool) -> [UInt8] {
    var text = Array("{\"file\":".utf8)
    append(name, to: &text)
    text += ",\"line\":\(record.line),\"byteOffset\":\(record.byteRange.lowerBound),".utf8
    appendMembers(of: record, hidingText: hidesText, to: &text)
    text += "}\n".utf8
    return text
  }

  /// Returns a JSON object with the members of the line of a record from `offset` on: these depend on the record only.
  package static func object(_ record: JSONBadRecord) -> [UInt8] {
    var text = [ASCII.openBrace]
    appendMembers(of: record, hidingText: false, to: &text)
    text.append(ASCII.closeBrace)
    return text
  }

  private static func appendMembers(of record: JSONBadRecord, hidingText hidesText: Bool, to text: inout [UInt8]) {
    text += "\"offset\":\(record.byteRange.lowerBound)".utf8
    text += ",\"length\":\(record.byteRange.count),\"error\":".utf8
    append(record.error.message, to: &text)
    guard !hidesText else { return }
    if let raw = rawText(record) {
      text += ",\"raw\":".utf8
      append(raw, to: &text)
    } else {
      text += ",\"rawBase64\":\"".utf8
      text += Data(record.rawBytes).base64EncodedData()
      text.append(ASCII.quote)
    }
    if record.isTruncated { text += ",\"truncated\":true".utf8 }
  }

  /// Returns the raw bytes as text, if they are UTF-8. A character that the limit has cut is left out.
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
