/// What a decoder knows of the members of its object.
struct MemberIndex {
  enum State: UInt8 {
    /// Nobody has asked for a member yet.
    case unknown
    /// At most 64 names, all different, that stand in the source as they are: ``ObjectShapeCache`` has them.
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
  /// How many names are in the table, and how often one has been looked up in it.
  var count: UInt32 = 0
  var asked: UInt32 = 0
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
    guard members.state == .small else { return unsafe tableMember(name) }
    let short = unsafe ShortName(name)
    let asked = members.asked
    members.asked = asked &+ 1
    let place = names.likelyPlace(of: asked)
    if place < members.count, unsafe isName(place, short, name) {
      members.next = place &+ 1
      return names.key(at: place) &+ 1
    }
    return unsafe searchedMember(short, name, asked)
  }

  /// Whether a name in the table is that which is asked for. Most are short: then the table has all of it.
  @inline(__always)
  private func isName(_ place: UInt32, _ short: ShortName, _ name: UnsafeRawBufferPointer) -> Bool {
    guard names.isName(at: place, short, count: name.count) else { return false }
    return unsafe name.count <= 16 || name.elementsEqualMemory(text(word(names.key(at: place))), at: 0)
  }

  /// Whether a key of the source is the name.
  private func isKey(_ key: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
    let word = word(key)
    return unsafe word.length == name.count && name.elementsEqualMemory(text(word), at: 0)
  }

  /// Looks behind the name that was found before, from there on, and then from the start: an optional that is missing leaves
  /// the place where it is.
  @inline(never)
  private func searchedMember(_ short: ShortName, _ name: UnsafeRawBufferPointer, _ asked: UInt32) -> UInt32 {
    let hash = short.hash(count: name.count)
    guard
      let place = names.place(of: hash, from: members.next, to: members.count)
        ?? names.place(of: hash, from: 0, to: members.next)
    else { return 0 }
    // No two members have one hash, so no other can be it.
    guard unsafe isName(place, short, name) else { return 0 }
    names.expect(place, at: asked)
    members.next = place &+ 1
    return names.key(at: place) &+ 1
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
    // Looked up once: the compiler cannot know that the table is not a part of this object.
    let reader = reader
    let end = members.end
    var key = members.first
    // Most objects have the names of the one before, and that they differ is known of those.
    let isFlat = end &- key == 2 &* UInt32(truncatingIfNeeded: reader.word(index &+ 1).childCount)
    var place = isFlat ? names.followScalars(reader, &key, to: end) : names.follow(reader, &key, to: end)
    members.count = place
    if key < end {
      names.beginChange(at: place)
      while key < end, place < Document.smallContainer {
        let word = reader.word(key)
        guard word.kind == .key, !word.isLong else { return false }
        let name = unsafe ShortName(reader.text(word), before: reader.sourceEnd)
        guard names.append(name, word, key, at: place) else { return false }
        place &+= 1
        key = reader.after(key &+ 1)
      }
      members.count = place
    }
    return true
  }

  private func convertMembers() {
    members.state = .converted
    let made = ConvertedMembers()
    let settings = context.settings.value
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
