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

      With --select each line is an object {"NAME":VALUE,…} in the order of the options, values byte for byte. Of a path \
      with names and indexes only it is the value, and left out if there is none; of any other path it is an array of all \
      that it selects.

      --format csv, tsv and table write the columns of --select under their names; strings are without quotes and escapes, \
      arrays and objects are JSON. The type of a column is that of its first value; at the end standard error tells in how \
      many rows a column is absent, and how many values are of another type. A table is as wide as its first 500 rows need; \
      with --follow, and of a stream that is watched on a terminal, as those need that are there when it waits for more.

      In CSV and TSV a field without anything is absent, and null is null, or what --null says. The empty string is "", \
      and a string that reads as null does stands in quotes: "null". So these four differ for a reader that looks at quotes, \
      but for what is absent in a row of one CSV field. \
      The default is null because that is how JSON writes it; many programs take an empty field (--null ''), which is absent \
      then too, or \\N. In CSV fields are quoted as RFC 4180 says, a row whose only field is absent is "", for most programs \
      pass over an empty line, and \\0 stands for U+0000, although text that says \\0 looks the same. In TSV \\t, \\n, \\r, \
      \\0 and \\\\ stand for what a field cannot hold, and a string that begins with a quote has a backslash in front of it.

      --with-location writes {"file":"a.log","line":2,"byteOffset":57,"value":{…}}; the line is left out in one document.
      """)

  @Argument(
    help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "A member of what is written, and where in the record it is. May be repeated.", valueName: "name=path"))
  var select: [String] = []

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  func run() throws {
    let columns = try PathArguments.named(select, option: "--select")
    var names: Set<String> = []
    for (index, column) in columns.enumerated() where !names.insert(column.name).inserted {
      throw PathArguments.rejection(
        "--select '\(SourceExcerpt.printable(select[index].utf8))': expected a name of its own, found one that is taken"
      )
    }
    if columns.isEmpty, !options.results.format.isJSON, !options.results.count {
      throw PathArguments.rejection(
        "--format \(options.results.format.name): expected --select NAME=PATH, which names the columns; jsift shape shows what "
          + "paths there are")
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
      var reader = try JSONRecordReader(input.source, options: records, resumingAt: input.checkpoint)
      if let kept { try reader.keep(only: kept) }
      return RecordStream(reader, isCounting: isCounting)
    }
  }
}
