/// Makes a value of a text that comes in chunks: of all of it, or of what some paths select.
///
/// ```swift
/// var builder = try JSONBuilder(.keeping(["$.meta", "$.records[*].user.id"]))
/// for chunk in chunks { try builder.feed(chunk) }
/// let json = try builder.finish()
/// json["records"][0]["user"]["id"].int
/// ```
///
/// A pruned value holds the selected values and the arrays and objects that lead to them, and memory only for these. It is
/// a value like any other: every accessor works on it. Elements and members that no path selects are not there: what is
/// left of an array moves together. Its ``JSON/byteRange`` counts in the pruned text, not in the input.
///
/// Every byte is checked, whatever is kept.
public struct JSONBuilder: ~Copyable {
  /// What is kept of a text.
  public enum Content: Sendable, Hashable {
    /// All of it.
    case whole
    /// What the paths select. Of none of them, nothing: the value is null.
    case keeping([JSONPath])
  }

  private var projector: PathProjector
  /// Reads all of it, or what is kept goes through the forwarder.
  private var parser: ChunkedParser
  private var traversal: ValidatingTraversal?

  /// A builder of one value.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` if a path is a bad literal, or asks for the root inside a filter.
  public init(_ content: Content, options: JSONOptions = JSONOptions()) throws(JSONError) {
    var queries: [PathQuery] = []
    switch content {
    case .whole: queries = [PathQuery(isRelative: false, segments: [])]
    case .keeping(let paths): for path in paths { queries.append(try path.checked()) }
    }
    var made = try PathProjector(queries, limits: options.limits)
    parser = ChunkedParser(options: options)
    traversal = ProofScan.isOn && !made.needsWholeText(entersDescendants: true) ? ValidatingTraversal(options) : nil
    projector = made
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``JSONError``: the text is refused, and so is every further call. A value that a filter or another part of a
  ///   path needs as a whole may have ``JSONLimits/recordBytes``.
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

  /// Says that the text is complete, and gives the value. Null if the paths select nothing.
  public consuming func finish() throws(JSONError) -> JSON {
    if traversal == nil {
      try parser.finish(into: &projector)
    } else {
      try traversal?.finish(into: &projector)
    }
    return projector.value()
  }
}
