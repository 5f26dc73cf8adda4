import JSONSift

/// The parameters of a run, determined before anything is read.
struct RunPlan {
  let reading: ReadingOptions
  /// The options for framing and parsing records.
  var records: JSONRecordOptions
  let files: [InputFile]
  let jobs: Int?
  /// The encoding of results; `nil` if values are only aggregated or checked.
  var line: ResultLine?
  var limit: Int?
  /// Which records around those that satisfy a condition are written; `nil` for none.
  var context: RecordContext?
  var isCounting = false
  /// Whether the file is read again after it is replaced, and bad records are reported immediately.
  var isFollowing = false
  /// The plural name of results in the progress; `nil` if they are not counted.
  var noun: String? = "results"
  /// The paths that are reported if they match nothing.
  var paths: [NamedPath] = []
  /// The message if one document is rejected; `nil` if it is accepted.
  var needsRecords: String?
  /// The name of the column of bad records; `nil` if they are not rows.
  var rejectsInline: String?
  /// Whether each input is read in blocks of lines, also by one worker, and rejected if it has no lines.
  var needsBlocks = false
  /// The path of the time of a record, as typed; `nil` without a window of time.
  var timePath: String?
  /// How the files are merged, without its inputs; `nil` if they are read one after another.
  var merge: MergePlan?
  /// How long a record waits for followed files that have no later one.
  var wait = Duration.seconds(1)
  /// The state of earlier runs; `nil` if all of the files is read.
  var state: RunState?
  /// The files that are followed together, and which of them are outputs of the run; `nil` if not several are followed.
  var followed: (targets: [FollowPlan.Target], isOutput: (FileStatus) -> Bool)?
  /// The counts of the run; `nil` if they are not requested.
  var summary: Summary?
  /// How one document is divided among workers; `nil` if it is read by one.
  var division: DocumentDivision?

  /// The message for an input without lines, with an alternative.
  static let needsLines =
    "a report reads records that are lines, found one document or another form; --each names the array whose elements "
    + "are records"

  /// Whether records of several files are read as one text.
  var isCombined: Bool { merge != nil || followed != nil }

  init(_ reading: ReadingOptions, _ files: [InputFile], jobs: Int?) {
    self.reading = reading
    records = reading.recordOptions
    self.files = files
    self.jobs = jobs
  }
}
