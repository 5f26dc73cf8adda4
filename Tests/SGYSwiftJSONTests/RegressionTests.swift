import Foundation
import SGYSwiftJSON
import Synchronization
import Testing

/// Past faults, named by their symptoms.
@Suite struct RegressionTests {
  class Metatypes: JSONCreatableObject {
    var before = 1
    var plain: Int.Type = Int.self
    var between = "two"
    var ofOptional: Int?.Type = Int?.self
    var after = [3]
    var last: (Int, String).Type = (Int, String).self
  }

  @Test func `a property that is a metatype cannot be set and its neighbours stay unchanged`() throws {
    let object = Metatypes()
    for (name, value) in [
      ("plain", Double.self as Any), ("ofOptional", Double?.self), ("last", (Int, String).self), ("plain", Int.self),
      ("ofOptional", Int?.self),
    ] { #expect(throws: (any Error).self) { try object.setValue(value, property: name) } }
    let read: Metatypes = try read(#"{"before":4,"plain":5,"between":"six","ofOptional":null,"after":[7],"last":[]}"#)
    #expect(object.before == 1 && object.between == "two" && object.after == [3] && object.plain == Int.self)
    #expect(read.before == 4 && read.between == "six" && read.after == [7] && read.last == (Int, String).self)
  }

  class OptionalMetatypes: JSONCreatableObject {
    var before: Int8 = 1
    var type: Int.Type?
    var between: Int8 = 2
    var deep: Int.Type??
    var after = "after"
    var existential: Any.Type?
    var last = "last"
  }

  @Test func `a property that is an optional metatype cannot be set and its neighbours stay unchanged`() throws {
    let object = OptionalMetatypes()
    for name in ["type", "deep"] {
      #expect(throws: JSONCreatableObject.KeyValueError.unsupportedProperty) {
        try object.setValue(Int.self, property: name)
      }
    }
    try object.setValue(String.self, property: "existential")
    #expect(object.type == nil && object.existential == String.self)
    #expect(object.before == 1 && object.between == 2 && object.after == "after" && object.last == "last")
  }

  struct StoredMetatypes {
    var type: Int.Type = Int.self
    var x = 5
    var optional: String.Type?
    var y = 0x41_4141_4141
    var list: [Int.Type] = [Int.self]
    var pair: (Int.Type, Int)? = (Int.self, 3)
    var z = (1, "two")
  }

  enum Carrier { case type(Int.Type), pair(Int.Type, Int) }

  @Test func `a stored metatype is reported by its type and not read from its neighbours' bytes`() throws {
    let warnings = Warnings()
    let text = try written(
      [StoredMetatypes() as Any, Carrier.type(Int.self), Metatypes(), Carrier.pair(Int.self, 4)], warnings)
    #expect(
      text == #"[{"list":[],"x":5,"y":280267669825,"z":{".0":1,".1":"two"}},{},"#
        + #"{"after":[3],"before":1,"between":"two"},{}]"#, "\(text)")
    #expect(
      warnings.lines == [
        "[0].type: Int.Type to JSONLeafValue", "[0].optional: Optional<String.Type> to JSONLeafValue",
        "[0].list[0]: Int.Type to JSONLeafValue", "[0].pair: Optional<(Int.Type, Int)> to JSONLeafValue",
        "[1].type: Int.Type to JSONLeafValue",
        "[2].plain: Int.Type to JSONLeafValue", "[2].ofOptional: Optional<Int>.Type to JSONLeafValue",
        "[2].last: (Int, String).Type to JSONLeafValue", "[3].pair: (Int.Type, Int) to JSONLeafValue",
      ], "\(warnings.lines)")
  }

  struct Unique: ~Copyable { var value = 1 }

  final class Locked: JSONCreatableObject {
    let lock = Mutex(5)
    var unique: Unique? = Unique()
    var nested: Unique?? = Unique()
    var _type: Int.Type? = Int.self
    var name = "n"
    var result = Result<Void, any Error>.success(())
  }

  @Test func `a property that cannot be copied is reported`() throws {
    let warnings = Warnings()
    let text = try written(Locked(), warnings)
    #expect(text == #"{"name":"n","result":{"success":{}}}"#, "\(text)")
    #expect(
      warnings.lines == [
        "lock: () to JSONLeafValue", "unique: () to JSONLeafValue", "nested: () to JSONLeafValue",
        "_type: Optional<Int.Type> to JSONLeafValue",
      ], "\(warnings.lines)")
    let read: Locked = try read(#"{"name":"read","unique":{"value":2},"nested":1,"lock":null,"_type":"Int"}"#)
    #expect(read.name == "read" && read.unique?.value == 1)
  }

  final class Node: JSONProxyProvider {
    var kid: Node?
    init(_ kid: Node?) { self.kid = kid }
    var jsonProxy: Any { View(kid) }
  }

  final class View {
    let kid: Node?
    init(_ kid: Node?) { self.kid = kid }
  }

  @Test func `proxies created anew for each object are not a cycle`() throws {
    for depth in 1...50 {
      var node: Node?
      for _ in 0..<depth { node = Node(node) }
      let text = try written([node as Any])
      #expect(text.count { $0 == "{" } == depth)
    }
  }

  struct Stored: JSONDictionaryCreatable {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    var got: [String: Any]
    init(dictionary: [String: Any]) { got = dictionary }
  }

  struct Pairs: JSONDictionaryCreatable, Sequence {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    var pairs: [(key: String, value: Int)]
    init(dictionary: [String: Any]) {
      pairs = dictionary.compactMap { name, value in (value as? Int).map { (name, $0) } }.sorted { $0.key < $1.key }
    }
    func makeIterator() -> Array<(key: String, value: Int)>.Iterator { pairs.makeIterator() }
  }

  class Tables: JSONCreatableObject {
    var stored = Stored(dictionary: [:])
    var pairs = Pairs(dictionary: [:])
  }

  @Test func `a custom dictionary is written with its members, and otherwise as its properties`() throws {
    let tables: Tables = try read(#"{"stored":{"a":1},"pairs":{"b":2,"c":3,"d":"x"}}"#, Warnings())
    #expect(tables.stored.got["a"] as? Int == 1)
    let text = try written(tables)
    #expect(text == #"{"pairs":{"b":2,"c":3},"stored":{"got":{"a":1}}}"#, "\(text)")
  }

  class Hashables: JSONCreatableObject {
    var one: AnyHashable? = 5
    var list: [AnyHashable] = [1, "x", [2]]
    var table: [String: AnyHashable] = ["a": true]
  }

  @Test func `a value inside AnyHashable is written`() throws {
    let text = try written(Hashables())
    #expect(text == #"{"list":[1,"x",[2]],"one":5,"table":{"a":true}}"#, "\(text)")
  }

  class Floats: JSONCreatableObject {
    var float = Float(0.1)
    var list: [Float] = [.pi, 3.3, 16_777_216]
    var none: Float = .infinity
  }

  @Test func `a Float is written with its own digits`() throws {
    #expect(try written(Floats(), Warnings()) == #"{"float":0.1,"list":[3.1415925,3.3,16777216]}"#)
    let read: Floats = try read(#"{"float":0.3}"#)
    #expect(try written([read.float]) == "[0.3]")
  }
}
