import Foundation
import JSONSift
import Observation
import SGYSwiftJSON
import Testing

/// A property that the compiler stores under another name is written under its name in the source.
@Suite struct StoredFormTests {
  @propertyWrapper struct Clamped { var wrappedValue: Int }

  class Wrapped {
    @Clamped var size = 3
    var _plain = 4
    var _object = Inner()
    lazy var late = 5
    struct Inner { var x = 1 }
  }

  @Test func `a property with a wrapper is written as its value`() throws {
    let object = Wrapped()
    _ = object.late
    let text = try written(object)
    #expect(text == #"{"_object":{"x":1},"_plain":4,"late":5,"size":3}"#, "\(text)")
  }

  @propertyWrapper struct Masked: JSONProxyProvider {
    var wrappedValue: String
    var jsonProxy: Any { "***" }
  }

  @propertyWrapper struct Spelled: JSONLeafRepresentable {
    var wrappedValue: Int
    var jsonLeafValue: JSONLeafValue? { .string("number \(wrappedValue)" as NSString) }
  }

  struct Account {
    @Masked var password = "secret"
    @Spelled var number = 7
  }

  @Test func `a wrapper that defines its written form is respected`() throws {
    let text = try written(Account())
    #expect(text == #"{"number":"number 7","password":"***"}"#, "\(text)")
  }

  actor Counter {
    var count = 2
    let name = "c"
  }

  @Test func `an actor is written without its compiler-generated storage`() throws {
    let text = try written(Counter())
    #expect(text == #"{"count":2,"name":"c"}"#, "\(text)")
  }

  @Observable class Watched {
    var name = "w"
    @ObservationIgnored var _secret = 1
  }

  @Test func `an observable object is written with the names of its properties`() throws {
    let text = try written(Watched())
    // A mirror does not report which properties are observed: each loses its underscore.
    #expect(text == #"{"name":"w","secret":1}"#, "\(text)")
  }

  class Base { private var tag = "base" }
  class Derived: Base { private var tag = "derived" }

  @Test func `of properties with one name that of the subclass is written`() throws {
    let text = try written(Derived())
    #expect(text == #"{"tag":"derived"}"#, "\(text)")
  }

  struct Views {
    var keys = ["a": 1].keys
    var values = ["a": 1].values
    var reversed = [1, 2, 3].reversed()
    var slice = [1, 2, 3].dropFirst()
    var pairs: KeyValuePairs = ["z": 1, "a": 2]
    var range = 1..<4
    var repeated = repeatElement("x", count: 2)
  }

  @Test func `views of collections are arrays, and pairs an object`() throws {
    let text = try written(Views())
    let wanted = """
      {"keys":["a"],"pairs":{"a":2,"z":1},"range":{"lowerBound":1,"upperBound":4},"repeated":["x","x"],\
      "reversed":[3,2,1],"slice":[2,3],"values":[1]}
      """
    #expect(text == wanted, "\(text)")
  }

  @Test func `views of strings are arrays, and unowned memory is not read`() throws {
    let text = "a\u{e9}"
    #expect(try written([text.utf8, text.dropFirst().utf8]) == "[[97,195,169],[195,169]]")
    #expect(try written([text.unicodeScalars as Any, text.utf16, "".utf8]) == "[[\"a\",\"\u{e9}\"],[97,233],[]]")
    #expect(try written([CollectionOfOne(1) as Any, EmptyCollection<Int>()]) == "[[1],[]]")
    let nowhere = unsafe UnsafeBufferPointer<Int>(start: UnsafePointer(bitPattern: 8), count: 1)
    let object = unsafe try written([
      "a": nowhere as Any, "b": nowhere.dropFirst(), "c": UnsafeRawBufferPointer(nowhere),
    ])
    for name in ["a", "b", "c"] { #expect(object.contains("\"\(name)\":{"), "\(object)") }
  }

  class Wide: JSONCreatableObject {
    var high: Int128 = 0
    var top: UInt128? = 0
    var list: [Int128] = []
    var half: Float16 = 0
    var scalar: Unicode.Scalar? = "a"
  }

  @Test func `integers of 128 bits keep all digits, and short floats their own`() throws {
    let text = """
      {"half":0.1,"high":-170141183460469231731687303715884105728,"list":[1,170141183460469231731687303715884105727],\
      "scalar":"é","top":340282366920938463463374607431768211455}
      """
    let wide: Wide = try read(text)
    #expect(wide.high == .min && wide.top == .max && wide.list == [1, .max])
    #expect(wide.half == 0.1 && wide.scalar == "\u{e9}")
    #expect(try written(wide) == text)
    let warnings = Warnings()
    let none: Wide = try read(#"{"top":-1,"high":1.5,"half":70000,"scalar":"ab","list":[1e38,1e39,"12"]}"#, warnings)
    #expect(none.top == 0 && none.high == 0 && none.half == 0 && none.scalar == "a")
    #expect(none.list == [100_000_000_000_000_000_000_000_000_000_000_000_000, 12])
    #expect(warnings.lines.count == 5, "\(warnings.lines)")
  }

  @Test func `an NSNumber of a Float is written with its own digits`() throws {
    let numbers = [NSNumber(value: Float(0.1)), NSNumber(value: 0.1), NSNumber(value: true)]
    #expect(try written(numbers) == "[0.1,0.1,true]")
  }

  @Test func `a date must be converted to a number that JSON can represent`() throws {
    let serializer = SGYJSONSerializer()
    serializer.dateConversionBlock = { _ in Double.nan }
    let warnings = Warnings()
    let data = try serializer.serialize(["when": Date(timeIntervalSince1970: 0)], observer: warnings)
    #expect(String(decoding: data, as: UTF8.self) == "{}")
    #expect(warnings.lines == ["when: Double to JSONLeafValue"], "\(warnings.lines)")
  }
}
