import Foundation
import SGYSwiftJSON

/// Stores the warnings that an observer receives.
final class Warnings: JSONWarningObserver {
  /// In order of arrival: `keyPath: what`.
  private(set) var lines: [String] = []
  private(set) var errors: [NSError] = []
  private(set) var values: [Any] = []

  func observe(warning: JSONWarning) {}

  func observe(warning: JSONWarning, keyPath: String) {
    switch warning {
    case .unsupportedConversion(let from, let to): lines.append("\(keyPath): \(from) to \(to)")
    case .unsupportedDictionaryKeyType(let type): lines.append("\(keyPath): keys \(type)")
    case .keyValueError(let path, let value, let error):
      lines.append("\(path): error \(error.code)")
      errors.append(error)
      values.append(value)
    }
  }
}

/// Reads a text as a model.
func read<Model: JSONKeyValueCreatable>(_ text: String, _ warnings: Warnings? = nil) throws -> Model {
  try SGYJSONDeserializer().deserialize(Data(text.utf8), observer: warnings)
}

/// Writes with sorted keys.
func written(_ object: Any, _ warnings: Warnings? = nil) throws -> String {
  let serializer = SGYJSONSerializer()
  serializer.writingOptions = .sortedKeys
  return String(decoding: try serializer.serialize(object, observer: warnings), as: UTF8.self)
}

/// Returns the NSError that is thrown; `nil` if no error is thrown, or if the error is not an instance of the class.
func nsError(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    return type(of: error) is NSError.Type ? error as NSError : nil
  }
}

/// Returns the leaf of a JSON text.
func leaf(_ text: String) throws -> JSONLeafValue? {
  struct Taker: JSONLeafConvertable {
    let value: JSONLeafValue
    init?(jsonValue: JSONLeafValue) { value = jsonValue }
  }
  final class Holder: JSONKeyValueCreatable {
    var leaf: Taker?
    func setValue(_ value: Any, property: String) { leaf = value as? Taker }
  }
  let holder: Holder = try read("{\"leaf\": \(text)}")
  return holder.leaf?.value
}

/// Returns whether two types are the same; the macros of tests cannot compare types.
func same(_ left: Any.Type, _ right: Any.Type) -> Bool { left == right }
