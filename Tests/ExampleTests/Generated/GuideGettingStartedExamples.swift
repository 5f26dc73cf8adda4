// Made from Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideGettingStartedExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 38, output: nil, isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 54, output: nil, isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 68, output: "0 Grace\n3 Edsger\nid = 4\nname = Edsger\nbalance = 12.5\ntags = [\n  \"beta\",\n  \"staff\"\n]\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 90, output: nil, isRun: true, body: example4),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 109, output: "{\"users\":[{\"name\":\"Alan T.\",\"balance\":7.25,\"tags\":[\"new\",7,null]},{\"id\":4,\"name\":\"Edsger\",\"balance\":12.50,\"tags\":[\"beta\",\"staff\"]}],\"next\":null}\n", isRun: true, body: example5),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 132, output: "at $['list']: expected an index from -3 to 3, which appends, found 5\n", isRun: true, body: example6),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md", line: 161, output: nil, isRun: true, body: example7),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 161)
struct User: Codable { var name: String; var tags: [String] }
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 38)
    let json = try JSON(contentsOf: inFolder("users.json"))
    claim(json["users"].count, "4", line: 39)
    claim(json["users"][0]["name"].string, "\"Grace\"", line: 40)
    claim(json["users", 0, "name"].string, "\"Grace\"", line: 41)
    claim(json["users"][0]["name"].int, "nil", line: 42)
    claim(json["users"][0]["name"].intValue, "0", line: 43)
    claim(json["users"][0]["id"].stringValue, "\"1\"", line: 44)
    claim(json["next"].type, "null", line: 45)
#sourceLocation()
    use(json)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 54)
    let json = try JSON(contentsOf: inFolder("users.json"))
    let missing = json["users"][9]["name"]
    claim(missing.string, "nil", line: 56)
    claim(missing.error, "indexOutOfBounds", line: 57)
    claim(missing.exists(), "false", line: 58)
    claim(json["next"].exists(), "true", line: 59)
#sourceLocation()
    use(json)
    use(missing)
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 68)
    let json = try JSON(contentsOf: inFolder("users.json"))
    for (index, user) in json["users"] where user["balance"].doubleValue > 10 { print(index, user["name"]) }
    for (key, value) in json["users"][3] { print(key, "=", value) }
#sourceLocation()
    use(json)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 90)
    let json = try JSON(parsing: #"{"price": 12.50, "big": 12345678901234567890123, "byte": 300}"#)
    claim(json["price"].numberText, "\"12.50\"", line: 91)
    claim(json["big"].numberText, "\"12345678901234567890123\"", line: 92)
    claim(json["big"].decimal, "12345678901234567890123", line: 93)
    claim(json["big"].exactly(Int64.self), "nil", line: 94)
    claim(json["big"].exactly(Int128.self), "12345678901234567890123", line: 95)
    claim(json["byte"].exactly(UInt8.self), "nil", line: 96)
    claim(json["price"].exactly(Int.self), "nil", line: 97)
    claim(json["byte"].uInt8, "44", line: 98)
#sourceLocation()
    use(json)
  }

  static func example5() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 109)
    var json = try JSON(contentsOf: inFolder("users.json"))
    json["users"][1]["name"] = "Alan T."
    json["users", 1, "tags"] = ["new", 7, JSON.null]
    json["users"][1].removeValue(forKey: "id")
    json["users"] = [json["users"][1], json["users"][3]]
    print(String(decoding: try json.bytes(), as: UTF8.self))
#sourceLocation()
    use(json)
  }

  static func example6() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 132)
    var config: JSON = ["name": "demo", "list": [1, 2]]
    config["server", "port"] = 8080              // nothing happens: there is no "server"
    config["list"][5] = 6                        // nothing happens: there are two elements
    claim(config["server"].exists(), "false", line: 135)

    try config.set("$.server.port", to: 8080)    // creates "server"
    try config.set("$.list[2]", to: 3)           // appends
    claim(config["server"]["port"].int, "8080", line: 139)
    claim(config["list"].count, "3", line: 140)
    do {
      try config.set("$.list[5]", to: 6)
    } catch {
      print(error.message)
    }
#sourceLocation()
    use(config)
  }

  static func example7() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/GettingStarted.md (guide)", line: 161)
    let made: JSON = ["name": "Ada", "born": 1815, "tags": ["math", JSON.null]]
    claim(made["tags"][0].string, "\"math\"", line: 162)

    let user = User(name: "Ada", tags: ["math"])
    let encoded = try JSON(encoding: user)
    claim(encoded["tags"][0].string, "\"math\"", line: 166)
    claim(try encoded.decode(User.self).name, "\"Ada\"", line: 167)
#sourceLocation()
    use(made)
    use(user)
    use(encoded)
  }
}
