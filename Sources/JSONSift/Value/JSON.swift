/// A JSON value: a reference to a part of a parsed text, or a value that was created in Swift.
///
/// A long text is validated, and parsed where you access it. Nothing is converted when text is parsed. A string or
/// number stays as its text, and an accessor converts it to the requested type. So numbers lose no precision, members keep
/// their order, and a subscript costs the same for a leaf as for a container of a million values.
///
/// ```swift
/// var json = try JSON(contentsOf: "users.json")
/// json["users"][3]["name"].stringValue
/// json["users"][3]["name"] = "Ada"
/// ```
///
/// A missing value, or one of another type, is a value too: it is null, and ``error`` contains the reason.
///
/// The cost of a change depends only on what changes: the text stays as it is, and the value records its replaced parts. A
/// value keeps its text alive; ``detached()`` returns a value that does not.
public struct JSON: Sendable {
  enum Storage: Sendable {
    case node(Document, UInt32)
    case overlay(ContainerOverlay)
    case scalar(BuiltScalar)
    case bool(Bool)
    case null(JSON.AccessError?)
    case unknown(JSON.AccessError)
    /// Only in `raw`, never in `storage`.
    case lazy(LazyContainer)
  }

  /// The stored representation. Untouched text is not parsed.
  var raw: Storage

  /// The representation without lazy containers. Reading it parses a lazy container as a whole.
  var storage: Storage {
    get {
      if case .lazy(let value) = raw { return value.parsed }
      return raw
    }
    set { raw = newValue }
  }

  init(_ storage: Storage) { raw = storage }

  init(_ document: Document, _ index: UInt32) { raw = .node(document, index) }

  init(absent error: JSON.AccessError) { raw = .null(error) }

  init(string: String) { raw = .scalar(BuiltScalar(.string(string))) }

  /// Creates a number that is not from a text.
  package init(_ number: BuiltNumber) { raw = .scalar(BuiltScalar(.number(number))) }

  /// The value `null`.
  public static var null: JSON { JSON(.null(nil)) }

  /// The type of the value. A missing value is ``JSONType/null``.
  public var type: JSONType {
    switch raw {
    case .null: .null
    case .lazy(let value): value.failure != nil ? .null : value.isObject ? .dictionary : .array
    case .node(let document, let index): document.word(index).kind.type
    case .overlay(let overlay): overlay.isObject ? .dictionary : .array
    case .scalar(let scalar): if case .string = scalar.content { .string } else { .number }
    case .bool: .bool
    case .unknown: .unknown
    }
  }

  /// The reason why the value is missing or ``JSONType/unknown``, or `nil` if it exists. In a chain of subscripts it is the
  /// reason of the first one that failed.
  public var error: JSON.AccessError? {
    switch raw {
    case .null(let error): return error
    case .unknown(let error): return error
    case .lazy(let value): return value.failure == nil ? Optional.none : JSON.AccessError.invalidJSON
    default: return nil
    }
  }

  /// Returns whether the value exists. `null` exists.
  public func exists() -> Bool { error == nil }

  /// Whether there is no value that an operation could use: a subscript has found nothing, or a lazy text is not JSON. A value
  /// that JSON cannot represent has an error, too, and is there.
  var isMissing: Bool { parsedType != .unknown && error != nil }

  /// Returns the document and the tape index if the value is a scalar of this kind in a parsed text. A lazy container is
  /// never a scalar.
  func node(_ kind: EventKind) -> (document: Document, index: UInt32)? {
    guard case .node(let document, let index) = raw, document.word(index).kind == kind else { return nil }
    return (document, index)
  }

  /// The value as an element or member: a missing value, or one that JSON cannot represent, becomes null.
  var stored: JSON { error == nil ? self : .null }

  /// Whether the value is an unchanged part of a parsed text.
  package var isFromText: Bool {
    switch raw {
    case .node: true
    case .lazy(let value): value.failure == nil
    default: false
    }
  }

  /// The number, if it was created in Swift.
  package var builtNumber: BuiltNumber? {
    guard case .scalar(let scalar) = raw, case .number(let number) = scalar.content else { return nil }
    return number
  }

  /// The string, if it was created in Swift.
  var builtString: String? {
    guard case .scalar(let scalar) = raw, case .string(let string) = scalar.content else { return nil }
    return string
  }
}

extension JSON {
  /// The range of the value's bytes in the input: of a string with its quotes, of a container from its opening to its
  /// closing bracket. Offsets count from the start of the whole input, also in a stream of records. `nil` if the value is
  /// not from a text, or was changed.
  ///
  /// - Complexity: O(1), but O(length) for a string or number of more than a million bytes.
  public var byteRange: Range<Int>? {
    guard case .node(let document, let index) = raw else { return unparsedText?.range ?? whole?.byteRange }
    let range = document.range(of: index)
    return (range.lowerBound &+ document.origin)..<(range.upperBound &+ document.origin)
  }

  /// A copy of the source bytes of the value, exactly as they were read. Empty if the value is not from a text, or was
  /// changed; ``bytes(_:)`` writes any value.
  public var rawBytes: [UInt8] { withRawBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } } }

  /// Calls `body` with the source bytes of the value, without a copy. The span is empty if the value is not from a text, or
  /// was changed.
  ///
  /// - Parameter body: Receives the bytes. The span is valid only during the call.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withRawBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .node(let document, let index) = raw else {
      if let (source, range) = unparsedText {
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

  /// Calls `body` with the source bytes of the value, if it has any. Not generic, because a generic function is not
  /// specialized across modules; for a caller that writes many values.
  package func borrowRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard case .node(let document, let index) = raw else {
      if let (source, range) = unparsedText {
        unsafe source.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
      } else if let whole {
        unsafe whole.borrowRawBytes(body)
      }
      return
    }
    let range = document.range(of: index)
    unsafe document.withSource { source in
      unsafe body(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
    }
  }

  /// The size in bytes of the tape of the text, or of the part of the text in which this value was parsed: 8 bytes for each
  /// scalar and key, 24 for each container. 0 if the value is not from a text. Reading it parses a lazy container.
  public var tapeBytes: Int {
    switch storage {
    case .node(let document, _): document.tapeBytes
    case .overlay(let overlay): overlay.base?.document.tapeBytes ?? 0
    default: 0
    }
  }

  /// Returns the same value with a copy of only its own part of the text, so that the rest can be released. A value that was
  /// created or changed in Swift is returned as it is.
  ///
  /// - Complexity: O(size of the value).
  public func detached() -> JSON {
    guard case .node(let document, let index) = raw else {
      if case .lazy(let value) = raw, unparsedText != nil, let copy = value.detached() { return copy }
      return whole?.detached() ?? self
    }
    return JSON(document.detached(index), Document.root)
  }
}
