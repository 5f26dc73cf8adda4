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

  @inline(__always)
  private func isKey(_ key: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
    unsafe name.elementsEqualMemory(text(word(key)), at: 0)
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
      members.state = hasPlainKeys && !hasEqualKeys ? .plain : .slow
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

  /// Whether two of at most 64 names are equal: a set of bits tells names apart, and where two have the same bit all
  /// are compared.
  private var hasEqualKeys: Bool {
    var seen = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    var key = members.first
    while key < members.end {
      let name = unsafe text(word(key))
      let hash = unsafe Self.hash(name)
      let bit: UInt64 = 1 << (hash & 63)
      var isSeen = false
      switch hash >> 6 & 3 {
      case 0: (isSeen, seen.0) = (seen.0 & bit != 0, seen.0 | bit)
      case 1: (isSeen, seen.1) = (seen.1 & bit != 0, seen.1 | bit)
      case 2: (isSeen, seen.2) = (seen.2 & bit != 0, seen.2 | bit)
      default: (isSeen, seen.3) = (seen.3 & bit != 0, seen.3 | bit)
      }
      if isSeen, unsafe isNamed(name, before: key) { return true }
      key = after(key &+ 1)
    }
    return false
  }

  private func isNamed(_ name: UnsafeRawBufferPointer, before end: UInt32) -> Bool {
    let wanted = EventWord(.key, at: 0, length: name.count).bits
    var key = members.first
    while key < end {
      if (word(key).bits ^ wanted) & Self.belowOffset == 0, unsafe isKey(key, name) { return true }
      key = after(key &+ 1)
    }
    return false
  }

  /// Something of a name that most others have not. Whoever makes names that agree in it gains nothing: at most 64 are
  /// compared.
  private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = name.baseAddress else { return 0 }
    let count = name.count
    var bits: UInt64
    if count >= 8 {
      unsafe bits =
        base.loadUnaligned(as: UInt64.self)
        ^ (base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15)
    } else if count >= 4 {
      unsafe bits =
        UInt64(base.loadUnaligned(as: UInt32.self))
        | UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< 32
    } else if count > 0 {
      unsafe bits =
        UInt64(name[0]) | UInt64(name[count / 2]) &<< 8 | UInt64(name[count &- 1]) &<< 16
    } else {
      bits = 0
    }
    bits = (bits ^ UInt64(truncatingIfNeeded: count)) &* 0xFF51_AFD7_ED55_8CCD
    return bits &>> 56
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
