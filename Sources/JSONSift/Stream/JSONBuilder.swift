/// Builds a value from a text in chunks: from the whole text, or from the values that some paths select.
///
/// ```swift
/// var builder = try JSONBuilder(.keeping(["$.meta", "$.records[*].user.id"]))
/// for chunk in chunks { try builder.feed(chunk) }
/// let json = try builder.finish()
/// json["records"][0]["user"]["id"].int
/// ```
///
/// A projected value contains the selected values and the arrays and objects that lead to them, and uses memory only for
/// these. It behaves like any other value: every accessor works on it. Elements and members that no path selects are
/// missing: the remaining elements of an array become adjacent. Its ``JSON/byteRange`` refers to the projected text, not to
/// the input.
///
/// Every byte of the input is validated, whatever is kept.
public struct JSONBuilder: ~Copyable {
  /// The part of a text that is kept.
  public enum Content: Sendable, Hashable {
    /// The whole text.
    case whole
    /// The values that the paths select. If nothing is selected, the value is null.
    case keeping([JSONPath])
  }

  private var projector: PathProjector
  /// Parses the whole text, if there is no traversal.
  private var parser: ChunkedParser
  private var traversal: ValidatingTraversal?

  /// Creates a builder of one value.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` if a path is an invalid literal or refers to the root inside a filter.
  public init(_ content: Content, options: JSONOptions = JSONOptions()) throws(JSONError) {
    let queries =
      switch content {
      case .whole: [PathQuery(isRelative: false, segments: [])]
      case .keeping(let paths): try paths.checked()
      }
    var made = try PathProjector(queries, limits: options.limits)
    parser = ChunkedParser(options: options)
    traversal = ValidationScan.isOn && !made.needsWholeText() ? ValidatingTraversal(options) : nil
    projector = made
  }

  /// Parses the next bytes.
  ///
  /// - Throws: ``JSONError`` if the text is invalid or exceeds a limit; every later call throws it again. A value that a
  ///   filter or another part of a path needs as a whole is limited by ``JSONLimits/recordBytes``.
  public mutating func feed(_ chunk: some Collection<UInt8>) throws(JSONError) {
    let fed = chunk.withContiguousStorageIfAvailable { bytes -> Result<Void, JSONError> in
      Result { () throws(JSONError) in try unsafe feed(UnsafeRawBufferPointer(bytes)) }
    }
    if let fed { return try fed.get() }
    let bytes = Array(chunk)
    try unsafe bytes.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe feed(bytes) }
  }

  mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    if traversal == nil {
      try unsafe parser.feed(bytes, into: &projector)
    } else {
      try unsafe traversal?.feed(bytes, into: &projector)
    }
  }

  /// Ends the text and returns the value; null if the paths select nothing.
  public consuming func finish() throws(JSONError) -> JSON {
    if traversal == nil {
      try parser.finish(into: &projector)
    } else {
      try traversal?.finish(into: &projector)
    }
    return projector.value()
  }
}
