import Foundation
import SGYSwiftJSON

/// Counts the checks that pass, and prints those that fail.
final class Check {
  private(set) var count = 0
  private(set) var failures = 0

  func that(_ isRight: Bool, _ what: String, line: Int = #line) {
    count += 1
    guard !isRight else { return }
    failures += 1
    print("line \(line): \(what)")
  }

  func equal<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    that(found == expected, "\(found) is not \(expected)", line: line)
  }
}

/// Collects warnings.
final class Warnings: JSONWarningObserver {
  private(set) var paths: [String] = []
  private(set) var errors: [Int] = []

  func observe(warning: JSONWarning) {}

  func observe(warning: JSONWarning, keyPath: String) {
    paths.append(keyPath)
    if case .keyValueError(_, _, let error) = warning { errors.append(error.code) }
  }
}

func read<Model: JSONKeyValueCreatable>(_ text: String, _ warnings: Warnings? = nil) throws -> Model {
  try SGYJSONDeserializer().deserialize(Data(text.utf8), observer: warnings)
}

func written(_ object: Any) throws -> String {
  let serializer = SGYJSONSerializer()
  serializer.writingOptions = .sortedKeys
  return String(decoding: try serializer.serialize(object), as: UTF8.self)
}
