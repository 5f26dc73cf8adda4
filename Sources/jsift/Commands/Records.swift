import ArgumentParser
import JSONSift
import JSONSiftArrow

struct Records: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "records",
    abstract: "Write each record, one per line.",
    discussion: """
      jsift records --limit 3 events.ndjson
      jsift records --count --where '@.status >= 500 && @.ms > 100' *.log
      jsift records --where 'match(@.user.name, "A.*")' events.ndjson
      jsift records --select id='$.id' --select tags='$.tags[*]' events.ndjson
      jsift records --select id='$.id' --select ms='$.ms' --format csv events.ndjson > ms.csv
      jsift records --input values stream.json
      jsift records --where '@.level == "fatal"' -B 5 app.log
      jsift records --since -15m app.log
      jsift records --time '$.ts' --since 'yesterday 14:00' --until 'yesterday 15:00' app.log

      --where is a logical expression of RFC 9535, as in a filter; '@' is the record.

      --time, --since and --until select the records of a window of time: since <= time < until. Times are compared \
      exactly, whatever their offsets from UTC and their decimal places. A day of -3d has 24 hours. A clock time that \
      occurs twice, when clocks are set back, is the first one.

      Without --sorted, every record is read. --sorted says that the file is sorted by time, except for --slack: the \
      window is then found by a search, which takes milliseconds even in a large file. The file must be a regular file \
      whose lines are records, either not compressed or compressed in several frames (bgzip, pzstd). jsift checks that \
      the records that it reads are sorted; if they are not, the exit status is 2. It neither checks nor reports \
      records that it does not read. Lines are counted from the first one that is read. A run that ends at --limit \
      checks only the records that the search reads.

      With --select each line is an object {"NAME":VALUE,…} in the order of the options, values byte for byte. A path \
      with only names and indexes gives its value, omitted if absent; any other path gives an array of all matches.

      --format csv, tsv and table write the columns of --select under their names; strings are written without quotes \
      and escapes, arrays and objects as JSON. The type of a column is the type of its first value that is not null; \
      at the end, the number of rows without a value and of values of another type is reported for each column on \
      standard error. A table is as wide as its first 500 rows need; with --follow, and for a stream that is watched \
      on a terminal, the rows available when it waits for input determine the widths.

      In CSV and TSV an empty field is absent; null is written as null or the --null text. The empty string is "", and \
      a string that equals the text for null is quoted: "null". So a reader that looks at quotes can distinguish these \
      four, except for an absent value in a row of one CSV field. The default is null because JSON writes it so; many \
      programs expect an empty field (--null ''), which then also means absent, or \\N. In CSV, fields are quoted as \
      in RFC 4180, a row whose only field is absent is written as "", because most programs skip an empty line, and \
      U+0000 is written as \\0, although the text \\0 looks the same. In TSV, \\t, \\n, \\r, \\0 and \\\\ are written \
      for characters that a field cannot contain, and a string that begins with a quote is preceded by a backslash.

      --format arrow writes the columns of --select as an Apache Arrow stream, for pyarrow, polars, DuckDB and others. \
      --type gives a column its type: int64 (also 1.0 and 1e3), float64, bool, utf8 (strings), json (the text, the \
      default), timestamp (strings of RFC 3339, as microseconds in UTC; with --time-unit numbers, too), timestamp(ms), \
      timestamp(ns), date, decimal(p,s), list<…>, struct<name:…,…>, dictionary<utf8>. A path that can select several \
      values needs a list or json. Null and absent values are null. So \
      is a value that does not have the type of its column, or would be rounded; these values are counted at the end, \
      and --rejects and --rejects-inline write each with its path, offset and text. They do not change the exit \
      status. If the run fails, the stream has no end, and its readers reject it. jsift shape --format types writes a \
      file for --types.

      --with-location writes {"file":"a.log","line":2,"byteOffset":57,"value":{…}}; the line is omitted for one \
      document.

      -A, -B and -C also write records around those that satisfy --where, each once: records of the same file and window. \
      Records that stand side by side are a group. A table has an empty line between groups; with --with-location each \
      record begins with the number of its group, as "group":3. No other format divides them. --limit counts all records that \
      are written.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The name of a member of the output and its path. May be repeated.", valueName: "name=path"))
  var select: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The type of a column of --format arrow; the default is json. May be repeated.", valueName: "name=type"))
  var type: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of the columns of --format arrow: a line {\"name\":…,\"path\":…,\"type\":…} for each.",
      valueName: "file"),
    completion: .file())
  var types: String?

  @OptionGroup var condition: ConditionOption
  @OptionGroup var around: ContextOptions
  @OptionGroup(title: "Input options") var time: TimeOptions
  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Input options") var earlier: StateOptions
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  var hasGroups: Bool { around.isUsed }

  var state: StateOptions? { earlier }

  func validate() throws {
    try null.check(results.format)
    try around.check(condition, results)
    guard results.format.isBinary else {
      guard type.isEmpty, types == nil else {
        throw ValidationError("\(types == nil ? "--type" : "--types") is for --format arrow")
      }
      return
    }
    if results.withLocation {
      throw ValidationError("--with-location writes JSON, and --format arrow does not; use only one of them")
    }
    if results.follow {
      throw ValidationError("--follow writes results at once, and --format arrow writes batches; use only one of them")
    }
    if types != nil, !select.isEmpty { throw ValidationError("--types contains the paths; use it without --select") }
  }

  func run() throws {
    let table = try ColumnArguments(select: select, types: type, file: types)
    let columns = table.columns
    try requireColumns(columns)
    let condition = try PathArguments.condition(self.condition.condition)
    let window = try time.window(usesUnit: table.types.contains { $0.hasTimestamps })
    if results.explain { throw Explanation(columns: columns, condition: condition, window, options: self).write() }
    let context = around.numbers(condition)
    // The records around others are all those of the window.
    let combined = TimeWindow.condition(context == nil ? condition : nil, window)
    let inputs = try inputs(files, in: window, where: combined, self.condition.index)
    var plan = try plan(.record(columns), inputs)
    plan.context = context
    if window != nil { plan.timePath = time.text }
    let records = plan.records
    // If there are columns, only these parts of a record are written.
    let kept = columns.isEmpty || context != nil ? nil : columns.map(\.path)
    if results.format.isBinary, !results.count {
      let sink = try arrowSink(table, inputs, plan)
      let query = sink.query
      throw try Run(plan, sink).read(
        { (input) throws(JSONError) in try JSONMatches.ofRecords(where: combined, in: input, records, keeping: kept) },
        into: { ColumnCollector(query) })
    }
    throw try runRecords(plan, where: combined, columns, keeping: kept)
  }

  /// Returns the sink of an Arrow stream.
  private func arrowSink(_ table: ColumnArguments, _ inputs: [InputFile], _ plan: RunPlan) throws -> ArrowSink {
    if unsafe Output.standard.isTerminal {
      throw failure("--format arrow writes bytes, not text; write them to a file (-o) or a pipe")
    }
    let query = ColumnQuery(
      columns: table.columns, types: table.types, limits: reading.readingOptions.limits,
      rejectsInline: plan.rejectsInline, numberUnit: time.timeUnit)
    return try ArrowSink(query, inputs, keepsRejects: reading.rejects != nil)
  }
}
