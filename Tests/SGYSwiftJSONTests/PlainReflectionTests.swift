import Foundation
import SGYSwiftJSON
import Testing

/// Models without the runtime's functions: properties are found by a Mirror, and classes set them themselves.
@Suite struct PlainReflectionTests {
  /// Sets its properties itself.
  class Own: JSONKeyValueCreatable {
    var name = ""
    var count: Int?
    var list: [Double] = []
    var table: [String: Own] = [:]
    var child: Own?
    var date: Date?
    lazy var late = 1
    required init() {}

    func setValue(_ value: Any, property: String) throws {
      switch (property, value) {
      case ("name", let value as String): name = value
      case ("count", let value as Int): count = value
      case ("list", let value as [Double]): list = value
      case ("table", let value as [String: Own]): table = value
      case ("child", let value as Own): child = value
      case ("date", let value as Date): date = value
      case ("late", let value as Int): late = value
      default: throw JSONCreatableObject.KeyValueError.invalidSetValueObject
      }
    }
  }

  /// Also has properties of its superclass.
  final class Derived: Own {
    var extra: [Int?] = []

    override func setValue(_ value: Any, property: String) throws {
      if property == "extra", let value = value as? [Int?] {
        extra = value
      } else {
        try super.setValue(value, property: property)
      }
    }
  }

  final class Paths: JSONKeyValueCreatable, JSONKeyPathProvider {
    var title = ""
    var pages: [Int] = []
    var inner: Own?
    class var jsonKeyPaths: [String: AnyKeyPath] {
      ["title": \Paths.title, "pages": \Paths.pages, "inner": \Paths.inner]
    }
  }

  /// Overrides the setter of ``JSONCreatableObject`` for all of its properties.
  class Overriding: JSONCreatableObject {
    var flag = false
    var size: UInt8 = 0

    override func setValue(_ value: Any, property: String) throws {
      switch (property, value) {
      case ("flag", let value as Bool): flag = value
      case ("size", let value as UInt8): size = value
      default: try super.setValue(value, property: property)
      }
    }
  }

  class Stored: JSONCreatableObject {
    var name = "unchanged"
    let constant = 1
  }

  /// Reads each text, and returns what is then written, followed by the warnings.
  private static func results() throws -> [String] {
    func result<Model: JSONKeyValueCreatable>(_ type: Model.Type, _ text: String) throws -> String {
      let warnings = Warnings()
      let model: Model = try read(text, warnings)
      return ([try written(model)] + warnings.lines).joined(separator: "; ")
    }
    return [
      try result(Own.self, #"{"name":"a","count":3,"list":[1,2.5],"late":7,"other":1}"#),
      try result(Own.self, #"{"name":1,"count":"x","list":[null,1],"child":{"name":"b","child":{}}}"#),
      try result(Own.self, #"{"table":{"k":{"count":1},"l":[]},"late":null,"count":300}"#),
      try result(Derived.self, #"{"extra":[1,null],"name":"d","child":{"extra":[2]}}"#),
      try result(Paths.self, #"{"title":"t","pages":[1,"2",{}],"inner":{"count":5}}"#),
      try result(Overriding.self, #"{"flag":true,"size":255}"#), try result(Overriding.self, #"{"flag":1,"size":256}"#),
    ]
  }

  private static let expected = [
    #"{"count":3,"late":7,"list":[1,2.5],"name":"a","table":{}}"#,
    #"{"child":{"child":{"list":[],"name":"","table":{}},"list":[],"name":"b","table":{}},"list":[1],"name":"1","table":{}}; "#
      + "count: String to Int; list[0]: NSNull to Double",
    #"{"count":300,"list":[],"name":"","table":{"k":{"count":1,"list":[],"name":"","table":{}}}}; table.l: Array<Any> to Own"#,
    #"{"child":{"list":[],"name":"","table":{}},"extra":[1,null],"list":[],"name":"d","table":{}}"#,
    #"{"inner":{"count":5,"list":[],"name":"","table":{}},"pages":[1,2],"title":"t"}; pages[2]: Dictionary<String, Any> to Int"#,
    #"{"flag":true,"size":255}"#, #"{"flag":true,"size":0}; size: NSNumber to UInt8"#,
  ]

  @Test
  func
    `models that set their own properties, or declare key paths, are read in the same way without the runtime's functions`()
    async throws
  {
    let results = try Self.results()
    #expect(results == Self.expected, "\(results)")
    await #expect(processExitsWith: .success) {
      StoredProperties.refuse()
      let results = try PlainReflectionTests.results()
      #expect(results == PlainReflectionTests.expected, "\(results)")
    }
  }

  @Test
  func `a property that only reflection could set keeps its value without the runtime's functions, with a warning`()
    async
  {
    await #expect(processExitsWith: .success) {
      StoredProperties.refuse()
      let warnings = Warnings()
      let model: Stored = try read(#"{"name":"new","constant":2}"#, warnings)
      #expect(model.name == "unchanged" && model.constant == 1)
      let code = JSONCreatableObject.KeyValueError.reflectionUnavailable.errorCode
      #expect(warnings.lines == ["name: error \(code)", "constant: error \(code)"])
    }
  }
}
