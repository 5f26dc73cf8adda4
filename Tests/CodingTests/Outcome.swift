import Foundation

/// The result of a coder, so that two can be compared.
enum Outcome<Value> {
  case value(Value)
  /// The case of the error with its type, and its coding path.
  case failure(kind: String, path: [String])

  init(_ body: () throws -> Value) {
    do {
      self = .value(try body())
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(let type, let context):
        self = .failure(kind: "typeMismatch \(type)", path: Self.path(context.codingPath))
      case .valueNotFound(let type, let context):
        self = .failure(kind: "valueNotFound \(type)", path: Self.path(context.codingPath))
      case .keyNotFound(let key, let context):
        self = .failure(kind: "keyNotFound \(key.stringValue)", path: Self.path(context.codingPath))
      case .dataCorrupted(let context):
        self = .failure(kind: "dataCorrupted", path: Self.path(context.codingPath))
      @unknown default: self = .failure(kind: "\(error)", path: [])
      }
    } catch let error as EncodingError {
      guard case .invalidValue(_, let context) = error else { self = .failure(kind: "\(error)", path: []); return }
      self = .failure(kind: "invalidValue", path: Self.path(context.codingPath))
    } catch {
      self = .failure(kind: "\(type(of: error)) \(error)", path: [])
    }
  }

  private static func path(_ keys: [any CodingKey]) -> [String] {
    keys.map { key in key.intValue.map { "\(key.stringValue)=\($0)" } ?? key.stringValue }
  }

  var text: String {
    switch self {
    case .value(let value): "value \(String(describing: value).prefix(200))"
    case .failure(let kind, let path): "\(kind) at [\(path.joined(separator: ", "))]"
    }
  }
}
