extension JSONError {
  /// Creates the error for compressed data in an input that must be text.
  ///
  /// - Parameter isInside: Whether the input was decompressed already, and its content is compressed again.
  init(compressed format: CompressedFormat, isInside: Bool = false) {
    self.init(.compressedInput, at: 0, .compressed(format: format.description, isInside: isInside))
  }

  /// Creates the error of data that is recognised, but not read.
  init(foreign format: CompressedFormat, isInside: Bool) {
    // The first byte that no JSON text has: the one of a text without a mark can be behind a bracket.
    let wrong = format.isEncoding ? format.marks.first?.firstIndex { $0.byte == 0 || $0.byte >= 0x80 } : nil
    self.init(
      format.isEncoding ? .foreignEncoding : .compressedInput, at: wrong ?? 0,
      .foreign(
        format: format.description, converter: format.converter, isEncoding: format.isEncoding, isInside: isInside))
  }

  /// The command that converts data that is not read, and whether it must be decompressed before; `nil` if none is known.
  package var converter: (command: String, isInside: Bool)? {
    guard case .foreign(_, let command?, _, let isInside) = payload else { return nil }
    return (command, isInside)
  }

  /// The name of the compressed format that was found.
  package var compressedFormat: String? {
    switch payload {
    case .compressed(let format, _): format
    case .foreign(let format, _, isEncoding: false, _): format
    default: nil
    }
  }
}
