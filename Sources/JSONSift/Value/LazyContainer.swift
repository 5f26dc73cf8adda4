/// An array or object that is known only by its text or its index until a value in it is accessed.
///
/// A subscript into a long container finds the children once, with a kernel that reads only the structure (``LazyIndex``). A
/// short container is parsed as a whole, and so is any container for an operation other than a subscript. Results are cached
/// for all threads; a later read is an atomic load. If two threads need the same result at once, both compute it and one
/// result is kept, so no thread waits for another's parsing.
///
/// Only a mapped file that was written to meanwhile can be invalid when it is accessed: the value is then null, and ``failure``
/// contains the error.
final class LazyContainer: Sendable {
  let text: LazyText
  /// The range from the opening bracket to the closing one.
  let range: Range<Int>
  /// The kind of the container. `nil` if a mapped file was written to meanwhile, and the value is none.
  private let kind: EventKind?
  private let isMember: Bool
  /// The number of containers around this one.
  private let depth: Int
  /// The counter of parsed bytes in the parent container.
  private let parsedBytes: LazyIndex.ParsedBytes?

  private let whole = OnceReference<Document>()
  private let index = OnceReference<LazyIndex>()
  private let fault = OnceReference<Fault>()

  private final class Fault: Sendable {
    let error: JSONError
    init(_ error: JSONError) { self.error = error }
  }

  /// The maximum depth at which containers are indexed. A deeper container is parsed as a whole; otherwise a value at depth
  /// d would cost d passes over the text.
  private static let maxIndexedDepth = Sizes.of(16, fuzzing: 3)

  private init(
    _ text: LazyText, _ range: Range<Int>, _ kind: EventKind?, isMember: Bool = false, depth: Int,
    _ parsedBytes: LazyIndex.ParsedBytes?
  ) {
    self.text = text
    self.range = range
    self.kind = kind
    self.isMember = isMember
    self.depth = depth
    self.parsedBytes = parsedBytes
  }

  /// Creates the outermost value of a text.
  convenience init(_ text: LazyText) {
    self.init(text, text.range, text.isObject ? .objectStart : .arrayStart, depth: 0, nil)
  }

  var isObject: Bool { kind == .objectStart }

  /// The error, if invalid text was accessed. If a mapped file is changed meanwhile, one thread may find an error and
  /// another a value; the value then takes precedence.
  var failure: JSONError? {
    guard let fault = fault.load(), whole.load() == nil else { return nil }
    return fault.error
  }

  // MARK: As a whole

  /// The value, parsed as a whole: a node of a document, or null if the text is invalid.
  var parsed: JSON.Storage {
    if let document = whole.load() ?? parse() { return .node(document, Document.root) }
    return .null(.invalidJSON)
  }

  @inline(never)
  private func parse() -> Document? {
    if let document = whole.load() { return document }
    if fault.load() != nil { return nil }
    do throws(JSONError) {
      let document = whole.storeIfNil(try text.parse(range, depth: depth))
      if range.count < text.minIndexed { parsedBytes?.add(range.count + LazyIndex.documentCost) }
      return document
    } catch {
      _ = fault.storeIfNil(Fault(explained(error)))
      return nil
    }
  }

  /// Returns the error as a parser of the whole text reports it.
  private func explained(_ error: JSONError) -> JSONError {
    guard depth > 0 else { return error }
    if error.code == .depthLimit {
      return JSONError(.depthLimit, at: error.byteOffset, limit: text.options.limits.depth)
    }
    // After a child, a comma or the end of the parent is expected.
    guard error.code == .trailingContent else { return error }
    return JSONError(
      .unexpectedByte, at: error.byteOffset, found: error.found,
      expected: isMember ? .commaOrObjectEnd : .commaOrArrayEnd)
  }

  // MARK: Children

  /// The representation that a subscript reads.
  private enum View {
    case whole(Document)
    case index(LazyIndex)
    case none
  }

  private var view: View {
    get {
      if let document = whole.load() { return .whole(document) }
      return partialView
    }
  }

  private var partialView: View {
    @inline(never) get {
      if fault.load() == nil, let index = index.load() ?? makeIndex(), !index.isExhausted { return .index(index) }
      return parse().map { .whole($0) } ?? .none
    }
  }

  /// Builds the index. Returns `nil` if the container must be parsed as a whole: it is short, its structure looks invalid,
  /// or its children are so small that finding them takes as long as parsing them.
  private func makeIndex() -> LazyIndex? {
    guard kind != nil, range.count >= text.minIndexed, depth < min(text.options.limits.depth, Self.maxIndexedDepth)
    else { return nil }
    let structure = unsafe text.source.withBytes { bytes -> StructuralIndex? in
      let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<range.upperBound])
      let scan = ChildScan(isObject: isObject, text.levels, start: range.lowerBound + 1, depth: depth + 1)
      guard let structure = unsafe StructuralIndex(in: inside, scan) else { return nil }
      let following = unsafe UnsafeRawBufferPointer(rebasing: inside[structure.end...])
      return unsafe ByteScan.whitespacePrefix(following) == following.count ? structure : nil
    }
    guard let structure else { return nil }
    return index.storeIfNil(LazyIndex(text, range, isObject: isObject, structure))
  }

  /// The number of children. The index alone determines it only in text that cannot change, because a collection must
  /// have exactly `count` elements.
  var count: Int {
    guard !text.isVolatile else { return parse().map { $0.childCount(of: Document.root) } ?? 0 }
    return switch view {
    case .whole(let document): document.childCount(of: Document.root)
    case .index(let index): index.document.childCount(of: Document.root)
    case .none: 0
    }
  }

  /// Returns the element at `position`, or a null with the reason why it does not exist.
  func element(_ position: Int) -> JSON {
    switch view {
    case .whole(let document): return JSON(document, Document.root)[position]
    case .index(let index):
      guard !isObject else { return JSON(absent: .wrongType) }
      guard position >= 0, position < index.document.childCount(of: Document.root) else {
        return JSON(absent: .indexOutOfBounds)
      }
      return value(at: index.document.element(position, of: Document.root), in: index)
    case .none: return JSON(.lazy(self))
    }
  }

  /// Returns the value of the last member with this name, or a null with the reason why it does not exist.
  func member(_ name: UnsafeRawBufferPointer) -> JSON {
    switch view {
    case .whole(let document):
      guard isObject else { return JSON(absent: .wrongType) }
      return unsafe document.member(name, of: Document.root).map { JSON(document, $0) } ?? JSON(absent: .notExist)
    case .index(let index):
      guard isObject else { return JSON(absent: .wrongType) }
      guard let word = unsafe index.document.member(name, of: Document.root) else { return JSON(absent: .notExist) }
      return value(at: word, in: index)
    case .none: return JSON(.lazy(self))
    }
  }

  private func value(at word: UInt32, in index: LazyIndex) -> JSON {
    guard index.document.word(word).kind.isStart else { return JSON(index.document, word) }
    let child = index.slots[index.document.childCount(of: word)] ?? child(at: word, in: index)
    if let document = child.whole.load() { return JSON(document, Document.root) }
    return JSON(.lazy(child))
  }

  /// Returns the container of an unparsed child. It is the same object each time, so that its content is found only once.
  @inline(never)
  private func child(at word: UInt32, in index: LazyIndex) -> LazyContainer {
    let range = index.document.range(of: word)
    let first = unsafe text.source.withBytes { bytes in
      unsafe range.lowerBound < bytes.count && !range.isEmpty ? bytes[range.lowerBound] : 0
    }
    let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
    let kind = isContainer ? index.document.word(word).kind : nil
    index.parsedBytes.add(LazyIndex.childCost)
    let made = LazyContainer(text, range, kind, isMember: isObject, depth: depth + 1, index.parsedBytes)
    return index.slots.fill(index.document.childCount(of: word), made)
  }
}

extension LazyContainer {
  /// Returns the value with a copy of its own part of the text. Returns `nil` if the text is invalid.
  func detached() -> JSON? {
    var builder = DocumentBuilder(options: text.options)
    let document = unsafe text.source.withBytes { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      guard !text.isVolatile else {
        return unsafe try? builder.document(copyingFirst: part, origin: range.lowerBound, stripsMark: false)
      }
      return unsafe try? builder.document(copying: part, origin: range.lowerBound, trust: .validated, stripsMark: false)
    }
    guard let document else { return Optional.none }
    document.trim()
    return JSON(document, Document.root)
  }
}

extension JSON {
  /// The reason and the offset in the whole input for a value with the error ``JSON/AccessError/invalidJSON``. Only for a
  /// mapped file that was written to after it was read, because there a fault is found on access; otherwise `nil`.
  public var jsonError: JSONError? {
    if case .lazy(let value) = raw { return value.failure }
    return nil
  }

  /// The value of a lazy container, parsed as a whole; `nil` for all other values.
  var whole: JSON? {
    guard case .lazy(let value) = raw else { return Optional.none }
    return JSON(value.parsed)
  }

  /// The type of the value, after a lazy container is parsed as a whole.
  var parsedType: JSONType {
    if case .lazy(let value) = raw { _ = value.parsed }
    return type
  }

  /// The source and the range of a lazy container, which are known without parsing it.
  var unparsedText: (source: Document.Source, range: Range<Int>)? {
    guard case .lazy(let value) = raw, value.failure == nil else { return nil }
    return (value.text.source, value.range)
  }

  /// Returns a value whose containers are parsed on access; `nil` if `text` is `nil`, and the text must be parsed as a
  /// whole.
  static func lazy(_ text: LazyText?) -> JSON? { text.map { JSON(.lazy(LazyContainer($0))) } }
}
