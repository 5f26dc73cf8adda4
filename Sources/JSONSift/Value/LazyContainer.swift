/// An array or object of which only the text is known, or its index, until a value in it is asked for.
///
/// A subscript into a long container finds the children with a kernel that looks at structure only (``LazyIndex``), once.
/// A short one, and each in which something else is asked than a subscript can tell, is parsed as a whole. What was made
/// is kept for all threads: after that a read is an atomic load. Two threads that look for the same at once both do the
/// work, and one result stays: no thread waits for the parsing of another.
///
/// In a text that was proven nothing can be refused. Only where a mapped file was written to meanwhile, or in a text that
/// was not proven, what is touched may be no JSON: then the value is null, and ``failure`` says why.
final class LazyContainer: Sendable {
  let text: LazyText
  /// From the first bracket on; that of the outermost value of an unproven text goes to the end of the text.
  let range: Range<Int>
  /// In an unproven text there may be something else than an array or object in the place of this value.
  private let kind: EventKind?
  /// It is the value of a member.
  private let isMember: Bool
  /// How many containers are around it.
  private let depth: Int
  /// What the container around this one knows of its parsed children.
  private let parsedBytes: LazyIndex.ParsedBytes?
  /// Where the children lie, if they were found together with those of the container around this one. Taken out when the
  /// index is made.
  private let found: Lock<StructuralIndex?>?

  private let whole = OnceReference<Document>()
  private let index = OnceReference<LazyIndex>()
  private let fault = OnceReference<Fault>()

  private final class Fault: Sendable {
    let error: JSONError
    init(_ error: JSONError) { self.error = error }
  }

  /// Containers that lie deeper are parsed as a whole. Else a value at depth d would cost d passes over the text.
  private static let maxIndexedDepth = 16

  private init(
    _ text: LazyText, _ range: Range<Int>, _ kind: EventKind?, isMember: Bool = false, depth: Int,
    _ parsedBytes: LazyIndex.ParsedBytes?, _ found: StructuralIndex?
  ) {
    self.text = text
    self.range = range
    self.kind = kind
    self.isMember = isMember
    self.depth = depth
    self.parsedBytes = parsedBytes
    self.found = found.map { Lock($0) }
  }

  /// The outermost value of a text.
  convenience init(_ text: LazyText) {
    self.init(text, text.range, text.isObject ? .objectStart : .arrayStart, depth: 0, nil, nil)
  }

  var isObject: Bool { kind == .objectStart }

  /// Why it is no JSON, if what is wrong has been touched. Of a file that is written to one thread may see a fault, and
  /// another none: then there is a value.
  var failure: JSONError? {
    guard let fault = fault.load(), whole.load() == nil else { return nil }
    return fault.error
  }

  // MARK: As a whole

  /// The value, parsed as a whole: a place in a document, or null where it is no JSON.
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

  /// The error as it is where the parser reads the whole text.
  private func explained(_ error: JSONError) -> JSONError {
    guard depth > 0 else { return error }
    if error.code == .depthLimit {
      return JSONError(.depthLimit, at: error.byteOffset, limit: text.options.limits.depth)
    }
    // Behind a child there may be a comma, or the end of what is around it.
    guard error.code == .trailingContent else { return error }
    return JSONError(
      .unexpectedByte, at: error.byteOffset, found: error.found,
      expected: isMember ? .commaOrObjectEnd : .commaOrArrayEnd)
  }

  // MARK: Children

  /// What a subscript looks into.
  private enum View {
    case whole(Document)
    case index(LazyIndex)
    case none
  }

  private var view: View {
    @inline(__always) get {
      if let document = whole.load() { return .whole(document) }
      return partialView
    }
  }

  private var partialView: View {
    @inline(never) get {
      if fault.load() == nil, let index = index.load() ?? makeIndex(), !index.isSpent { return .index(index) }
      return parse().map { .whole($0) } ?? .none
    }
  }

  /// The index; `nil` if the container must be parsed as a whole: it is short, its structure looks wrong, or its children
  /// are so small that to find them takes as long as to parse them.
  private func makeIndex() -> LazyIndex? {
    guard kind != nil, range.count >= text.minIndexed, depth < min(text.options.limits.depth, Self.maxIndexedDepth)
    else { return nil }
    let known = found?.withLock { places in places.take() }
    let places = unsafe text.source.withBytes { bytes -> StructuralIndex? in
      let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<range.upperBound])
      let least = text.isProven ? StructuralIndex.smallProvenChild : StructuralIndex.smallChild
      let scan = ChildScan(isObject: isObject, text.levels, start: range.lowerBound + 1, depth: depth + 1)
      let window = text.levels == nil ? StructuralIndex.window : nil
      guard
        let places = unsafe known
          ?? StructuralIndex(in: inside, isObject: isObject, window: window, least: least, scan: scan)
      else { return nil }
      let behind = unsafe UnsafeRawBufferPointer(rebasing: inside[places.end...])
      return unsafe ByteScan.whitespacePrefix(behind) == behind.count ? places : nil
    }
    guard let places else { return nil }
    var entered: [(word: UInt32, places: StructuralIndex)] = []
    let made = LazyIndex(text, range, isObject: isObject, places, entered: &entered)
    // What was found in large children is handed on, before another thread sees them. Something may stand behind the
    // bracket that was found.
    for (word, inner) in entered where inner.end == made.document.range(of: word).count - 1 {
      _ = child(at: word, in: made, inner)
    }
    return index.storeIfNil(made)
  }

  /// How many children there are. Structure alone tells it in a text that was proven and cannot change: a collection must
  /// have as many elements as it says.
  var count: Int {
    guard text.isValidText else { return parse().map { $0.childCount(of: Document.root) } ?? 0 }
    return switch view {
    case .whole(let document): document.childCount(of: Document.root)
    case .index(let index): index.document.childCount(of: Document.root)
    case .none: 0
    }
  }

  /// The element at `position`, or why there is none.
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

  /// The value of the last member with this name, or why there is none.
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
    let child = index.slot(index.document.childCount(of: word)) ?? child(at: word, in: index, nil)
    if let document = child.whole.load() { return JSON(document, Document.root) }
    // What a short or scalar value is in a text that was not proven is known when it is parsed.
    if !text.isProven, child.kind == nil || child.range.count < text.minIndexed, let document = child.parse() {
      return JSON(document, Document.root)
    }
    return JSON(.lazy(child))
  }

  /// The container at an unread place of the index: the same object each time, so that what is found in it is found once.
  @inline(never)
  private func child(at word: UInt32, in index: LazyIndex, _ found: StructuralIndex?) -> LazyContainer {
    let range = index.document.range(of: word)
    let first = unsafe text.source.withBytes { bytes in
      unsafe range.lowerBound < bytes.count && !range.isEmpty ? bytes[range.lowerBound] : 0
    }
    let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
    let kind = isContainer ? index.document.word(word).kind : nil
    index.parsedBytes.add(LazyIndex.childCost)
    let made = LazyContainer(text, range, kind, isMember: isObject, depth: depth + 1, index.parsedBytes, found)
    return index.fillSlot(index.document.childCount(of: word), made)
  }
}

extension LazyContainer {
  /// The value with a copy of its own part of the text. `nil` where it is no JSON.
  func detached() -> JSON? {
    var builder = DocumentBuilder(options: text.options)
    let document = unsafe text.source.withBytes { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      guard text.isValidText else {
        return unsafe try? builder.document(copyingFirst: part, origin: range.lowerBound, stripsMark: false)
      }
      return unsafe try? builder.document(
        copying: part, origin: range.lowerBound, trust: .proven, stripsMark: false)
    }
    guard let document else { return Optional.none }
    document.trim()
    return JSON(document, Document.root)
  }
}

extension JSON {
  /// Why a value with the error ``SwiftyJSONError/invalidJSON`` is no JSON, and where in the whole input. Only of a text
  /// that was read with ``JSONOptions/fastForward-swift.property``, or of a mapped file that was written to after it was
  /// read: there the fault is found when it is touched; else `nil`.
  public var jsonError: JSONError? {
    if case .lazy(let value) = raw { return value.failure }
    return nil
  }

  /// A lazy container, parsed as a whole.
  var whole: JSON? {
    guard case .lazy(let value) = raw else { return Optional.none }
    return JSON(value.parsed)
  }

  /// What the value is, seen as a whole.
  var settledType: JSONType {
    if case .lazy(let value) = raw { _ = value.parsed }
    return type
  }

  /// The text of a container that stands in a proven text and is not parsed: its place is known all the same.
  var unreadText: (source: Document.Source, range: Range<Int>)? {
    guard case .lazy(let value) = raw, value.text.isProven, value.failure == nil else { return nil }
    return (value.text.source, value.range)
  }

  /// A text of which containers are parsed when they are touched; `nil` if it must be parsed as a whole.
  static func lazy(_ text: LazyText?) -> JSON? { text.map { JSON(.lazy(LazyContainer($0))) } }
}
