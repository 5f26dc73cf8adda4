/// Why a value is not there. The raw values are the documented codes of SwiftyJSON.
public enum SwiftyJSONError: Int, Error, Sendable, Hashable {
  /// A Swift value that JSON has no form for.
  case unsupportedType = 999
  /// An index below zero or past the last element.
  case indexOutOfBounds = 900
  /// Values inside one another beyond a writer's limit.
  case elementTooDeep = 902
  /// An index into what is no array, or a key into what is no object.
  case wrongType = 901
  /// A key that the object does not have.
  case notExist = 500
  /// Text that is not JSON.
  case invalidJSON = 490
}
