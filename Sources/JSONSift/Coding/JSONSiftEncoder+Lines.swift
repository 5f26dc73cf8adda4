extension JSONSiftEncoder {
  /// How many bytes are handed out at once.
  private static let piece = 1 << 16

  /// Writes values as NDJSON: a line for each, whatever ``outputFormatting`` says of line breaks.
  ///
  /// ```swift
  /// try encoder.writeLines(events) { try handle.write(contentsOf: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - values: What is written. No more of it is asked for than is written at once.
  ///   - write: Gets whole lines, in pieces of about 64 KiB; a longer line is one piece.
  /// - Throws: `EncodingError`, and what `write` throws. Lines before the value that failed have been written.
  public func writeLines<Values: Sequence>(
    _ values: Values, to write: ([UInt8]) throws -> Void
  ) throws where Values.Element: Encodable {
    let settings = lineSettings
    var lines: [UInt8] = []
    lines.reserveCapacity(Self.piece)
    do {
      for value in values {
        try Self.appendLine(of: value, to: &lines, settings)
        guard lines.count >= Self.piece else { continue }
        try write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    } catch let error as EncodingError {
      if !lines.isEmpty { try write(lines) }
      throw error
    }
    if !lines.isEmpty { try write(lines) }
  }

  /// Writes values as NDJSON as they come.
  ///
  /// The next value is asked for when the last piece is written: who writes slowly slows the source down, and no more
  /// than a piece is held.
  ///
  /// ```swift
  /// try await encoder.writeLines(events) { try await socket.send($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - values: What is written.
  ///   - pieceBytes: How much is collected before it is written. With 1 each line is written at once.
  ///   - isolation: Where `values` is asked and `write` runs: that of the caller.
  ///   - write: Gets whole lines.
  /// - Throws: `EncodingError`, what `values` throws, and what `write` throws. Lines before that have been written, but
  ///   for those that `write` has thrown at.
  public func writeLines<Values: AsyncSequence>(
    _ values: Values, pieceBytes: Int = 1 << 16, isolation: isolated (any Actor)? = #isolation,
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
      guard lines.count >= pieceBytes else { continue }
      try await write(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if !lines.isEmpty { try await write(lines) }
    if let failure { throw failure }
  }
}
