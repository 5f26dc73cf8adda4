extension JSONError {
  /// Creates the error for compressed data in an input that must be text.
  ///
  /// - Parameter isInside: Whether the input was decompressed already, and its content is compressed again.
  init(compressed format: CompressedFormat, isInside: Bool = false) {
    let expected =
      isInside
      ? "expected JSON text inside the compressed input, found \(format) data again"
      : "expected JSON text, found \(format) data, which JSONSiftCompression reads, and jsift if it is built with "
        + "--traits Compression"
    self.init(.compressedInput, at: 0, expected: expected)
  }
}
