/// Receives the events of a text in document order.
///
/// All methods follow one contract. Return `true` to continue. Return `false` to stop: there are no further events, the
/// remaining bytes are not validated, and `finish` succeeds. Throw to stop immediately: the error is rethrown to the caller
/// that feeds the reader, and `finish` throws it again.
///
/// An event is reported as soon as its bytes have been fed; only a number or literal waits for the byte that ends it. Events
/// before an error are reported before the error is thrown.
public protocol JSONEventHandler {
  /// Receives `{` at a byte offset. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func startObject(at offset: Int) throws(JSONError) -> Bool
  /// Receives a key; its value follows. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool
  /// Receives `}` at a byte offset. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool
  /// Receives `[` at a byte offset. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool
  /// Receives `]` at a byte offset. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool
  /// Receives a string. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool
  /// Receives a number as text, without rounding. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool
  /// Receives `true` or `false`. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool
  /// Receives `null`. Return `true` to continue, `false` to stop; throw to stop with an error.
  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool
}
