/// A position between two records of a stream from which reading can continue: after a crash, at a later time, in another
/// process.
///
/// ```swift
/// try save(JSONEncoder().encode(reader.checkpoint))       // after a batch of records
/// var reader = try JSONRecordReader(.path(file), options: options, resumingAt: checkpoint)
/// ```
///
/// The records returned from here on are the ones that the first reader would have returned next, with the same lines and
/// offsets. All readers return and accept the same checkpoints: one decoder can resume where several workers stopped, and
/// vice versa.
///
/// Store the checkpoint together with the results computed from the records before it, in one file that is replaced as
/// a whole: then nothing is counted twice or lost when the program is killed. ``JSONRejectWriter/checkpoint()`` is the
/// corresponding position in a file of bad records.
public struct JSONCheckpoint: Sendable, Hashable, Codable {
  /// The number of input bytes that are processed.
  public let byteOffset: Int
  /// The line of the next byte, from 1.
  public let line: Int
  /// The offset of that line's start. For framings whose records are lines it is not before ``byteOffset``.
  public let lineOffset: Int
  /// The framing, if it is known: it cannot be guessed when a stream is resumed.
  let framing: JSONFraming?
  /// The container whose children are read, and the number of children that are processed.
  let openContainer: OpenContainer?
  /// Whether the last value is a scalar that no white space has ended.
  let touchesNext: Bool
  /// Whether the offset is inside a record that is too long, whose error was thrown before its end was found.
  let isInsideRecord: Bool

  private static let maxOffset = 1 << 62

  package struct OpenContainer: Sendable, Hashable, Codable {
    let path: String
    let isObject: Bool
    let childCount: Int

    package init(path: String, isObject: Bool, childCount: Int) {
      (self.path, self.isObject, self.childCount) = (path, isObject, childCount)
    }
  }

  /// Creates a checkpoint at the start of a line.
  ///
  /// - Parameters:
  ///   - byteOffset: The offset of the line's start. With ``JSONFraming/lines`` and a ``JSONSource`` as input, an offset in
  ///     the middle of a line means the next line: the rest of the line is skipped.
  ///   - line: The line number, from 1. If it is not known, count from here and pass 1.
  public init(byteOffset: Int, line: Int = 1) { self.init(byteOffset: byteOffset, line: line, lineOffset: byteOffset) }

  package init(
    byteOffset: Int, line: Int, lineOffset: Int, framing: JSONFraming? = nil, openContainer: OpenContainer? = nil,
    touchesNext: Bool = false, isInsideRecord: Bool = false
  ) {
    // A decoded checkpoint may contain any values, and adding to them must not overflow. No input is as long as the
    // maximum offset: opening a source there throws before anything is added.
    self.byteOffset = max(byteOffset, 0)
    self.line = min(max(line, 1), Self.maxOffset)
    self.lineOffset = min(max(lineOffset, 0), self.byteOffset)
    self.framing = framing
    self.openContainer = openContainer
    self.touchesNext = touchesNext
    self.isInsideRecord = isInsideRecord
  }

  /// The same checkpoint for pushed input. Its offset is limited, so that adding the number of pushed bytes cannot overflow.
  var clamped: JSONCheckpoint {
    JSONCheckpoint(
      byteOffset: min(byteOffset, Self.maxOffset), line: line, lineOffset: lineOffset, framing: framing,
      openContainer: openContainer, touchesNext: touchesNext, isInsideRecord: isInsideRecord)
  }

  /// Returns the framing, as far as it is known without reading the start of the input.
  func knownFraming() throws(JSONError) -> JSONFraming? {
    guard framing == .children else { return framing }
    return try openContainer.map { (container) throws(JSONError) in .children(of: try JSONPath(container.path)) }
  }
}

extension JSONCheckpoint: CustomStringConvertible {
  /// The line and the offset, such as `line 3, byte 17`.
  public var description: String { "line \(line), byte \(byteOffset)" }
}

extension JSONCheckpoint {
  private enum CodingKeys: String, CodingKey {
    case byteOffset, line, lineOffset, framing, openContainer, touchesNext, isInsideRecord
  }

  /// Decodes a stored checkpoint. Invalid values are clamped to valid ones.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let offset = try values.decode(Int.self, forKey: .byteOffset)
    self.init(
      byteOffset: offset,
      line: try values.decode(Int.self, forKey: .line),
      lineOffset: try values.decodeIfPresent(Int.self, forKey: .lineOffset) ?? offset,
      framing: try Self.framing(named: values.decodeIfPresent(String.self, forKey: .framing), in: values),
      openContainer: try values.decodeIfPresent(OpenContainer.self, forKey: .openContainer),
      touchesNext: try values.decodeIfPresent(Bool.self, forKey: .touchesNext) ?? false,
      isInsideRecord: try values.decodeIfPresent(Bool.self, forKey: .isInsideRecord) ?? false)
  }

  private static func framing(
    named name: String?, in values: KeyedDecodingContainer<CodingKeys>
  ) throws -> JSONFraming? {
    guard let name else { return nil }
    guard let framing = JSONFraming.all.first(where: { $0.framer?.name == name }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .framing, in: values,
        debugDescription: "expected one of \(JSONFraming.all.compactMap { $0.framer?.name }), found \(name)")
    }
    return framing
  }

  /// Encodes the checkpoint.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(byteOffset, forKey: .byteOffset)
    try values.encode(line, forKey: .line)
    if lineOffset != byteOffset { try values.encode(lineOffset, forKey: .lineOffset) }
    try values.encodeIfPresent(framing?.framer?.name, forKey: .framing)
    try values.encodeIfPresent(openContainer, forKey: .openContainer)
    if touchesNext { try values.encode(touchesNext, forKey: .touchesNext) }
    if isInsideRecord { try values.encode(isInsideRecord, forKey: .isInsideRecord) }
  }
}
