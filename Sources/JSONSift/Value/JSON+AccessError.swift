extension JSON {
  /// The reason why a value does not exist. The raw values are the error codes of SwiftyJSON.
  public enum AccessError: Int, Error, Sendable, Hashable {
    /// A Swift value that JSON cannot represent.
    case unsupportedType = 999
    /// An index below zero or past the last element.
    case indexOutOfBounds = 900
    /// Values nested deeper than a limit.
    case elementTooDeep = 902
    /// An index into a value that is not an array, or a key into a value that is not an object.
    case wrongType = 901
    /// A key that the object does not contain.
    case notExist = 500
    /// Text that is not JSON.
    case invalidJSON = 490
  }
}
