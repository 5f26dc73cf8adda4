extension JSONError {
  /// The input is compressed, and whoever reads it takes text only.
  ///
  /// - Parameter isInside: It has been decompressed once, and here it is again.
  init(compressed format: CompressedFormat, isInside: Bool = false) {
    self.init(.compressedInput, at: 0, .compressed(format: format.description, isInside: isInside))
  }
}
