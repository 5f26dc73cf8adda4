// Made from Documentation/Models.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum ModelsExamples {
  static let all: [Example] = [
    Example(page: "Documentation/Models.md", line: 21, output: nil, isRun: true, body: example1),
    Example(page: "Documentation/Models.md", line: 40, output: nil, isRun: true, body: example2),
    Example(page: "Documentation/Models.md", line: 52, output: nil, isRun: true, body: example3),
    Example(page: "Documentation/Models.md", line: 63, output: nil, isRun: true, body: example4),
    Example(page: "Documentation/Models.md", line: 82, output: nil, isRun: true, body: example5),
    Example(page: "Documentation/Models.md", line: 93, output: nil, isRun: true, body: example6),
    Example(page: "Documentation/Models.md", line: 104, output: nil, isRun: true, body: example7),
    Example(page: "Documentation/Models.md", line: 115, output: nil, isRun: true, body: example8),
    Example(page: "Documentation/Models.md", line: 131, output: nil, isRun: true, body: example9),
    Example(page: "Documentation/Models.md", line: 143, output: nil, isRun: true, body: example10),
    Example(page: "Documentation/Models.md", line: 162, output: nil, isRun: true, body: example11),
    Example(page: "Documentation/Models.md", line: 209, output: nil, isRun: true, body: example12),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Documentation/Models.md", line: 63)
final class Friend: JSONCreatableObject { var name: String?; var followersCount: Int?; var bestFriends: [Friend]? }
#sourceLocation(file: "Documentation/Models.md", line: 177)
final class Account: JSONKeyValueCreatable, JSONKeyPathProvider {
#sourceLocation(file: "Documentation/Models.md", line: 178)
  var name = ""
#sourceLocation(file: "Documentation/Models.md", line: 179)
  var balance = 0 { didSet { changes += 1 } }
#sourceLocation(file: "Documentation/Models.md", line: 180)
  private(set) var changes = 0
#sourceLocation(file: "Documentation/Models.md", line: 181)

#sourceLocation(file: "Documentation/Models.md", line: 182)
  static var jsonKeyPaths: [String: AnyKeyPath] {
#sourceLocation(file: "Documentation/Models.md", line: 183)
    ["account_name": \Account.name, "balance": \Account.balance]
#sourceLocation(file: "Documentation/Models.md", line: 184)
  }
#sourceLocation(file: "Documentation/Models.md", line: 185)
}
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "Documentation/Models.md", line: 21)
    class Person {
      var name: String?
      var birthdate: String?
      var favoriteColor: String?
      var bestFriends: [Person]?
      var categorizedFriends: [String: Person]?
      var followersCount: NSNumber?
    }
#sourceLocation()
  }

  static func example2() async throws {
    class Person { var name: String? }
    let someGuy = Person()
    someGuy.name = "Sean"
    var jsonData = Data()
#sourceLocation(file: "Documentation/Models.md", line: 40)
    let serializer = SGYJSONSerializer()
    do {
      jsonData = try serializer.serialize(someGuy)
    } catch let error as NSError {
      print(error.domain, error.code)  // or one of the errors below
    }
#sourceLocation()
     claim(String(decoding: jsonData, as: UTF8.self), #""{"name":"Sean"}""#, line: 0)
    use(serializer)
  }

  static func example3() async throws {
#sourceLocation(file: "Documentation/Models.md", line: 52)
    class Person: JSONCreatableObject {
#sourceLocation()
     }
  }

  static func example4() async throws {
    class Person: JSONCreatableObject { var name: String? }
    let jsonData = Data(#"{"name":"Sean"}"#.utf8)
#sourceLocation(file: "Documentation/Models.md", line: 63)
    let deserializer = SGYJSONDeserializer()
    do {
      let jsonGuy: Person = try deserializer.deserialize(jsonData)
      print(jsonGuy.name ?? "nobody"); claimPrinted("Sean", line: 66)
    } catch let error as NSError {
      print(error.domain, error.code)  // or one of the errors below
    }
#sourceLocation()
    use(deserializer)
  }

  static func example5() async throws {
     class Person: JSONCreatableObject {
#sourceLocation(file: "Documentation/Models.md", line: 82)
    var followersCount: Int?
    var score: Int = 0
#sourceLocation()
    }
  }

  static func example6() async throws {
#sourceLocation(file: "Documentation/Models.md", line: 93)
    enum Color: String, JSONLeafEnum {
      case red = "Red"
      case green = "Green"
      case blue = "Blue"
      case yellow = "Yellow"
    }
#sourceLocation()
  }

  static func example7() async throws {
     enum Color: String, JSONLeafEnum { case red = "Red" }
     class Person: JSONCreatableObject {
#sourceLocation(file: "Documentation/Models.md", line: 104)
    var favoriteColor: Color?
#sourceLocation()
    }
  }

  static func example8() async throws {
    enum Color: String, JSONLeafEnum { case red = "Red" }
    class Person: JSONCreatableObject { var favoriteColor: Color? }
     class Favourites: Person {
#sourceLocation(file: "Documentation/Models.md", line: 115)
    override func setValue(_ value: Any, property: String) throws {
      if property == "favoriteColor" {
        favoriteColor = value as? Color
      } else {
        try super.setValue(value, property: property)
      }
    }
#sourceLocation()
    }
  }

  static func example9() async throws {
     let serializer = SGYJSONSerializer()
#sourceLocation(file: "Documentation/Models.md", line: 131)
    let formatter = DateFormatter()
    formatter.dateStyle = .medium
    serializer.dateConversionBlock = { (date) in formatter.string(from: date) }
#sourceLocation()
    use(formatter)
  }

  static func example10() async throws {
    let deserializer = SGYJSONDeserializer()
    let formatter = DateFormatter()
#sourceLocation(file: "Documentation/Models.md", line: 143)
    deserializer.dateConversionBlock = { (jsonValue) -> Date? in
      guard let value = jsonValue as? String else { return nil }
      return formatter.date(from: value)
    }
#sourceLocation()
  }

  static func example11() async throws {
    typealias Person = Friend
    let deserializer = SGYJSONDeserializer()
    let data = Data(#"{"bestFriends":[{},{"followersCount":"many"}]}"#.utf8)
#sourceLocation(file: "Documentation/Models.md", line: 162)
    struct Printer: JSONWarningObserver {
      func observe(warning: JSONWarning) {}
      func observe(warning: JSONWarning, keyPath: String) { print("\(keyPath): \(warning)") }
    }
    let person: Person = try deserializer.deserialize(data, observer: Printer())
    // bestFriends[1].followersCount: unsupportedConversion(Swift.String, Swift.Int)
#sourceLocation()
     claimPrinted("bestFriends[1].followersCount: unsupportedConversion(Swift.String, Swift.Int)", line: 0)
    use(person)
  }

  static func example12() async throws {
    typealias Person = Friend
    let deserializer = SGYJSONDeserializer()
    var names: [String] = []
#sourceLocation(file: "Documentation/Models.md", line: 209)
    var people = try deserializer.models(of: Person.self, at: "$.people[*]", in: .path(inFolder("people.json")))
    while let person = try people.next() { names.append(person.name ?? "") }

    var lines = try deserializer.models(of: Person.self, in: .path(inFolder("people.ndjson")))
    while let person = try lines.next() { names.append(person.name ?? "") }
#sourceLocation()
     claim(names, "[\"Ada\", \"Grace\", \"Ada\", \"Grace\"]", line: 0)
    use(people)
    use(lines)
  }
}

#sourceLocation(file: "Documentation/Models.md", line: 192)
extension ModelsExamples.Account: JSONProxyProvider {
#sourceLocation(file: "Documentation/Models.md", line: 193)
  var jsonProxy: Any { ["account_name": name, "balance": balance] as [String: Any] }
#sourceLocation(file: "Documentation/Models.md", line: 194)
}
#sourceLocation()
