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

    let serializer = SGYJSONSerializer()
    var jsonData = Data()
    do {
      jsonData = try serializer.serialize(someGuy)
    } catch let error as NSError {
      Issue.record(error)
    }
    #expect(
      String(decoding: jsonData, as: UTF8.self)
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

  static let text = """
    {
      "name": "Sean", "birthdate": "Aug 29, 2015", "favoriteColor": "Red", "followersCount": 42,
      "bestFriends": [{"name": "Ada", "followersCount": 1815}, {"name": "Grace", "bestFriends": []}],
      "categorizedFriends": {"work": {"name": "Linus"}}
    }
    """

  @Test func `one conformance makes the class readable`() throws {
    let jsonData = Data(Self.text.utf8)
    let deserializer = SGYJSONDeserializer()
    do {
      let jsonGuy: Person = try deserializer.deserialize(jsonData)
      #expect(jsonGuy.name == "Sean")
      #expect(jsonGuy.birthdate == "Aug 29, 2015")
      #expect(jsonGuy.favoriteColor == "Red")
      #expect(jsonGuy.followersCount == 42)
      #expect(jsonGuy.bestFriends?.map { $0.name } == ["Ada", "Grace"])
      #expect(jsonGuy.bestFriends?.first?.followersCount == 1815)
      #expect(jsonGuy.bestFriends?.last?.bestFriends?.isEmpty == true)
      #expect(jsonGuy.categorizedFriends?["work"]?.name == "Linus")
    } catch let error as NSError {
      Issue.record(error)
    }
  }

  @Test func `invalid JSON is caught as an NSError with the position`() {
    let deserializer = SGYJSONDeserializer()
    do {
      let _: Person = try deserializer.deserialize(Data(#"{"name": "Sean", "followersCount": 4x}"#.utf8))
      Issue.record("the text was read")
    } catch let error as NSError {
      #expect(error.domain == "SGYSwiftJSON.DeserializeError")
      #expect(error.localizedDescription.contains("Line 1, column 37"))
    }
  }

  // MARK: More Swifty

  class SwiftyPerson: JSONCreatableObject {
    var name: String?
    var followersCount: Int?
    var score: Int = 0
  }

  @Test func `an optional number needs no override`() throws {
    let text = Data(#"{"name": "Sean", "followersCount": 42, "score": 7}"#.utf8)
    let person: SwiftyPerson = try SGYJSONDeserializer().deserialize(text)
    #expect(person.followersCount == 42)
    #expect(person.score == 7)
    #expect(
      String(decoding: try SGYJSONSerializer().serialize(person), as: UTF8.self)
        == #"{"name":"Sean","followersCount":42,"score":7}"#)
  }

  // MARK: Even Swiftier

  enum Color: String, JSONLeafEnum {
    case red = "Red"
    case green = "Green"
    case blue = "Blue"
    case yellow = "Yellow"
  }

  class ColorfulPerson: JSONCreatableObject {
    var name: String?
    var favoriteColor: Color?
  }

  class OverridingPerson: ColorfulPerson {
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

  @Test func `an enum with raw values is read and written`() throws {
    let text = Data(#"{"name":"Sean","favoriteColor":"Blue"}"#.utf8)
    let person: ColorfulPerson = try SGYJSONDeserializer().deserialize(text)
    #expect(person.favoriteColor == .blue)
    #expect(try SGYJSONSerializer().serialize(person) == text)
  }

  @Test func `setValue can be overridden and is called for each property`() throws {
    let text = Data(#"{"favoriteColor": "Green", "name": "Sean", "other": 1}"#.utf8)
    let person: OverridingPerson = try SGYJSONDeserializer().deserialize(text)
    #expect(person.calls == ["favoriteColor", "name"])
    #expect(person.favoriteColor == .green)
    #expect(person.name == "Sean")
  }

  // MARK: Dates

  class DatedPerson: JSONCreatableObject {
    var name: String?
    var birthdate: Date?
  }

  @Test func `dates are converted by blocks in both directions`() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateStyle = .medium
    let serializer = SGYJSONSerializer()
    serializer.dateConversionBlock = { (date) in formatter.string(from: date) }
    let deserializer = SGYJSONDeserializer()
    deserializer.dateConversionBlock = { (jsonValue) -> Date? in
      guard let value = jsonValue as? String else { return nil }
      return formatter.date(from: value)
    }
    let person = DatedPerson()
    person.birthdate = Date(timeIntervalSince1970: 86400 * 365)
    let data = try serializer.serialize(person)
    #expect(String(decoding: data, as: UTF8.self) == #"{"birthdate":"Jan 1, 1971"}"#)
    let again: DatedPerson = try deserializer.deserialize(data)
    #expect(again.birthdate == person.birthdate)
  }
}
