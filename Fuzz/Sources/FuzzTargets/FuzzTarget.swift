import JSONSift

/// A part of the library, with properties that hold for every input.
package struct FuzzTarget: Sendable {
  package let name: String
  /// Throws a ``Difference`` if a property does not hold. A trap or a report of a sanitizer is a finding, too.
  package let check: @Sendable ([UInt8]) throws(Difference) -> Void

  package static let all: [FuzzTarget] = {
    var all: [FuzzTarget] = [
      .validation, .path, .document, .chunks, .lines, .records, .ranges, .index, .columns, .decode, .write, .swifty,
      .sgy, .unwrap, .edit,
    ]
    #if Compression
      all.append(.compression)
    #endif
    return all
  }()

  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Two results that must be equal and are not.
package struct Difference: Error, CustomStringConvertible {
  package let description: String

  init(_ what: String, _ left: Any, _ right: Any) {
    description = "\(what)\n  \(String(describing: left).prefix(4000))\n  \(String(describing: right).prefix(4000))"
  }
}

/// Throws if two results differ.
func expectEqual<T: Equatable>(_ what: @autoclosure () -> String, _ left: T, _ right: T) throws(Difference) {
  if left != right { throw Difference(what(), left, right) }
}

/// Throws if a property does not hold.
func expect(_ holds: Bool, _ what: @autoclosure () -> String, _ value: @autoclosure () -> Any = "") throws(Difference) {
  if !holds { throw Difference(what(), value(), "") }
}

/// Returns the value or the error of `body`.
func result<T>(_ body: () throws(JSONError) -> T) -> Result<T, JSONError> {
  Result { () throws(JSONError) in try body() }
}
