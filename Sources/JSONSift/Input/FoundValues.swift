/// Validates the values that a ``LineScan`` has found, and makes documents of them. Their memory is reused.
struct FoundValues: ~Copyable {
  private let options: JSONOptions
  private var scalars = ScalarBatch()
  private var containers: SubtreeParser
  private var record = ProjectedRecord()
  private var last: Document?

  init(_ options: JSONOptions) {
    self.options = options
    containers = SubtreeParser(options: options)
    last = nil
  }

  /// Returns one value.
  ///
  /// - Parameters:
  ///   - bytes: The text that contains it. It is proven to be JSON, or the value was validated.
  ///   - range: The range of the value in the text.
  ///   - offset: The offset of the value in the input.
  ///   - packedPath: The steps to the value from its record.
  mutating func value(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, at offset: Int, packedPath: [UInt8]
  ) throws(JSONError) -> JSON {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    let document = Document.reusing(&last)
    unsafe packedPath.withUnsafeBytes {
      unsafe document.setSource(copying: text, origin: offset, packedLocation: $0)
    }
    if unsafe text[0].opensContainer {
      guard unsafe containers.parse(bytes, range, at: offset, depth: 1, isProven: true) else {
        // A proven value is never rejected.
        throw JSONError(.unexpectedByte, at: offset)
      }
      unsafe document.setTape(copying: UnsafeRawBufferPointer(containers.batch.words))
    } else {
      document.setTape(scalar: unsafe TapeWord(scalarIn: text, 0..<text.count).bits)
    }
    return JSON(document, Document.root)
  }

  /// Returns the document of the values found in one record; `nil` if the record must be parsed as a whole.
  ///
  /// - Parameters:
  ///   - found: The indices of the values in the scan.
  ///   - scan: The scan.
  ///   - trie: The queries.
  ///   - bytes: The record, and the text before it.
  ///   - first: The index in the bytes at which the record begins.
  ///   - start: The offset of the bytes in the scanned text.
  ///   - offset: The offset of the bytes in the input.
  mutating func document(
    of found: Range<Int>, _ scan: borrowing LineScan, _ trie: borrowing QueryTrie, _ bytes: UnsafeRawBufferPointer,
    from first: Int, _ start: Int, at offset: Int
  ) -> Document? {
    record.begin(at: first)
    for index in found {
      let value = scan[index]
      let range = (value.range.lowerBound - start)..<(value.range.upperBound - start)
      guard unsafe record.append(bytes, range, trie.branches[value.branch], &containers) else { return nil }
    }
    var end = bytes.count
    while end > first + 1, unsafe bytes[end - 1] <= ASCII.space { end -= 1 }
    record.end(before: end)
    guard record.tapeBytes <= options.limits.effectiveTapeBytes else { return nil }
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: UnsafeRawBufferPointer(rebasing: bytes[..<record.sourceEnd]), origin: offset)
    unsafe record.withTape { unsafe document.setTape(copying: $0) }
    return document
  }

  /// Returns whether all values of a scan are valid.
  ///
  /// - Parameter bytes: The scanned text.
  mutating func areValid(
    _ scan: borrowing LineScan, _ trie: borrowing QueryTrie, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    defer { scalars.removeAll() }
    for index in 0..<scan.count {
      let value = scan[index]
      guard !value.range.isEmpty else { continue }
      if unsafe bytes[value.range.lowerBound].opensContainer {
        // The depth counts from the record, so the depth limit applies to the record.
        guard unsafe containers.parse(bytes, value.range, at: 0, depth: trie.branches[value.branch].depth) else {
          return false
        }
      } else {
        unsafe scalars.append(bytes, value.range, isMember: true)
      }
    }
    return scalars.count == 0 || scalars.areValid(values: &containers)
  }
}
