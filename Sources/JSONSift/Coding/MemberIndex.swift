/// The state of the member lookup of a decoder whose value is an object.
struct MemberIndex {
  enum State: UInt8 {
    /// No member has been looked up yet.
    case unknown
    /// At most 64 different keys without escapes: ``ObjectShapeCache`` contains them.
    case small
    /// More than 64 different keys without escapes: the document has a hash table of them.
    case large
    /// Keys with escapes, or duplicate keys: the document finds the last member with a key.
    case slow
    /// A key strategy has converted the keys.
    case converted
  }

  var state = State.unknown
  /// The index of the tape word of the first key.
  var first: UInt32 = 0
  /// The index after the last member.
  var end: UInt32 = 0
  /// The key that is likely to be looked up next: the one after the last match. An index in the cache, or in a large
  /// object the index of its tape word.
  var next: UInt32 = 0
  /// The number of keys in the cache.
  var count: UInt32 = 0
  /// The number of lookups in the cache.
  var lookupCount: UInt32 = 0
  /// The members by converted key.
  var converted: ConvertedMembers?
}

/// The members by the keys that a key strategy returned.
final class ConvertedMembers {
  var values: [String: UInt32] = [:]
  /// The converted keys in the order of the source.
  var names: [String] = []
}

extension TapeDecoder {
  // Forced inlining in this file saves 4.6 % of `decode` (Scripts/measure instructions).
  /// Returns the index of the tape word of a member's value, or 0 if there is no such member.
  @inline(__always)
  func member(_ name: String) -> UInt32 {
    if members.state == .unknown { prepareMembers() }
    if members.state == .converted { return members.converted?.values[name] ?? 0 }
    var name = name
    return name.withUTF8 { unsafe member(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  private func member(_ name: UnsafeRawBufferPointer) -> UInt32 {
    guard members.state == .small else { return unsafe tableMember(name) }
    let short = unsafe ShortName(name)
    let lookupNumber = members.lookupCount
    members.lookupCount = lookupNumber &+ 1
    let entry = names.likelyIndex(of: lookupNumber)
    if entry < members.count, unsafe isName(entry, short, name) {
      members.next = entry &+ 1
      return names.key(at: entry) &+ 1
    }
    return unsafe searchedMember(short, name, lookupNumber)
  }

  /// Returns whether an entry of the cache is the key. The cache holds all bytes of a key of at most 16 bytes.
  private func isName(_ entry: UInt32, _ short: ShortName, _ name: UnsafeRawBufferPointer) -> Bool {
    guard names.isName(at: entry, short, count: name.count) else { return false }
    return unsafe name.count <= 16 || name.elementsEqualMemory(text(word(names.key(at: entry))), at: 0)
  }

  /// Returns whether a key of the source is `name`.
  private func isKey(_ key: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
    let word = word(key)
    return unsafe word.length == name.count && name.elementsEqualMemory(text(word), at: 0)
  }

  /// Searches from the entry after the last match to the end, and then from the start. A missing optional member leaves
  /// `members.next` unchanged.
  @inline(never)
  private func searchedMember(_ short: ShortName, _ name: UnsafeRawBufferPointer, _ lookupNumber: UInt32) -> UInt32 {
    let hash = short.hash(count: name.count)
    guard
      let entry = names.index(of: hash, from: members.next, to: members.count)
        ?? names.index(of: hash, from: 0, to: members.next)
    else { return 0 }
    // The hashes in the cache are distinct, so no other entry can match.
    guard unsafe isName(entry, short, name) else { return 0 }
    names.expect(entry, at: lookupNumber)
    members.next = entry &+ 1
    return names.key(at: entry) &+ 1
  }

  @inline(never)
  private func tableMember(_ name: UnsafeRawBufferPointer) -> UInt32 {
    if members.state == .large, members.next < members.end, unsafe isKey(members.next, name) {
      let value = members.next &+ 1
      members.next = after(value)
      return value
    }
    guard let document = context.document, let value = unsafe document.member(name, of: index) else { return 0 }
    members.next = after(value)
    return value
  }

  // MARK: Preparation

  @inline(never)
  private func prepareMembers() {
    members.first = index &+ 2
    members.end = after(index) &- 1
    let count = word(index &+ 1).childCount
    if context.convertsKeys {
      convertMembers()
    } else if count > Document.maxScannedChildren {
      members.next = members.first
      let isDistinct = context.document.map { $0.distinctMemberCount(of: index) == count } ?? false
      members.state = isDistinct && hasPlainKeys ? .large : .slow
    } else {
      members.state = fillNames() ? .small : .slow
    }
  }

  /// Whether no key has escapes, and the length of each fits its tape word.
  private var hasPlainKeys: Bool {
    var key = members.first
    while key < members.end {
      let word = word(key)
      if word.kind != .key || word.isLong { return false }
      key = after(key &+ 1)
    }
    return true
  }

  /// Fills the cache with the keys. Returns false if a key has escapes or a long length, or if keys are duplicate.
  private func fillNames() -> Bool {
    // Loaded once: the compiler cannot prove that the cache is not part of this object.
    let reader = reader
    let end = members.end
    var key = members.first
    // Most objects have the keys of the one before, which are known to be distinct.
    let isFlat = end &- key == 2 &* UInt32(truncatingIfNeeded: reader.word(index &+ 1).childCount)
    var entry = isFlat ? names.followScalars(reader, &key, to: end) : names.follow(reader, &key, to: end)
    members.count = entry
    if key < end {
      names.beginChange(at: entry)
      while key < end, entry < Document.maxScannedChildren {
        let word = reader.word(key)
        guard word.kind == .key, !word.isLong else { return false }
        let name = unsafe ShortName(reader.text(word))
        guard names.append(name, word, key, at: entry) else { return false }
        entry &+= 1
        key = reader.after(key &+ 1)
      }
      members.count = entry
    }
    return true
  }

  private func convertMembers() {
    members.state = .converted
    let made = ConvertedMembers()
    let settings = context.settings.value
    let parentPath = codingPath
    var key = members.first
    while key < members.end {
      let name = string(ofText: key)
      let converted: String
      switch settings.keyDecodingStrategy {
      case .useDefaultKeys: converted = name
      case .convertFromSnakeCase: converted = KeyCase.camel(name, from: "_")
      case .convertFromKebabCase: converted = KeyCase.camel(name, from: "-")
      case .convertFromPascalCase: converted = KeyCase.camel(fromPascal: name)
      case .custom(let convert): converted = convert(parentPath + [CodingPathKey.name(name)]).stringValue
      }
      if made.values.updateValue(key &+ 1, forKey: converted) == nil { made.names.append(converted) }
      key = after(key &+ 1)
    }
    members.converted = made
  }

  // MARK: All keys

  /// Calls `body` with each distinct key.
  func forEachName(_ body: (String) -> Void) {
    if members.state == .unknown { prepareMembers() }
    if let converted = members.converted {
      for name in converted.names { body(name) }
      return
    }
    var key = members.first
    while key < members.end {
      if members.state == .small || members.state == .large
        || context.document?.isLastWithItsKey(key, of: index) ?? true
      {
        body(string(ofText: key))
      }
      key = after(key &+ 1)
    }
  }
}
