import Foundation
import JSONSift
import SGYSwiftJSON
import Testing

/// Documented symbols that the tests of the rules use only through a model.
@Suite struct SymbolTests {
  // MARK: JSONDictionaryCreatable, JSONCollectionCreatable

  /// Sorted, so that tests can compare it.
  private struct Scores: JSONDictionaryCreatable, Equatable {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    var members: [String]
    init(dictionary: [String: Any]) {
      members = dictionary.map { name, value in "\(name)=\(value as? Int ?? -1)" }.sorted()
    }
  }

  private struct Bag: JSONCollectionCreatable, Equatable {
    static var elementType: Any.Type { Int.self }
    var elements: [Int]
    init(array: [Any]) { elements = array.map { $0 as? Int ?? -1 } }
  }

  @Test func `a custom dictionary is created from the root of a text and from a value`() throws {
    let deserializer = SGYJSONDeserializer()
    let warnings = Warnings()
    let text = #"{"a": 1, "b": "2", "c": [], "d": null, "a": 3}"#
    let scores: Scores = try deserializer.deserialize(Data(text.utf8), observer: warnings)
    #expect(scores.members == ["a=3", "b=2"])
    // Null does not convert to Int, and is reported as such.
    #expect(Set(warnings.lines.map { $0.prefix(2) }) == ["c:", "d:"], "\(warnings.lines)")
    let json = try JSON(parsing: "[\(text)]")
    #expect(try deserializer.deserialize(json[0]) == scores)
    #expect(try (deserializer.deserialize(Data("{}".utf8)) as Scores).members == [])
  }

  @Test func `a custom collection is created from the root of a text and from a value`() throws {
    let deserializer = SGYJSONDeserializer()
    let warnings = Warnings()
    let text = #"[1, "2", {}, null, 3]"#
    let bag: Bag = try deserializer.deserialize(Data(text.utf8), observer: warnings)
    #expect(bag.elements == [1, 2, 3])
    #expect(warnings.lines.count == 2, "\(warnings.lines)")
    #expect(try deserializer.deserialize(JSON(parsing: "{\"b\":\(text)}")["b"]) == bag)
  }

  @Test func `the standard collections report their element type and keep values that cast to it`() {
    #expect(same([Int].elementType, Int.self) && same(Set<String>.elementType, String.self))
    #expect(same(ContiguousArray<Int?>.elementType, Int?.self) && same(ArraySlice<Bool>.elementType, Bool.self))
    #expect(same(NSArray.elementType, Any.self) && same(NSSet.elementType, Any.self))
    #expect(same(NSOrderedSet.elementType, Any.self))
    let mixed: [Any] = [1, "a", 2, [3], 1]
    #expect([Int](array: mixed) == [1, 2, 1])
    #expect(Set<Int>(array: mixed) == [1, 2])
    #expect(ContiguousArray<String>(array: mixed) == ["a"])
    #expect(ArraySlice<[Int]>(array: mixed) == [[3]])
  }

  @Test func `the standard dictionaries report their types and convert names to keys`() {
    let types = [Int: Bool].keyValueTypes
    #expect(same(types.key, Int.self) && same(types.value, Bool.self))
    #expect(same(NSDictionary.keyValueTypes.key, AnyHashable.self) && same(NSDictionary.keyValueTypes.value, Any.self))
    let mixed: [String: Any] = ["1": true, "x": false, "2": "no"]
    #expect([String: Bool](dictionary: mixed) == ["1": true, "x": false])
    #expect([Int: Bool](dictionary: mixed) == [1: true])
    #expect([NSString: String](dictionary: mixed) == ["2": "no"])
    #expect([AnyHashable: Bool](dictionary: ["1": true]) == ["1": true])
    #expect([[Int]: Bool](dictionary: mixed).isEmpty)
  }

  // MARK: Warnings

  @Test func `an observer needs only the documented requirement`() throws {
    final class Counter: JSONWarningObserver {
      var count = 0
      func observe(warning: JSONWarning) { count += 1 }
    }
    let counter = Counter()
    let _: Scores = try SGYJSONDeserializer().deserialize(Data(#"{"a":[]}"#.utf8), observer: counter)
    #expect(counter.count == 1)
  }
}
