import ArgumentParser
import JSONSift

struct Get: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write each value that a path selects, one per line. The default command.",
    discussion: """
      jsift '$.statuses[*].user.screen_name' twitter.json
      jsift -r '$.message' --limit 10 app.log
      jsift '$..book[?@.price < 10 && @.isbn].title' store.json
      jsift '$.user.id' --where '@.level == "error"' app.log
      jsift -p id='$.id' -p name='$.user.name' events.ndjson
      kubectl logs pod | jsift '$.level'

      A path is a query of RFC 9535: names and indexes '$.a[0]', the last element '[-1]', slices '[1:9:2]', all '[*]', \
      at any depth '$..a', filters '[?@.a == 1]', and the functions length, count, match, search and value. Results \
      are in the order of RFC 9535. For duplicate keys, a name selects the first. Line breaks inside a value are \
      removed; everything else is copied byte for byte.

      With -p each line is {"NAME":VALUE}; with -p and -r it is NAME, a tab and VALUE. Paths that match nothing are \
      reported at the end.

      With --format csv, tsv or table each result is a row with the column value, or with -p the columns name and value.

      In one document every byte is validated up to the last possible match. If all paths have only names and \
      nonnegative indexes, reading stops there: '$.a' matches 1 in {"a":1}GARBAGE. The first token behind the document \
      is looked at if it is in the next 64 KiB: if it begins a value, that and all further ones are read as with \
      --input values; a comma or a line such as --- is an error. A match inside a longer document may be the last that \
      is read. A .json file whose first line is a damaged record, and not the start of a document, is read as lines. \
      jsift check reads everything.

      --where selects records; '@' is the record. For one document, use a filter in the path.

      --time, --since and --until select the records of a window of time: since <= time < until.

      --with-location writes {"file":"a.log","line":2,"byteOffset":57,"path":"$['a'][0]","value":1}, with "name" if -p \
      is used. The line is the line of the record, omitted for one document; the offset counts bytes of the file from \
      0; the file '-' is standard input, counted from its current position.
      """)

  @Argument(help: ArgumentHelp("A path of RFC 9535, such as '$.items[*].id'; omitted with -p.", valueName: "path"))
  var path: String?

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    name: [.customShort("p"), .customLong("path")],
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A path and the name of its results. May be repeated: all are evaluated in one pass.", valueName: "name=path"))
  var named: [String] = []

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Input options") var time: TimeOptions
  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Input options") var earlier: StateOptions
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  var state: StateOptions? { earlier }

  func validate() throws {
    try null.check(results.format)
    try results.format.requireText()
    if path == nil, named.isEmpty { throw ValidationError("Missing expected argument '<path>'") }
  }

  func run() throws {
    // With -p all positional arguments are files.
    let isNamed = !named.isEmpty
    if !isNamed { try MisplacedArgument.reject(path: path ?? "", before: files) }
    let files = isNamed ? (path.map { [$0] } ?? []) + files : files
    let paths =
      isNamed
      ? try PathArguments.named(RawArguments.launch.values(of: named), option: "--path")
      : [NamedPath(name: "", path: try PathArguments.path(path ?? "", or: JSift.commandNames))]
    let condition = try PathArguments.condition(self.condition.condition)
    let window = try time.window()
    if results.explain { throw Explanation(paths: paths, condition: condition, window, options: self).write() }
    let combined = TimeWindow.condition(condition, window)
    let index = self.condition.index
    let inputs = jump(try inputs(files, in: window, where: combined, index), to: paths, index.index)
    var plan = try plan(isNamed ? .named(paths.map(\.name)) : .value, inputs)
    if isNamed { plan.paths = paths }
    if window != nil { plan.timePath = time.text }
    plan.needsRecords = condition.map { Self.rejection($0, paths) } ?? window.map { _ in TimeWindow.rejection }
    plan.division = division(paths)
    let records = plan.records
    throw try run(plan) { (input) throws(JSONError) in
      try JSONMatches.of(paths, where: combined, in: input, records)
    }
  }

  /// The message for a condition on one document, with alternatives.
  private static func rejection(_ condition: JSONCondition, _ paths: [NamedPath]) -> String {
    let filter = "[?\(condition)]"
    // The elements that the path already selects are the records.
    let filtered = paths.map(\.path.description).filter { $0.contains("[*]") }.prefix(1).map {
      $0.replacing("[*]", with: filter, maxReplacements: 1)
    }
    let examples = (filtered.isEmpty ? ["$", "$.items"].map { $0 + filter } : filtered).map {
      Shell.word($0.utf8.printable)
    }
    return "--where needs records, and this is one document; put a filter into the path, such as "
      + "\(examples.joined(separator: " or ")), or use --input ndjson"
  }
}
