#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// Returns the value as JSON text in UTF-8.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/nonFiniteNumber`` for NaN and infinity, and
  ///   ``JSONError/Code/unsupportedValue`` for a value of ``JSONType/unknown``.
  /// - Complexity: O(size of the value). Unchanged parts are copied from their source.
  public func bytes(_ options: JSONWriterOptions = .compact) throws(JSONError) -> [UInt8] {
    var writer = ValueWriter(self, options)
    while try writer.fill(to: .max) {}
    return unsafe writer.withOutput { unsafe Array($0) }
  }

  /// Writes the value as JSON text in UTF-8, in chunks. Memory is bounded by one chunk of the text; with sorted keys also by
  /// the members of each open object.
  ///
  /// - Parameters:
  ///   - options: The format of the text.
  ///   - sink: Receives the chunks in order, about 64 KiB each. A longer string or name can be one chunk.
  /// - Throws: ``JSONError``, as ``bytes(_:)`` does. The sink may have received chunks by then.
  public func write(_ options: JSONWriterOptions = .compact, to sink: (RawSpan) -> Void) throws(JSONError) {
    _ = try chunks(options, sink)
  }

  /// Writes the value as JSON text in UTF-8, in chunks, to a sink that can throw any error.
  ///
  /// ```swift
  /// try json.write { chunk in try connection.send(chunk) }
  /// ```
  ///
  /// - Parameters:
  ///   - options: The format of the text.
  ///   - sink: Receives the chunks, as in the other overload. An error that it throws ends the writing.
  /// - Throws: The error of `sink`, unchanged. ``JSONError`` for a value that cannot be written, as ``bytes(_:)`` does.
  public func write<SinkError: Error>(
    _ options: JSONWriterOptions = .compact, to sink: (RawSpan) throws(SinkError) -> Void
  ) throws {
    try chunks(options, sink).get()
  }

  /// Writes the value to a file and replaces its content. Memory is bounded as with a sink.
  ///
  /// The text is written to a temporary file in the folder of the target, synchronized to disk, and moved to the target
  /// atomically. After an error the target is unchanged. A value that was read from the file, or is mapped from it, can be
  /// written back to it. A target that is not a regular file, such as a FIFO, is written to directly.
  ///
  /// - Parameters:
  ///   - options: The format of the text.
  ///   - path: The path of the file. An existing file keeps its mode.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unwritable`` if the system reports an error, or as ``bytes(_:)``
  ///   does.
  public func write(_ options: JSONWriterOptions = .compact, to path: String) throws(JSONError) {
    try write(options, toFile: Array(path.utf8))
  }

  /// Writes the value to the file of a URL; see ``write(_:to:)-(_,String)``.
  public func write(_ options: JSONWriterOptions = .compact, to url: URL) throws(JSONError) {
    try write(options, toFile: url.filePath(for: .unwritable))
  }

  /// Writes the value to an open descriptor at its current position: a socket, a pipe, standard output. The descriptor is
  /// not closed. The thread blocks until the descriptor accepts the bytes.
  ///
  /// - Parameters:
  ///   - options: The format of the text.
  ///   - descriptor: The file descriptor to write to.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unwritable`` if the system reports an error, or as ``bytes(_:)``
  ///   does.
  public func write(_ options: JSONWriterOptions = .compact, to descriptor: Int32) throws(JSONError) {
    let file = File(borrowing: descriptor)
    let written = try chunks(options) { (chunk) throws(File.Failure) in
      try unsafe chunk.withUnsafeBytes { (chunk) throws(File.Failure) in try unsafe file.write(chunk) }
    }
    if case .failure(let error) = written { throw JSONError(.unwritable, at: 0, system: error.number) }
  }

  private func write(_ options: JSONWriterOptions, toFile path: [UInt8]) throws(JSONError) {
    func failed(_ error: File.Failure) -> JSONError {
      JSONError(.unwritable, at: 0, system: error.number).naming(String(decoding: path, as: UTF8.self))
    }
    let file = try File.Failure.converting(try ReplacementFile(path), failed)
    let written = try chunks(options) { (chunk) throws(File.Failure) in
      try unsafe chunk.withUnsafeBytes { (chunk) throws(File.Failure) in try unsafe file.write(chunk) }
    }
    do throws(File.Failure) {
      try written.get()
      try file.complete()
    } catch {
      throw failed(error)
    }
  }

  /// Passes the text to the sink in chunks. An error of the sink ends the writing and is returned.
  private func chunks<SinkError: Error>(
    _ options: JSONWriterOptions, _ sink: (RawSpan) throws(SinkError) -> Void
  ) throws(JSONError) -> Result<Void, SinkError> {
    var writer = ValueWriter(self, options)
    var isOpen = true
    while isOpen {
      isOpen = try writer.fill(to: ValueWriter.chunk)
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
  /// The text of an array or object, with one line for each element and member, as in SwiftyJSON; ``stringValue`` of a
  /// scalar; `null` for null. `unknown` for a value that cannot be written.
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

  /// The same as ``description``.
  public var debugDescription: String { description }
}

extension JSONWriterOptions {
  /// The options for the same bytes as SwiftyJSON writes.
  package static func swiftyJSONCompatible(isPretty: Bool) -> JSONWriterOptions {
    var options = JSONWriterOptions()
    options.isPretty = isPretty
    options.slashes = .escaped
    options.spelling = .normalized
    return options
  }
}
