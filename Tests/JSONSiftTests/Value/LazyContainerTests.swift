import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Documents that are parsed on access.
@Suite struct LazyContainerTests {
  /// Returns a document of several large containers with unusual features.
  private static func document(_ random: inout SeededRandom) -> [UInt8] {
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

  @Test func `every location gives the same value as in a validated document`() throws {
    var random = SeededRandom.announced()
    for _ in 0..<(isDebug ? 1 : 3) {
      let bytes = Self.document(&random)
      let validated = try JSON(parsing: bytes)
      let fast = try JSON(parsing: bytes, options: .fastForward)
      func same(_ path: [JSONSubscriptType]) -> Bool {
        let (found, expected) = (fast[path], validated[path])
        guard found.type == expected.type, found.error == expected.error, found.count == expected.count else {
          return false
        }
        var lent: [UInt8] = []
        unsafe found.lendRawBytes { lent = unsafe Array($0) }
        return found.jsonError == nil && found == expected && found.byteRange == expected.byteRange
          && found.rawBytes == expected.rawBytes && lent == expected.rawBytes
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
      #expect(fast.map { $0.0 } == validated.map { $0.0 } && fast.description == validated.description)
    }
  }

  @Test func `an accessed value can be changed, written and detached like any other`() throws {
    var random = SeededRandom.announced()
    let bytes = Self.document(&random)
    var fast = try JSON(parsing: bytes, options: .fastForward)
    var validated = try JSON(parsing: bytes)
    #expect(fast["byName"]["m3"].detached() == validated["byName"]["m3"])
    fast["list"][0][3] = 7
    validated["list"][0][3] = 7
    #expect(fast == validated)
    #expect(try fast.bytes() == validated.bytes())
  }

  @Test func `text is validated on access, and an error is reported then`() throws {
    let good = (0..<500).map { "{\"id\":\($0),\"pad\":\"\(String(repeating: "-", count: 200))\"}" }
    func bytes(_ bad: String) -> [UInt8] {
      Array("{\"a\":[\((good + [bad] + good).joined(separator: ","))],\"b\":true}".utf8)
    }
    for bad in ["{\"id\":01}", "[tru]", "{\"x\" 1}", "\"\\q\"", "[1,]", "1 2", "\"\u{1}\""] {
      let text = bytes(bad)
      let expected = try #require(jsonError { _ = try JSON(parsing: text) })
      let json = try JSON(parsing: text, options: .fastForward)
      #expect(json["a"][499]["id"].int == 499 && json["a"][999]["id"].int == 498 && json["b"].bool == true)
      #expect(json.error == nil && json["a"].error == nil && json["a"].type == .array)
      let touched = json["a"][500]
      #expect(touched.error == .invalidJSON && touched.type == .null && touched["id"].error == .invalidJSON, "\(bad)")
      #expect(
        touched.jsonError?.code == expected.code && touched.jsonError?.byteOffset == expected.byteOffset, "\(bad)")
      // Reading all of it reports the error too.
      #expect(json["a"].array == nil && json["a"].error == .invalidJSON)
    }
    for broken in ["{\"id\":[1}", "]", "\"open"] {
      let text = bytes(broken)
      let expected = try #require(jsonError { _ = try JSON(parsing: text) })
      let json = try JSON(parsing: text, options: .fastForward)
      let touched = json["a"][0]
      #expect(touched.error == .invalidJSON && touched.jsonError == expected, "\(broken)")
      #expect(json["none"].error == .invalidJSON && json["a"]["x"][1].jsonError == expected)
    }
  }

  @Test func `truncated and damaged texts never trap, and give an error or the same value`() throws {
    var random = SeededRandom.announced()
    let bytes = Self.document(&random)
    for _ in 0..<60 {
      var text = bytes
      if random.below(2) == 0 {
        text.removeLast(random.below(bytes.count))
      } else {
        for _ in 0..<4 { text[random.below(text.count)] = random.pick(Array("{}[]\",:\\0 ".utf8)) }
      }
      guard let json = try? JSON(parsing: text, options: .fastForward) else { continue }
      for path: [JSONSubscriptType] in [["list", 0, 3, "id"], ["byName", "m7", 0], ["last"], ["numbers", 17]] {
        let found = json[path]
        #expect((found.error == .invalidJSON) == (found.jsonError != nil))
        if found.error == nil { #expect(try JSON(parsing: found.rawBytes) == found) }
      }
    }
  }

  @Test func `limits of depth and the file offset equal those of the whole text`() throws {
    let pad = "\"\(String(repeating: "z", count: 100_000))\""
    var options = JSONOptions.fastForward
    options.limits.depth = 4
    let json = try JSON(parsing: "[[\(pad),[[1]],[[[1]]]]]", options: options)
    #expect(json[0][1][0][0].int == 1 && json[0][2].jsonError?.code == .depthLimit)
    let path = temporaryPath("unread.json")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("[\(pad),{\"a\":7}]".utf8).write(to: URL(fileURLWithPath: path))
    for loading in [JSON.FileLoading.copied, .mapped] {
      let file = try JSON(contentsOf: path, loading: loading, options: .fastForward)
      #expect(file[1]["a"].int == 7 && file[1]["a"].byteRange == 100_009..<100_010)
    }
  }

  @Test func `threads that access one document at once get the same`() async throws {
    var random = SeededRandom.announced()
    let bytes = Self.document(&random)
    let validated = try JSON(parsing: bytes)
    let fast = try JSON(parsing: bytes, options: .fastForward)
    let isSame = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<50).allSatisfy { turn in
            let index = (task * 37 + turn * 11) % 400
            return fast["list"][0][index] == validated["list"][0][index] && fast["byName"]["m\(index)"].count == 2
          }
        }
      }
      return await group.allSatisfy { $0 }
    }
    #expect(isSame)
  }

  @Test(arguments: ["{\"a\":[LIST],\"b\":tru}", "[[LIST],tru]", "{\"b\":tru,\"a\":[LIST]}", "[tru,[LIST]]"])
  func `invalid JSON has no elements and no members in any order of access`(pattern: String) throws {
    let list = repeatElement("1", count: 40_000).joined(separator: ",")
    let text = pattern.replacing("LIST", with: list)
    func fresh() throws -> JSON { try JSON(parsing: text, options: .fastForward) }
    #expect(try fresh().first == nil && fresh().startIndex == fresh().endIndex)
    #expect(try Array(fresh()).allSatisfy { $0.1 == .null } && fresh().map { $0.1 }.allSatisfy { $0 == .null })
    // The index was requested before the faulty text was accessed.
    let json = try fresh()
    let position = json.startIndex
    _ = json["b"].exists()
    #expect(json == json && json[position].1.error == .invalidJSON)
    #expect(json.index(after: position) != position || json.endIndex == position)
  }

  @Test func `an invalid value compares the same each time`() throws {
    let text = "[[\(repeatElement("1", count: 40_000).joined(separator: ","))],tru]"
    let json = try JSON(parsing: text, options: .fastForward)
    let empty: JSON = []
    #expect((json == empty) == (json == empty) && json == JSON.null && json != empty)
  }
}
