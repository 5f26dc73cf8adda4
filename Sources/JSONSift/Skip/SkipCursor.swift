/// Moves over the structure of one text that comes in windows, and passes over values by kernels: the fast-forward cursor.
///
/// It stops at each key and value of the containers that were entered, and at their ends. At a value its owner says what
/// becomes of it: it is entered, passed over, or taken by somebody else. Between values the grammar is that of JSON; what
/// is passed over is checked for structure only: strings end, and brackets match in number. Where members of an object are
/// looked for by name, all that lies between them is passed over.
///
/// It is plain state, and holds no bytes: of a window, those from ``position`` on must be there again in the next one.
struct SkipCursor {
  /// Where the cursor stands.
  enum Stop {
    /// At the end of the window, or at a key that it cuts.
    case more
    /// Behind a key: ``key``.
    case key
    /// At the first byte of the value of a member, and ``key`` is its key.
    case member
    /// At the first byte of a value.
    case value
    /// Behind the end of containers, which it has left: ``levelsLeft``.
    case end
  }

  private let limits: JSONLimits
  private var grammar = Grammar()
  /// Where the cursor stands in the window.
  private(set) var position = 0
  /// Where the window begins in the input.
  private(set) var origin = 0
  /// The open containers.
  private(set) var containers = OpenContainers()
  /// The last key, with its quotes, and whether it has a backslash.
  private(set) var key = 0..<0
  private(set) var keyIsEscaped = false
  /// How much of a key that the window cuts has been looked at.
  private var keySeen = 0
  private var keyEscapes = false
  /// Which of the names that were looked for it is; `nil` if it was not looked for or may be spelled with escapes.
  private(set) var keyName: Int?
  /// The value that is passed over, or the rest of so many containers.
  private var scan: ValueScan?
  private var levelsInScan = 0
  /// How many containers have ended at the last ``Stop/end``.
  private(set) var levelsLeft = 1
  /// The scan over members of the innermost object, and whether it is under way.
  private var members = MemberScan()
  private var isInMembers = false

  init(limits: JSONLimits) { self.limits = limits }

  /// How many containers are open.
  @inline(__always) var depth: Int { containers.count }

  /// The innermost container is an object.
  @inline(__always) var isInObject: Bool { containers.isInObject }

  /// The offset in the input of the byte at ``position``.
  @inline(__always) var offset: Int { origin &+ position }

  /// Begins a window: it starts with the byte at which the last one was left.
  mutating func begin(windowAt origin: Int) {
    self.origin = origin
    position = 0
  }

  // MARK: Moving

  /// Goes on to the next stop.
  ///
  /// - Parameters:
  ///   - isLast: No bytes follow the window.
  ///   - names: In an object, the names of the members that are looked for; `nil` if all are.
  /// - Throws: ``JSONError`` where no JSON goes on so.
  @inline(__always)
  mutating func next(
    _ window: UnsafeRawBufferPointer, isLast: Bool, names: KeyPatternLists.Reference?
  ) throws(JSONError) -> Stop {
    if scan != nil {
      guard try unsafe passOn(window) else { return .more }
      if levelsInScan > 0 { return leave(levelsInScan) }
    }
    if isInMembers, let names { return try unsafe readMembers(window, names) }
    while position < window.count {
      let byte = unsafe window[position]
      switch grammar.state {
      case .afterElement, .afterMember:
        if byte == ASCII.comma {
          grammar.state = grammar.state == .afterMember ? .key : .element
          position &+= 1
          continue
        }
        if byte == (grammar.state == .afterMember ? ASCII.closeBrace : ASCII.closeBracket) {
          position &+= 1
          return leave()
        }
      case .firstKey, .key:
        if let names {
          members = MemberScan()
          return try unsafe readMembers(window, names)
        }
        if byte == ASCII.quote { return try unsafe readKey(window) }
        if byte == ASCII.closeBrace, grammar.state == .firstKey {
          position &+= 1
          return leave()
        }
      case .colon:
        if byte == ASCII.colon {
          grammar.state = .memberValue
          position &+= 1
          continue
        }
      case .value, .firstElement, .element, .memberValue:
        if byte > ASCII.space {
          if grammar.allows(byte), byte != ASCII.closeBracket { return .value }
          if byte == ASCII.closeBracket, grammar.state == .firstElement {
            position &+= 1
            return leave()
          }
        }
      case .end: break
      }
      guard try unsafe passBlank(byte, window, isLast: isLast) else { return .more }
    }
    return .more
  }

  /// Goes over white space, or a byte order mark at the start. `false` if more bytes must tell whether it is one.
  @inline(__always)
  private mutating func passBlank(
    _ byte: UInt8, _ window: UnsafeRawBufferPointer, isLast: Bool
  ) throws(JSONError) -> Bool {
    guard byte.isJSONWhitespace else { return try unsafe passMark(window, isLast: isLast) }
    position &+= 1
    // One blank is usual; of more there can be many.
    if position < window.count, unsafe window[position] <= ASCII.space {
      position &+= unsafe ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: window[position...]))
    }
    return true
  }

  @inline(never)
  private mutating func passMark(_ window: UnsafeRawBufferPointer, isLast: Bool) throws(JSONError) -> Bool {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[position...])
    if offset == 0 {
      if unsafe ByteOrderMark.begins(rest) {
        position = ByteOrderMark.count
        return true
      }
      if !isLast, unsafe ByteOrderMark.mayBegin(Array(rest.prefix(ByteOrderMark.count))) { return false }
    }
    let tail = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(4))
    if unsafe rest[0] >= 0x80, unsafe ByteScan.textPrefix(tail) == 0 {
      if !isLast, unsafe ByteScan.incompleteTail(tail) == tail.count { return false }
      throw JSONError(.invalidUTF8, at: offset)
    }
    throw unsafe grammar.misplaced(rest[0], at: offset)
  }

  /// Goes on over members to a key that is looked for.
  private mutating func readMembers(
    _ window: UnsafeRawBufferPointer, _ names: KeyPatternLists.Reference
  ) throws(JSONError) -> Stop {
    let start = position
    let (outcome, used) = unsafe members.read(UnsafeRawBufferPointer(rebasing: window[start...]), lookingFor: names)
    position = start &+ used
    isInMembers = false
    switch outcome {
    case .stopped:
      let text = members.key
      key = (start &+ text.lowerBound &- 1)..<(start &+ text.upperBound &+ 1)
      if text.count > limits.keyBytes { throw keyTooLong(at: key.lowerBound) }
      keyName = members.name < names.count ? members.name : nil
      keyIsEscaped = keyName == nil
      grammar.state = .colon
      // Characters that are not ASCII are checked where all are that stand between values.
      guard position &+ 1 < window.count, unsafe window[position] == ASCII.colon,
        case let first = unsafe window[position &+ 1], first > ASCII.space, first < 0x80
      else { return .key }
      grammar.state = .memberValue
      position &+= 1
      return .member
    case .ended: return leave()
    case .malformed: throw unsafe unmatched(window[position], at: offset)
    case .more:
      isInMembers = true
      return .more
    }
  }

  private func keyTooLong(at index: Int) -> JSONError {
    JSONError(.keyLimit, at: origin &+ index, limit: limits.keyBytes)
  }

  /// Passes over the value of the member whose key was looked for and found, and goes on to the next one.
  @inline(__always)
  mutating func passMember() { isInMembers = true }

  /// Throws if no value can begin where the cursor stands.
  @inline(__always)
  mutating func requireValue(_ window: UnsafeRawBufferPointer) throws(JSONError) {
    guard position < window.count, unsafe !grammar.allows(window[position]) else { return }
    throw unsafe grammar.misplaced(window[position], at: offset)
  }

  /// Reads a key up to its closing quote.
  @inline(__always)
  private mutating func readKey(_ window: UnsafeRawBufferPointer) throws(JSONError) -> Stop {
    let first = position &+ 1
    if keySeen == 0 {
      var index = first
      while index < window.count {
        let byte = unsafe window[index]
        if byte == ASCII.quote {
          keyIsEscaped = false
          return try endKey(first, index)
        }
        if byte == ASCII.backslash { break }
        index &+= 1
      }
    }
    return try unsafe readLongKey(window)
  }

  /// Reads a key that has escapes, or that a window cuts.
  @inline(never)
  private mutating func readLongKey(_ window: UnsafeRawBufferPointer) throws(JSONError) -> Stop {
    let first = position &+ 1
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[(first &+ keySeen)...])
    guard let quote = unsafe ByteScan.stringEnd(rest, escaped: &keyEscapes) else {
      keySeen = window.count &- first
      if keySeen > limits.keyBytes { throw keyTooLong(at: position) }
      return .more
    }
    let end = first &+ keySeen &+ quote
    keyIsEscaped = unsafe UnsafeRawBufferPointer(rebasing: window[first..<end]).place(of: ASCII.backslash) != nil
    keySeen = 0
    keyEscapes = false
    return try endKey(first, end)
  }

  @inline(__always)
  private mutating func endKey(_ first: Int, _ quote: Int) throws(JSONError) -> Stop {
    if quote &- first > limits.keyBytes { throw keyTooLong(at: position) }
    keyName = nil
    key = position..<(quote &+ 1)
    position = quote &+ 1
    grammar.state = .colon
    return .key
  }

  @inline(__always)
  private mutating func leave(_ levels: Int = 1) -> Stop {
    levelsInScan = 0
    levelsLeft = levels
    containers.removeLast(levels)
    grammar.state = stateBehindValue
    return .end
  }

  // MARK: Elements

  /// The cursor stands behind an element, and passes over nothing.
  @inline(__always)
  var isBehindElement: Bool { grammar.state == .afterElement && scan == nil }

  /// Goes to an index of the window that is behind an element too.
  @inline(__always)
  mutating func passElements(to index: Int) { position = index }

  // MARK: Standing

  /// The cursor stands among the children of a container, before or behind one, and passes over nothing.
  @inline(__always)
  var isAmongChildren: Bool {
    guard scan == nil, !isInMembers, keySeen == 0 else { return false }
    switch grammar.state {
    case .firstElement, .element, .afterElement, .firstKey, .key, .afterMember: return true
    case .value, .memberValue, .colon, .end: return false
    }
  }

  /// The cursor stands behind the opening bracket of a container.
  @inline(__always)
  var hasJustEntered: Bool {
    (grammar.state == .firstElement || grammar.state == .firstKey) && scan == nil && !isInMembers && keySeen == 0
  }

  /// Goes to an index of the window, where somebody else knows what may come.
  @inline(__always)
  mutating func stand(at index: Int, _ state: Grammar.State) {
    position = index
    grammar.state = state
  }

  /// What may come behind a value of the innermost container.
  @inline(__always)
  var stateBehindValue: Grammar.State {
    containers.isInObject ? .afterMember : depth > 0 ? .afterElement : .end
  }

  /// A container begins or ends that somebody else has found.
  @inline(__always)
  mutating func openContainer(isObject: Bool) { containers.append(isObject: isObject) }

  @inline(__always)
  mutating func closeContainer() { containers.removeLast(1) }

  // MARK: At a value

  /// Enters the container at which the cursor stands.
  @inline(__always)
  mutating func enter(asObject isObject: Bool) throws(JSONError) {
    if depth >= limits.depth { throw JSONError(.depthLimit, at: offset, limit: limits.depth) }
    containers.append(isObject: isObject)
    position &+= 1
    grammar.state = isObject ? .firstKey : .firstElement
  }

  /// Passes over the value at which the cursor stands, which begins with this byte.
  @inline(__always)
  mutating func pass(_ first: UInt8) {
    scan = ValueScan(after: first)
    position &+= 1
    grammar.skipValue()
  }

  /// Passes over what is left of so many of the innermost containers.
  @inline(__always)
  mutating func passRest(ofLevels levels: Int) {
    guard levels > 0 else { return }
    scan = ValueScan(ofContainers: levels, objects: containers.objects(among: levels))
    levelsInScan = levels
  }

  /// Goes behind the value at which the cursor stands: somebody else has taken it, up to an index of the window.
  @inline(__always)
  mutating func take(to end: Int) {
    position = end
    grammar.skipValue()
  }

  /// Goes to an index of the window, in a value that somebody else takes.
  mutating func move(to index: Int) { position = index }

  /// Goes on over what is passed. `false` if its end is not in the window.
  @inline(__always)
  private mutating func passOn(_ window: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
    guard let end = unsafe scan?.end(in: window, from: position) else {
      position = window.count
      return false
    }
    if let scan, !scan.isBalanced { throw unsafe unmatched(window[end &- 1], at: origin &+ end &- 1) }
    scan = nil
    position = end
    return true
  }

  /// The bracket that ends a value which was passed over, and is of the wrong kind.
  private func unmatched(_ byte: UInt8, at offset: Int) -> JSONError {
    JSONError(
      .unexpectedByte, at: offset, found: .init(byte: byte), expected: .matchingBracket)
  }

  // MARK: At the end

  /// Says that no bytes follow the last window, which `next` has gone over.
  ///
  /// - Throws: ``JSONError/Code/unexpectedEnd`` if the text is not complete.
  func finish(_ window: UnsafeRawBufferPointer) throws(JSONError) {
    let end = origin &+ window.count
    if let scan {
      if scan.form == .word, grammar.state == .end { return }
      throw JSONError(.unexpectedEnd, at: end, expected: scan.form == .word ? grammar.expectation : scan.missing)
    }
    if isInMembers, position == window.count {
      let missing: Expectation =
        members.isInString
        ? .closingQuote
        : members.depth > 1 ? .endOfContainer : Self.expectation(expected)
      throw JSONError(.unexpectedEnd, at: end, expected: missing)
    }
    if position < window.count {
      throw JSONError(.unexpectedEnd, at: end, expected: .closingQuote)
    }
    guard grammar.state == .end else { throw JSONError(.unexpectedEnd, at: end, expected: grammar.expectation) }
  }

  /// What may come next among members.
  private var expected: Grammar.State {
    switch members.byteBefore {
    case ASCII.comma: grammar.state == .firstKey ? .firstKey : .key
    case ASCII.colon: .memberValue
    default: .afterMember
    }
  }

  private static func expectation(_ state: Grammar.State) -> Expectation {
    var grammar = Grammar()
    grammar.state = state
    return grammar.expectation
  }
}
