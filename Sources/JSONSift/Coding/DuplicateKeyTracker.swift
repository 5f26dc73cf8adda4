/// The names of an object that is being written, so that one that comes twice counts once.
struct DuplicateKeyTracker {
  /// Where each member begins in the text, and how long its name is with its quotes.
  private var members: [(start: Int, length: Int)] = []
  /// A bit for each name: most names are told to be new by it.
  private var seen: UInt64 = 0
  /// The same, of an object with many members.
  private var table: [Name: Int] = [:]
  /// How often a name was noted.
  private(set) var additions = 0
  /// The member that the last one replaces, and its place among the others.
  private var replaced: (place: Int, member: (start: Int, length: Int))?

  private struct Name: Hashable {
    let bytes: [UInt8]
  }

  private static let smallObject = 48

  mutating func removeAll() {
    if !members.isEmpty { members.removeAll(keepingCapacity: true) }
    if !table.isEmpty { table = [:] }
    seen = 0
  }

  /// Notes a name of a member behind all others, and says where the member stands that it replaces.
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

  /// Forgets the last name, whose value could not be written: what it replaces counts again.
  mutating func removeLast(in part: EncodedPart) {
    guard let last = members.popLast() else { return }
    if !table.isEmpty, let name = name(last.start, last.length, part) { table[name] = replaced?.member.start }
    if let replaced, replaced.place <= members.count { members.insert(replaced.member, at: replaced.place) }
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
      for member in members {
        if let name = name(member.start, member.length, part) { table[name] = member.start }
      }
    }
    guard let name = name(start, length, part), let old = table.updateValue(start, forKey: name) else { return nil }
    // Members stand in the order of their places.
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].start < old { low = middle + 1 } else { high = middle }
    }
    guard low < members.count, members[low].start == old else { return nil }
    return remove(low, before: start)
  }

  private func name(_ start: Int, _ length: Int, _ part: EncodedPart) -> Name? {
    unsafe try? part.withBytes { bytes in
      unsafe Name(bytes: Array(bytes[(start..<(start + length)).clamped(to: 0..<bytes.count)]))
    }
  }
}
