#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// The value as JSON text, in UTF-8.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/nonFiniteNumber`` for NaN and infinity, and
  ///   ``JSONError/Code/unsupportedValue`` for what is ``JSONType/unknown``.
  /// - Complexity: O(size of the value). What was not changed is copied from its source.
  public func bytes(_ options: JSONWriterOptions = .compact) throws(JSONError) -> [UInt8] {
    var writer = ValueWriter(self, options)
    while try writer.fill(to: .max) {}
    return unsafe writer.withOutput { unsafe Array($0) }
  }

  /// Writes the value as JSON text, in UTF-8, piece by piece. No more than a piece of the text is held; with sorted keys the
  /// members of each open object are too.
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - sink: Gets the pieces, of about 64 KiB, in their order; a longer string or name can be in one piece.
  /// - Throws: ``JSONError``, as ``bytes(_:)``; pieces have been handed out by then.
  public func write(_ options: JSONWriterOptions = .compact, to sink: (RawSpan) -> Void) throws(JSONError) {
    switch try pieces(options, sink) {
    case .success: break
    }
  }

  /// The same for a sink that can fail, with any error of its own.
  ///
  /// ```swift
  /// try json.write { piece in try connection.send(piece) }
  /// ```
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - sink: Gets the pieces, as in the other form. What it throws ends the writing.
  /// - Throws: What `sink` throws, as it is. ``JSONError`` for a value that cannot be written, as ``bytes(_:)``.
  public func write<SinkError: Error>(
    _ options: JSONWriterOptions = .compact, to sink: (RawSpan) throws(SinkError) -> Void
  ) throws {
    switch try pieces(options, sink) {
    case .success: break
    case .failure(let error): throw error
    }
  }

  /// Writes the value into a file, which then holds nothing else. Memory is bounded as with a sink.
  ///
  /// The text is written beside the file, brought to the disk and put in its place as a whole: after an error the file is
  /// as it was, and a value that was read from the file, or is mapped from it, can be written back to it. What is no
  /// regular file, such as a FIFO, is written to as it is.
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - path: The file. A file that is there keeps its mode.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unwritable`` if the system refuses, or as ``bytes(_:)``.
  public func write(_ options: JSONWriterOptions = .compact, to path: String) throws(JSONError) {
    try write(options, toFile: Array(path.utf8))
  }

  /// Writes the value into the file of a URL; see ``write(_:to:)-(_,String)``.
  public func write(_ options: JSONWriterOptions = .compact, to url: URL) throws(JSONError) {
    try write(options, toFile: url.filePath(for: .unwritable))
  }

  /// Writes the value to an open descriptor, from where it stands: a socket, a pipe, standard output. It is not closed, and
  /// the thread is blocked while it takes no more.
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - descriptor: What is written to.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unwritable`` if the system refuses, or as ``bytes(_:)``.
  public func write(_ options: JSONWriterOptions = .compact, to descriptor: Int32) throws(JSONError) {
    let file = File(borrowing: descriptor)
    let written = try pieces(options) { (piece) throws(File.Failure) in
      try unsafe piece.withUnsafeBytes { (piece) throws(File.Failure) in try unsafe file.write(piece) }
    }
    if case .failure(let error) = written { throw JSONError(.unwritable, at: 0, system: error.number) }
  }

  private func write(_ options: JSONWriterOptions, toFile path: [UInt8]) throws(JSONError) {
    let file: ReplacementFile
    do throws(File.Failure) {
      file = try ReplacementFile(path)
    } catch {
      throw JSONError(.unwritable, at: 0, system: error.number)
    }
    let written = try pieces(options) { (piece) throws(File.Failure) in
      try unsafe piece.withUnsafeBytes { (piece) throws(File.Failure) in try unsafe file.write(piece) }
    }
    do throws(File.Failure) {
      try written.get()
      try file.complete()
    } catch {
      throw JSONError(.unwritable, at: 0, system: error.number)
    }
  }

  /// Hands out the text piece by piece. What the sink throws is returned, and ends the writing.
  private func pieces<SinkError: Error>(
    _ options: JSONWriterOptions, _ sink: (RawSpan) throws(SinkError) -> Void
  ) throws(JSONError) -> Result<Void, SinkError> {
    var writer = ValueWriter(self, options)
    var isOpen = true
    while isOpen {
      isOpen = try writer.fill(to: ValueWriter.piece)
      do throws(SinkError) {
        try unsafe writer.withOutput { (bytes) throws(SinkError) in
          if unsafe !bytes.isEmpty { try unsafe sink(bytes.bytes) }
        }
      } catch {
        return .failure(error)
      }
      writer.discardOutput()
    }
    return .success(())
  }
}

extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
  /// Of an array or object its text, with a line for each element and member, as SwiftyJSON documents it; of a scalar
  /// ``stringValue``, and `null`. `unknown` of a value that cannot be written.
  public var description: String {
    switch type {
    case .null: return "null"
    case .unknown: return "unknown"
    case .array, .dictionary:
      guard let bytes = try? bytes(.swiftyJSONCompatible(isPretty: true)) else { return "unknown" }
      return unsafe bytes.withUnsafeBytes { unsafe String(utf8: $0) }
    default: return stringValue
    }
  }

  /// ``description``.
  public var debugDescription: String { description }
}

extension JSONWriterOptions {
  /// The bytes that the documented interface gives.
  package static func swiftyJSONCompatible(isPretty: Bool) -> JSONWriterOptions {
    var options = JSONWriterOptions()
    options.isPretty = isPretty
    options.slashes = .escaped
    options.spelling = .normalized
    return options
  }
}
