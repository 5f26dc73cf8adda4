extension JSONSiftDecoder {
  /// What happens to an element of an array, set or dictionary that cannot be decoded.
  ///
  /// ```swift
  /// let decoder = JSONSiftDecoder()
  /// decoder.elementFailures = .report { failure in
  ///   print(failure)  // items[3]: Expected to decode Int but found a string instead. (line 1, byte 71)
  /// }
  /// let order = try decoder.decode(Order.self, from: bytes)  // without the fourth item
  /// ```
  ///
  /// The innermost element that contains the wrong value is left out: of `[[Int]]` one number, of `[Item]` an item. This
  /// applies to `Array`, `ContiguousArray`, `Set` and `Dictionary` at any depth, wherever a type asks a container for one of
  /// them, as the code that the compiler makes does. An element can only be left out by the decoder that makes the
  /// collection. Therefore an `init(from:)` that reads an unkeyed container itself, or that calls `[Item](from: decoder)`
  /// in place of `container.decode([Item].self)`, gets the error, and the element that contains it is left out.
  ///
  /// Only a `DecodingError` about a value that does not match its type, and about a missing key, is reported. The decoding
  /// throws if the text is not JSON, also the text inside a string that a type decodes, and if an initializer throws any
  /// other error.
  public struct ElementFailureStrategy: Sendable {
    let handler: (@Sendable (ElementFailure) -> Void)?
    /// How many elements may be left out.
    var limit = Int.max
    /// Returns the elements of a value that must not be left out, as indices of their tape words.
    var required: (@Sendable (JSON) throws(JSONError) -> Set<UInt32>)?

    /// The decoding throws the error of the element. The default.
    public static let `throw` = ElementFailureStrategy(handler: nil)

    /// The element is left out and reported.
    ///
    /// - Parameters:
    ///   - limit: How many elements of one decoding may be left out: of a stream, of one record. The error of the next one is
    ///     thrown. Failures take memory until they are reported, of a text of wrong elements many times its size, so a limit
    ///     belongs to texts of strangers.
    ///   - handler: Receives the failures after a decoding that has succeeded, in the order in which the elements were
    ///     decoded. A decoding that throws reports nothing, nor does a part of it whose error a type has caught, so each
    ///     failure is a value that is missing in the result. Of a stream with several workers it is called on several threads
    ///     at once.
    public static func report(
      atMost limit: Int = .max, _ handler: @escaping @Sendable (ElementFailure) -> Void
    ) -> ElementFailureStrategy {
      ElementFailureStrategy(handler: handler, limit: limit)
    }
  }

  /// An element of an array, set or dictionary that could not be decoded and was left out.
  public struct ElementFailure: Sendable, CustomStringConvertible {
    /// The path of the element. The path in ``error`` leads to the value inside it that is wrong.
    public let codingPath: [any CodingKey]
    /// The range of the element's bytes in the input; of a member its value.
    public let byteRange: Range<Int>
    /// The bytes of the element.
    public let rawBytes: [UInt8]
    /// Why the element could not be decoded.
    public let error: DecodingError

    fileprivate init(_ failure: StoredFailure, in document: Document) {
      let element = JSON(document, failure.index)
      codingPath = failure.path
      byteRange = element.byteRange ?? 0..<0
      rawBytes = element.rawBytes
      error = failure.error
    }

    /// The path of the wrong value, such as `items[3].price`, and the description of the error.
    public var description: String {
      guard let context = error.context else { return "\(error)" }
      return CodingPathKey.text(for: context.codingPath) + context.debugDescription
    }
  }
}

/// The failure of an element, while the decoding continues.
struct StoredFailure {
  let index: UInt32
  let path: [any CodingKey]
  let error: DecodingError
}

extension DecodingError {
  var context: Context? {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  /// Whether a value does not match its type. The text in a string can be no JSON, which is another failure.
  fileprivate var isMismatch: Bool {
    guard case .dataCorrupted(let context) = self, let error = context.underlyingError as? JSONError else {
      return true
    }
    return error.code == .typeMismatch
  }
}

extension DecodingContext {
  /// Returns whether the element at `index` may be left out because of an error.
  func mayDrop(_ error: DecodingError, at index: UInt32) throws -> Bool {
    guard reportsFailures, error.isMismatch, let document else { return false }
    guard unsafe failures.count < settings.value.elementFailures.limit else {
      // Otherwise the element around this one would be left out.
      reportsFailures = false
      return false
    }
    guard let find = settings.value.elementFailures.required else { return true }
    let required = try self.required ?? find(JSON(document, root))
    self.required = required
    return !required.contains(index)
  }

  /// Reports the elements that were left out, after the value was decoded. A decoder that user code holds for longer throws
  /// instead: nothing reports failures after this call.
  func reportFailures() {
    reportsFailures = false
    guard let document, let handler = settings.value.elementFailures.handler else { return }
    defer { unsafe failures = [] }
    for failure in unsafe failures { handler(JSONSiftDecoder.ElementFailure(failure, in: document)) }
  }
}
