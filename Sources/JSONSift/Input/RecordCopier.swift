/// Copies the tokens of validated records, so that no document is built only to be written again. Each record becomes a line.
final class RecordCopier {
  private let layout: JSONWriterOptions
  private var lines: TokenCopier
  private var output = ByteBuffer(capacity: 256)

  init(_ layout: JSONWriterOptions) {
    self.layout = layout
    lines = TokenCopier(layout, hasLines: true)
  }

  /// Copies complete lines.
  func copy(lines bytes: UnsafeRawBufferPointer) { unsafe lines.copy(bytes, to: &output) }

  /// Copies one record, which may span several lines.
  func copy(record bytes: UnsafeRawBufferPointer) {
    var record = TokenCopier(layout)
    unsafe record.copy(bytes, to: &output)
    output.append(ASCII.lineFeed)
  }

  /// Passes the copied text, and clears it. Returns `false` if there is none.
  func borrow(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard output.count > 0 else { return false }
    unsafe output.withBytes { unsafe body($0) }
    output.removeAll(keepingAtMost: Self.keptOutput)
    return true
  }

  private static let keptOutput = Sizes.of(4 << 20, fuzzing: 32)
}

extension JSONRecordReader {
  /// Switches to copying: from now on the reader copies records that are JSON, and returns null for them.
  ///
  /// - Parameters:
  ///   - layout: The output format; ``TokenCopier/copies(_:)`` must be true for it.
  ///   - oneByOne: Whether there is one null for each record. Otherwise one null represents all lines of one read.
  mutating func copyValidated(as layout: JSONWriterOptions, oneByOne: Bool = false) {
    if !oneByOne {
      skipValidated()
    } else {
      guard validateRecords() else { return }
    }
    lane = .copies(RecordCopier(layout))
  }

  /// Passes the text of the next record, from its first byte to its last. Returns `false` at the end. A validated record is
  /// passed without building a document. The text may have line breaks between tokens.
  ///
  /// - Throws: The errors of ``next()``.
  mutating func borrowNext(_ body: (UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    if case .documents = lane {
      lane = .texts
      if validation == nil { _ = validateRecords() }
    }
    borrowedRange = 0..<0
    guard let record = try next() else { return false }
    guard !borrowedRange.isEmpty else {
      unsafe record.value.borrowRawBytes(body)
      return true
    }
    // The record is at the start of the window until the next one is read.
    unsafe body(UnsafeRawBufferPointer(rebasing: window.bytes[borrowedRange]))
    return true
  }

  /// Ends the passing of texts: the next records are documents again.
  mutating func buildDocuments() { if case .texts = lane { lane = .documents } }

  /// Copies, passes or skips a record that is JSON, if the caller needs no value. Returns whether it did.
  mutating func handlesText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let passes = validation?.use == .skippedRecords
    switch lane {
    case .fields: return false
    case .documents where !passes, .tapeWords where !passes: return false
    default: break
    }
    guard unsafe isValidated(bytes, from: start) else { return false }
    if case .copies(let copier) = lane { unsafe copier.copy(record: UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    if case .texts = lane, !passes { borrowedRange = unsafe bytes.rangeWithoutBlanks(from: start) }
    return true
  }

  /// Passes the text of the records that the last null represents. Returns `false` if the last result was a record.
  mutating func borrowCopied(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool { unsafe copier?.borrow(body) ?? false }
}

extension UnsafeRawBufferPointer {
  /// Returns the range of the bytes from `start` on without the white space at both ends. At least one byte is left.
  func rangeWithoutBlanks(from start: Int) -> Range<Int> {
    var range = start..<count
    while unsafe range.count > 1 && self[range.upperBound - 1].isJSONWhitespace { range.removeLast() }
    while unsafe range.count > 1 && self[range.lowerBound].isJSONWhitespace { range.removeFirst() }
    return range
  }
}
