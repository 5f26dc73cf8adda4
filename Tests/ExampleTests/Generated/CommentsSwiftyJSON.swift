// Made from Sources/SwiftyJSON/JSON+Data.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum SwiftyJSON_JSON_Data_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SwiftyJSON/JSON+Data.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let data = Data()
#sourceLocation(file: "Sources/SwiftyJSON/JSON+Data.swift (doc comment)", line: 2)
    do {
      let json = try JSON(data: data)
      print(json["user"]["name"].stringValue)
    } catch let error as NSError {
      print(error.userInfo[NSDebugDescriptionErrorKey] ?? error)  // Line 3, column 27: expected ',' or '}' …
    }
#sourceLocation()
  }
}
// Made from Sources/SwiftyJSON/JSON+Object.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum SwiftyJSON_JSON_Object_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SwiftyJSON/JSON+Object.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var json = JSON.null
#sourceLocation(file: "Sources/SwiftyJSON/JSON+Object.swift (doc comment)", line: 2)
    json["user"].dictionaryObject?.removeValue(forKey: "name")
#sourceLocation()
  }
}
// Made from Sources/SwiftyJSON/JSON+Raw.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum SwiftyJSON_JSON_Raw_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SwiftyJSON/JSON+Raw.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/SwiftyJSON/JSON+Raw.swift (doc comment)", line: 2)
    let json = JSON(["1": 2, "3": nil] as [String: Any?])
    _ = json.rawString([.castNilToNSNull: true])  // {"1": 2,"3": null}
#sourceLocation()
    use(json)
  }
}
// Made from Sources/SwiftyJSON/SwiftyJSONError+Foundation.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum SwiftyJSON_SwiftyJSONError_Foundation_Examples {
  static let all: [Example] = [
    Example(page: "Sources/SwiftyJSON/SwiftyJSONError+Foundation.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var json = JSON.null
    let other: JSON = [1]
#sourceLocation(file: "Sources/SwiftyJSON/SwiftyJSONError+Foundation.swift (doc comment)", line: 2)
    do {
      try json.merge(with: other)
    } catch {
      print(error.localizedDescription)  // Couldn't merge, because the JSONs differ in type on top level.
      print((error as NSError).code)  // 901
    }
#sourceLocation()
  }
}
