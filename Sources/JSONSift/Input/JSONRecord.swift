/// One record of a stream.
public struct JSONRecord: Sendable {
  /// The record's value. It owns its bytes, so keeping a record keeps nothing else alive.
  public let value: JSON
  /// The line on which the record begins, from 1.
  public let line: Int
  /// The number of the record's input, from 0. `JSONRecords(merging:)` numbers its sources, and `JSONRecords(folder:state:)` numbers
  /// the files with new records, whose names `path(of:)` returns. In any other stream it is 0.
  public internal(set) var inputIndex = 0

  /// The range of the value's bytes in the input.
  public var byteRange: Range<Int> { value.byteRange ?? 0..<0 }

  /// Returns the member of the value with this key; see ``JSON/subscript(_:)-(String)``.
  public subscript(key: String) -> JSON { value[key] }
  /// Returns the element of the value at this index; see ``JSON/subscript(_:)-(Int)``.
  public subscript(index: Int) -> JSON { value[index] }
}
