import ArgumentParser
import JSONSift

struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Set, delete, rename and mask values, and copy everything else byte for byte.",
    discussion: """
      jsift edit --mask '$..password' --delete '$.debug' app.log > clean.log
      jsift edit --preset share --receipt receipt.json app.log > shared.log
      jsift edit --set '$.region="eu"' --rename '$.msg=message' events.ndjson
      jsift edit --where '@.user == "bob"' --mask '$.body=hash' --key-file key app.log
      jsift edit --mask-names names.txt --inside --in-place app.log

      Paths refer to the input, and '=' is looked for behind the complete path. Every member with a duplicate key is \
      edited, and so is a key with escapes. On one value --delete precedes --mask, and --mask precedes --set. Below a \
      value that is deleted, masked or set no other rule applies.

      White space, escapes, the texts of numbers, the order of members and line ends stay as they are. An element or \
      member that is deleted takes the white space and the comma before it along; the first one leaves the white space \
      before it to the next one. Without children a container becomes {} or [].

      --set creates a member, as the last one, where the last steps of the path are plain names. --set PATH=@FILE reads \
      the JSON from a file, so that it does not appear in the list of processes.

      --mask-values and --mask-patterns mask the parts of strings, keys and numbers that a line of their file matches: a \
      literal text, or a regular expression of RFC 9485. Escapes are decoded before. --mask-names compares the names of \
      members without regard to case, '-' and '_'. --inside applies all rules to JSON in strings, too.

      HOW is fixed:TEXT (the default is fixed:***), null, stars (one for each character, which reveals the length), or \
      hash (with --key-file: equal secrets stay equal).

      Messages and --rejects show positions only, no text of the input. A bad record is left out unless --keep-bad copies \
      it; text that --skip-prefix skips is left out unless --keep-prefix copies it, masked like a string.

      Exit status: 0 every rule has selected something, 1 a rule, which is named, has selected nothing, 2 there was an \
      error. With --require a rule that selects nothing is an error, and no file is written.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @OptionGroup(title: "Rules") var rules: EditRuleOptions

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Change only records that satisfy this condition; the others are copied.", valueName: "expr"))
  var condition: String?

  @Flag(help: "Replace the file, when the run succeeds.")
  var inPlace = false

  @Flag(help: "Write no output, only what --receipt writes.")
  var dryRun = false

  @Flag(help: "Fail, with exit status 2 and without output, if a rule selects nothing.")
  var require = false

  @Option(
    help: ArgumentHelp(
      "Write to this file how often each rule was applied, and the paths at which strings were copied: a JSON object, '-' "
        + "for standard error.", valueName: "file"),
    completion: .file())
  var receipt: String?

  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    if inPlace, output.output != nil { throw ValidationError("--in-place and --output both name a file; use only one") }
    if require, !inPlace, !dryRun, output.output == nil {
      throw ValidationError("--require keeps the output back, which needs --output, --in-place or --dry-run")
    }
    if require, options.rejects != nil {
      throw ValidationError(
        "--require writes no file if a rule selects nothing, and --rejects is written before; use only one")
    }
    if let option = options.stepOption {
      throw ValidationError(
        "jsift edit has no \(option); an edit keeps the text around a record, and --inside edits the JSON in strings")
    }
    if rules.keepPrefix, !options.skipPrefix { throw ValidationError("--keep-prefix needs --skip-prefix") }
  }

  func run() throws {
    if rules.showsPreset { throw EditRuleOptions.writePreset() }
    let edit = try rules.edit(notingStrings: receipt != nil)
    let condition = try PathArguments.condition(condition)
    try range.check(options, limit: nil)
    var files = try options.files(files)
    try range.apply(to: &files, options)
    let read = files + ruleFiles
    let permissions = InputFile.permissions(of: files)
    let rejects = try options.rejects.map { try OutputFile.target($0, of: "--rejects", reading: read) }
    let receipt = try EditReceipt(
      receipt, reading: read, others: [output.output, options.rejects], atMost: permissions)
    let summary = try summary.open(
      reading: files, rules: ruleFiles, others: [output.output, options.rejects, self.receipt], limit: nil,
      follow: false)
    if inPlace {
      try InPlaceFile.open(
        &files, isPart: files.contains { $0.range != nil } || options.fromOffset != nil, writes: !dryRun)
    } else if !dryRun {
      // An existing file, too, must not be more open than the text that it replaces.
      try output.open(reading: read, rejects: options.rejects, atMost: permissions)
    }
    if !dryRun { try rejects?.restrict(to: permissions) }
    var reading = options
    if dryRun { reading.rejects = nil }
    var plan = RunPlan(reading, files, jobs: workers.jobs)
    plan.summary = summary
    plan.noun = "records"
    if condition != nil {
      plan.needsRecords = "--where needs records, and this is one document; put a filter into the path of the rule"
    }
    let records = plan.records
    throw try Run(plan, EditSink(edit, receipt, writes: !dryRun, requires: require)).read(
      { (input) throws(JSONError) in
        try EditReader(
          edit, input.source, where: condition, records: input.options(records), resumingAt: input.checkpoint)
      }, into: { EditResults() })
  }
}

extension Edit {
  /// The files that the rules name. What follows each `=@` of `--set` may be one.
  private var ruleFiles: [InputFile] {
    let named = rules.maskNames + rules.maskValues + rules.maskPatterns + [rules.keyFile].compactMap(\.self)
    let values = RawArguments.launch.values(of: rules.set).flatMap { argument in
      argument.ranges(of: "=@").map { String(argument[$0.upperBound...]) }
    }
    return (named + values).map { InputFile(argument: RawArguments.launch.bytes(of: $0)) }
  }
}

/// Collects edited text, and the counts of the rules.
struct EditResults: Collector {
  typealias Input = OpenInput<EditReader>

  mutating func take(from input: Input, into open: OpenBatch) throws(JSONError) -> Bool {
    // The reader may pass on the open batch before it reads.
    defer {
      let start = open.batch.bytes.count
      unsafe input.reader.takeOutput { unsafe open.batch.bytes.append(contentsOf: $0) }
      if unsafe SurrogatePolicy.replacesInOutput { open.batch.bytes.replaceLoneSurrogates(from: start) }
      open.batch.count += input.newlyCounted(of: input.reader.recordCount)
    }
    return try input.reader.next()
  }

  mutating func gather(from input: Input, into open: OpenBatch) {
    let counts = input.reader.takeCounts()
    if open.batch.edits == nil { open.batch.edits = counts } else { open.batch.edits?.add(counts) }
  }
}

/// Writes edited text, and adds the counts of the rules.
struct EditSink: ResultSink {
  private let edit: JSONEdit
  private let receipt: EditReceipt
  private var counts: EditCounts
  private let writes: Bool
  private let requires: Bool
  /// The index of the file whose text is written.
  private var input = 0
  /// The last byte that was written, and the index of its file.
  private var last: (byte: UInt8, input: Int)?

  init(_ edit: JSONEdit, _ receipt: EditReceipt, writes: Bool, requires: Bool) {
    self.edit = edit
    self.receipt = receipt
    self.writes = writes
    self.requires = requires
    counts = EditCounts(rules: edit.plan.labels.count)
  }

  mutating func begin(_ batch: inout Batch) { input = batch.input }

  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {
    guard writes, let byte = results.last else { return }
    // The first record of a file must not continue the last line of another one.
    if let last, last.input != input, last.byte != UInt8(ascii: "\n") { unsafe Output.standard.write("\n".utf8) }
    last = (byte, input)
    unsafe results.withUnsafeBytes { unsafe Output.standard.write(borrowed: $0) }
  }

  mutating func gather(_ batch: inout Batch) { if let counts = batch.edits { self.counts.add(counts) } }

  private var unmatched: [String] { JSONEdit.Receipt(edit, counts).unmatched }

  var status: Int32? { unmatched.isEmpty ? Status.found : requires ? Status.failed : Status.nothingFound }

  func finish() {
    for rule in unmatched { ErrorReport.write("\(rule.utf8.printable): the rule has selected nothing") }
    receipt.complete(JSONEdit.Receipt(edit, counts))
  }

  func finishAfterFailure() {}
}
