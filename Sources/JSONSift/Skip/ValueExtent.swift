/// Finds the end of a value in a stream of values without validating it. The value is parsed afterwards as a whole.
package struct ValueExtent {
  private var scan: ValueScan?
  /// The number of bytes of the value that were scanned.
  private var scanned = 0

  package init() {}

  /// Continues scanning a value. Returns its length, or `nil` if the bytes do not contain its end.
  package mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let first = unsafe bytes.first else { return nil }
    if scan == nil {
      // No value begins with this byte. It becomes a value by itself, which the parser rejects.
      if first != ASCII.quote, !first.opensContainer, first.endsNumberOrLiteral { return 1 }
      scan = ValueScan(after: first)
      scanned = 1
    }
    let end = unsafe scan?.end(in: bytes, from: scanned)
    scanned = bytes.count
    return end
  }
}
