/// A JSON value: a place in a parsed text, read when you ask, or a value of your own making.
///
/// A long text is proven to be JSON, and parsed where you touch it. Nothing is converted when text is parsed. A string or
/// number stays as the text that it is, and an accessor makes it what you ask for. So numbers lose nothing, members keep their
/// order, and a subscript costs the same for a leaf as for a container of a million values.
///
/// ```swift
/// var json = try JSON(contentsOf: "users.json")
/// json["users"][3]["name"].stringValue
/// json["users"][3]["name"] = "Ada"
/// ```
///
/// What is missing or of another type is a value too: it is null, and ``error`` says why.
///
/// A change costs what it changes: the text stays as it is, and the value remembers what of it was replaced. A value keeps
/// the text that it is part of alive; ``detached()`` gives one that does not.
public struct JSON: Sendable {
  enum Storage: Sendable {
    case node(Document, UInt32)
    case overlay(ContainerOverlay)
    case scalar(BuiltScalar)
    case bool(Bool)
    case null(SwiftyJSONError?)
    case unknown(SwiftyJSONError)
    /// Only in `raw`.
    case lazy(LazyContainer)
  }

  /// What is kept. Text of which nothing was asked yet is not parsed.
  var raw: Storage

  /// What the value is. A lazy container is parsed as a whole for it.
  var storage: Storage {
    @inline(__always) get {
      if case .lazy(let value) = raw { return value.parsed }
      return raw
    }
    set { raw = newValue }
  }

  init(_ storage: Storage) { raw = storage }

  init(_ document: Document, _ index: UInt32) { raw = .node(document, index) }

  init(absent error: SwiftyJSONError) { raw = .null(error) }

  init(string: String) { raw = .scalar(BuiltScalar(.string(string))) }

  /// A number of a program.
  package init(_ number: BuiltNumber) { raw = .scalar(BuiltScalar(.number(number))) }

  /// The value `null`.
  public static var null: JSON { JSON(.null(nil)) }

  /// What the value is. A value that is missing is ``JSONType/null``.
  public var type: JSONType {
    switch raw {
    case .null: .null
    case .lazy(let value): value.failure != nil ? .null : value.isObject ? .dictionary : .array
    case .node(let document, let index):
      switch document.word(index).kind {
      case .objectStart: .dictionary
      case .arrayStart: .array
      case .number: .number
      case .true, .false: .bool
      case .null: .null
      default: .string
      }
    case .overlay(let overlay): overlay.isObject ? .dictionary : .array
    case .scalar(let scalar): if case .string = scalar.content { .string } else { .number }
    case .bool: .bool
    case .unknown: .unknown
    }
  }

  /// Why the value is missing or ``JSONType/unknown``, or `nil` if it is there. The first failed subscript of a chain tells.
  public var error: SwiftyJSONError? {
    switch raw {
    case .null(let error): return error
    case .unknown(let error): return error
    case .lazy(let value): return value.failure == nil ? Optional.none : SwiftyJSONError.invalidJSON
    default: return nil
    }
  }

  /// Whether the value is there. `null` is there.
  public func exists() -> Bool { error == nil }

  /// Document and word index, if the value is a scalar in a text and of this kind. A lazy container is never a scalar.
  func node(_ kind: EventKind) -> (document: Document, index: UInt32)? {
    guard case .node(let document, let index) = raw, document.word(index).kind == kind else { return nil }
    return (document, index)
  }

  /// The value as it is kept in another: what is missing, or has no JSON form, is null there.
  var stored: JSON { error == nil ? self : .null }

  /// Whether the value is a place in a text, untouched.
  package var isFromText: Bool {
    switch raw {
    case .node: true
    case .lazy(let value): value.failure == nil
    default: false
    }
  }

  /// The number, if a program made it.
  package var builtNumber: BuiltNumber? {
    guard case .scalar(let scalar) = raw, case .number(let number) = scalar.content else { return nil }
    return number
  }

  /// The string, if a program made it.
  var builtString: String? {
    guard case .scalar(let scalar) = raw, case .string(let string) = scalar.content else { return nil }
    return string
  }
}

extension JSON {
  /// The value's bytes in the input: a string with its quotes, a container from its first bracket to its last. The range
  /// counts from the start of the whole input, also in a stream of records. `nil` if the value comes from no text, or was
  /// changed.
  ///
  /// - Complexity: O(1), but for a text of more than a million bytes its length.
  public var byteRange: Range<Int>? {
    guard case .node(let document, let index) = raw else { return unreadText?.range ?? whole?.byteRange }
    let range = document.range(of: index)
    return (range.lowerBound &+ document.origin)..<(range.upperBound &+ document.origin)
  }

  /// A copy of the source bytes of the value, byte for byte as they were read. Empty if the value comes from no text, or
  /// was changed; ``bytes(_:)`` writes any value.
  public var rawBytes: [UInt8] {
    guard case .node(let document, let index) = raw else {
      if let (source, range) = unreadText { return unsafe source.withBytes { unsafe Array($0[range]) } }
      return whole?.rawBytes ?? []
    }
    let range = document.range(of: index)
    return unsafe document.withSource { unsafe Array($0[range.clamped(to: 0..<$0.count)]) }
  }

  /// Lends the source bytes of the value, without a copy. None if the value comes from no text, or was changed.
  public func withRawBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .node(let document, let index) = raw else {
      if let (source, range) = unreadText {
        return try unsafe source.withBytes { (bytes) throws(Failure) in
          try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]).bytes)
        }
      }
      if let whole { return try whole.withRawBytes(body) }
      return try body(RawSpan())
    }
    let range = document.range(of: index)
    return try unsafe document.withSource { (source) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]).bytes)
    }
  }

  /// The same for one who writes many values: what is generic is not specialized across modules.
  package func lendRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard case .node(let document, let index) = raw else {
      if let (source, range) = unreadText {
        unsafe source.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
      } else if let whole {
        unsafe whole.lendRawBytes(body)
      }
      return
    }
    let range = document.range(of: index)
    unsafe document.withSource { source in
      unsafe body(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
    }
  }

  /// How many bytes the index takes that was made of the text, or of the part of it in which this value was parsed: 8 for a
  /// scalar or key, 24 for a container. 0 if the value comes from no text. To ask parses a container that was not yet.
  public var tapeBytes: Int {
    switch storage {
    case .node(let document, _): document.tapeBytes
    case .overlay(let overlay): overlay.base?.document.tapeBytes ?? 0
    default: 0
    }
  }

  /// The same value with a copy of only its own part of the text, so that the rest need not stay in memory. A value that
  /// was built or changed keeps what it is made of.
  ///
  /// - Complexity: O(size of the value).
  public func detached() -> JSON {
    guard case .node(let document, let index) = raw else {
      if case .lazy(let value) = raw, unreadText != nil, let copy = value.detached() { return copy }
      return whole?.detached() ?? self
    }
    return JSON(document.detached(index), Document.root)
  }
}
