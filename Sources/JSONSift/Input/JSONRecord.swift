/// One record of a stream.
public struct JSONRecord: Sendable {
  /// The record's value. It owns its bytes, so keeping a record keeps nothing else alive.
  public let value: JSON
  /// The line on which the record begins, from 1.
  public let line: Int
  /// The number of its input among those of `JSONRecords(merging:)`, from 0; of `JSONRecords(folder:state:)` that of its file among
  /// those with new records, whose name `path(of:)` returns. For any other stream 0.
  public internal(set) var inputIndex = 0

  /// The range of the value's bytes in the input.
  public var byteRange: Range<Int> { value.byteRange ?? 0..<0 }

  /// Returns the member of the value with this key; see ``JSON/subscript(_:)-(String)``.
  public subscript(key: String) -> JSON { value[key] }
  /// Returns the element of the value at this index; see ``JSON/subscript(_:)-(Int)``.
  public subscript(index: Int) -> JSON { value[index] }
}
