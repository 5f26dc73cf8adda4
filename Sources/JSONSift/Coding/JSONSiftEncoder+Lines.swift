extension JSONSiftEncoder {
  /// The size of a chunk, in bytes.
  private static let chunk = Sizes.of(1 << 16, fuzzing: 32)

  /// Writes values as NDJSON, one line for each value: ``outputFormatting`` adds no line breaks.
  ///
  /// ```swift
  /// try encoder.writeLines(events) { try handle.write(contentsOf: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values. The next one is requested when the last one is encoded.
  ///   - write: Receives complete lines, in chunks of about 64 KiB. A line that is longer is part of one chunk.
  /// - Throws: `EncodingError`, and any error that `write` throws. The lines before the value that failed are written.
  public func writeLines<Values: Sequence>(
    _ values: Values, to write: ([UInt8]) throws -> Void
  ) throws where Values.Element: Encodable {
    let settings = lineSettings
    var lines: [UInt8] = []
    lines.reserveCapacity(Self.chunk)
    do {
      for value in values {
        try Self.appendLine(of: value, to: &lines, settings)
        guard lines.count >= Self.chunk else { continue }
        try write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    } catch let error as EncodingError {
      if !lines.isEmpty { try write(lines) }
      throw error
    }
    if !lines.isEmpty { try write(lines) }
  }

  /// Writes the values of an asynchronous sequence as NDJSON, as they arrive.
  ///
  /// The next value is requested after the last chunk is written: a slow `write` slows the source down, and at most one
  /// chunk is held in memory.
  ///
  /// ```swift
  /// try await encoder.writeLines(events) { try await socket.send($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - chunkBytes: The number of bytes to collect before a write. With 1 each line is written at once.
  ///   - isolation: The actor on which `values` is iterated and `write` runs. The default is the caller's.
  ///   - write: Receives complete lines.
  /// - Throws: `EncodingError`, and any error that `values` or `write` throws. The lines before the error are written,
  ///   except those of a `write` that throws.
  public func writeLines<Values: AsyncSequence>(
    _ values: Values, chunkBytes: Int = 1 << 16, isolation: isolated (any Actor)? = #isolation,
    to write: ([UInt8]) async throws -> Void
  ) async throws where Values.Element: Encodable {
    let settings = lineSettings
    var lines: [UInt8] = []
    var iterator = values.makeAsyncIterator()
    var failure: (any Error)?
    reading: while true {
      do {
        guard let value = try await iterator.next(isolation: isolation) else { break reading }
        try Self.appendLine(of: value, to: &lines, settings)
      } catch {
        failure = error
        break reading
      }
      guard lines.count >= chunkBytes else { continue }
      try await write(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if !lines.isEmpty { try await write(lines) }
    if let failure { throw failure }
  }
}
