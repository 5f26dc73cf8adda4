import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Documents that are parsed on access.
@Suite struct LazyContainerTests {
  /// Returns a document of several large containers with unusual features.
  private static func document(_ random: inout SeededGenerator) -> [UInt8] {
    var writer = RandomText(random: random)
    func elements(_ count: Int) -> String {
      (0..<count).map { number in
        "{\"id\":\(number),\"text\":\"\(String(repeating: "x\\\\\\\"", count: 40))\",\"any\":\(writer.value(depth: 3))}"
      }.joined(separator: " ,\n")
    }
    func members(_ count: Int) -> String {
      (0..<count).map {
        "\"m\($0 % (count - 3))\" : [\(writer.value(depth: 3)),\"\(String(repeating: "y", count: 200))\"]"
      }
      .joined(separator: ",")
    }
    let text = """
      \u{FEFF} {"first":1,"list":[\(elements(700))] , "byName":{\(members(500))},"small":{"a":[1,2]},"numbers":[\
      \((0..<40_000).map { "\($0)" }.joined(separator: ","))],"li\\u0073t":[[\(elements(400))],null],"last":"é"}

      """
    random = writer.random
    return Array(text.utf8)
  }

  @Test func `every location gives the same value as in a document that is parsed as a whole`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 1 : 3) {
      let bytes = Self.document(&random)
      let whole = try JSON(parsingWhole: bytes, options: JSONOptions())
      let lazy = try JSON(parsing: bytes)
      func same(_ path: [JSONSubscriptType]) -> Bool {
        let (found, expected) = (lazy[path], whole[path])
        guard found.type == expected.type, found.error == expected.error, found.count == expected.count else {
          return false
        }
        var borrowed: [UInt8] = []
        unsafe found.borrowRawBytes { borrowed = unsafe Array($0) }
        return found.jsonError == nil && found == expected && found.byteRange == expected.byteRange
          && found.rawBytes == expected.rawBytes && borrowed == expected.rawBytes
          && found.withRawBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } } == expected.rawBytes
      }
      let keys = [
        "first", "list", "byName", "small", "numbers", "last", "none", "m0", "m1", "m77", "m496", "m499", "id", "any",
      ]
      for _ in 0..<400 {
        var path: [JSONSubscriptType] = [random.pick(keys)]
        for _ in 0..<random.below(4) {
          let isIndex = random.below(2) == 0
          path.append(isIndex ? random.below(720) - 5 as JSONSubscriptType : random.pick(keys))
        }
        #expect(same(path), "\(path)")
      }
      #expect(same([]) && same(["list", 0, 399]) && same(["numbers", 39_999]) && same(["byName", "m496", 1]))
      #expect(lazy.map { $0.0 } == whole.map { $0.0 } && lazy.description == whole.description)
    }
  }

  @Test func `limits of depth and offsets in a file equal those of the whole text`() throws {
    let pad = "\"\(String(repeating: "z", count: 100_000))\""
    let options = with(JSONOptions()) { $0.limits.depth = 4 }
    #expect(try JSON(parsing: "[[\(pad),[[1]]]]", options: options)[0][1][0][0].int == 1)
    let error = #expect(throws: JSONError.self) { try JSON(parsing: "[[\(pad),[[1]],[[[1]]]]]", options: options) }
    #expect(error?.code == .depthLimit)
    let path = temporaryPath("unread.json")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("[\(pad),{\"a\":7}]".utf8).write(to: URL(fileURLWithPath: path))
    for loading in [JSON.FileLoading.copied, .mapped] {
      let file = try JSON(contentsOf: path, loading: loading)
      #expect(file[1]["a"].int == 7 && file[1]["a"].byteRange == 100_009..<100_010)
    }
  }
}
