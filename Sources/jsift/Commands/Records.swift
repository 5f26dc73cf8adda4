import ArgumentParser
import JSONSift

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

      --where is a logical expression of RFC 9535, as in a filter; '@' is the record.

      With --select each line is an object {"NAME":VALUE,…} in the order of the options, values byte for byte. A path \
      with only names and indexes gives its value, omitted if absent; any other path gives an array of all matches.

      --format csv, tsv and table write the columns of --select under their names; strings are written without quotes \
      and escapes, arrays and objects as JSON. The type of a column is the type of its first value; at the end, the \
      number of rows without a column and of values of another type is reported on standard error. A table is as wide \
      as its first 500 rows need; with --follow, and for a stream that is watched on a terminal, the rows available \
      when it waits for input determine the widths.

      In CSV and TSV an empty field is absent; null is written as null or the --null text. The empty string is "", and \
      a string that equals the text for null is quoted: "null". So a reader that looks at quotes can distinguish these \
      four, except for an absent value in a row of one CSV field. The default is null because JSON writes it so; many \
      programs expect an empty field (--null ''), which then also means absent, or \\N. In CSV, fields are quoted as \
      in RFC 4180, a row whose only field is absent is written as "", because most programs skip an empty line, and \
      U+0000 is written as \\0, although the text \\0 looks the same. In TSV, \\t, \\n, \\r, \\0 and \\\\ are written \
      for characters that a field cannot contain, and a string that begins with a quote is preceded by a backslash.

      --with-location writes {"file":"a.log","line":2,"byteOffset":57,"value":{…}}; the line is omitted for one \
      document.
      """)

  @Argument(
    help: ArgumentHelp("Files to read; standard input if omitted or '-'.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "The name of an output member and its path in the record. May be repeated.", valueName: "name=path"))
  var select: [String] = []

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  func run() throws {
    let columns = try PathArguments.named(select, option: "--select")
    var names: Set<String> = []
    for (index, column) in columns.enumerated() where !names.insert(column.name).inserted {
      throw PathArguments.rejection(
        "--select '\(SourceExcerpt.printable(select[index].utf8))': expected a unique name, found a duplicate"
      )
    }
    if columns.isEmpty, !options.results.format.isJSON, !options.results.count {
      throw PathArguments.rejection(
        "--format \(options.results.format.name): expected --select NAME=PATH, which names the columns; jsift "
          + "shape lists the paths")
    }
    let holds = try PathArguments.condition(condition.condition)
    if options.results.explain { throw Explanation(columns: columns, condition: holds, options: options).write() }
    let inputs = try options.files(files)
    var plan = try options.plan(.record(columns), inputs)
    if holds == nil { plan.noun = "records" }
    let records = plan.records
    // If there are columns, only these parts of a record are written.
    let kept = columns.isEmpty ? nil : columns.map(\.path)
    let isCounting = plan.isCounting && columns.isEmpty
    if let holds {
      throw try options.run(plan) { (input) throws(JSONError) in
        try MatchStream([NamedPath(name: "", path: "$")], where: holds, in: input, records, keeping: kept)
      }
    }
    throw try options.run(plan) { (input) throws(JSONError) in
      var reader = try JSONRecordReader(
        input.source, options: input.options(records), resumingAt: input.checkpoint)
      if let kept { try reader.keep(only: kept) }
      return RecordStream(reader, isCounting: isCounting)
    }
  }
}
