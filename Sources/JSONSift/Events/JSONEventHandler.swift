/// Takes the events of a text in the order of the text.
///
/// Every method answers in the same way. Return `true` to go on. Return `false` to stop: there are no further events,
/// bytes that follow are not checked, and `finish` succeeds. Throw to stop now: the error goes to whoever feeds the
/// reader, and `finish` throws it again.
///
/// Events come as soon as their bytes have: only a number or word waits for the byte that ends it. Events that stand
/// before an error come before the error is thrown.
public protocol JSONEventHandler {
  /// `{` at a byte offset. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func startObject(at offset: Int) throws(JSONError) -> Bool
  /// A key; its value comes next. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool
  /// `}` at a byte offset. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool
  /// `[` at a byte offset. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool
  /// `]` at a byte offset. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool
  /// A string. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool
  /// A number, as text: nothing is rounded. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool
  /// `true` or `false`. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool
  /// `null`. Return `true` to go on, `false` to stop; throw to stop with an error.
  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool
}
