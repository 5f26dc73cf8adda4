extension PathFunction {
  /// The function that returns the number of characters of a string, of elements of an array, or of members of an object;
  /// Nothing, the absent value, for other values.
  static let length = PathFunction(
    name: "length", parameters: [.value],
    evaluation: .number { (call, current, context) throws(QueryLimitExceeded) -> Int? in
      guard let value = try context.value(of: call.arguments[0], current) else { return nil }
      switch value.type {
      case .array, .dictionary: return value.count
      case .string:
        let (bytes, characters) = unsafe value.withStringBytes { bytes in
          // Each character has exactly one byte that is not a UTF-8 continuation byte.
          (bytes.count, unsafe bytes.count { $0 & 0xC0 != 0x80 })
        }
        try context.spend(bytes / PathContext.charactersPerStep + value.comparisonSteps)
        return characters
      default: return nil
      }
    },
    otherNames: ["len", "size", "strlen"], needsArguments: true, work: { _ in 0 })
}
