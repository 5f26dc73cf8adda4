/// Copies the tokens of records that are proven, so that no document is made to be written again. Each record is a line.
struct RecordCopier: ~Copyable {
  private let layout: JSONWriterOptions
  private var lines: TokenCopier
  private var output = ByteBuffer(capacity: 256)

  init(_ layout: JSONWriterOptions) {
    self.layout = layout
    lines = TokenCopier(layout, hasLines: true)
  }

  /// Copies whole lines.
  mutating func copy(lines bytes: UnsafeRawBufferPointer) { unsafe lines.copy(bytes, to: &output) }

  /// Copies one record, on however many lines it stands.
  mutating func copy(record bytes: UnsafeRawBufferPointer) {
    var record = TokenCopier(layout)
    unsafe record.copy(bytes, to: &output)
    output.append(ASCII.lineFeed)
  }

  /// Lends what was copied, and forgets it. `false` if there is nothing.
  mutating func lend(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard output.count > 0 else { return false }
    unsafe output.withBytes { unsafe body($0) }
    output.removeAll(keepingAtMost: Self.keptOutput)
    return true
  }

  private static let keptOutput = 4 << 20
}

extension JSONRecordReader {
  /// From now on records that are JSON are copied, and null is handed out for them.
  ///
  /// - Parameters:
  ///   - layout: How they are written; ``TokenCopier/copies(_:)`` holds.
  ///   - oneByOne: One null for each record, and not one for all lines that came with one read.
  mutating func copyProven(as layout: JSONWriterOptions, oneByOne: Bool = false) {
    if !oneByOne {
      passProven()
    } else {
      guard proveRecords() else { return }
    }
    copier = RecordCopier(layout)
  }

  /// Lends the text of the next record, from its first byte to its last. `false` at the end. Of a record that is proven no
  /// document is made. The text may have line breaks between tokens.
  ///
  /// - Throws: As ``next()``.
  package mutating func lendNext(_ body: (UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    if !lendsText {
      lendsText = true
      if proof == nil { _ = proveRecords() }
    }
    lentRange = 0..<0
    guard let record = try next() else { return false }
    guard !lentRange.isEmpty else {
      unsafe record.value.lendRawBytes(body)
      return true
    }
    // The record begins where the window does until the next one is asked for.
    unsafe body(UnsafeRawBufferPointer(rebasing: window.bytes[lentRange]))
    return true
  }

  /// Copies, lends or passes over a record that is JSON, if that is all that is wanted of it.
  mutating func handlesText(_ bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool) -> Bool {
    let passes = proof?.use == .passedRecords
    guard passes || lendsText || copier.isThere, projection == nil,
      unsafe isProven(bytes, from: start, isValidText: isValidText)
    else { return false }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    unsafe copier?.copy(record: text)
    guard lendsText, !passes else { return true }
    var range = start..<bytes.count
    while unsafe range.count > 1 && bytes[range.upperBound - 1].isJSONWhitespace { range.removeLast() }
    while unsafe range.count > 1 && bytes[range.lowerBound].isJSONWhitespace { range.removeFirst() }
    lentRange = range
    return true
  }

  /// Lends the text of the records for which null was handed out last. `false` if that was a record.
  mutating func lendCopied(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool { unsafe copier?.lend(body) ?? false }
}

extension Optional where Wrapped: ~Copyable {
  fileprivate var isThere: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}
