// Made from Documentation/MigratingFromSwiftyJSON.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum MigratingFromSwiftyJSONExamples {
  static let all: [Example] = [
    Example(page: "Documentation/MigratingFromSwiftyJSON.md", line: 97, output: nil, isRun: true, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var json = try JSON(parsing: #"{"balance": 12.50, "id": 7, "tags": ["old"], "user": {"name": "Ada"}, "a": 1, "b": 1.0}"#)
#sourceLocation(file: "Documentation/MigratingFromSwiftyJSON.md", line: 97)
    claim(json["balance"].numberText, "\"12.50\"", line: 97)
    claim(json["id"].exactly(Int8.self), "7", line: 98)
    json["tags"].append("new")                        // arrayObject?.append makes the whole array anew
    json["user"].removeValue(forKey: "name")          // and dictionaryObject?.removeValue the whole object
    let seen: Set<JSON> = [json["a"], json["b"]]
    claim(seen.count, "1", line: 102)
    let copy = String(decoding: try json["balance"].bytes(), as: UTF8.self); claim(copy, "\"12.50\"", line: 103)
#sourceLocation()
    use(seen)
    use(copy)
  }
}
