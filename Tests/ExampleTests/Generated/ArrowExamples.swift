// Made from Documentation/Arrow.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum ArrowExamples {
  static let all: [Example] = [
  ]

  static let consoles: [Console] = [
    Console(page: "Documentation/Arrow.md", line: 20, text: "$ jsift shape --format types events.ndjson 2>/dev/null\n{\"name\":\"id\",\"path\":\"$.id\",\"type\":\"int64\",\"count\":4}\n{\"name\":\"level\",\"path\":\"$.level\",\"type\":\"utf8\",\"count\":4}\n{\"name\":\"ms\",\"path\":\"$.ms\",\"type\":\"int64\",\"count\":4}\n{\"name\":\"message\",\"path\":\"$.message\",\"type\":\"utf8\",\"count\":4}\n{\"name\":\"amount\",\"path\":\"$.amount\",\"type\":\"float64\",\"count\":4}\n{\"name\":\"user.id\",\"path\":\"$.user.id\",\"type\":\"int64\",\"count\":4}\n{\"name\":\"user.name\",\"path\":\"$.user.name\",\"type\":\"utf8\",\"count\":4}"),
    Console(page: "Documentation/Arrow.md", line: 61, text: "$ echo '{\"id\":1} {\"id\":\"x\"}' | jsift records --input values --format arrow --select id='$.id' --type id=int64 2>&1 >/dev/null\njsift: column 'id': 1 value is not of type int64, so null is written instead; the first: standard input:1: byte 15: \"x\""),
  ]
}
