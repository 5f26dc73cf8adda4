extension RowFormat {
  /// A stream of Apache Arrow: columns with types, in batches. ``ArrowSink`` writes it.
  static let arrow = RowFormat(name: "arrow", isBinary: true)
}
