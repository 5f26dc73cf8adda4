import Foundation
import SGYSwiftJSON
import Testing

/// What once went wrong, by what happened.
@Suite struct RegressionTests {
  class Metatypes: JSONCreatableObject {
    var before = 1
    var plain: Int.Type = Int.self
    var between = "two"
    var ofOptional: Int?.Type = Int?.self
    var after = [3]
    var last: (Int, String).Type = (Int, String).self
  }

  @Test func `a property that is a metatype cannot be set, and its neighbours stay as they are`() throws {
    let object = Metatypes()
    for (name, value) in [
      ("plain", Double.self as Any), ("ofOptional", Double?.self), ("last", (Int, String).self), ("plain", Int.self),
      ("ofOptional", Int?.self),
    ] {
      #expect(throws: (any Error).self) { try object.setValue(value, property: name) }
    }
    let read: Metatypes = try read(#"{"before":4,"plain":5,"between":"six","ofOptional":null,"after":[7],"last":[]}"#)
    #expect(object.before == 1 && object.between == "two" && object.after == [3] && object.plain == Int.self)
    #expect(read.before == 4 && read.between == "six" && read.after == [7] && read.last == (Int, String).self)
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

  @Test func `proxies that are made anew for each object are no cycle`() throws {
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

  @Test func `a dictionary of a program's own is written with its members, and else as its properties`() throws {
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

  @Test func `what AnyHashable holds is written`() throws {
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
