import Foundation
import SGYSwiftJSON
import Testing

/// Keys of dictionaries, and values that are cast to a declared type.
@Suite struct KeyTests {
  enum Key: String, JSONLeafEnum { case a, b }

  class Keys: JSONCreatableObject {
    var numbers: [Int: String] = [:]
    var enums: [Key: Int] = [:]
    var ids: [UUID: Int] = [:]
    var links: [URL: Int] = [:]
    var parts: [Substring: Int] = [:]
    var letters: [Character: Int] = [:]
    var decimals: [Decimal: Int] = [:]
    var blobs: [Data: Int] = [:]
  }

  @Test func `a name that cannot be a key is reported with its key path`() throws {
    let warnings = Warnings()
    let keys: Keys = try read(
      #"{"numbers":{"7":"seven","x":"y","8":"eight"},"enums":{"a":1,"zzz":[1,{}]},"letters":{"ab":1,"c":2}}"#, warnings)
    #expect(keys.numbers == [7: "seven", 8: "eight"])
    #expect(keys.enums == [.a: 1])
    #expect(keys.letters == ["c": 2])
    #expect(
      warnings.lines == ["numbers.x: String to Int", "enums.zzz: String to Key", "letters.ab: String to Character"])
  }

  @Test func `of names that convert to one key the last in the text counts`() throws {
    for names in [["7", "07", "+7", "7.0"], ["7.0", "+7", "07", "7"], ["+7", "7", "7.0", "07"]] {
      let members = names.map { #""\#($0)":"\#($0)""# }.joined(separator: ",")
      let keys: Keys = try read("{\"numbers\":{\(members)}}")
      #expect(keys.numbers == [7: names[3]])
    }
  }

  @Test func `keys that are leaves of Foundation are read in their written form`() throws {
    let keys = Keys()
    let id = try #require(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA"))
    keys.ids = [id: 1]
    keys.links = [try #require(URL(string: "https://example.org/a")): 2]
    keys.parts = ["part": 3]
    keys.letters = ["\u{e9}": 4]
    keys.blobs = [Data([1]): 6, Data([2]): 7]
    keys.decimals = [try #require(Decimal(string: "1.50")): 5]
    let warnings = Warnings()
    let again: Keys = try read(try written(keys), warnings)
    #expect(again.ids == keys.ids && again.links == keys.links && again.parts == keys.parts)
    #expect(again.letters == keys.letters && again.decimals == keys.decimals && again.blobs == keys.blobs)
    #expect(warnings.lines.isEmpty)
    let relative = try #require(URL(string: "b", relativeTo: URL(string: "https://example.org/")))
    #expect(try written([relative: 1]) == #"{"https:\/\/example.org\/b":1}"#)
  }

  class Casts: JSONCreatableObject {
    var object: NSObject?
    var hashable: AnyHashable?
    var sequence: (any Sequence)?
    var copying: (any NSCopying)?
    var number: Int?
  }

  @Test func `a container of the declared type is assigned`() throws {
    let warnings = Warnings()
    let list: Casts = try read(
      #"{"object":[1,{"a":2}],"hashable":[1,2],"sequence":["x"],"copying":[3],"number":[4]}"#, warnings)
    #expect((list.object as? NSArray)?.count == 2)
    #expect(list.hashable == AnyHashable(NSArray(array: [1, 2])))
    #expect((list.sequence as? [Any])?.first as? String == "x")
    #expect((list.copying as? NSArray)?.count == 1)
    let table: Casts = try read(
      #"{"object":{"a":1},"hashable":{"a":1},"sequence":{"b":2},"copying":{},"number":{}}"#, warnings)
    #expect((table.object as? NSDictionary)?["a"] as? Int == 1)
    #expect(table.hashable == AnyHashable(NSDictionary(dictionary: ["a": 1])))
    #expect((table.sequence as? [String: Any])?["b"] as? Int == 2)
    #expect((table.copying as? NSDictionary)?.count == 0)
    #expect(
      warnings.lines == ["number: Array<Any> to Int", "number: Dictionary<String, Any> to Int"], "\(warnings.lines)")
  }
}
