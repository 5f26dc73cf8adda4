/// What a decoder knows of the members of its object.
struct MemberIndex {
  enum State: UInt8 {
    /// Nobody has asked for a member yet.
    case unknown
    /// At most 64 names, all different, that stand in the source as they are: a ``MemberHashes`` has them.
    case small
    /// More of them: the document has a hash table.
    case large
    /// Names with escapes, or several that are equal: the document finds the last.
    case slow
    /// A key strategy has made other names of them.
    case converted
  }

  var state = State.unknown
  /// The word of the first key, and the one after the last member.
  var first: UInt32 = 0
  var end: UInt32 = 0
  /// The key that is likely to be asked for next, the one after the last that was found: its place in the table, or its word
  /// in a large object.
  var next: UInt32 = 0
  /// How many names are in the table.
  var count: UInt32 = 0
  /// By the names that a key strategy has made, the values.
  var converted: ConvertedMembers?
}

/// The names of an object with few members: for each a hash in the high half, and the word of the key in the low half.
///
/// SAFETY: allocated with room for 64 of them and a set of 1024 bits behind, and freed with its owner; a place is below 64.
@safe struct MemberHashes: ~Copyable {
  private let memory: UnsafeMutablePointer<UInt64>
  private static let bitWords = 16

  init() { unsafe memory = .allocate(capacity: Document.smallContainer + Self.bitWords) }

  deinit { unsafe memory.deallocate() }

  @inline(__always)
  func key(at place: UInt32) -> UInt32 {
    assert(place < Document.smallContainer)
    return unsafe UInt32(truncatingIfNeeded: memory[Int(place)])
  }

  /// Starts anew.
  @inline(__always)
  func clear() {
    let bits = unsafe memory + Document.smallContainer
    for word in 0..<Self.bitWords { unsafe bits[word] = 0 }
  }

  /// Appends a name. False if there is one with the same hash: two different names with one are so rare that the slow way
  /// is taken for them too.
  @inline(__always)
  func append(_ hash: UInt32, _ key: UInt32, at place: UInt32) -> Bool {
    let bits = unsafe memory + Document.smallContainer
    let word = Int(hash &>> 28)
    let bit: UInt64 = 1 &<< UInt64(hash &>> 22 & 63)
    if unsafe bits[word] & bit != 0, self.place(of: hash, from: 0, to: place) != nil { return false }
    unsafe bits[word] |= bit
    unsafe memory[Int(place)] = UInt64(hash) &<< 32 | UInt64(key)
    return true
  }

  @inline(__always)
  func place(of hash: UInt32, from start: UInt32, to end: UInt32) -> UInt32? {
    var place = start
    while place < end {
      if unsafe UInt32(truncatingIfNeeded: memory[Int(place)] &>> 32) == hash { return place }
      place &+= 1
    }
    return nil
  }
}

/// The members under the names that a key strategy gives them.
final class ConvertedMembers {
  var values: [String: UInt32] = [:]
  /// In the order of the source.
  var names: [String] = []
}

extension TapeDecoder {
  /// The word of the value of a member; 0 if there is none.
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
    if members.next < members.count {
      let key = names.key(at: members.next)
      if unsafe isKey(key, name) {
        members.next &+= 1
        return key &+ 1
      }
    }
    return unsafe searchedMember(name)
  }

  /// Whether a key of the source is the name. Most names are short: a call would cost more than the comparison.
  @inline(__always)
  private func isKey(_ key: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
    let word = word(key)
    guard word.length == name.count else { return false }
    let text = unsafe text(word)
    guard name.count <= 16 else { return unsafe name.elementsEqualMemory(text, at: 0) }
    return unsafe ShortName(name) == ShortName(text)
  }

  /// Looks from the likely place on, and then from the start: an optional that is missing leaves the place where it is.
  @inline(never)
  private func searchedMember(_ name: UnsafeRawBufferPointer) -> UInt32 {
    let hash = unsafe ShortName(name).hash(count: name.count)
    guard
      let place = names.place(of: hash, from: members.next, to: members.count)
        ?? names.place(of: hash, from: 0, to: members.next)
    else { return 0 }
    let key = names.key(at: place)
    // No two members have one hash, so no other can be it.
    guard unsafe isKey(key, name) else { return 0 }
    members.next = place &+ 1
    return key &+ 1
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

  // MARK: Preparing

  @inline(never)
  private func prepareMembers() {
    members.first = index &+ 2
    members.end = after(index) &- 1
    let count = word(index &+ 1).childCount
    if context.convertsKeys {
      convertMembers()
    } else if count > Document.smallContainer {
      members.next = members.first
      let isDistinct = context.document.map { $0.distinctMemberCount(of: index) == count } ?? false
      members.state = isDistinct && hasPlainKeys ? .large : .slow
    } else {
      members.state = fillNames() ? .small : .slow
    }
  }

  /// Whether all names stand in the source as they are.
  private var hasPlainKeys: Bool {
    var key = members.first
    while key < members.end {
      let word = word(key)
      if word.kind != .key || word.isLong { return false }
      key = after(key &+ 1)
    }
    return true
  }

  /// Whether each of at most 64 names stands in the source as it is, and once: then the table has them.
  private func fillNames() -> Bool {
    names.clear()
    // Looked up once: the compiler cannot know that the table is not a part of this object.
    let reader = reader
    let end = members.end
    var key = members.first
    var place: UInt32 = 0
    while key < end, place < Document.smallContainer {
      let word = reader.word(key)
      guard word.kind == .key, !word.isLong else { return false }
      let hash = unsafe ShortName(reader.text(word), before: reader.sourceEnd).hash(count: word.length)
      guard names.append(hash, key, at: place) else { return false }
      place &+= 1
      key = reader.after(key &+ 1)
    }
    members.count = place
    return true
  }

  private func convertMembers() {
    members.state = .converted
    let made = ConvertedMembers()
    let settings = context.settings
    let above = codingPath
    var key = members.first
    while key < members.end {
      let name = string(ofText: key)
      let converted: String
      switch settings.keyDecodingStrategy {
      case .useDefaultKeys: converted = name
      case .convertFromSnakeCase: converted = KeyCase.camel(fromSnake: name)
      case .custom(let convert): converted = convert(above + [CodingPathKey.name(name)]).stringValue
      }
      if made.values.updateValue(key &+ 1, forKey: converted) == nil { made.names.append(converted) }
      key = after(key &+ 1)
    }
    members.converted = made
  }

  // MARK: All names

  /// Hands out each name once.
  func forEachName(_ body: (String) -> Void) {
    if members.state == .unknown { prepareMembers() }
    if let converted = members.converted {
      for name in converted.names { body(name) }
      return
    }
    var key = members.first
    while key < members.end {
      if members.state == .small || members.state == .large || context.document?.isLastOfItsName(key, of: index) ?? true
      {
        body(string(ofText: key))
      }
      key = after(key &+ 1)
    }
  }
}

/// The first eight bytes of a name and its last eight: all of one that is no longer than 16.
private struct ShortName: Equatable {
  var low: UInt64
  var high: UInt64

  /// SAFETY: each load stays within the name, as its length says.
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    let count = name.count
    high = 0
    guard let base = name.baseAddress, count > 0 else {
      low = 0
      return
    }
    if count >= 8 {
      low = unsafe base.loadUnaligned(as: UInt64.self)
      high = unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      // The bytes that both loads have are the same.
      let last = unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      low = unsafe UInt64(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
      low |= UInt64(last) &<< UInt64(8 &* (count &- 4))
    } else {
      low = unsafe UInt64(name[0]) | UInt64(name[count / 2]) &<< UInt64(8 &* (count / 2))
      low |= unsafe UInt64(name[count &- 1]) &<< UInt64(8 &* (count &- 1))
    }
  }

  /// The same, with one load for a short name if eight bytes are there.
  ///
  /// SAFETY: `end` is that of the source in which the name stands.
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer, before end: UnsafeRawPointer?) {
    let count = name.count
    guard count < 8, count > 0, let base = name.baseAddress, let end = unsafe end, unsafe base + 8 <= end else {
      unsafe self.init(name)
      return
    }
    let bytes = unsafe UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
    self.init(low: bytes & (UInt64.max &>> UInt64(64 &- 8 &* count)), high: 0)
  }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Something that most other names have not. Whoever makes names that agree in it makes the document look for them.
  @inline(__always)
  func hash(count: Int) -> UInt32 {
    var bits = (low ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits &>> 29 ^ high) &* 0xFF51_AFD7_ED55_8CCD
    return UInt32(truncatingIfNeeded: bits &>> 32)
  }
}
