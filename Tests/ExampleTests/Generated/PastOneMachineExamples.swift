// Made from Documentation/PastOneMachine.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum PastOneMachineExamples {
  static let all: [Example] = [
  ]

  static let consoles: [Console] = [
    Console(page: "Documentation/PastOneMachine.md", line: 12, text: "$ for i in 1 2 3; do jsift --split $i/3 '$.id' events.ndjson 2>/dev/null; done\n1\n2\n4\n5"),
  ]
}
