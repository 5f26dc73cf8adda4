import Testing

@testable import JSONSiftAnalysis

@Suite struct HyperLogLogTests {
  private static func estimate(_ hashes: some Sequence<UInt64>) -> Double {
    var log = HyperLogLog()
    for hash in hashes { log.add(hash) }
    return log.estimate
  }

  @Test(arguments: [0, 1, 10, 100])
  func `few hashes are counted nearly exactly, also those whose bits after the register are all zero`(count: Int) {
    let count = UInt64(count)
    let different = (0..<count).map { $0 << 50 | 1 << 49 }
    let zero = (0..<count).map { $0 << 50 }
    for hashes in [different, zero, zero + zero] {
      #expect(abs(Self.estimate(hashes) - Double(count)) <= Double(count) * 0.01, "\(count)")
    }
  }
}
