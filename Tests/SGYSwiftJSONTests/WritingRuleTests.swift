import Foundation
import JSONSift
import SGYSwiftJSON
import Testing

/// The documented rules of serialization, in their order.
@Suite struct WritingRuleTests {
  // MARK: 1. Proxies

  struct Money: JSONProxyProvider, JSONLeafRepresentable {
    var cents = 150
    var jsonProxy: Any { ["amount": Double(cents) / 100, "currency": "EUR"] as [String: Any] }
    /// A proxy takes precedence.
    var jsonLeafValue: JSONLeafValue? { .string("never") }
  }

  struct Chain: JSONProxyProvider {
    var length = 3
    var jsonProxy: Any { length == 0 ? "end" as Any : Chain(length: length - 1) }
  }

  struct Endless: JSONProxyProvider { var jsonProxy: Any { self } }

  @Test func `a proxy is written instead of the object, and a proxy's proxy too`() throws {
    #expect(try written(["m": Money()]) == #"{"m":{"amount":1.5,"currency":"EUR"}}"#)
    #expect(try written([Chain(), Chain(length: 0)]) == #"["end","end"]"#)
  }

  @Test func `a proxy that returns itself is an error`() {
    let error = nsError { _ = try written(["a": [Endless()]]) }
    #expect(error?.localizedDescription.contains("contains itself at a[0]") == true)
  }

  // MARK: 2. Leaves

  struct NoLeaf: JSONLeafRepresentable { var jsonLeafValue: JSONLeafValue? { nil } }

  final class Leaves {
    var text = "a\"b/é\u{1}"
    var nsText: NSString = "ns"
    var yes = true
    var nsYes: NSNumber = true
    var one: NSNumber = 1
    var int8: Int8 = -8
    var big = UInt64.max
    var double = 0.1
    var float: Float = 0.5
    var whole = 2.0
    var null = NSNull()
    var leaf = JSONLeafValue.number(7)
    var color = PersonTests.Color.red
    var nan = Double.nan
    var infinite: Float? = .infinity
    var none = NoLeaf()
  }

  @Test func `leaves are strings, numbers, Bools and null; values without a form are omitted and reported`() throws {
    let warnings = Warnings()
    let serializer = SGYJSONSerializer()
    serializer.writingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try serializer.serialize(Leaves(), observer: warnings), as: UTF8.self)
    #expect(
      text == #"{"big":18446744073709551615,"color":"Red","double":0.1,"float":0.5,"int8":-8,"leaf":7,"nsText":"ns","#
        + #""nsYes":true,"null":null,"one":1,"text":"a\"b/é\u0001","whole":2,"yes":true}"#)
    #expect(
      warnings.lines == [
        "nan: Double to JSONLeafValue", "infinite: Float to JSONLeafValue", "none: NoLeaf to JSONLeafValue",
      ])
  }

  // MARK: 3. Dates, and leaves of Foundation

  final class Dated {
    var date: Date? = Date(timeIntervalSince1970: 5)
    var old = NSDate(timeIntervalSince1970: 6)
    var list = [Date(timeIntervalSince1970: 7)]
  }

  @Test func `a block may return a leaf value, or any value that one represents`() throws {
    let serializer = SGYJSONSerializer()
    serializer.writingOptions = .sortedKeys
    func text() throws -> String { String(decoding: try serializer.serialize(Dated()), as: UTF8.self) }
    #expect(try text() == #"{"list":[]}"#)
    serializer.dateConversionBlock = { _ in nil }
    #expect(try text() == #"{"list":[]}"#)
    serializer.dateConversionBlock = { $0.timeIntervalSince1970 }
    #expect(try text() == #"{"date":5,"list":[7],"old":6}"#)
    serializer.dateConversionBlock = { (date) in "day \(Int(date.timeIntervalSince1970))" }
    #expect(try text() == #"{"date":"day 5","list":["day 7"],"old":"day 6"}"#)
    // The type in version 2.0.
    let block: (Date) -> JSONLeafValue? = { _ in .string("leaf") }
    serializer.dateConversionBlock = block
    #expect(try text() == #"{"date":"leaf","list":["leaf"],"old":"leaf"}"#)
  }

  final class Foundation {
    var decimal = Decimal(string: "0.1234567890123456789012345678901")
    var nsDecimal = NSDecimalNumber(string: "12.5")
    var float = CGFloat(1.5)
    var url = URL(string: "https://example.org")
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var data = Data([1, 2, 3])
    var character: Character = "é"
    var substring = "abc".dropFirst()
    var json: JSON = ["k": [1, nil]]
  }

  @Test func `leaves of Foundation are not written as objects with their internals`() throws {
    #expect(
      try written(Foundation())
        == #"{"character":"é","data":"AQID","decimal":0.1234567890123456789012345678901,"float":1.5,"json":{"k":[1,null]},"#
        + #""nsDecimal":12.5,"substring":"bc","url":"https:\/\/example.org","uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#
    )
  }

  // MARK: 4. Dictionaries

  struct Described: Hashable, CustomStringConvertible { var description: String { "described" } }
  struct Opaque: Hashable {}

  @Test func `keys are strings, descriptions or leaves; others are reported`() throws {
    #expect(try written(["a": 1, "b": 2]) == #"{"a":1,"b":2}"#)
    #expect(try written([7: "seven"]) == #"{"7":"seven"}"#)
    #expect(try written([Described(): 1]) == #"{"described":1}"#)
    #expect(try written([PersonTests.Color.red: 1]) == #"{"Red":1}"#)
    #expect(try written([AnyHashable("x"): 1, AnyHashable(2): 2]) == #"{"2":2,"x":1}"#)
    #expect(try written([NSString(string: "ns"): 1]) == #"{"ns":1}"#)
    #expect(try written(NSDictionary(dictionary: ["k": [1, 2]])) == #"{"k":[1,2]}"#)
    let warnings = Warnings()
    #expect(try written(["outer": [Opaque(): 1]], warnings) == #"{"outer":{}}"#)
    #expect(warnings.lines == ["outer: keys Opaque"])
  }

  struct OwnDictionary: SGYDictionaryReflection, CustomReflectable {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    var customMirror: Mirror { Mirror(self, unlabeledChildren: [("a", 1), ("b", 2)], displayStyle: .dictionary) }
  }

  @Test func `a custom dictionary is written by its Mirror`() throws {
    #expect(try written(OwnDictionary()) == #"{"a":1,"b":2}"#)
  }

  /// Not a sequence, and without its own Mirror.
  struct Headers: JSONDictionaryCreatable {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, String.self) }
    var fields: [String: String]
    init(dictionary: [String: Any]) { fields = dictionary.compactMapValues { $0 as? String } }
  }

  struct Pairs: Sequence, SGYDictionaryReflection {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    func makeIterator() -> AnyIterator<(String, Int)> { AnyIterator([("x", 1), ("y", 2)].makeIterator()) }
  }

  struct Couple: SGYCollectionReflection {
    static var elementType: Any.Type { Int.self }
    var first = 1
    var second = [2]
  }

  @Test func `a dictionary or collection that is not a sequence is written by its Mirror`() throws {
    #expect(try written(Headers(dictionary: ["a": "b"])) == #"{"fields":{"a":"b"}}"#)
    #expect(try written(["headers": Headers(dictionary: [:])]) == #"{"headers":{"fields":{}}}"#)
    #expect(try written(Pairs()) == #"{"x":1,"y":2}"#)
    #expect(try written(Couple()) == "[1,[2]]")
  }

  // MARK: 5. Collections

  struct OwnCollection: SGYCollectionReflection, CustomReflectable {
    static var elementType: Any.Type { Int.self }
    var customMirror: Mirror { Mirror(self, unlabeledChildren: [1, 2], displayStyle: .collection) }
  }

  struct Countdown: Sequence, SGYCollectionReflection {
    func makeIterator() -> AnyIterator<Int> { AnyIterator([3, 2, 1].makeIterator()) }
  }

  @Test func `collections are arrays`() throws {
    #expect(try written([1, 2]) == "[1,2]")
    #expect(try written(Set([1])) == "[1]")
    #expect(try written([1, 2, 3][1...]) == "[2,3]")
    #expect(try written(ContiguousArray([1])) == "[1]")
    #expect(try written(NSArray(array: [1, "a", [NSNull()]])) == #"[1,"a",[null]]"#)
    #expect(try written(NSSet(array: [1])) == "[1]")
    #expect(try written(NSOrderedSet(array: [2, 1])) == "[2,1]")
    #expect(try written(OwnCollection()) == "[1,2]")
    #expect(try written(Countdown()) == "[3,2,1]")
    #expect(same(Countdown.elementType, Int.self))
  }

  @Test func `nil is null in an array and omitted from objects and dictionaries`() throws {
    #expect(try written([1, nil, 3]) == "[1,null,3]")
    #expect(try written(["a": nil, "b": 1] as [String: Int?]) == #"{"b":1}"#)
    let deep: Int??? = .some(.some(nil))
    #expect(try written(["a": deep]) == "{}")
    #expect(try written(["a": Optional(Optional(Optional(5)))]) == #"{"a":5}"#)
  }

  // MARK: 6. Mirror

  class Base { private var secret = 1; var shared = "base" }
  class Middle: Base { let own = [1] }
  final class Leaf<Content>: Middle {
    var content: Content
    lazy var late = 5
    weak var parent: Base?
    var pair = (left: 1, right: "r")
    init(_ content: Content) { self.content = content }
  }
  struct Point { var x = 1, y = 2.5 }
  enum Shape { case circle(radius: Double), square(Int), none }

  @Test func `objects and structs are written with inherited and private properties`() throws {
    let leaf = Leaf(Point())
    #expect(
      try written(leaf)
        == #"{"content":{"x":1,"y":2.5},"own":[1],"pair":{"left":1,"right":"r"},"secret":1,"shared":"base"}"#)
    _ = leaf.late
    #expect(try written(leaf).contains(#""late":5"#))
  }

  @Test func `an enum with a payload is an object, and one without is reported`() throws {
    let warnings = Warnings()
    #expect(
      try written([Shape.circle(radius: 2), .square(3), .none], warnings) == #"[{"circle":{"radius":2}},{"square":3}]"#)
    #expect(warnings.lines == ["[2]: Shape to JSONLeafValue"])
  }

  @Test func `functions and metatypes are omitted and reported`() throws {
    struct Odd { var action = { 1 }; var type: Any.Type = Int.self; var after = 1 }
    let warnings = Warnings()
    #expect(try written(Odd(), warnings) == #"{"after":1}"#)
    #expect(
      warnings.lines.count == 2 && warnings.lines[0].hasPrefix("action: ") && warnings.lines[1].hasPrefix("type: "))
  }

  // MARK: The type at run time selects the rule

  @Test func `a value typed Any is written by its dynamic type`() throws {
    for (value, text) in [
      ([1, 2] as Any, "[1,2]"), (["a": 1] as Any, #"{"a":1}"#), (Optional([1]) as Any, "[1]"), (Set([1]) as Any, "[1]"),
      ([[1], ["a": NSNull()]] as [Any] as Any, #"[[1],{"a":null}]"#), (NSArray(array: [1]) as AnyObject as Any, "[1]"),
    ] { #expect(try written(value) == text) }
  }

  @Test func `empty values are written`() throws {
    final class Nothing {}
    struct Holder { var list: [Int] = [], table: [String: Int] = [:], nothing = Nothing(), text = "" }
    #expect(try written(Holder()) == #"{"list":[],"nothing":{},"table":{},"text":""}"#)
    #expect(try written([Int]()) == "[]")
    #expect(try written([String: Int]()) == "{}")
    #expect(try written(Nothing()) == "{}")
  }

  // MARK: Options

  @Test func `the options of writing are those of JSONSerialization`() throws {
    let serializer = SGYJSONSerializer()
    func text(_ object: Any) throws -> String { String(decoding: try serializer.serialize(object), as: UTF8.self) }
    #expect(try text(["a/b": 1]) == #"{"a\/b":1}"#)
    serializer.writingOptions = .withoutEscapingSlashes
    #expect(try text(["a/b": 1]) == #"{"a/b":1}"#)
    serializer.writingOptions = .prettyPrinted
    #expect(try text(["a": [1]]) == "{\n  \"a\" : [\n    1\n  ]\n}")
    serializer.writingOptions = []
    #expect(nsError { _ = try text("scalar") }?.localizedDescription == "String is neither an array nor an object.")
    #expect(nsError { _ = try text(Optional<Int>.none as Any) } != nil)
    serializer.writingOptions = .fragmentsAllowed
    #expect(try text("scalar") == #""scalar""#)
    #expect(try text(NSNull()) == "null")
    #expect(nsError { _ = try text(Double.nan) } != nil)
  }

  @Test func `the three documented overloads give the same`() throws {
    let serializer = SGYJSONSerializer()
    #expect(try serializer.serialize([1] as [Int]) == Data("[1]".utf8))
    #expect(try serializer.serialize([1] as any SGYCollectionReflection) == Data("[1]".utf8))
    #expect(try serializer.serialize(["a": 1] as any SGYDictionaryReflection) == Data(#"{"a":1}"#.utf8))
    #expect(try serializer.serialize([1] as any SGYCollectionReflection as Any, observer: nil) == Data("[1]".utf8))
    #expect(try serializer.json(of: Point())["y"].double == 2.5)
  }
}
