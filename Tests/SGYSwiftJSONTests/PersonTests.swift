import Foundation
import JSONSift
import SGYSwiftJSON
import Testing

/// The walk-through of `Documentation/Models.md`, step by step.
@Suite struct PersonTests {
  // MARK: Basic

  final class Basic {
    class Person {
      var name: String?
      var birthdate: String?
      var favoriteColor: String?
      var bestFriends: [Person]?
      var categorizedFriends: [String: Person]?
      var followersCount: NSNumber?
    }
  }

  @Test func `a class without any conformance is written`() throws {
    let someGuy = Basic.Person()
    someGuy.name = "Sean"
    someGuy.followersCount = 42
    let friend = Basic.Person()
    friend.name = "Ada"
    someGuy.bestFriends = [friend]
    someGuy.categorizedFriends = ["work": friend]

    #expect(
      String(decoding: try SGYJSONSerializer().serialize(someGuy), as: UTF8.self)
        == #"{"name":"Sean","bestFriends":[{"name":"Ada"}],"categorizedFriends":{"work":{"name":"Ada"}},"followersCount":42}"#
    )
  }

  class Person: JSONCreatableObject {
    var name: String?
    var birthdate: String?
    var favoriteColor: String?
    var bestFriends: [Person]?
    var categorizedFriends: [String: Person]?
    var followersCount: NSNumber?
  }

  // MARK: More Swifty

  class SwiftyPerson: JSONCreatableObject {
    var name: String?
    var followersCount: Int?
    var score: Int = 0
  }

  // MARK: Even Swiftier

  enum Color: String, JSONLeafEnum {
    case red = "Red"
    case green = "Green"
    case blue = "Blue"
    case yellow = "Yellow"
  }

  class OverridingPerson: JSONCreatableObject {
    var name: String?
    var favoriteColor: Color?
    var calls: [String] = []

    override func setValue(_ value: Any, property: String) throws {
      calls.append(property)
      if property == "favoriteColor" {
        favoriteColor = value as? Color
      } else {
        try super.setValue(value, property: property)
      }
    }
  }

  @Test func `setValue can be overridden and is called for each property`() throws {
    let text = Data(#"{"favoriteColor": "Green", "name": "Sean", "other": 1}"#.utf8)
    let person: OverridingPerson = try SGYJSONDeserializer().deserialize(text)
    #expect(person.calls == ["favoriteColor", "name"])
    #expect(person.favoriteColor == .green)
    #expect(person.name == "Sean")
  }
}
