// Made from Sources/JSONSift/JSONSift.docc/Guides/Performance.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuidePerformanceExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Performance.md", line: 28, output: nil, isRun: true, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Performance.md (guide)", line: 28)
    var parser = JSONParser()
    var total = 0
    for line in ["[1,2]", "[3]", "[4,5,6]"] { total += try parser.parse(Array(line.utf8)).count }
    claim(total, "6", line: 31)
#sourceLocation()
    use(parser)
    use(total)
  }
}
