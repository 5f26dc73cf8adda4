extension TapeDecoder {
  /// Returns the context of an error about the value at `index`. Index 0 is a value without text: the error has no
  /// position.
  func context(_ step: CodingStep, at index: UInt32, _ reason: String) -> DecodingError.Context {
    guard index >= Document.root else { return DecodingError.Context(codingPath: path(step), debugDescription: reason) }
    return context.errorContext(path(step), reason, at: word(index).offset)
  }

  private func name(of index: UInt32) -> String {
    switch kind(index) {
    case .objectStart: "a dictionary"
    case .arrayStart: "an array"
    case .number: "a number"
    case .true, .false: "a bool"
    case .null: "null"
    default: "a string"
    }
  }

  func mismatch(_ type: Any.Type, at index: UInt32, _ step: CodingStep) -> DecodingError {
    .typeMismatch(type, context(step, at: index, "Expected to decode \(type) but found \(name(of: index)) instead."))
  }

  /// Returns the error for a value that is null or of another kind.
  @inline(never)
  func valueError(
    _ type: Any.Type, at index: UInt32, _ step: CodingStep, orMismatchOf kind: Any.Type? = nil
  ) -> DecodingError {
    guard self.kind(index) == .null else { return mismatch(kind ?? type, at: index, step) }
    return .valueNotFound(
      type, context(step, at: index, "Cannot get value of type \(type) -- found null value instead."))
  }

  /// Returns the error for a number that the type cannot represent, or for a value that is not a number.
  @inline(never)
  func numberError(_ type: Any.Type, at index: UInt32, _ step: CodingStep) -> DecodingError {
    guard kind(index) == .number else { return valueError(type, at: index, step) }
    return .dataCorrupted(context(step, at: index, "The number is not representable as \(type)."))
  }

  func corrupted(at index: UInt32, _ step: CodingStep, _ reason: String) -> DecodingError {
    .dataCorrupted(context(step, at: index, reason))
  }

  /// Returns the error for a value that a closure of the options rejects.
  func corrupted(at index: UInt32, _ step: CodingStep, _ reason: String, because error: any Error) -> DecodingError {
    let context = context(step, at: index, reason)
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription, underlyingError: error))
  }

  func notAContainer(_ type: Any.Type, _ name: String) -> DecodingError {
    guard kind(index) == .null else { return mismatch(type, at: index, .same) }
    return .valueNotFound(
      type, context(.same, at: index, "Cannot get \(name) decoding container -- found null value instead."))
  }

  func missing(_ key: some CodingKey) -> DecodingError {
    .keyNotFound(
      key,
      context(.same, at: index, "No value associated with key \(key) (\"\(key.stringValue)\") in the dictionary"))
  }

  func tooDeep(_ index: UInt32, _ step: CodingStep) -> DecodingError {
    corrupted(at: index, step, "Values are nested more than \(JSONLimits.maxRecursion) deep.")
  }
}
