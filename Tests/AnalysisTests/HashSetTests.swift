import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// The set of hashes from which a Bloom filter is made.
@Suite struct HashSetTests {
  private static func elements(_ set: HashSet) -> [UInt64] {
    var elements: [UInt64] = []
    set.forEach { elements.append($0) }
    return elements.sorted()
  }

  @Test func `a set has each hash once, also after it has grown and was emptied`() {
    var random = SeededGenerator.announced()
    var set = HashSet()
    for count in [0, 1, 3000, 300_000, 5] {
      var expected: Set<UInt64> = []
      for _ in 0..<count {
        let hash = random.below(5) == 0 ? UInt64(random.below(50)) &- 1 : SketchHash.of(Double(random.below(1 << 40)))
        for _ in 0...random.below(2) { set.insert(hash) }
        expected.insert(hash)
      }
      #expect(!set.isFull && set.count == expected.count)
      #expect(Self.elements(set) == expected.sorted())
      set.removeAll()
      #expect(set.count == 0 && Self.elements(set).isEmpty)
    }
  }

  @Test func `hashes that were chosen to collide take bounded time, and are no longer told apart`() {
    var set = HashSet()
    // 512 steps for each at most: without the bound these are 2 x 10^10.
    for number in 1...200_000 { set.insert(UInt64(number) << 40) }
    #expect(set.isFull)
    let filter = BloomFilter(of: set)
    #expect((0..<1000).allSatisfy { filter.mayContain(SketchHash.of(Double($0))) })
    set.removeAll()
    set.insert(7)
    #expect(!set.isFull && Self.elements(set) == [7])
  }
}
