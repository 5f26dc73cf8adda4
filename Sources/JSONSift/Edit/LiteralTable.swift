/// Finds all occurrences of literal texts in a text. Those that overlap are found as one part.
///
/// The first bytes of each literal, as many as the shortest one has and at most eight, are its *head*. Each position of a text
/// costs one lookup of the bytes there, whatever the number of literals.
struct LiteralTable: Sendable {
  /// The literals, those with equal heads next to each other and the longest first.
  private let literals: [[UInt8]]
  /// The range of the literals of each head.
  private var groups: [UInt64: Range<Int>] = [:]
  /// One bit for each hash of a head.
  private var filter: [UInt64]
  private let headCount: Int

  private static let filterBits: UInt64 = 1 << 14

  /// - Parameter texts: Literals that are not empty.
  init(_ texts: [String]) {
    let all = Set(texts.map { Array($0.utf8) })
    headCount = min(all.map(\.count).min() ?? 1, 8)
    filter = Array(repeating: 0, count: Int(Self.filterBits / 64))
    var sorted: [(head: UInt64, literal: [UInt8])] = []
    for literal in all {
      sorted.append(
        (unsafe literal.withUnsafeBytes { [headCount] in unsafe Self.head(of: $0, at: 0, headCount) }, literal))
    }
    sorted.sort { $0.head != $1.head ? $0.head < $1.head : $0.literal.count > $1.literal.count }
    for (index, entry) in sorted.enumerated() {
      groups[entry.head] = (groups[entry.head]?.lowerBound ?? index)..<(index + 1)
      let slot = Self.slot(of: entry.head)
      filter[Int(slot / 64)] |= 1 << (slot % 64)
    }
    literals = sorted.map(\.literal)
  }

  /// Returns the parts of a text that literals cover, in their order. They do not overlap.
  func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    guard text.count >= headCount else { return found }
    var head = unsafe Self.head(of: text, at: 0, headCount - 1)
    let mask = UInt64.max >> UInt64(64 - 8 * headCount)
    for end in headCount - 1..<text.count {
      head = unsafe (head << 8 | UInt64(text[end])) & mask
      let slot = Self.slot(of: head)
      guard filter[Int(slot / 64)] >> (slot % 64) & 1 == 1 else { continue }
      let index = end - headCount + 1
      if let length = unsafe length(at: index, in: text, head) { found.append(merging: index..<index + length) }
    }
    return found
  }

  private func length(at index: Int, in text: UnsafeRawBufferPointer, _ head: UInt64) -> Int? {
    guard let group = groups[head] else { return nil }
    for literal in literals[group] where literal.count <= text.count - index {
      let isEqual = unsafe literal.withUnsafeBytes { unsafe $0.elementsEqualMemory(text, at: index) }
      if isEqual { return literal.count }
    }
    return nil
  }

  private static func head(of text: UnsafeRawBufferPointer, at index: Int, _ count: Int) -> UInt64 {
    var head: UInt64 = 0
    for offset in 0..<count { head = unsafe head << 8 | UInt64(text[index &+ offset]) }
    return head
  }

  private static func slot(of head: UInt64) -> UInt64 { (head &* 0x9E37_79B9_7F4A_7C15) >> 50 }
}
