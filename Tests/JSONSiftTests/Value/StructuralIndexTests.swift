import TestSupport
import Testing

@testable import JSONSift

/// Offsets of children, found in the same pass as those of the large children among them.
@Suite struct StructuralIndexTests {
  /// Returns one container, without its opening bracket.
  private static func container(_ writer: inout RandomText, isObject: Bool, levels: Int) -> String {
    var text = ""
    let count = writer.random.below(12)
    for number in 0..<count {
      if number > 0 { text += writer.random.pick([",", " ,\n", ", "]) }
      if isObject { text += writer.random.pick(["\"k\(number)\":", "\"\\\"\\\\\" : ", "\"\":"]) }
      switch writer.random.below(levels > 0 ? 3 : 1) {
      case 0: text += writer.value(depth: 2)
      case 1: text += "[" + container(&writer, isObject: false, levels: levels - 1)
      default: text += "{" + container(&writer, isObject: true, levels: levels - 1)
      }
    }
    return text + writer.random.pick([isObject ? "}" : "]", isObject ? "\n}" : " ]"])
  }

  private static func plain(_ bytes: UnsafeRawBufferPointer, isObject: Bool) -> (children: [ChildScan.Child], end: Int)?
  {
    var scan = ChildScan(isObject: isObject)
    var children: [ChildScan.Child] = []
    guard unsafe scan.read(bytes, limit: Int.max, into: &children) == .ended else { return nil }
    return (children, scan.offset)
  }

  private static func isSame(_ found: StructuralIndex, _ bytes: UnsafeRawBufferPointer, isObject: Bool) -> Bool {
    guard let expected = unsafe plain(bytes, isObject: isObject) else { return false }
    return found.end == expected.end && (0..<found.count).map { found[$0] } == expected.children
  }

  @Test func `in every window the index equals that of one level after the other`() throws {
    var writer = RandomText(random: SeededGenerator.announced())
    var inner = 0
    for _ in 0..<(isDebug ? 100 : 5000) {
      let isObject = writer.random.below(2) == 0
      let text = Array((Self.container(&writer, isObject: isObject, levels: 3) + " , more [").utf8)
      for window in [1, 2, 3, 7, 31, 64, 65, 200, 1000] {
        unsafe text.withUnsafeBytes { bytes in
          guard let found = unsafe StructuralIndex(in: bytes, isObject: isObject, window: window) else {
            Issue.record("nothing found in \(String(decoding: text, as: UTF8.self))")
            return
          }
          #expect(
            unsafe Self.isSame(found, bytes, isObject: isObject), "\(window), \(String(decoding: text, as: UTF8.self))")
          for (number, child) in found.inner {
            inner += 1
            let start = found[number].value.lowerBound
            let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[(start + 1)...])
            #expect(unsafe Self.isSame(child, inside, isObject: bytes[start] == ASCII.openBrace))
            #expect(child.inner.isEmpty)
          }
        }
      }
    }
    #expect(inner > 400)
  }

  @Test func `damage is found in every window, or the index equals that of one level after the other`() throws {
    var writer = RandomText(random: SeededGenerator.announced())
    var rejected = 0
    let rounds = isDebug ? 150 : 1_200
    for _ in 0..<rounds {
      let isObject = writer.random.below(2) == 0
      var text = Array(Self.container(&writer, isObject: isObject, levels: 3).utf8)
      text += Array(" , 5, [6]]".utf8)
      for _ in 0..<(1 + writer.random.below(2)) {
        let offset = writer.random.below(text.count)
        let byte = writer.random.pick(Array("{}[]\",:\\0 ".utf8))
        switch writer.random.below(3) {
        case 0: text.insert(byte, at: offset)
        case 1: text.remove(at: offset)
        default: text[offset] = byte
        }
      }
      for window in [1, 5, 64, 300] {
        unsafe text.withUnsafeBytes { bytes in
          if let found = unsafe StructuralIndex(in: bytes, isObject: isObject, window: window) {
            #expect(unsafe Self.isSame(found, bytes, isObject: isObject), "\(String(decoding: text, as: UTF8.self))")
          } else {
            rejected += 1
            #expect(unsafe Self.plain(bytes, isObject: isObject) == nil, "\(String(decoding: text, as: UTF8.self))")
          }
        }
      }
    }
    #expect(rejected > rounds / 3)
  }

  @Test func `a child is descended into only if it begins with a bracket`() throws {
    let pad = String(repeating: "x", count: 200)
    let large = "[" + (0..<300).map { "[\"\($0)\",\"\(pad)\"]" }.joined(separator: ",") + "]"
    let texts = [
      "1 \(large),\"x\"] , 5, 6]", "\(large) \(large),7]", "\(large)\(large)]", "\"a\" \(large)]", "\(large) 1]",
    ]
    for text in texts {
      unsafe Array(text.utf8).withUnsafeBytes { bytes in
        for window in [1, 100, 1000, 1 << 20] {
          if let found = unsafe StructuralIndex(in: bytes, isObject: false, window: window) {
            #expect(unsafe Self.isSame(found, bytes, isObject: false))
          } else {
            #expect(unsafe Self.plain(bytes, isObject: false) == nil)
          }
        }
      }
    }
  }

  @Test func `containers with small children have no index, also inside a large container`() throws {
    let small = (0..<5000).map { "\($0)" }.joined(separator: ",") + "]"
    let large = (0..<3000).map { "\"\(String(repeating: "x", count: 200))\($0)\"" }.joined(separator: ",") + "]"
    for window in [100, 1 << 12, 1 << 20] {
      unsafe Array(small.utf8).withUnsafeBytes { bytes in
        #expect(unsafe StructuralIndex(in: bytes, isObject: false, window: window) == nil)
      }
      unsafe Array("[\(small),[\(large)]".utf8).withUnsafeBytes { bytes in
        let found = unsafe StructuralIndex(in: bytes, isObject: false, window: window)
        #expect(found?.count == 2 && found?.inner[0] == nil)
        #expect(found?.inner[1]?.count == (window < 1 << 20 ? 3000 : nil))
      }
    }
  }
}
