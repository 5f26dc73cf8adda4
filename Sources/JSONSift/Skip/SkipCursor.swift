/// A cursor over the structure of one validated text that arrives in windows. Kernels skip values.
///
/// The cursor stops at each key and value of the containers that were entered, and at their ends. At a value its owner
/// decides whether the cursor enters it, skips it, or continues after it because the owner has parsed it. If members of an
/// object are searched by name, everything between them is skipped.
///
/// The cursor is plain state and holds no bytes. The bytes of a window from ``position`` on must be at the start of the next
/// window.
struct SkipCursor {
  /// The state of the cursor after a move.
  enum Stop {
    /// At the end of the window, or at a key that the window cuts.
    case more
    /// After a key: ``key``.
    case key
    /// At the first byte of the value of a member; ``key`` is its key.
    case member
    /// At the first byte of a value.
    case value
    /// After the end of containers, which the cursor has left: ``levelsLeft``.
    case end
  }

  private(set) var grammar = Grammar()
  /// The index of the cursor in the window.
  private(set) var position = 0
  /// The offset of the window in the input.
  private(set) var origin = 0
  private(set) var containers = OpenContainers()
  /// The last key, at its index in the window.
  private(set) var key = TapeWord(.key, at: 0)
  /// The number of bytes that were scanned of a key that the window cuts.
  private var scannedKeyCount = 0
  /// Whether the next byte of a key that the window cuts is escaped.
  private var nextKeyByteIsEscaped = false
  /// The scan over the value that is being skipped, or over the rest of `levelsInScan` containers.
  private(set) var scan: ValueScan?
  /// The number of containers whose rest ``scan`` skips.
  private var levelsInScan = 0
  /// The number of containers that have ended at the last ``Stop/end``.
  private(set) var levelsLeft = 1
  /// The number of open containers.
  var depth: Int { containers.count }

  /// The offset in the input of the byte at ``position``.
  var offset: Int { origin &+ position }

  /// Begins a window. It starts with the byte at which the last window was left.
  mutating func begin(windowAt origin: Int) {
    self.origin = origin
    position = 0
  }

  // MARK: Moving

  /// Moves to the next stop.
  ///
  /// - Parameters:
  ///   - names: In an object, the names of the members to search for; `nil` to stop at each member.
  ///   - tokens: An index of the input.
  mutating func next(
    _ window: UnsafeRawBufferPointer, names: KeyPatternLists.Reference?, _ tokens: inout TokenIndex
  ) -> Stop {
    if scan != nil {
      guard unsafe continueSkipping(window) else { return .more }
      if levelsInScan > 0 { return leave(levelsInScan) }
    }
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
        if byte == ASCII.quote {
          if let names, scannedKeyCount == 0, let stop = unsafe skipMembers(window, names, &tokens) { return stop }
          return unsafe readKey(window)
        }
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
      guard unsafe skipWhitespace(byte, window) else { return .more }
    }
    return .more
  }

  /// Skips white space, or a byte order mark at the start. Returns `false` at any other byte, where validated text ends.
  private mutating func skipWhitespace(_ byte: UInt8, _ window: UnsafeRawBufferPointer) -> Bool {
    guard byte.isJSONWhitespace else { return unsafe skipByteOrderMark(window) }
    position &+= 1
    // One blank is typical; a longer run is left to the kernel.
    if position < window.count, unsafe window[position] <= ASCII.space {
      position &+= unsafe ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: window[position...]))
    }
    return true
  }

  @inline(never)
  private mutating func skipByteOrderMark(_ window: UnsafeRawBufferPointer) -> Bool {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[position...])
    guard offset == 0, unsafe ByteOrderMark.begins(rest) else { return false }
    position = ByteOrderMark.count
    return true
  }

  /// Skips members up to one that is searched for, to one that is a container whose end is not in the index, or to the end of
  /// the object. Returns `nil` at a key that must be read.
  private mutating func skipMembers(
    _ window: UnsafeRawBufferPointer, _ names: KeyPatternLists.Reference, _ tokens: inout TokenIndex
  ) -> Stop? {
    unsafe tokens.walk(UnsafeRawBufferPointer(rebasing: window[position...]), at: offset)
    var skipped = 0
    let token = unsafe tokens.next(
      in: window, at: origin, lookingFor: names, inObject: true, skipsContainers: true, skipped: &skipped)
    guard let start = tokens.offset() else { return nil }
    position = start &- origin
    grammar.state = .key
    switch token {
    case .bracket:
      position &+= 1
      return leave()
    case .name, .member:
      guard let value = tokens.offset(after: 1) else { return nil }
      key = unsafe Self.key(at: position, before: value &- origin, in: window)
      position = value &- origin
      grammar.state = .memberValue
      return .member
    case .none:
      if skipped == 0 { tokens.forget() }
      return nil
    }
  }

  /// Returns the word of the key whose opening quote is at `quote`, and whose value begins at `value`.
  static func key(at quote: Int, before value: Int, in window: UnsafeRawBufferPointer) -> TapeWord {
    var end = value &- 1
    // Only white space and the colon stand behind the closing quote.
    while end > quote &+ 1, unsafe window[end] != ASCII.quote { end &-= 1 }
    // Keys are short: a loop is faster than a search.
    var index = quote &+ 1
    while index < end, unsafe window[index] != ASCII.backslash { index &+= 1 }
    return word(ofKeyFrom: quote, to: end, isEscaped: index < end)
  }

  private static func word(ofKeyFrom quote: Int, to end: Int, isEscaped: Bool) -> TapeWord {
    let length = max(end &- quote &- 1, 0)
    return TapeWord(isEscaped ? .escapedKey : .key, at: quote, length: min(length, TapeWord.longLength))
  }

  /// Reads a key up to its closing quote.
  private mutating func readKey(_ window: UnsafeRawBufferPointer) -> Stop {
    let first = position &+ 1
    if scannedKeyCount == 0 {
      var index = first
      while index < window.count {
        let byte = unsafe window[index]
        if byte == ASCII.quote { return endKey(at: index, isEscaped: false) }
        if byte == ASCII.backslash { break }
        index &+= 1
      }
    }
    return unsafe readLongKey(window)
  }

  /// Reads a key that has escapes, or that a window cuts.
  @inline(never)
  private mutating func readLongKey(_ window: UnsafeRawBufferPointer) -> Stop {
    let first = position &+ 1
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[(first &+ scannedKeyCount)...])
    guard let quote = unsafe ByteScan.stringEnd(rest, escaped: &nextKeyByteIsEscaped) else {
      scannedKeyCount = window.count &- first
      return .more
    }
    let end = first &+ scannedKeyCount &+ quote
    scannedKeyCount = 0
    nextKeyByteIsEscaped = false
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[first..<end])
    return unsafe endKey(at: end, isEscaped: text.firstOffset(of: ASCII.backslash) != nil)
  }

  private mutating func endKey(at quote: Int, isEscaped: Bool) -> Stop {
    key = Self.word(ofKeyFrom: position, to: quote, isEscaped: isEscaped)
    position = quote &+ 1
    grammar.state = .colon
    return .key
  }

  private mutating func leave(_ levels: Int = 1) -> Stop {
    levelsInScan = 0
    levelsLeft = levels
    containers.removeLast(levels)
    grammar.state = stateAfterValue
    return .end
  }

  // MARK: Elements

  /// Whether the cursor is after an element, and not skipping a value.
  var isAfterElement: Bool { grammar.state == .afterElement && scan == nil }

  /// Moves to an index of the window that is also after an element.
  mutating func moveAfterElement(to index: Int) { position = index }

  // MARK: Position in a container

  /// Whether the cursor is between the children of a container, or before or after them, and not skipping a value.
  var isAmongChildren: Bool {
    guard scan == nil, scannedKeyCount == 0 else { return false }
    switch grammar.state {
    case .firstElement, .element, .afterElement, .firstKey, .key, .afterMember: return true
    case .value, .memberValue, .colon, .end: return false
    }
  }

  /// Moves to an index of the window. The caller provides the grammar state there.
  mutating func move(to index: Int, _ state: Grammar.State) {
    position = index
    grammar.state = state
  }

  /// The grammar state after a value of the innermost container.
  var stateAfterValue: Grammar.State { containers.isInObject ? .afterMember : depth > 0 ? .afterElement : .end }

  /// Enters a container that the caller has found. The position does not change.
  mutating func openContainer(isObject: Bool) { containers.append(isObject: isObject) }

  mutating func closeContainer() { containers.removeLast(1) }

  // MARK: At a value

  /// Enters the container at the cursor.
  mutating func enter(asObject isObject: Bool) {
    containers.append(isObject: isObject)
    position &+= 1
    grammar.state = isObject ? .firstKey : .firstElement
  }

  /// Skips the value at the cursor, which begins with the byte `first`.
  mutating func skipValue(_ first: UInt8) {
    scan = ValueScan(after: first)
    position &+= 1
    grammar.skipValue()
  }

  /// Skips the rest of the `levels` innermost containers.
  mutating func skipRest(ofLevels levels: Int) {
    guard levels > 0 else { return }
    scan = ValueScan(ofContainers: levels)
    levelsInScan = levels
  }

  /// Moves to the end of the value at the cursor, which the caller has read.
  mutating func take(to end: Int) {
    position = end
    grammar.skipValue()
  }

  /// Moves to an index of the window inside a value that the caller reads.
  mutating func move(to index: Int) { position = index }

  /// Continues to skip. Returns `false` if the end of the skipped text is not in the window.
  private mutating func continueSkipping(_ window: UnsafeRawBufferPointer) -> Bool {
    guard let end = unsafe scan?.end(in: window, from: position) else {
      position = window.count
      return false
    }
    scan = nil
    position = end
    return true
  }
}
