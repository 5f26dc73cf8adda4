/// The names that a reader of objects waits for, compared as bytes.
package final class NameTable: Sendable {
  private let names: [[UInt8]]
  /// Places in `names`, by hash, with 0 for none and the others from 1. Twice as many slots as names, a power of two.
  private let slots: [UInt32]

  /// Of equal names the last counts.
  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    var room = 4
    while room < names.count * 2 { room *= 2 }
    var slots = [UInt32](repeating: 0, count: room)
    for (index, name) in self.names.enumerated() {
      var slot = unsafe name.withUnsafeBytes { unsafe Self.hash($0) } & (room - 1)
      while slots[slot] != 0, self.names[Int(slots[slot]) - 1] != name { slot = (slot + 1) & (room - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
    self.slots = slots
  }

  /// The place of a name.
  ///
  /// - Parameter guess: The place at which it probably is: members come most often in one order.
  /// - Complexity: O(length of the name).
  func index(of name: UnsafeRawBufferPointer, guess: Int) -> Int? {
    if guess < names.count, unsafe matches(guess, name) { return guess }
    var slot = unsafe Self.hash(name) & (slots.count - 1)
    // At most half of the slots are taken, so there is an end.
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if unsafe matches(index, name) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func matches(_ index: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    guard names[index].count == name.count else { return false }
    return unsafe names[index].withUnsafeBytes { unsafe $0.elementsEqualMemory(name, at: 0) }
  }

  /// FNV-1a. The names in the table are the program's, so nobody can make them collide.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<bytes.count { hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}

/// Goes over the members or elements of a container for another module of the package, and makes no string of a name
/// that is in a table.
package struct NamedChildren {
  private var cursor: ChildCursor
  /// The name of the last member.
  private var lastName: ChildCursor.Name?
  private var guess = 0
  /// How many children have been handed out, or passed over.
  package private(set) var position = 0

  /// The children of an array or object; a scalar has none.
  package init(_ json: JSON) { cursor = ChildCursor(json) }

  /// The next element, or the value of the next member.
  package mutating func next() -> JSON? {
    guard let child = cursor.next() else { return Optional.none }
    position += 1
    lastName = child.name
    return child.value
  }

  /// The value of the next member whose name is in the table, and the place of the name there.
  package mutating func next(in table: NameTable) -> (index: Int, value: JSON)? {
    while let child = cursor.next() {
      position += 1
      guard let index = child.name.flatMap({ place(of: $0, in: table) }) else { continue }
      guess = index + 1
      return (index, child.value)
    }
    return nil
  }

  private func place(of name: ChildCursor.Name, in table: NameTable) -> Int? {
    unsafe name.withBytes { unsafe table.index(of: $0, guess: guess) }
  }

  /// The name of the last member that ``next()`` has handed out. Made anew by each call.
  package var name: String? { lastName?.string }
}

extension JSON {
  /// The integer, if this is a number that is one and fits.
  package var exactInt64: Int64? { exactly(Int64.self) }

  /// The integer, if this is a number that is one and fits.
  package var exactUInt64: UInt64? { exactly(UInt64.self) }
}
