// Made from Sources/JSONSift/JSONSift.docc/Guides/MovingFromSwiftyJSON.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import SwiftyJSON

enum GuideMovingFromSwiftyJSONExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/MovingFromSwiftyJSON.md", line: 18, output: nil, isRun: true, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let data = Data(#"{"list":[{"person":{"name":"Ada"}}]}"#.utf8)
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/MovingFromSwiftyJSON.md (guide)", line: 18)


    let json = try JSON(data: data)
    claim(json["list", 0, "person", "name"].stringValue, "\"Ada\"", line: 21)
    claim(json["list"].arrayValue.count, "1", line: 22)
    claim(json["list"][3]["person"].error, "indexOutOfBounds", line: 23)
    claim(json["list"][0].rawString(options: []), "\"{\"person\":{\"name\":\"Ada\"}}\"", line: 24)
#sourceLocation()
    use(json)
  }
}
