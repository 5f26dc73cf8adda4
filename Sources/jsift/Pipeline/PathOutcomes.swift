import JSONSift

/// The outcome of each path over all files.
struct PathOutcomes {
  private let paths: [NamedPath]
  private var outcomes: [JSONMatches.Summary.Outcome]

  init(_ paths: [NamedPath]) {
    self.paths = paths
    outcomes = paths.map { _ in .absent }
  }

  mutating func add(_ summaries: [JSONMatches.Summary]) {
    for (index, summary) in zip(outcomes.indices, summaries) where outcomes[index] != .matched {
      if summary.outcome != .absent { outcomes[index] = summary.outcome }
    }
  }

  /// Reports each path that matched nothing on standard error.
  func report() {
    for (named, outcome) in zip(paths, outcomes) where outcome != .matched {
      let reason =
        outcome == .empty
        ? "the parent exists, but has no match in it"
        : "the parent was not found, or is not an array or object"
      ErrorReport.write(
        "\(named.name.utf8.printable): no match for "
          + "\(named.path.description.utf8.printable): \(reason)")
    }
  }
}
