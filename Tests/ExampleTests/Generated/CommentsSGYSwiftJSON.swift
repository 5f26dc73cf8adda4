// Made from Sources/SGYSwiftJSON/JSONCreatableObject.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_JSONCreatableObject_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/JSONCreatableObject.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/SGYSwiftJSON/JSONCreatableObject.swift", line: 10, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONCreatableObject.swift (doc comment)", line: 2)
enum Color: String, JSONLeafEnum { case red = "Red" }
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONCreatableObject.swift (doc comment)", line: 3)
class Friend: JSONCreatableObject { var favoriteColor: Color? }
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONCreatableObject.swift (doc comment)", line: 2)
    class Person: JSONCreatableObject {
      var name: String?
      var followersCount: Int?
      var favoriteColor: Color?
      var bestFriends: [Person]?
    }
#sourceLocation()
  }

  static func example2() async throws {
    class Best: Friend {
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONCreatableObject.swift (doc comment)", line: 10)
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
}
// Made from Sources/SGYSwiftJSON/JSONKeyValueCreatable.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_JSONKeyValueCreatable_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/JSONKeyValueCreatable.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/SGYSwiftJSON/JSONKeyValueCreatable.swift", line: 16, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONKeyValueCreatable.swift (doc comment)", line: 2)
    final class Point: JSONKeyValueCreatable {
      var x = 0
      var y = 0

      func setValue(_ value: Any, property: String) throws {
        switch (property, value) {
        case ("x", let value as Int): x = value
        case ("y", let value as Int): y = value
        default: break
        }
      }
    }
#sourceLocation()
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONKeyValueCreatable.swift (doc comment)", line: 16)
    final class Person: JSONKeyValueCreatable, JSONKeyPathProvider {
      var name = ""
      var age: Int? { didSet { print("now \(age ?? 0)") } }

      class var jsonKeyPaths: [String: AnyKeyPath] { ["name": \Person.name, "age": \Person.age] }
    }
#sourceLocation()
  }
}
// Made from Sources/SGYSwiftJSON/JSONWarning.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_JSONWarning_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/JSONWarning.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/SGYSwiftJSON/JSONWarning.swift (doc comment)", line: 2)
    struct Printer: JSONWarningObserver {
      func observe(warning: JSONWarning) {}
      func observe(warning: JSONWarning, keyPath: String) { print("\(keyPath): \(warning)") }
    }
    // bestFriends[2].followersCount: unsupportedConversion(Swift.String, Swift.Int)
#sourceLocation()
  }
}
// Made from Sources/SGYSwiftJSON/LeafProtocols.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_LeafProtocols_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/LeafProtocols.swift", line: 10, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/SGYSwiftJSON/LeafProtocols.swift (doc comment)", line: 10)
    enum Color: String, JSONLeafEnum {
      case red = "Red", green = "Green", blue = "Blue"
    }
#sourceLocation()
  }
}
// Made from Sources/SGYSwiftJSON/ModelErrors.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_ModelErrors_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/ModelErrors.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let data = Data()
    class Person: JSONCreatableObject {}
    do { let _: Person = try SGYJSONDeserializer().deserialize(data)
#sourceLocation(file: "Sources/SGYSwiftJSON/ModelErrors.swift (doc comment)", line: 2)
    } catch {
      if case .invalidDeserializedObject(let found, _)? = SGYJSONDeserializer.DeserializeError(error) {
        print("found a \(found)")
      }
    }
#sourceLocation()
  }
}
// Made from Sources/SGYSwiftJSON/SGYJSONDeserializer+Streams.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_SGYJSONDeserializer_Streams_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/SGYJSONDeserializer+Streams.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/SGYSwiftJSON/SGYJSONDeserializer+Streams.swift", line: 7, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    class Person: JSONCreatableObject { var name: String? }
#sourceLocation(file: "Sources/SGYSwiftJSON/SGYJSONDeserializer+Streams.swift (doc comment)", line: 2)
    let deserializer = SGYJSONDeserializer()
    var people = try deserializer.models(of: Person.self, in: .path(inFolder("people.ndjson")))
    while let person = try people.next() { print(person.name ?? "?") }
#sourceLocation()
    use(deserializer)
    use(people)
  }

  static func example2() async throws {
    class Person: JSONCreatableObject { var name: String? }
    let deserializer = SGYJSONDeserializer()
#sourceLocation(file: "Sources/SGYSwiftJSON/SGYJSONDeserializer+Streams.swift (doc comment)", line: 7)
    var people = try deserializer.models(of: Person.self, at: "$.people[*]", in: .path(inFolder("huge.json")))
#sourceLocation()
     while let person = try people.next() { print(person.name ?? "?") }
    use(people)
  }
}
// Made from Sources/SGYSwiftJSON/SGYJSONDeserializer.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_SGYJSONDeserializer_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/SGYJSONDeserializer.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/SGYSwiftJSON/SGYJSONDeserializer.swift", line: 11, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    class Person: JSONCreatableObject { var name: String? }
    let data = Data()
#sourceLocation(file: "Sources/SGYSwiftJSON/SGYJSONDeserializer.swift (doc comment)", line: 2)
    let deserializer = SGYJSONDeserializer()
    do {
      let person: Person = try deserializer.deserialize(data)
      print(person.name ?? "nobody")
    } catch let error as NSError {
      print(error.localizedDescription)  // Line 3, column 27: expected ',' or '}' …
    }
#sourceLocation()
    use(deserializer)
  }

  static func example2() async throws {
    class Person: JSONCreatableObject { var name: String? }
    let deserializer = SGYJSONDeserializer()
#sourceLocation(file: "Sources/SGYSwiftJSON/SGYJSONDeserializer.swift (doc comment)", line: 11)
    var matches = try JSONMatches(of: "$.people[*]", in: .path(inFolder("huge.json")))
    while let match = try matches.next() {
      let person: Person = try deserializer.deserialize(match.value)
      print(person.name ?? "nobody")
    }
#sourceLocation()
    use(matches)
  }
}
// Made from Sources/SGYSwiftJSON/SGYJSONSerializer.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum SGYSwiftJSON_SGYJSONSerializer_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SGYSwiftJSON/SGYJSONSerializer.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let person = NSObject()
#sourceLocation(file: "Sources/SGYSwiftJSON/SGYJSONSerializer.swift (doc comment)", line: 2)
    let serializer = SGYJSONSerializer()
    serializer.dateConversionBlock = { $0.timeIntervalSince1970 }
    do {
      let data = try serializer.serialize(person)
      print(data.count, "bytes")
    } catch let error as NSError {
      print(error.localizedDescription)
    }
#sourceLocation()
    use(serializer)
  }
}
