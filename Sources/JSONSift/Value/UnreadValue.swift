/// A text that is read only where it is touched.
struct UnreadText: Sendable {
  let source: Document.Source
  let options: JSONOptions

  /// Lends the bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch source {
    case .array(let array): return unsafe array.withBytes(body)
    case .store(let store): return unsafe body(store.bytes)
    case .copy: return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}

/// A large array or object that nobody has looked into, or of which only the places of its children are known.
///
/// The first subscript finds the children with a kernel, which looks at structure only, and the value that is asked for is
/// parsed and validated by itself, if it is not large too. Whatever else is asked, and wherever the structure looks wrong,
/// the container is parsed as a whole: so all answers and errors are those of a validated text.
///
/// What has been found is kept for all threads. Two that look for the same at once both do the work, and one result stays:
/// nobody waits for another's parsing.
final class UnreadValue: Sendable {
  /// Smaller containers are parsed as a whole.
  static let smallest = 1 << 16

  private let text: UnreadText
  /// From the first bracket on; that of the outermost value goes to the end of the text.
  private let range: Range<Int>
  let isObject: Bool
  /// How many containers are around it.
  private let depth: Int
  private let state: Lock<State>

  private struct State: Sendable {
    var parsed: JSON.Storage?
    var failure: JSONError?
    /// The places of the children, if they were found together with those of the container around this one.
    var found: ChildPlaces?
    var children: Children?
    var large: [Int: UnreadValue] = [:]
  }

  /// Where the children lie, and in a large object which name the last of has which number.
  private final class Children: Sendable {
    let found: ChildPlaces
    let numbers: [MemberName: Int]

    init(_ found: ChildPlaces, _ numbers: [MemberName: Int]) {
      self.found = found
      self.numbers = numbers
    }
  }

  private init(_ text: UnreadText, _ range: Range<Int>, isObject: Bool, depth: Int, found: ChildPlaces? = nil) {
    self.text = text
    self.range = range
    self.isObject = isObject
    self.depth = depth
    state = Lock(State(found: found))
  }

  /// What is no JSON.
  private init(_ text: UnreadText, failure: JSONError) {
    self.text = text
    range = 0..<0
    isObject = false
    depth = 0
    state = Lock(State(parsed: .null(.invalidJSON), failure: failure))
  }

  /// The outermost value of a text, or `nil` if it is a scalar or small.
  convenience init?(_ text: UnreadText) {
    let found = unsafe text.withBytes { bytes -> (Range<Int>, Bool)? in
      let mark = unsafe ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
      let blank = unsafe ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: bytes[mark...]))
      let start = mark + blank
      guard bytes.count - start >= Self.smallest else { return nil }
      switch unsafe bytes[start] {
      case ASCII.openBrace: return (start..<bytes.count, true)
      case ASCII.openBracket: return (start..<bytes.count, false)
      default: return nil
      }
    }
    guard let (range, isObject) = found else { return nil }
    self.init(text, range, isObject: isObject, depth: 0)
  }

  /// Why it is no JSON, if somebody has touched what is wrong.
  var failure: JSONError? { state.withLock { $0.failure } }

  // MARK: As a whole

  /// The value, parsed as a whole: a place in a document, or null where it is no JSON.
  var parsed: JSON.Storage {
    if let parsed = state.withLock({ $0.parsed }) { return parsed }
    let result: JSON.Storage
    var failure: JSONError?
    do throws(JSONError) {
      result = .node(try document(range, depth: depth), Document.root)
    } catch {
      result = .null(.invalidJSON)
      failure = error
    }
    let problem = failure
    return state.withLock { state in
      if let parsed = state.parsed { return parsed }
      state.parsed = result
      state.failure = problem
      state.found = nil
      state.children = nil
      state.large = [:]
      return result
    }
  }

  /// Parses a part of the text, with so many containers around it.
  private func document(_ range: Range<Int>, depth: Int) throws(JSONError) -> Document {
    var options = text.options
    options.limits.depth = max(options.limits.depth - depth, 0)
    var builder = DocumentBuilder(options: options)
    if depth == 0 {
      let document = try builder.document(of: text.source)
      document.trim()
      return document
    }
    let result = unsafe text.withBytes { bytes in
      Result { () throws(JSONError) in
        let document = try unsafe builder.document(
          copyingFirst: UnsafeRawBufferPointer(rebasing: bytes[range]), origin: range.lowerBound, stripsMark: false)
        document.trim()
        return document
      }
    }
    do throws(JSONError) {
      return try result.get()
    } catch {
      if error.code == .depthLimit {
        throw JSONError(.depthLimit, at: error.byteOffset, number: text.options.limits.depth)
      }
      // Behind a child there may be a comma, or the end of what is around it.
      guard error.code == .trailingContent else { throw error }
      throw JSONError(
        .unexpectedByte, at: error.byteOffset, found: error.found,
        expected: isObject ? "',' or '}' after a member" : "',' or ']' after an element")
    }
  }

  // MARK: Children

  /// How many children there are, as far as the structure tells.
  var count: Int { children?.found.count ?? JSON(parsed).count }

  /// The element at `index`, or why there is none.
  func element(_ index: Int) -> JSON {
    if failure != nil { return JSON(.unread(self)) }
    guard let children else { return whole[index] }
    guard !isObject else { return JSON(absent: .wrongType) }
    guard index >= 0, index < children.found.count else { return JSON(absent: .indexOutOfBounds) }
    return value(index, of: children)
  }

  /// The value of the last member with this name, or why there is none.
  func member(_ key: String) -> JSON {
    if failure != nil { return JSON(.unread(self)) }
    guard let children else { return whole[key] }
    guard isObject else { return JSON(absent: .wrongType) }
    guard let number = children.numbers[MemberName(key)] else { return JSON(absent: .notExist) }
    let place = children.found[number]
    let start = range.lowerBound + 1
    do throws(JSONError) {
      // With its quotes.
      _ = try document((start + place.key.lowerBound - 1)..<(start + place.key.upperBound + 1), depth: depth + 1)
    } catch {
      return JSON(.unread(UnreadValue(text, failure: error)))
    }
    return value(number, of: children)
  }

  /// The value parsed as a whole; if that fails, what tells why.
  private var whole: JSON {
    let parsed = parsed
    return failure == nil ? JSON(parsed) : JSON(.unread(self))
  }

  private func value(_ number: Int, of children: Children) -> JSON {
    let place = children.found[number]
    let start = range.lowerBound + 1
    var lower = start + place.value.lowerBound
    var upper = start + place.value.upperBound
    var first: UInt8 = 0
    unsafe text.withBytes { bytes in
      upper = min(upper, bytes.count)
      lower = min(lower, upper)
      while upper > lower, unsafe bytes[upper - 1].isJSONWhitespace { upper -= 1 }
      if upper > lower { first = unsafe bytes[lower] }
    }
    if upper - lower >= Self.smallest, first == ASCII.openBrace || first == ASCII.openBracket {
      return JSON(.unread(large(number, lower..<upper, isObject: first == ASCII.openBrace, of: children)))
    }
    do throws(JSONError) {
      return JSON(try document(lower..<upper, depth: depth + 1), Document.root)
    } catch {
      return JSON(.unread(UnreadValue(text, failure: error)))
    }
  }

  /// A large child: the same object each time, so that what is found in it is found once.
  private func large(_ number: Int, _ range: Range<Int>, isObject: Bool, of children: Children) -> UnreadValue {
    state.withLock { state in
      if let known = state.large[number] { return known }
      // Something may stand behind the bracket that was found.
      let inner = children.found.inner[number].flatMap { $0.end == range.count - 1 ? $0 : nil }
      let value = UnreadValue(text, range, isObject: isObject, depth: depth + 1, found: inner)
      state.large[number] = value
      return value
    }
  }

  /// Where the children lie; `nil` if the container must be parsed as a whole: it has been, its structure looks wrong, or
  /// its children are so small that their places would take more memory than a tape.
  private var children: Children? {
    let (known, places, isParsed) = state.withLock { ($0.children, $0.found, $0.parsed != nil) }
    if isParsed { return nil }
    if let known { return known }
    guard depth < text.options.limits.depth,
      let found = unsafe text.withBytes({ unsafe findChildren($0, from: places) })
    else {
      _ = parsed
      return nil
    }
    return state.withLock { state in
      if state.parsed != nil { return nil }
      if let known = state.children { return known }
      state.children = found
      state.found = nil
      return found
    }
  }

  private func findChildren(_ bytes: UnsafeRawBufferPointer, from found: ChildPlaces?) -> Children? {
    let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<range.upperBound])
    guard let found = unsafe found ?? ChildPlaces(in: inside, isObject: isObject) else { return nil }
    let behind = unsafe UnsafeRawBufferPointer(rebasing: inside[found.end...])
    guard unsafe ByteScan.whitespacePrefix(behind) == behind.count else { return nil }
    return unsafe Children(found, isObject ? numbers(of: found, bytes) : [:])
  }

  private func numbers(of places: ChildPlaces, _ bytes: UnsafeRawBufferPointer) -> [MemberName: Int] {
    var numbers: [MemberName: Int] = [:]
    let start = range.lowerBound + 1
    for number in 0..<places.count {
      let place = places[number]
      let raw = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[(start + place.key.lowerBound)..<(start + place.key.upperBound)])
      let isEscaped = unsafe raw.place(of: ASCII.backslash) != nil
      let name = unsafe isEscaped ? EscapedText.decode(raw) : String(utf8: raw)
      numbers[MemberName(name)] = number
    }
    return numbers
  }
}

extension JSON {
  /// Why a value with the error ``SwiftyJSONError/invalidJSON`` is no JSON, and where in the whole input. Only of a text
  /// that was read with ``JSONOptions/fastForward-swift.property``, where the fault is found when it is touched; else `nil`.
  public var jsonError: JSONError? {
    if case .unread(let value) = raw { return value.failure }
    return nil
  }

  /// Unread text, parsed as a whole.
  var whole: JSON? {
    guard case .unread(let value) = raw else { return Optional.none }
    return JSON(value.parsed)
  }

  /// What the value is, seen as a whole.
  var settledType: JSONType {
    if case .unread(let value) = raw { _ = value.parsed }
    return type
  }

  /// A text that is read where it is touched, if it is large enough for that.
  static func unread(_ source: Document.Source, _ options: JSONOptions) -> JSON? {
    guard let value = UnreadValue(UnreadText(source: source, options: options)) else { return Optional.none }
    return JSON(.unread(value))
  }
}
