import Foundation
import JSONSift
import SGYSwiftJSON
import TestSupport
import Testing

/// Models of matches and records.
@Suite struct StreamTests {
  typealias Person = PersonTests.SwiftyPerson

  static let lines = (0..<50).map { #"{"name":"person \#($0)","followersCount":\#($0)}"# }

  @Test func `each record of a stream is a model under every chunking`() throws {
    let bytes = Array(Self.lines.joined(separator: "\n").utf8)
    let difference = try differenceOverEveryChunking(of: bytes) { size in
      var people = try SGYJSONDeserializer().models(of: Person.self, in: .chunks(Chunks(bytes, size: size)))
      return try drain { try people.next().map { "\($0.name ?? "") \($0.followersCount ?? -1)" } }
    }
    #expect(difference == nil)
    var people = try SGYJSONDeserializer().models(of: Person.self, in: .bytes(bytes))
    var sum = 0
    while let person = try people.next() { sum += person.followersCount ?? 0 }
    #expect(sum == 1225)
  }

  @Test func `each match of a path is a model under every chunking`() throws {
    let bytes = Array(#"{"meta":[1],"people":[\#(Self.lines.joined(separator: ", "))],"end":{}}"#.utf8)
    let difference = try differenceOverEveryChunking(of: bytes) { size in
      let source = JSONSource.chunks(Chunks(bytes, size: size))
      var people = try SGYJSONDeserializer().models(of: Person.self, at: "$.people[*]", in: source)
      return try drain { try people.next().map { "\($0.name ?? "") \($0.followersCount ?? -1)" } }
    }
    #expect(difference == nil)
    var matches = try JSONMatches(of: "$.people[40:]", in: .bytes(bytes))
    var names: [String?] = []
    while let match = try matches.next() {
      let person: Person = try SGYJSONDeserializer().deserialize(match.value)
      names.append(person.name)
    }
    #expect(names.count == 10 && names.first == "person 40")
  }

  @Test func `a bad line and a line that is not an object are one error each, and reading continues`() throws {
    let bytes = Array("{\"name\":\"a\"}\n{]\n[1]\n{\"name\":\"b\"}\n".utf8)
    var people = try SGYJSONDeserializer().models(of: Person.self, in: .bytes(bytes))
    var names: [String] = []
    var errors: [NSError] = []
    while true {
      do {
        guard let person = try people.next() else { break }
        names.append(person.name ?? "")
      } catch let error as NSError {
        errors.append(error)
        if errors.count > 5 { break }
      }
    }
    #expect(names == ["a", "b"])
    #expect(errors.map { $0.code } == [2, 1])
    #expect(errors.first?.localizedDescription.hasPrefix("Byte 14: ") == true)
  }

  @Test func `a missing source and a bad path are NSErrors`() {
    #expect(nsError { _ = try SGYJSONDeserializer().models(of: Person.self, in: .path("/no/such/file")) } != nil)
    #expect(nsError { _ = try SGYJSONDeserializer().models(of: Person.self, at: "$[", in: .bytes([])) } != nil)
  }

  @Test func `collections and dictionaries are created from values too`() throws {
    let json = try JSON(parsing: #"{"list":[1,2],"table":{"a":[{"name":"x"}]}}"#)
    let deserializer = SGYJSONDeserializer()
    let list: [Int] = try deserializer.deserialize(json["list"])
    let table: [String: [Person]] = try deserializer.deserialize(json["table"])
    #expect(list == [1, 2] && table["a"]?.first?.name == "x")
    let person = Person()
    try deserializer.deserialize(json["table"]["a"][0], intoInstance: person)
    #expect(person.name == "x")
  }

  @Test func `a built or changed value is read like a text`() throws {
    var json = try JSON(parsing: #"{"name":"old","followersCount":1,"score":5}"#)
    json["name"] = "new"
    json["followersCount"] = 7
    let changed: Person = try SGYJSONDeserializer().deserialize(json)
    #expect(changed.name == "new" && changed.followersCount == 7 && changed.score == 5)
    let built: Person = try SGYJSONDeserializer().deserialize(["name": "built", "score": 3] as JSON)
    #expect(built.name == "built" && built.score == 3)
    #expect(nsError { let _: Person = try SGYJSONDeserializer().deserialize(JSON.null) }?.code == 1)
    #expect(nsError { let _: Person = try SGYJSONDeserializer().deserialize(json["nowhere"]) }?.code == 1)
  }

  @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian, .utf16])
  func `text may have every encoding of JSONSerialization`(_ encoding: String.Encoding) throws {
    let data = try #require(#"{"name":"é 😀","followersCount":2}"#.data(using: encoding))
    let person: Person = try SGYJSONDeserializer().deserialize(data)
    #expect(person.name == "é 😀" && person.followersCount == 2)
  }

  @Test func `a model that is read and written is the same text`() throws {
    let text =
      #"{"bestFriends":[{"bestFriends":[],"name":"Ada \"A\""}],"categorizedFriends":{"a\/b":{}},"followersCount":1.25}"#
    let person: PersonTests.Person = try read(text)
    #expect(try written(person) == text)
  }
}

/// Run under ThreadSanitizer too: `Scripts/check sanitizers`.
@Suite struct ModelConcurrencyTests {
  class First: JSONCreatableObject { var a = 0 }
  class Second<Content>: First { var content: [Content] = [] }
  final class Third: Second<First> { var table: [String: Second<Int>] = [:] }

  @Test func `many threads can request a class that was never read before`() async throws {
    let text = #"{"a":1,"content":[{"a":2},{"a":3}],"table":{"k":{"a":4,"content":[5,6]}}}"#
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          var sum = 0
          for _ in 0..<20 {
            guard let third: Third = try? read(text) else { return -1 }
            sum += third.a + third.content.reduce(0) { $0 + $1.a } + (third.table["k"]?.content.reduce(0, +) ?? 0)
            guard (try? written(third)) == text else { return -2 }
          }
          return sum
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 20 * 17, count: 16))
  }
}
