/// The type of a value. The raw values are SwiftyJSON's.
public enum JSONType: Int, Sendable, Hashable {
  /// A number of any size.
  case number = 0
  /// A string.
  case string
  /// `true` or `false`.
  case bool
  /// An array.
  case array
  /// An object. The name is SwiftyJSON's.
  case dictionary
  /// `null`, or a missing value.
  case null
  /// A Swift value that JSON cannot represent, such as a date. Only ``JSON/init(_:)`` creates it.
  case unknown
}
