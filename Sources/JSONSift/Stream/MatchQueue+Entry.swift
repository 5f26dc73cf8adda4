extension MatchQueue {
  /// The kind of an entry.
  enum Content: UInt8, BitwiseCopyable {
    /// A copied match.
    case packed
    /// The text of a match, without a value.
    case text
    /// A match that is a value inside a document: `start` is its index in `values`. The packed location is the location of
    /// the document, and all matches in one document share it.
    case value
    /// A value on which the plan is evaluated when it reaches the front of the queue.
    case candidate
    /// A candidate whose evaluation has begun.
    case begun
  }

  struct Entry: BitwiseCopyable {
    let value: PackedValue
    let locationCount: Int
    let plan: Int32
    let content: Content
    /// For a candidate: whether its evaluation has the full limit of steps. For a match in a document: whether it is the
    /// first one of the document.
    let refills: Bool
  }
}
