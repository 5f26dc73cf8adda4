/// The keys of an object that is being written. Of several members with one key only the last is kept.
struct DuplicateKeyTracker {
  /// The offset of each member in the text, and the length of its key with the quotes.
  private var members: [(start: Int, length: Int)] = []
  /// A filter with 64 bits: a key whose bit is clear is new.
  private var seen: UInt64 = 0
  /// The offset of the member by key, for an object with many members.
  private var table: [[UInt8]: Int] = [:]
  /// The number of calls of `add`.
  private(set) var additions = 0
  /// The member that the last one replaces, and its former index in `members`.
  private var replaced: (index: Int, member: (start: Int, length: Int))?

  private static let smallObject = Sizes.of(48, fuzzing: 3)

  mutating func removeAll() {
    if !members.isEmpty { members.removeAll(keepingCapacity: true) }
    if !table.isEmpty { table = [:] }
    seen = 0
  }

  /// Adds the key of a member that follows all others. Returns the bytes of the member that it replaces, if there is
  /// one.
  mutating func add(_ start: Int, _ length: Int, in part: EncodedPart) -> Range<Int>? {
    replaced = nil
    additions &+= 1
    defer { members.append((start, length)) }
    if members.count >= Self.smallObject { return addToTable(start, length, part) }
    let bit: UInt64 = 1 << part.bit(of: start, count: length)
    defer { seen |= bit }
    guard seen & bit != 0 else { return nil }
    guard let old = members.firstIndex(where: { $0.length == length && part.isEqual($0.start, start, count: length) })
    else { return nil }
    return remove(old, before: start)
  }

  /// Removes the last key, because its value could not be written, and restores the member that it replaced.
  mutating func removeLast(in part: EncodedPart) {
    guard let last = members.popLast() else { return }
    if !table.isEmpty { table[name(last.start, last.length, part)] = replaced?.member.start }
    if let replaced, replaced.index <= members.count { members.insert(replaced.member, at: replaced.index) }
    replaced = nil
  }

  private mutating func remove(_ member: Int, before start: Int) -> Range<Int> {
    let end = member + 1 < members.count ? members[member + 1].start : start
    let old = members.remove(at: member)
    replaced = (member, old)
    return old.start..<end
  }

  private mutating func addToTable(_ start: Int, _ length: Int, _ part: EncodedPart) -> Range<Int>? {
    if table.isEmpty {
      for member in members { table[name(member.start, member.length, part)] = member.start }
    }
    guard let old = table.updateValue(start, forKey: name(start, length, part)) else { return nil }
    // `members` is sorted by offset.
    let index = members.indices.bisect { members[$0].start >= old }
    guard index < members.count, members[index].start == old else { return nil }
    return remove(index, before: start)
  }

  private func name(_ start: Int, _ length: Int, _ part: EncodedPart) -> [UInt8] {
    unsafe part.withBytes { bytes in unsafe Array(bytes[(start..<(start + length)).clamped(to: 0..<bytes.count)]) }
  }
}
