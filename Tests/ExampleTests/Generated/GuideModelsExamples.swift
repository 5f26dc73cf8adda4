// Made from Sources/JSONSift/JSONSift.docc/Guides/Models.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SGYSwiftJSON

enum GuideModelsExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Models.md", line: 23, output: "{\"name\":\"Ada\",\"followersCount\":3,\"bestFriends\":[{\"name\":\"Grace\",\"followersCount\":5}]}\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Models.md", line: 39, output: "Ada 0\nGrace 1\n", isRun: true, body: example2),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 12)
class Person: JSONCreatableObject {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 13)
  var name: String?
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 14)
  var followersCount: Int?
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 15)
  var bestFriends: [Person]?
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 16)
}
#sourceLocation()

  static func example1() async throws {
    let data = Data(#"{"name":"Ada","followersCount":3,"bestFriends":[{"name":"Grace","followersCount":"5"}]}"#.utf8)
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 23)


    let person: Person = try SGYJSONDeserializer().deserialize(data)
    claim(person.bestFriends?.first?.name, "\"Grace\"", line: 26)
    claim(person.bestFriends?.first?.followersCount, "5", line: 27)
    let text = String(decoding: try SGYJSONSerializer().serialize(person), as: UTF8.self)
    print(text)
#sourceLocation()
    use(person)
    use(text)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Models.md (guide)", line: 39)
    let deserializer = SGYJSONDeserializer()
    var people = try deserializer.models(of: Person.self, at: "$.people[*]", in: .path(inFolder("people.json")))
    while let person = try people.next() { print(person.name ?? "?", person.bestFriends?.count ?? 0) }
#sourceLocation()
    use(deserializer)
    use(people)
  }
}
