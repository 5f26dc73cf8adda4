/// What a bad record does to a stream of records: the one place where bad records are counted, and where the policy is applied.
struct RecordPolicy {
  /// What becomes of a bad record.
  enum Outcome { case thrown, returned, skipped }

  /// The policy of a reader of records.
  private let recovery: JSONRecordOptions.Recovery
  /// The policy of a reader of results.
  private let recoveryOfResults: JSONRecordOptions.Recovery
  private let maxErrors: Int?
  private(set) var errorCount = 0

  init(_ options: JSONRecordOptions) {
    (recovery, recoveryOfResults, maxErrors) = (options.recovery, options.recoveryOfResults, options.maxErrors)
  }

  /// Counts a bad record. Returns the error that is thrown after it, if there are too many.
  mutating func count(_ error: JSONError) -> JSONError? {
    errorCount += 1
    guard let maxErrors, errorCount > maxErrors else { return nil }
    return JSONError(.tooManyErrors, at: error.byteOffset, limit: maxErrors)
  }

  /// Returns what becomes of a bad record where the caller asked for a result, or only for a record.
  func outcome(forResult: Bool) -> Outcome {
    switch forResult ? recoveryOfResults : recovery {
    case .stop: .thrown
    case .skip: .skipped
    case .report: forResult ? .returned : .skipped
    }
  }
}
