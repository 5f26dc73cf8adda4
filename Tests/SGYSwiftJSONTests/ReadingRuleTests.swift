import Foundation
import JSONSift
import SGYSwiftJSON
import Testing

/// The documented rules of deserialization, in their order.
@Suite struct ReadingRuleTests {
  // MARK: 1. Any, AnyObject, the same type

  final class Loose: JSONCreatableObject {
    var any: Any?
    var object: AnyObject?
    var list: [Any] = []
    var table: [String: Any] = [:]
    var json: JSON?
    var equatable: (any Equatable)?
    var hashable: AnyHashable?
    var convertible: (any CustomStringConvertible)?
  }

  @Test func `Any holds the result of JSONSerialization`() throws {
    let object: Loose = try read(#"{"any": {"a": [1, 2.5, true, null, "s", 18446744073709551615]}}"#)
    let list = try #require((object.any as? [String: Any])?["a"] as? [Any])
    #expect(list[0] as? Int == 1)
    #expect(list[1] as? Double == 2.5)
    #expect(list[2] as? Bool == true)
    #expect(list[3] is NSNull)
    #expect(list[4] as? String == "s")
    #expect(list[5] as? UInt64 == .max)
  }

  @Test(arguments: [("1", "NSNumber"), ("\"s\"", "NSString"), ("[1]", "NSArray"), ("{\"a\":1}", "NSDictionary")])
  func `AnyObject holds a Foundation object`(_ text: String, _ name: String) throws {
    let object: Loose = try read("{\"object\": \(text)}")
    let value = try #require(object.object)
    let matches =
      switch name {
      case "NSNumber": value is NSNumber
      case "NSString": value is NSString
      case "NSArray": value is NSArray
      default: value is NSDictionary
      }
    #expect(matches)
  }

  @Test func `a value of the declared type is assigned`() throws {
    let object: Loose = try read(
      #"{"list": [1, null, []], "table": {"a": {}}, "equatable": "e", "hashable": "h", "convertible": "c", "json": [1.50]}"#
    )
    #expect(object.list.count == 3 && object.list[1] is NSNull)
    #expect(object.table["a"] is [String: Any])
    #expect(object.equatable as? String == "e")
    #expect(object.hashable == AnyHashable("h"))
    #expect(object.convertible?.description == "c")
    #expect(object.json?[0].numberText == "1.50")
  }

  @Test func `null leaves Any unchanged and is an element in a list of Any`() throws {
    let object = Loose()
    object.any = "before"
    try SGYJSONDeserializer().deserialize(Data(#"{"any": null, "list": [null]}"#.utf8), intoInstance: object)
    #expect(object.any as? String == "before")
    #expect(object.list.first is NSNull)
    #expect(try written(object) == #"{"any":"before","list":[null],"table":{}}"#)
  }

  @Test func `a number beyond all Doubles is reported at any depth in Any`() throws {
    let warnings = Warnings()
    let object: Loose = try read(
      #"{"any":[1,{"k l":[2,-1e400]}],"list":[1e400,[3,1e400]],"table":{"a":{"b":1e400}}}"#, warnings)
    #expect(try written(object) == #"{"any":[1,{"k l":[2]}],"list":[[3]],"table":{"a":{}}}"#)
    #expect(
      warnings.lines == [
        #"any[1]["k l"][1]: NSNumber to Any"#, "list[0]: NSNumber to Any", "list[1][1]: NSNumber to Any",
        "table.a.b: NSNumber to Any",
      ], "\(warnings.lines)")
  }

  // MARK: 2. Dates

  final class Dated: JSONCreatableObject {
    var date: Date?
    var dates: [Date] = []
    var required = Date(timeIntervalSince1970: 0)
  }

  @Test func `a date is the result of the block for any value`() throws {
    let deserializer = SGYJSONDeserializer()
    var seen: [String] = []
    let block: SGYJSONDateConversionBlock = { value in
      seen.append("\(Swift.type(of: value))")
      if let seconds = value as? Double { return Date(timeIntervalSince1970: seconds) }
      if let list = value as? [Any] { return Date(timeIntervalSince1970: Double(list.count)) }
      return nil
    }
    deserializer.dateConversionBlock = block
    let object: Dated = try deserializer.deserialize(
      Data(#"{"date": 5.5, "dates": [1, "x", [1, 2], {"a": 1}, null], "required": "no date"}"#.utf8))
    #expect(object.date == Date(timeIntervalSince1970: 5.5))
    #expect(object.dates == [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)])
    #expect(object.required == Date(timeIntervalSince1970: 0))
    #expect(seen.count == 6)
  }

  @Test func `without a block dates are not set`() throws {
    let warnings = Warnings()
    let object: Dated = try read(#"{"date": 5, "dates": [1], "required": 7}"#, warnings)
    #expect(object.date == nil && object.dates.isEmpty && object.required == Date(timeIntervalSince1970: 0))
    #expect(warnings.lines.isEmpty)
  }

  // MARK: 3. Leaves

  final class Leaves: JSONCreatableObject {
    var string = "s"
    var nsString: NSString?
    var mutable: NSMutableString?
    var number: NSNumber?
    var decimal: NSDecimalNumber?
    var swiftDecimal: Decimal?
    var float: CGFloat?
    var character: Character?
    var substring: Substring?
    var url: URL?
    var uuid: UUID?
    var data: Data?
    var point: LeafTests.Celsius?
  }

  @Test func `leaves of Foundation are created`() throws {
    let object: Leaves = try read(
      """
      {"nsString": "a", "mutable": "b", "number": 1.5, "decimal": 0.1234567890123456789012345678901,
       "swiftDecimal": "12.50", "float": 2, "character": "é", "substring": "sub", "url": "https://example.org/a",
       "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "AQID"}
      """)
    #expect(object.nsString == "a")
    #expect(object.mutable == "b")
    #expect(object.number == 1.5)
    #expect(object.decimal?.stringValue == "0.1234567890123456789012345678901")
    #expect(object.swiftDecimal == Decimal(string: "12.5"))
    #expect(object.float == 2)
    #expect(object.character == "é")
    #expect(object.substring == "sub")
    #expect(object.url?.path == "/a")
    #expect(object.uuid?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(object.data == Data([1, 2, 3]))
  }

  @Test func `a leaf that does not convert is not assigned and is reported with its key path`() throws {
    let warnings = Warnings()
    let object: Leaves = try read(
      #"{"string": [], "character": "ab", "uuid": "x", "url": 5, "point": "20 F", "decimal": "x", "number": {}}"#,
      warnings)
    #expect(object.string == "s" && object.character == nil && object.uuid == nil && object.url == nil)
    #expect(
      warnings.lines == [
        "string: Array<Any> to String", "character: String to Character", "uuid: String to UUID",
        "url: NSNumber to URL",
        "point: String to Celsius", "decimal: String to NSDecimalNumber", "number: Dictionary<String, Any> to NSNumber",
      ])
  }

  // MARK: 4. Arrays

  struct Bag: JSONCollectionCreatable {
    static var elementType: Any.Type { Int?.self }
    var elements: [Any]
    init(array: [Any]) { elements = array }
  }

  struct Stack<Element>: RangeReplaceableCollection, JSONCollectionCreatable {
    private var base: [Element] = []
    init() {}
    var startIndex: Int { base.startIndex }
    var endIndex: Int { base.endIndex }
    subscript(index: Int) -> Element { base[index] }
    func index(after index: Int) -> Int { index + 1 }
    mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
      base.replaceSubrange(range, with: elements)
    }
  }

  final class Arrays: JSONCreatableObject {
    var ints: [Int] = [9]
    var optionals: [Int?] = []
    var nested: [[String]] = []
    var set: Set<Int> = []
    var contiguous: ContiguousArray<Int> = []
    var slice: ArraySlice<Int> = []
    var colors: [PersonTests.Color] = []
    var people: [PersonTests.Person] = []
    var ns: NSArray?
    var nsMutable: NSMutableArray?
    var bag: Bag?
    var stack: Stack<String>?
    var notThere: PersonTests.Person?
  }

  @Test func `arrays become the declared collection`() throws {
    let warnings = Warnings()
    let object: Arrays = try read(
      """
      {"ints": [], "optionals": [1, null, 3], "nested": [["a"], [], ["b", "c"]], "set": [1, 2, 1], "contiguous": [4],
       "slice": [5, 6], "colors": ["Red", "Blue"], "people": [{"name": "x"}, {}], "ns": [1, [2]], "nsMutable": ["a"],
       "bag": [1, null, "2"], "stack": ["p", "q"]}
      """, warnings)
    #expect(object.ints == [])
    #expect(object.optionals == [1, nil, 3])
    #expect(object.nested == [["a"], [], ["b", "c"]])
    #expect(object.set == [1, 2])
    #expect(object.contiguous == [4])
    #expect(Array(object.slice) == [5, 6])
    #expect(object.colors == [.red, .blue])
    #expect(object.people.map { $0.name } == ["x", nil])
    #expect(object.ns?.count == 2)
    object.nsMutable?.add("b")
    #expect(object.nsMutable?.count == 2)
    #expect(object.bag?.elements.count == 3)
    #expect(object.stack.map { Array($0) } == ["p", "q"])
    #expect(warnings.lines.isEmpty)
  }

  @Test func `elements that do not convert are omitted and reported with their index`() throws {
    let warnings = Warnings()
    let object: Arrays = try read(
      #"{"ints": [1, "x", null, 2.5, 3], "nested": [["a"], 5, ["b", {}]], "colors": ["Red", "Pink"], "notThere": [1]}"#,
      warnings)
    #expect(object.ints == [1, 3])
    #expect(object.nested == [["a"], ["b"]])
    #expect(object.colors == [.red])
    #expect(
      warnings.lines == [
        "ints[1]: String to Int", "ints[2]: NSNull to Int", "ints[3]: NSNumber to Int",
        "nested[1]: NSNumber to Array<String>", "nested[2][1]: Dictionary<String, Any> to String",
        "colors[1]: String to Color", "notThere: Array<Any> to Person",
      ])
  }

  // MARK: 5. Objects

  enum Key: String, JSONLeafEnum { case a, b }
  struct Opaque: Hashable { var x = 1 }

  final class Objects: JSONCreatableObject {
    var person: PersonTests.Person?
    var ints: [String: Int] = [:]
    var nsKeys: [NSString: Int] = [:]
    var hashable: [AnyHashable: Int] = [:]
    var numbers: [Int: String] = [:]
    var enums: [Key: Int] = [:]
    var nested: [String: [String: [Int]]] = [:]
    var optionals: [String: Int?] = [:]
    var opaque: [Opaque: Int] = [:]
    var ns: NSDictionary?
    var nsMutable: NSMutableDictionary?
    var leaf: Int = 5
  }

  @Test func `objects become the declared dictionary or class`() throws {
    let warnings = Warnings()
    let object: Objects = try read(
      """
      {"person": {"name": "x"}, "ints": {"a": 1}, "nsKeys": {"n": 2}, "hashable": {"h": 3}, "numbers": {"7": "seven"},
       "enums": {"a": 1, "zzz": 2}, "nested": {"x": {"y": [1, 2]}}, "optionals": {"a": null, "b": 1}, "ns": {"k": [1]},
       "nsMutable": {"k": 1}, "opaque": {"a": 1}, "leaf": {"a": 1}}
      """, warnings)
    #expect(object.person?.name == "x")
    #expect(object.ints == ["a": 1])
    #expect(object.nsKeys == ["n": 2])
    #expect(object.hashable == ["h": 3])
    #expect(object.numbers == [7: "seven"])
    #expect(object.enums == [.a: 1])
    #expect(object.nested == ["x": ["y": [1, 2]]])
    #expect(object.optionals == (["a": nil, "b": 1] as [String: Int?]))
    #expect(object.ns?["k"] is NSArray || object.ns?["k"] is [Any])
    object.nsMutable?["l"] = 2
    #expect(object.nsMutable?.count == 2)
    #expect(object.leaf == 5)
    #expect(
      warnings.lines == ["enums.zzz: String to Key", "opaque: keys Opaque", "leaf: Dictionary<String, Any> to Int"])
  }

  @Test func `a key path gives the location, also for names that are not identifiers`() throws {
    final class Outer: JSONCreatableObject { var byCity: [String: [Objects]] = [:] }
    let warnings = Warnings()
    let _: Outer = try read(#"{"byCity": {"New York": [{}, {"ints": {"a b": "x", "c": "y"}}]}}"#, warnings)
    #expect(
      warnings.lines == [
        #"byCity["New York"][1].ints["a b"]: String to Int"#, #"byCity["New York"][1].ints.c: String to Int"#,
      ])
  }

  // MARK: Names

  @Test func `members without a property and properties without a member are ignored`() throws {
    let warnings = Warnings()
    let object: Objects = try read(#"{"nobody": 1, "": 2, "ints ": {}, "lea\u0066": 6, "LEAF": 7}"#, warnings)
    #expect(object.leaf == 6)
    #expect(warnings.lines.isEmpty)
  }

  @Test func `of several members with one name the last counts`() throws {
    let object: Objects = try read(#"{"leaf": 1, "leaf": 2, "leaf": null}"#)
    #expect(object.leaf == 2)
  }

  @Test func `every order of the members gives the same`() throws {
    var members = [#""name":"n""#, #""birthdate":"b""#, #""favoriteColor":"c""#, #""followersCount":4"#, #""x":1"#]
    for _ in members.indices {
      members.append(members.removeFirst())
      let person: PersonTests.Person = try read("{" + members.joined(separator: ",") + "}")
      #expect(
        person.name == "n" && person.birthdate == "b" && person.favoriteColor == "c" && person.followersCount == 4)
    }
  }
}
