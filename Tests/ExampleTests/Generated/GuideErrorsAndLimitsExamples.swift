// Made from Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideErrorsAndLimitsExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md", line: 12, output: "unexpectedByte\nbyte 26: expected ',' or '}' after a member, found a string\n1 27\n{\"id\": 17, \"total\": 12.50 \"currency\": \"EUR\"}\n                          ^\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md", line: 37, output: "\"/nowhere/nope.json\": No such file or directory\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md", line: 72, output: "byte 3: expected arrays and objects nested at most 3 deep, found one more level\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md", line: 102, output: nil, isRun: true, body: example4),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md (guide)", line: 12)
    let text = #"{"id": 17, "total": 12.50 "currency": "EUR"}"#
    do {
      _ = try JSON(parsing: text)
    } catch {
      print(error.code)
      print(error)
      let position = error.position(in: text.utf8)
      print(position.line, position.column)
      print(JSONError.Excerpt(around: error.byteOffset, in: Array(text.utf8)))
    }
#sourceLocation()
    use(text)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md (guide)", line: 37)
    do {
      _ = try JSON(contentsOf: "/nowhere/nope.json")
    } catch {
      print(error)
    }
#sourceLocation()
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md (guide)", line: 72)
    var limits = JSONLimits()
    claim(limits.depth, "1024", line: 73)
    claim(limits.stringBytes == 64 << 20, "true", line: 74)
    claim(limits.keyBytes == 64 << 10, "true", line: 75)
    claim(limits.numberBytes, "1000", line: 76)
    claim(limits.recordBytes == 64 << 20, "true", line: 77)

    limits.depth = 3
    do {
      _ = try JSON(parsing: "[[[[1]]]]", options: JSONOptions(limits: limits))
    } catch {
      print(error)
    }
#sourceLocation()
    use(limits)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ErrorsAndLimits.md (guide)", line: 102)
    claim(try JSON(parsing: #"["\ud83d\ude00"]"#)[0].string, "\"😀\"", line: 102)
    let replaced = try JSON(parsing: #"["\ud800"]"#, options: JSONOptions(loneSurrogates: .replace))
    claim(replaced[0].string, "\"�\"", line: 104)
#sourceLocation()
    use(replaced)
  }
}
