// Made from Documentation/Comparison.md by Scripts/check-examples --write.
// swift-format-ignore-file

import Foundation
import JSONSift

enum ComparisonExamples {
  static let all: [Example] = [
  ]

  static let consoles: [Console] = [
  ]
}
