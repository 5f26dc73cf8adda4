/// A JSON value: a place in a parsed text, read when you ask.
///
/// Nothing is converted when text is parsed. A string or number stays as the text that it is, and an accessor makes it
/// what you ask for. So numbers lose nothing, members keep their order, and a subscript costs the same for a leaf as for
/// a container of a million values.
///
/// ```swift
/// let json = try JSON(contentsOf: "users.json")
/// json["users"][3]["name"].stringValue
/// ```
///
/// What is missing or of another type is a value too: it is null, and ``error`` says why.
///
/// A value keeps the text that it is part of alive.
public struct JSON: Sendable {
  enum Storage: Sendable {
    case node(Document, UInt32)
    case null(SwiftyJSONError?)
  }

  let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  init(_ document: Document, _ index: UInt32) { storage = .node(document, index) }

  init(absent error: SwiftyJSONError) { storage = .null(error) }

  /// The value `null`.
  public static var null: JSON { JSON(.null(nil)) }

  /// What the value is. A value that is missing is ``JSONType/null``.
  public var type: JSONType {
    switch storage {
    case .null: .null
    case .node(let document, let index):
      switch document.word(index).kind {
      case .objectStart: .dictionary
      case .arrayStart: .array
      case .number: .number
      case .true, .false: .bool
      case .null: .null
      default: .string
      }
    }
  }

  /// Why the value is missing, or `nil` if it is there. The first failed subscript of a chain tells.
  public var error: SwiftyJSONError? {
    if case .null(let error) = storage { error } else { nil }
  }

  /// Whether the value is there. `null` is there.
  public func exists() -> Bool { error == nil }

  /// Document and word index, if the value is a place in a text and of this kind.
  func node(_ kind: EventKind) -> (document: Document, index: UInt32)? {
    guard case .node(let document, let index) = storage, document.word(index).kind == kind else { return nil }
    return (document, index)
  }
}

extension JSON {
  /// The value's bytes in the input: a string with its quotes, a container from its first bracket to its last. The range
  /// counts from the start of the whole input, also in a stream of records. `nil` if the value comes from no text.
  ///
  /// - Complexity: O(1), but for a text of more than a million bytes its length.
  public var byteRange: Range<Int>? {
    guard case .node(let document, let index) = storage else { return nil }
    let range = document.range(of: index)
    return (range.lowerBound &+ document.origin)..<(range.upperBound &+ document.origin)
  }

  /// A copy of the source bytes of the value, byte for byte as they were read. Empty if the value comes from no text.
  public var rawBytes: [UInt8] {
    guard case .node(let document, let index) = storage else { return [] }
    let range = document.range(of: index)
    return unsafe document.withSource { unsafe Array($0[range.clamped(to: 0..<$0.count)]) }
  }

  /// Lends the source bytes of the value, without a copy. None if the value comes from no text.
  public func withRawBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .node(let document, let index) = storage else { return try body(RawSpan()) }
    let range = document.range(of: index)
    return try unsafe document.withSource { (source) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]).bytes)
    }
  }

  /// How many bytes the index of the whole text takes, beside the text: 8 for a scalar or key, 24 for a container.
  public var tapeBytes: Int {
    guard case .node(let document, _) = storage else { return 0 }
    return document.tapeBytes
  }
}
