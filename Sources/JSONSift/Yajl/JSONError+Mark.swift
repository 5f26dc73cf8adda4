extension JSONError {
  /// Returns the error with a byte order mark named as what it is, if its byte begins one.
  ///
  /// - Parameters:
  ///   - bytes: The text with the error.
  ///   - offset: The offset of the text in the input.
  func namingMark(in bytes: UnsafeRawBufferPointer, at offset: Int) -> JSONError {
    guard var found, found.byte == ByteOrderMark.bytes[0], byteOffset >= offset, byteOffset - offset <= bytes.count,
      unsafe ByteOrderMark.begins(UnsafeRawBufferPointer(rebasing: bytes[(byteOffset - offset)...]))
    else { return self }
    found.isMark = true
    return JSONError(code, at: byteOffset, found: found, expected: expected)
  }
}
