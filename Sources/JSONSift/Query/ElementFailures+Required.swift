extension JSONSiftDecoder.ElementFailureStrategy {
  /// The element is left out and reported, unless one of the paths selects it.
  ///
  /// ```swift
  /// decoder.elementFailures = .report(requiring: ["$.columns[*]", "$.rows[*][0]"]) { print($0) }
  /// ```
  ///
  /// An element that must not be left out makes its collection fail: the next element that contains the collection is left
  /// out if no path selects it, too; otherwise the decoding throws. In the example a row without a valid first column is
  /// left out.
  ///
  /// - Parameters:
  ///   - paths: Paths from the decoded value, with the keys of the text. They are evaluated at the first failure, and cost
  ///     nothing before. The decoding throws the ``JSONError`` of a path that is invalid or takes too many steps.
  ///   - limit: As for ``report(atMost:_:)``.
  ///   - handler: As for ``report(atMost:_:)``.
  public static func report(
    requiring paths: [JSONPath], atMost limit: Int = .max,
    _ handler: @escaping @Sendable (JSONSiftDecoder.ElementFailure) -> Void
  ) -> Self {
    Self(handler: handler, limit: limit) { root throws(JSONError) in
      var required: Set<UInt32> = []
      for path in paths {
        for case .node(_, let index) in try root.query(path).lazy.map(\.storage) { required.insert(index) }
      }
      return required
    }
  }
}
