extension EventKind {
  /// The Bool of a tape word of this kind.
  var bool: Bool? { self == .true ? true : self == .false ? false : nil }

  /// The type of the value that begins with a tape word of this kind.
  var type: JSONType {
    switch self {
    case .objectStart: .dictionary
    case .arrayStart: .array
    case .number: .number
    case .true, .false: .bool
    case .null: .null
    default: .string
    }
  }
}
