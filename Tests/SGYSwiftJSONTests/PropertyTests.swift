import Foundation
import SGYSwiftJSON
import Testing

/// Setting properties: by reflection, by key paths, by an override, and by a class of another kind.
@Suite struct PropertyTests {
  class Base: JSONCreatableObject {
    private var secret = 0
    fileprivate(set) var shown = ""
    var common = 1
    var revealed: Int { secret }
  }

  final class Sub<Content>: Base {
    var content: Content?
    let constant = 5
    weak var parent: Base?
    var action: (() -> Int)? = { 1 }
    var pair = (1, 2)
    lazy var late = 3
    var computed: Int {
      get { common }
      set { common = newValue }
    }
    var observed = 0 { didSet { Issue.record("an observer ran") } }
  }

  @Test func `inherited, private, generic and lazy properties are set`() throws {
    let object: Sub<[String: [Int]]> = try read(
      #"{"secret": 4, "shown": "x", "common": 2, "content": {"a": [1]}, "late": 9, "observed": 6}"#)
    #expect(object.revealed == 4)
    #expect(object.shown == "x")
    #expect(object.common == 2)
    #expect(object.content == ["a": [1]])
    #expect(object.late == 9)
    #expect(object.observed == 6)
  }

  @Test func `a property that cannot be set is reported and keeps its value`() throws {
    let warnings = Warnings()
    let object: Sub<Int> = try read(
      #"{"constant": 6, "parent": {"common": 3}, "action": 2, "pair": [3, 4], "computed": 8}"#, warnings)
    #expect(object.constant == 5 && object.parent == nil && object.action?() == 1 && object.pair == (1, 2))
    #expect(object.common == 1)
    #expect(
      warnings.lines == [
        "constant: error 3", "parent: error 4", "action: NSNumber to () -> Int", "pair: Array<Any> to (Int, Int)",
      ])
    let error = try #require(warnings.errors.first)
    #expect(error.domain == "SGYSwiftJSON.KeyValueError")
    #expect(error.localizedDescription == "The property is a constant and cannot be set.")
    #expect(error.userInfo[NSUnderlyingErrorKey] as? JSONCreatableObject.KeyValueError == .constantProperty)
    #expect(warnings.values.first as? Int == 6)
  }

  @Test(arguments: [
    ("constant", JSONCreatableObject.KeyValueError.constantProperty), ("parent", .weakProperty),
    ("action", .unsupportedProperty), ("pair", .unsupportedProperty), ("computed", .unknownProperty),
    ("nobody", .unknownProperty), ("common", .invalidSetValueObject), ("", .unknownProperty),
  ])
  func `setValue throws the reason for a failure`(_ property: String, _ expected: JSONCreatableObject.KeyValueError) {
    let object = Sub<Int>()
    #expect(throws: expected) { try object.setValue("no such value", property: property) }
  }

  @Test func `each error has its own number and description`() {
    let all = JSONCreatableObject.KeyValueError.allCases.map { $0 as NSError }
    #expect(Set(all.map { $0.code }).count == all.count)
    #expect(Set(all.map { $0.localizedDescription }).count == all.count)
  }

  @Test func `setValue accepts a value, a wrapped value, and nil for an optional`() throws {
    let object = Sub<Int>()
    try object.setValue(5, property: "content")
    #expect(object.content == 5)
    try object.setValue(Optional(6) as Any, property: "content")
    #expect(object.content == 6)
    try object.setValue(Int?.none as Any, property: "content")
    #expect(object.content == nil)
  }

  class Private1: JSONCreatableObject {
    private var name = "one"
    var first: String { name }
  }
  final class Private2: Private1 {
    private var name = "two"
    var second: String { name }
  }

  @Test func `of two private properties with one name that of the subclass is set`() throws {
    let object: Private2 = try read(#"{"name": "new"}"#)
    #expect(object.first == "one" && object.second == "new")
  }

  // MARK: Other ways

  final class Point: JSONKeyValueCreatable {
    var x = 0
    var y = 0
    var calls: [String] = []
    func setValue(_ value: Any, property: String) throws {
      calls.append(property)
      switch (property, value) {
      case ("x", let value as Int): x = value
      case ("y", let value as Int): y = value
      default: throw Odd.no
      }
    }
  }

  enum Odd: Error { case no }

  @Test func `a class with its own setValue is called for each property`() throws {
    let warnings = Warnings()
    let point: Point = try read(#"{"x": 3, "y": 4, "calls": ["a"], "z": 5}"#, warnings)
    #expect(point.x == 3 && point.y == 4)
    #expect(point.calls == ["x", "y", "calls"])
    #expect(warnings.lines == ["calls: error \((Odd.no as NSError).code)"])
    #expect(warnings.errors.first?.userInfo[NSUnderlyingErrorKey] is Odd)
  }

  final class KeyPaths: JSONKeyValueCreatable, JSONKeyPathProvider {
    private(set) var seen: [Int] = []
    var name: String?
    var age = 0 { didSet { seen.append(age) } }
    var months: Int {
      get { age * 12 }
      set { age = newValue / 12 }
    }
    var friends: [KeyPaths] = []
    let fixed = 1
    weak var parent: KeyPaths?
    static var jsonKeyPaths: [String: AnyKeyPath] {
      [
        "full_name": \KeyPaths.name, "age": \KeyPaths.age, "months": \KeyPaths.months, "friends": \KeyPaths.friends,
        "fixed": \KeyPaths.fixed, "nested": \KeyPaths.friends.count, "elsewhere": \Point.x, "parent": \KeyPaths.parent,
      ]
    }
  }

  @Test func `key paths set properties through their setters under other names`() throws {
    let warnings = Warnings()
    let object: KeyPaths = try read(
      """
      {"full_name": "Ada", "name": "no", "age": 3, "months": 60, "friends": [{"full_name": "B"}], "fixed": 2, "nested": 3,
       "elsewhere": 4, "parent": {"age": 1}}
      """, warnings)
    #expect(object.name == "Ada" && object.age == 5 && object.seen == [3, 5])
    #expect(object.friends.first?.name == "B")
    #expect(object.parent == nil, "it was set, and nobody holds it")
    #expect(warnings.lines == ["fixed: error 3", "nested: error 3", "elsewhere: error 1"])
    #expect(throws: JSONCreatableObject.KeyValueError.unknownProperty) { try object.setValue(1, property: "name") }
  }

  class CreatableWithPaths: JSONCreatableObject, JSONKeyPathProvider {
    var wrapped = 1
    class var jsonKeyPaths: [String: AnyKeyPath] { ["w": \CreatableWithPaths.wrapped] }
  }
  final class MorePaths: CreatableWithPaths {
    var more = 2
    override class var jsonKeyPaths: [String: AnyKeyPath] { super.jsonKeyPaths.merging(["m": \MorePaths.more]) { $1 } }
  }

  @Test func `a subclass adds key paths to those of its superclass`() throws {
    let object: MorePaths = try read(#"{"w": 5, "m": 6, "wrapped": 7, "more": 8}"#)
    #expect(object.wrapped == 5 && object.more == 6)
  }

  @Test func `an existing object keeps values that the text does not name`() throws {
    let object = Sub<Int>()
    object.common = 9
    object.content = 4
    try SGYJSONDeserializer().deserialize(Data(#"{"content": 5, "shown": null}"#.utf8), intoInstance: object)
    #expect(object.common == 9 && object.content == 5 && object.shown == "")
  }

  @Test func `a struct, an existential and a payload can be set by hand`() throws {
    struct Size: Equatable { var width = 1, height: UInt8 = 2 }
    enum Payload: Equatable { case a(Int, String), b([Int]) }
    final class Holder: JSONCreatableObject {
      var before = "before"
      var size = Size()
      var payload = Payload.a(1, "x")
      var any: (any Equatable)?
      var after = "after"
    }
    let holder = Holder()
    try holder.setValue(Size(width: 7, height: 8), property: "size")
    try holder.setValue(Payload.b([1, 2]), property: "payload")
    try holder.setValue(Size(), property: "any")
    #expect(holder.size == Size(width: 7, height: 8) && holder.payload == .b([1, 2]) && holder.any as? Size == Size())
    #expect(holder.before == "before" && holder.after == "after")
  }
}
