/// A hash table of the names that a reader of objects expects, compared as bytes.
package final class NameTable: Sendable {
  /// The bytes of all names, concatenated.
  private let bytes: [UInt8]
  /// The end of each name in the bytes.
  private let ends: [Int]
  /// The index of each name.
  private let slots: HashSlots<UInt32>

  /// - Parameter names: The distinct names.
  package init(_ names: [String]) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var hashes: [Int] = []
    var slots = HashSlots<UInt32>(4)
    for name in names {
      let name = Array(name.utf8)
      let hash = unsafe name.withUnsafeBytes { unsafe Self.hash($0) }
      bytes += name
      ends.append(bytes.count)
      hashes.append(hash)
      slots.fill(slots.slot(hash) { _ in false }, UInt32(truncatingIfNeeded: hashes.count - 1)) { hashes[Int($0)] }
    }
    self.bytes = bytes
    self.ends = ends
    self.slots = slots
  }

  /// Calls `body` with the name at an index; returns `nil` if there is no such name.
  func withName<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard index < ends.count else { return nil }
    let start = index == 0 ? 0 : ends[index &- 1]
    return unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]])) }
  }

  /// Returns the index of a name, or `nil`.
  ///
  /// - Complexity: O(length of the name).
  func index(of name: UnsafeRawBufferPointer) -> Int? {
    let slot = unsafe slots.slot(Self.hash(name)) { index in
      unsafe withName(at: Int(index)) { unsafe $0.count == name.count && $0.elementsEqualMemory(name, at: 0) } == true
    }
    return slots[slot].map { Int($0) }
  }

  /// FNV-1a. The names in the table are from the program, so input cannot make them collide with one another.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<bytes.count { hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
