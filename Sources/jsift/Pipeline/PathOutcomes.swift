import JSONSift

/// The outcome of each path over all files.
struct PathOutcomes {
  private let paths: [NamedPath]
  private var outcomes: [JSONPathSummary.Outcome]

  init(_ paths: [NamedPath]) {
    self.paths = paths
    outcomes = paths.map { _ in .absent }
  }

  mutating func add(_ summaries: [JSONPathSummary]) {
    for (index, summary) in zip(outcomes.indices, summaries) where outcomes[index] != .matched {
      if summary.outcome != .absent { outcomes[index] = summary.outcome }
    }
  }

  /// Reports each path that matched nothing on standard error.
  func report() {
    for (named, outcome) in zip(paths, outcomes) where outcome != .matched {
      let reason =
        outcome == .empty
        ? "what its last step looks in is present, but has no match"
        : "no array or object is there in which its last step can look"
      ErrorReport.write(
        "jsift: \(SourceExcerpt.printable(named.name.utf8)): nothing at "
          + "\(SourceExcerpt.printable(named.path.description.utf8)): \(reason)")
    }
  }
}
