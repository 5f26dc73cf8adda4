import CJSONScan
import Testing

@testable import JSONSift

@Suite struct ByteScanTests {
  static let tails: [([UInt8], Int)] = [
    ([], 0), ([0x61], 0), ([0xC3], 1), ([0xC3, 0xA9], 0), ([0xE2], 1), ([0xE2, 0x82], 2), ([0xE2, 0x82, 0xAC], 0),
    ([0xF0], 1), ([0xF0, 0x9F], 2), ([0xF0, 0x9F, 0x98], 3), ([0xF0, 0x9F, 0x98, 0x80], 0),
    ([0x61, 0xF0, 0x9F, 0x98], 3),
    ([0x80], 0), ([0x80, 0x80, 0x80], 0), ([0x80, 0x80, 0x80, 0x80], 0), ([0xC0], 0), ([0xC1], 0), ([0xF5], 0),
    ([0xFF], 0), ([0xE0], 1), ([0xE0, 0x9F], 0), ([0xE0, 0xA0], 2), ([0xED, 0x9F], 2), ([0xED, 0xA0], 0),
    ([0xF0, 0x8F], 0), ([0xF0, 0x8F, 0x80], 0), ([0xF4, 0x8F, 0xBF], 3), ([0xF4, 0x90], 0), ([0xC3, 0xA9, 0xC3], 1),
  ]

  @Test(arguments: tails)
  func `the tail is the start of an incomplete character`(bytes: [UInt8], tail: Int) {
    #expect(unsafe bytes.withUnsafeBytes { unsafe ByteScan.incompleteTail($0) } == tail)
  }

  @Test func `an empty input has no match`() {
    let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    var escaped = true
    #expect(unsafe ByteScan.textPrefix(none) == 0)
    #expect(unsafe ByteScan.incompleteTail(none) == 0)
    #expect(unsafe ByteScan.whitespacePrefix(none) == 0)
    #expect(unsafe ByteScan.countLineFeeds(none) == 0)
    let feed = unsafe ByteScan.lineFeed(none)
    let candidate = unsafe ByteScan.surrogateCandidate(none)
    let end = unsafe ByteScan.stringEnd(none, escaped: &escaped)
    #expect(feed == nil && candidate == nil && end == nil)
    #expect(escaped)
  }
}
