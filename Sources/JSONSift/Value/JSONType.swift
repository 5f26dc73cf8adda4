/// What a value is. The raw values are SwiftyJSON's.
public enum JSONType: Int, Sendable, Hashable {
  /// A number, of whatever size.
  case number = 0
  /// A string.
  case string
  /// `true` or `false`.
  case bool
  /// An array.
  case array
  /// An object. SwiftyJSON calls it so.
  case dictionary
  /// `null`, and what is not there.
  case null
  /// Something of a program that JSON has not, such as a date; only ``JSON/init(_:)`` makes it.
  case unknown
}
