/// What a value is. The raw values are SwiftyJSON's.
public enum JSONType: Int, Sendable, Hashable {
  case number = 0
  case string
  case bool
  case array
  case dictionary
  case null
  case unknown
}
