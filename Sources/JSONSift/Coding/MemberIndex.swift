/// What a decoder knows of the members of its object.
struct MemberIndex {
  enum State: UInt8 {
    /// Nobody has asked for a member yet.
    case unknown
    /// All names differ and stand in the source as they are: they are compared with the words.
    case plain
    /// Names with escapes, or several that are equal: the document finds the last.
    case slow
    /// A key strategy has made other names of them.
    case converted
  }

  var state = State.unknown
  /// The word of the first key, and the one after the last member.
  var first: UInt32 = 0
  var end: UInt32 = 0
  /// The key that is likely to be asked for next: the one after the last that was found.
  var next: UInt32 = 0
  /// There are many members: a hash table finds them.
  var isLarge = false
  /// By the names that a key strategy has made, the values.
  var converted: ConvertedMembers?
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
    guard members.state == .plain, name.count < EventWord.longLength else { return unsafe slowMember(name) }
    // Kind and length stand below the offset: most keys differ there, and the source is not touched.
    let wanted = EventWord(.key, at: 0, length: name.count).bits
    let key = members.next
    if key < members.end, (word(key).bits ^ wanted) & Self.belowOffset == 0, unsafe isKey(key, name) {
      members.next = after(key &+ 1)
      return key &+ 1
    }
    return unsafe searchedMember(name, wanted)
  }

  private static var belowOffset: UInt64 { 1 << EventWord.offsetShift - 1 }

  /// Whether a key, whose length is that of the name, is the name. Most names are short: a call would cost more than the
  /// comparison.
  @inline(__always)
  private func isKey(_ key: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
    let text = unsafe text(word(key))
    guard name.count <= 16 else { return unsafe name.elementsEqualMemory(text, at: 0) }
    return unsafe ShortName(name) == ShortName(text)
  }

  @inline(never)
  private func searchedMember(_ name: UnsafeRawBufferPointer, _ wanted: UInt64) -> UInt32 {
    if members.isLarge { return unsafe slowMember(name) }
    // From the likely place on, and then from the start: an optional that is missing leaves the place where it is.
    let start = members.next
    var key = start
    var end = members.end
    for _ in 0..<2 {
      while key < end {
        let following = after(key &+ 1)
        if (word(key).bits ^ wanted) & Self.belowOffset == 0, unsafe isKey(key, name) {
          members.next = following
          return key &+ 1
        }
        key = following
      }
      key = members.first
      end = start
    }
    return 0
  }

  @inline(never)
  private func slowMember(_ name: UnsafeRawBufferPointer) -> UInt32 {
    guard let document = context.document, let value = unsafe document.member(name, of: index) else { return 0 }
    members.next = after(value)
    return value
  }

  // MARK: Preparing

  @inline(never)
  private func prepareMembers() {
    members.first = index &+ 2
    members.next = members.first
    members.end = after(index) &- 1
    if context.convertsKeys {
      convertMembers()
    } else if word(index &+ 1).childCount > Document.smallContainer {
      members.isLarge = true
      let count = word(index &+ 1).childCount
      let isPlain = context.document.map { $0.distinctMemberCount(of: index) == count && hasPlainKeys } ?? false
      members.state = isPlain ? .plain : .slow
    } else {
      members.state = hasDistinctPlainKeys ? .plain : .slow
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

  /// Whether each of at most 64 names stands in the source as it is, and once.
  ///
  /// A set of bits tells most names apart; where two have the same bit, the hashes of all before are looked through.
  private var hasDistinctPlainKeys: Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Document.smallContainer) { hashes in
      var seen = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      var count = 0
      var key = members.first
      while key < members.end, count < hashes.count {
        let word = word(key)
        if word.kind != .key || word.isLong { return false }
        let hash = unsafe Self.hash(text(word))
        let bit: UInt64 = 1 &<< UInt64(hash & 63)
        var isSeen = false
        switch hash >> 6 & 3 {
        case 0: (isSeen, seen.0) = (seen.0 & bit != 0, seen.0 | bit)
        case 1: (isSeen, seen.1) = (seen.1 & bit != 0, seen.1 | bit)
        case 2: (isSeen, seen.2) = (seen.2 & bit != 0, seen.2 | bit)
        default: (isSeen, seen.3) = (seen.3 & bit != 0, seen.3 | bit)
        }
        // Two names with one hash are so rare that the slow way is taken for them.
        if isSeen {
          for place in 0..<count { if unsafe hashes[place] == hash { return false } }
        }
        unsafe hashes[count] = hash
        count &+= 1
        key = after(key &+ 1)
      }
      return true
    }
  }

  /// Something of a name that most others have not. Whoever makes names that agree in it makes the lookup walk over at
  /// most 64 members.
  @inline(__always)
  private static func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
    let short = unsafe ShortName(name)
    var bits = (short.low ^ UInt64(truncatingIfNeeded: name.count)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits &>> 29 ^ short.high) &* 0xFF51_AFD7_ED55_8CCD
    return UInt32(truncatingIfNeeded: bits &>> 32)
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
      if members.state == .plain || context.document?.isLastOfItsName(key, of: index) ?? true {
        body(string(ofText: key))
      }
      key = after(key &+ 1)
    }
  }
}

/// The first bytes of a name and its last: all of one that is no longer than 16.
private struct ShortName: Equatable {
  var low: UInt64
  var high: UInt64

  /// SAFETY: each load stays within the name, as its length says.
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    let count = name.count
    guard let base = name.baseAddress, count > 0 else {
      (low, high) = (0, 0)
      return
    }
    if count >= 8 {
      low = unsafe base.loadUnaligned(as: UInt64.self)
      high = unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      low = unsafe UInt64(base.loadUnaligned(as: UInt32.self))
      high = unsafe UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    } else {
      low = unsafe UInt64(name[0]) | UInt64(name[count / 2]) &<< 8
      high = unsafe UInt64(name[count &- 1])
    }
  }
}
