extension JSON {
  /// The value as JSON text, in UTF-8.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/nonFiniteNumber`` for NaN and infinity, and
  ///   ``JSONError/Code/unsupportedValue`` for what is ``JSONType/unknown``.
  /// - Complexity: O(size of the value). What was not changed is copied from its source.
  public func bytes(_ options: JSONWriterOptions = .compact) throws(JSONError) -> [UInt8] {
    var writer = ValueWriter(self, options)
    while try writer.fill(to: .max) {}
    return unsafe writer.withOutput { unsafe Array($0) }
  }

  /// Writes the value as JSON text, in UTF-8, piece by piece. No more than a piece of the text is held; with sorted keys the
  /// members of each open object are too.
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - sink: Gets the pieces, of about 64 KiB, in their order; a longer string or name can be in one piece. What it
  ///     throws ends the writing.
  /// - Throws: ``JSONError``, as ``bytes(_:)``; pieces have been handed out by then. And what `sink` throws.
  public func write(
    _ options: JSONWriterOptions = .compact, to sink: (RawSpan) throws(JSONError) -> Void
  ) throws(JSONError) {
    var writer = ValueWriter(self, options)
    var isOpen = true
    while isOpen {
      isOpen = try writer.fill(to: ValueWriter.piece)
      try unsafe writer.withOutput { (bytes) throws(JSONError) in
        if unsafe !bytes.isEmpty { try unsafe sink(bytes.bytes) }
      }
      writer.discardOutput()
    }
  }
}

extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
  /// Of an array or object its text, with a line for each element and member, as SwiftyJSON documents it; of a scalar
  /// ``stringValue``, and `null`. `unknown` of a value that cannot be written.
  public var description: String {
    switch type {
    case .null: return "null"
    case .unknown: return "unknown"
    case .array, .dictionary:
      guard let bytes = try? bytes(.documented(isPretty: true)) else { return "unknown" }
      return unsafe bytes.withUnsafeBytes { unsafe String(utf8: $0) }
    default: return stringValue
    }
  }

  /// ``description``.
  public var debugDescription: String { description }
}

extension JSONWriterOptions {
  /// The bytes that the documented interface gives.
  package static func documented(isPretty: Bool) -> JSONWriterOptions {
    var options = JSONWriterOptions()
    options.isPretty = isPretty
    options.slashes = .escaped
    options.spelling = .normalized
    return options
  }
}
