extension JSONError {
  /// The input is compressed, and whoever reads it takes text only.
  ///
  /// - Parameter isInside: It has been decompressed once, and here it is again.
  init(compressed format: CompressedFormat, isInside: Bool = false) {
    let expected =
      isInside
      ? "expected JSON text inside the compressed input, found \(format) data again"
      : "expected JSON text, found \(format) data, which JSONSiftCompression reads, and jsift if it is built with "
        + "--traits Compression"
    self.init(.compressedInput, at: 0, expected: expected)
  }
}
