/// One record of a stream.
public struct JSONRecord: Sendable {
  /// The record's value. It holds its own bytes, so a record that you keep keeps nothing else alive.
  public let value: JSON
  /// The line on which the record begins, from 1.
  public let line: Int

  /// The value's bytes in the input.
  public var byteRange: Range<Int> { value.byteRange ?? 0..<0 }

  /// ``JSON/subscript(_:)-(String)`` of the value.
  public subscript(key: String) -> JSON { value[key] }
  /// ``JSON/subscript(_:)-(Int)`` of the value.
  public subscript(index: Int) -> JSON { value[index] }
}
