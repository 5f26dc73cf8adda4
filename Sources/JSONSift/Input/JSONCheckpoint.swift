/// A place between two records of a stream, from which reading can go on: after a crash, tomorrow, in another process.
///
/// ```swift
/// try save(JSONEncoder().encode(reader.checkpoint))       // after a batch of records
/// var reader = try JSONRecordReader(.path(file), options: options, resumingAt: checkpoint)
/// ```
///
/// The records that a reader hands out from here are those that the first reader would have handed out next, with the same
/// lines and offsets. All readers give and take the same checkpoints: one that several workers have reached can be resumed
/// by one decoder, and the other way round.
///
/// What a program makes of the records belongs to the same place. Store both together, in one file that is replaced as a
/// whole, and nothing is counted twice or lost when the program is killed. ``JSONRejectWriter/checkpoint()`` is that place
/// in a file of bad records.
public struct JSONCheckpoint: Sendable, Hashable, Codable {
  /// How many bytes of the input are done with.
  public let byteOffset: Int
  /// The line of the next byte, from 1.
  public let line: Int
  /// Where that line begins. Not before it with framings whose records are lines.
  public let lineOffset: Int
  /// How the stream is cut, if it is known: a resumed stream cannot be guessed.
  let framing: JSONFraming?
  /// Inside a container whose children are read: how many of them are done with, and what it is.
  let openContainer: OpenContainer?
  /// The last value is a scalar that no white space has ended.
  let touchesNext: Bool
  /// The offset is inside a record that is too long, and was thrown before its end was seen.
  let isInsideRecord: Bool

  private static let largest = 1 << 62

  struct OpenContainer: Sendable, Hashable, Codable {
    let path: String
    let isObject: Bool
    let childCount: Int
  }

  /// The start of a line.
  ///
  /// - Parameters:
  ///   - byteOffset: Where a line begins. With ``JSONFraming/lines`` an offset in the middle of one means the next line, if
  ///     the input is a ``JSONSource``; the rest of the line is gone over.
  ///   - line: Its number, from 1. If it is not known, count from here and say 1.
  public init(byteOffset: Int, line: Int = 1) {
    self.init(byteOffset: byteOffset, line: line, lineOffset: byteOffset)
  }

  init(
    byteOffset: Int, line: Int, lineOffset: Int, framing: JSONFraming? = nil, openContainer: OpenContainer? = nil,
    touchesNext: Bool = false, isInsideRecord: Bool = false
  ) {
    // What is read back may say anything; what it is added to must not overflow. No input is as long as the largest
    // offset: who opens one is told so before anything is added to it.
    self.byteOffset = max(byteOffset, 0)
    self.line = min(max(line, 1), Self.largest)
    self.lineOffset = min(max(lineOffset, 0), self.byteOffset)
    self.framing = framing
    self.openContainer = openContainer
    self.touchesNext = touchesNext
    self.isInsideRecord = isInsideRecord
  }

  /// The same, of an input that nobody opens: its offsets must leave room for the bytes that are pushed.
  var held: JSONCheckpoint {
    JSONCheckpoint(
      byteOffset: min(byteOffset, Self.largest), line: line, lineOffset: lineOffset, framing: framing,
      openContainer: openContainer, touchesNext: touchesNext, isInsideRecord: isInsideRecord)
  }

  /// How the stream is cut, as far as that can be said of one whose start is not read.
  func knownFraming() throws(JSONError) -> JSONFraming? {
    guard framing == .children else { return framing }
    return try openContainer.map { (container) throws(JSONError) in .children(of: try JSONPath(container.path)) }
  }
}

extension JSONCheckpoint {
  private enum CodingKeys: String, CodingKey {
    case byteOffset, line, lineOffset, framing, openContainer, touchesNext, isInsideRecord
  }

  /// Reads a checkpoint that was stored. What makes no sense in it is held to what does.
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

  /// Stores a checkpoint.
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
