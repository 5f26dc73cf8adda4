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

  @Test func `a search without a match returns nil and not the length`() {
    unsafe Array("abc".utf8).withUnsafeBytes { bytes in
      var escaped = false
      let feed = unsafe ByteScan.lineFeed(bytes)
      let candidate = unsafe ByteScan.surrogateCandidate(bytes)
      let end = unsafe ByteScan.stringEnd(bytes, escaped: &escaped)
      #expect(feed == nil && candidate == nil && end == nil)
    }
  }

  @Test func `the escape state continues from chunk to chunk`() {
    let text = Array(#"ab\\\"cd\"#.utf8) + Array("\"x\\\"\" tail".utf8)
    let whole = end(of: [text])
    for cut in 0...text.count {
      #expect(end(of: [Array(text[..<cut]), Array(text[cut...])]) == whole, "cut at \(cut)")
    }
    #expect(whole == 13)
  }

  private func end(of chunks: [[UInt8]]) -> Int? {
    var escaped = false
    var before = 0
    for chunk in chunks {
      if let offset = unsafe chunk.withUnsafeBytes({ unsafe ByteScan.stringEnd($0, escaped: &escaped) }) {
        return before + offset
      }
      before += chunk.count
    }
    return nil
  }

  @Test func `the kernel in use has a name`() {
    #expect(["avx2", "neon", "portable"].contains(ByteScan.kernelName))
  }
}
