import TestSupport
import Testing

@testable import JSONSift

/// Offsets of the children of one container.
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

  private static func index(of bytes: UnsafeRawBufferPointer, isObject: Bool) -> StructuralIndex? {
    unsafe StructuralIndex(in: bytes, ChildScan(isObject: isObject))
  }

  /// Returns whether the index equals what one call of the kernel finds in the text.
  private static func isRight(_ found: StructuralIndex?, _ bytes: UnsafeRawBufferPointer, isObject: Bool) -> Bool {
    var scan = ChildScan(isObject: isObject)
    var children: [ChildScan.Child] = []
    guard unsafe scan.read(bytes, limit: Int.max, into: &children) == .ended else { return found == nil }
    return found?.end == scan.offset && found?.children == children
  }

  @Test func `the index has the children of a container, and nothing after it`() throws {
    var writer = RandomText(random: SeededGenerator.announced())
    for _ in 0..<(isDebug ? 100 : 5000) {
      let isObject = writer.random.below(2) == 0
      let text = Array((Self.container(&writer, isObject: isObject, levels: 3) + " , more [").utf8)
      unsafe text.withUnsafeBytes { bytes in
        let found = unsafe Self.index(of: bytes, isObject: isObject)
        #expect(
          unsafe found != nil && Self.isRight(found, bytes, isObject: isObject),
          "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  @Test func `damage is found, or the index has the children`() throws {
    var writer = RandomText(random: SeededGenerator.announced())
    var rejected = 0
    let rounds = isDebug ? 300 : 3_000
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
      unsafe text.withUnsafeBytes { bytes in
        let found = unsafe Self.index(of: bytes, isObject: isObject)
        if found == nil { rejected += 1 }
        #expect(unsafe Self.isRight(found, bytes, isObject: isObject), "\(String(decoding: text, as: UTF8.self))")
      }
    }
    #expect(rejected > rounds / 10)
  }

  @Test func `many long children are indexed, and many small ones are not`() throws {
    let small = (0..<5000).map { "\($0)" }.joined(separator: ",") + "]"
    let large = (0..<3000).map { "\"\(String(repeating: "x", count: 200))\($0)\"" }.joined(separator: ",") + "]"
    unsafe Array(small.utf8).withUnsafeBytes { bytes in
      #expect(unsafe Self.index(of: bytes, isObject: false) == nil)
    }
    unsafe Array(large.utf8).withUnsafeBytes { bytes in
      let found = unsafe Self.index(of: bytes, isObject: false)
      #expect(found?.children.count == 3000)
      #expect(unsafe Self.isRight(found, bytes, isObject: false))
    }
  }
}
