import Foundation
import JSONSift
import SGYSwiftJSON
import TestSupport
import Testing

/// Thrown errors, and the behaviour of hostile input and unusual models.
@Suite struct FailureTests {
  typealias Person = PersonTests.Person

  @Test(arguments: ["[]", #"[{"name": 1}]"#])
  func `an array instead of an object throws an error`(_ text: String) throws {
    let error = try #require(nsError { let _: Person = try read(text) })
    #expect(error.domain == "SGYSwiftJSON.DeserializeError" && error.code == 1)
    #expect(error.localizedDescription == "The JSON text holds an array, not an object.")
    guard case .invalidDeserializedObject(let found, let wanted)? = SGYJSONDeserializer.DeserializeError(error) else {
      Issue.record("another error")
      return
    }
    #expect(same(found, [Any].self) && same(wanted, [String: Any].self))
  }

  @Test func `an object instead of an array, or an array instead of a dictionary, throws an error`() throws {
    let deserializer = SGYJSONDeserializer()
    let array = try #require(nsError { let _: [Person] = try deserializer.deserialize(Data("{}".utf8)) })
    #expect(array.localizedDescription == "The JSON text holds an object, not an array.")
    let object = try #require(nsError { let _: [String: Int] = try deserializer.deserialize(Data("[]".utf8)) })
    #expect(object.localizedDescription == "The JSON text holds an array, not an object.")
    let instance = try #require(nsError { try deserializer.deserialize(Data("[]".utf8), intoInstance: Person()) })
    #expect(instance.code == 1)
    let keys = try #require(nsError { let _: [Date: Int] = try deserializer.deserialize(Data("{}".utf8)) })
    #expect(keys.code == 1)
  }

  @Test func `a fragment is rejected, and with the option it is not a model`() throws {
    let deserializer = SGYJSONDeserializer()
    let rejected = try #require(nsError { let _: [Int] = try deserializer.deserialize(Data("5".utf8)) })
    #expect(rejected.code == 2)
    deserializer.readingOptions = .fragmentsAllowed
    let read = try #require(nsError { let _: [Int] = try deserializer.deserialize(Data("5".utf8)) })
    #expect(read.code == 1 && read.localizedDescription == "The JSON text holds a number or Bool, not an array.")
  }

  @Test(arguments: ["", "{", "{]", #"{"name": tru}"#, #"{"name": "x"} x"#, "\u{FEFF}", #"{"a": 012}"#])
  func `invalid JSON is an NSError with the position inside`(_ text: String) throws {
    let error = try #require(nsError { let _: Person = try read(text) })
    guard case .jsonDeserializationError(let inner)? = SGYJSONDeserializer.DeserializeError(error) else {
      Issue.record("another error")
      return
    }
    #expect(inner.domain == NSCocoaErrorDomain && inner.code == 3840)
    #expect(inner.userInfo[NSUnderlyingErrorKey] is JSONError)
    #expect(error.localizedDescription.hasPrefix(text == "{]" ? "Line 1, column 2" : "Line 1, column "))
  }

  @Test func `an error is caught by its own type if it is thrown as that type`() {
    let error = SGYJSONDeserializer.DeserializeError.invalidDeserializedObject(Int.self, String.self)
    #expect(SGYJSONDeserializer.DeserializeError(error) != nil)
    #expect(SGYJSONDeserializer.DeserializeError(CancellationError()) == nil)
    #expect(
      SGYJSONSerializer.SerializeError(
        SGYJSONSerializer.SerializeError.jsonSerializationError(NSError(domain: "d", code: 1))) != nil)
    #expect(SGYJSONSerializer.SerializeError(CancellationError()) == nil)
  }

  @Test func `a value of JSON that has no text is an error with its offset`() throws {
    let error = try #require(nsError { _ = try written(["a": JSON(true), "b": JSON(Double.nan)]) })
    #expect(error.domain == "SGYSwiftJSON.SerializeError" && error.code == 1)
    guard case .jsonSerializationError(let inner)? = SGYJSONSerializer.SerializeError(error) else {
      Issue.record("another error")
      return
    }
    #expect((inner.userInfo[NSUnderlyingErrorKey] as? JSONError)?.code == .nonFiniteNumber)
    #expect(
      error.localizedDescription == "Byte 14: expected a number, found NaN or infinity, which JSON cannot represent")
  }

  // MARK: Depth

  final class Node: JSONCreatableObject {
    var next: Node?
    var list: [Node] = []
    var table: [String: Node] = [:]
    var any: Any?
  }

  private func nested(_ count: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: count) + "null" + String(repeating: close, count: count)
  }

  @Test func `512 nested objects are read and written, and one more is an error`() throws {
    let text = nested(512, #"{"next":"#, "}")
    let node: Node = try read(text)
    var depth = 0
    var last: Node? = node
    while let next = last {
      depth += 1
      last = next.next
    }
    #expect(depth == 512)
    let again: Node = try read(nested(170, #"{"list":[{"next":"#, "}]}"))
    #expect(again.list.count == 1)
    #expect(nsError { let _: Node = try read(nested(513, #"{"next":"#, "}")) }?.code == 2)
    #expect(nsError { let _: Node = try read(nested(100_000, #"{"any":["#, "]}")) } != nil)
  }

  @Test func `a value of a stream may be deeper than a model`() throws {
    let limits = with(JSONLimits()) { $0.depth = 100_000 }
    for (open, close) in [
      (#"{"next":"#, "}"), (#"{"list":[{"next":"#, "}]}"), (#"{"any":["#, "]}"), (#"{"table":{"k":"#, "}}"),
    ] {
      let json = try JSON(parsing: nested(20_000, open, close), options: JSONOptions(limits: limits))
      let error = try #require(nsError { let _: Node = try SGYJSONDeserializer().deserialize(json) })
      #expect(error.localizedDescription.hasPrefix("Arrays and objects are nested more than 512 deep"))
      let inArray = try #require(nsError { let _: [Node] = try SGYJSONDeserializer().deserialize([json]) })
      let inTable = try #require(nsError { let _: [String: Node] = try SGYJSONDeserializer().deserialize(["k": json]) })
      for (error, path) in [(inArray, "[0]."), (inTable, "k.")] {
        #expect(error.domain == "SGYSwiftJSON.DeserializeError" && error.code == 2)
        let prefix = "Arrays and objects are nested more than 512 deep at \(path)"
        #expect(error.localizedDescription.hasPrefix(prefix), "\(error)")
      }
    }
  }

  @Test func `the thread's stack size does not matter`() async throws {
    // The list in the innermost object is the 512th container.
    let text = nested(511, #"{"next":"#, "}")
    // Released by another thread: that needs some stack for each object.
    final class Answer: @unchecked Sendable { var node: Node? }
    let answer = Answer()
    let again = try await onThread(stackBytes: 256 << 10) {
      let node: Node = try read(text)
      answer.node = node
      return try written(node)
    }
    // Each node has three properties that are not nil.
    #expect(answer.node != nil)
    #expect(again.hasPrefix(#"{"list":[],"next":{"list":[],"#))
  }

  @Test func `an object that contains itself is an error with its key path`() throws {
    let node = Node()
    let child = Node()
    node.table["k"] = child
    child.list = [Node(), node]
    let error = try #require(nsError { _ = try written(node) })
    #expect(error.domain == "SGYSwiftJSON.SerializeError")
    #expect(
      error.localizedDescription
        == "An object of Node contains itself at table.k.list[1]. A proxy (JSONProxyProvider) can leave it out.")
    guard case .jsonSerializationError(let inner)? = SGYJSONSerializer.SerializeError(error),
      let model = inner.userInfo[NSUnderlyingErrorKey] as? JSONModelError
    else {
      Issue.record("another error")
      return
    }
    #expect(model.code == .cycle && model.keyPath == "table.k.list[1]" && model.typeName == "Node")
    // A cycle keeps its objects alive.
    child.list = []
    node.list = [child, child]
    #expect(try written(node).contains(#""list":[{"list":[],"table":{}},{"list":[],"table":{}}]"#), "twice is no cycle")
  }

  @Test func `a model that is too deep is an error and not a crash`() throws {
    var node = Node()
    for _ in 0..<600 {
      let outer = Node()
      outer.next = node
      node = outer
    }
    let error = try #require(nsError { _ = try written(node) })
    #expect(error.localizedDescription.hasPrefix("Arrays and objects are nested more than 512 deep"))
    let holder = Node()
    holder.any = NSMutableArray(array: [holder])
    #expect(nsError { _ = try written(holder) }?.localizedDescription.contains("contains itself at any[0]") == true)
    holder.any = nil
  }

  // MARK: Hostile text

  @Test func `null everywhere changes nothing`() throws {
    let text =
      #"{"name":null,"birthdate":null,"favoriteColor":null,"bestFriends":null,"categorizedFriends":null,"followersCount":null}"#
    let warnings = Warnings()
    let person: Person = try read(text, warnings)
    #expect(try written(person) == "{}")
    let lists: Person = try read(#"{"bestFriends":[null,null],"categorizedFriends":{"a":null}}"#, warnings)
    #expect(lists.bestFriends?.isEmpty == true && lists.categorizedFriends?.isEmpty == true)
    #expect(
      warnings.lines == [
        "bestFriends[0]: NSNull to Person", "bestFriends[1]: NSNull to Person",
        "categorizedFriends.a: NSNull to Person",
      ])
  }

  @Test func `huge numbers are not assigned if they do not fit`() throws {
    final class Numbers: JSONCreatableObject {
      var int = 1
      var double = 2.0
      var number: NSNumber?
      var any: Any?
      var string: String?
      var decimal: Decimal?
    }
    for number in ["1e400", "-1e999999999999", String(repeating: "9", count: 900)] {
      let warnings = Warnings()
      let object: Numbers = try read(
        "{" + ["int", "double", "number", "any", "decimal"].map { "\"\($0)\": \(number)" }.joined(separator: ",") + "}",
        warnings)
      #expect(
        object.int == 1 && object.double == 2 && object.number == nil && object.any == nil && object.decimal == nil)
      #expect(warnings.lines.count == 5)
    }
  }

  /// Tries every JSON value for every kind of property.
  @Test func `no value for any property ends the process`() throws {
    final class Kinds: JSONCreatableObject {
      var string: String?
      var int: Int8 = 0
      var bool = false
      var color: PersonTests.Color?
      var date: Date?
      var list: [Int?] = []
      var set: Set<String> = []
      var table: [Int: [Bool]] = [:]
      var person: Person?
      var any: Any?
      var object: AnyObject?
      var json: JSON?
      var ns: NSMutableDictionary?
      var url: URL?
      weak var parent: Person?
      var action: (() -> Void)?
      var pair: (Int, Int)?
      var type: Any.Type?
      var result: Result<Int, any Error>?
      var never: Never?
      var void: Void?
      var range: Range<Int>?
    }
    let names = Mirror(reflecting: Kinds()).children.compactMap { $0.label }
    #expect(names.count == 22)
    let values = [
      "null", "true", "0", "-1", "1.5", "1e400", #""""#, #""Red""#, #""\u0000""#, "[]", "[null]", "[[]]",
      "[1,\"a\",{}]", "{}", #"{"a":null}"#, #"{"1":[true]}"#, #"{"name":{"name":[]}}"#, #"{"":{"":{}}}"#,
    ]
    for value in values {
      let object: Kinds = try read("{" + names.map { "\"\($0)\":\(value)" }.joined(separator: ",") + "}", Warnings())
      _ = try written(object, Warnings())
    }
  }
}
