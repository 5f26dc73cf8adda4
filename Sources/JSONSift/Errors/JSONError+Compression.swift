extension JSONError {
  /// Creates the error for compressed data in an input that must be text.
  ///
  /// - Parameter isInside: Whether the input was decompressed already, and its content is compressed again.
  init(compressed format: CompressedFormat, isInside: Bool = false) {
    self.init(.compressedInput, at: 0, .compressed(format: format.description, isInside: isInside))
  }
}
