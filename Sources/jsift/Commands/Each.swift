import ArgumentParser
import JSONSift

struct Each: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "each",
    abstract: "Write each element or member of one array or object, one per line.",
    discussion: """
      jsift each '$.items' huge.json
      jsift each '$' huge-array.json --limit 3
      tail -f -n +1 growing.json | jsift each '$.events' --input json
      jsift each '$.users' --with-location users.json

      Each is written as soon as it is complete, so the container may have any size and need not end. An element is \
      written as it is, a member as {"KEY":VALUE}, with -r as KEY, a tab and VALUE. Line breaks inside a value are \
      removed; everything else is copied byte for byte. The path selects one container: it has names and indexes only.

      --with-location writes {"file":"a.json","byteOffset":57,"path":"$['a'][0]","value":1}; for records, also "line".
      """)

  @Argument(help: ArgumentHelp("A path to an array or object, such as '$.items'.", valueName: "path"))
  var path: String

  @Argument(
    help: ArgumentHelp("Files to read; standard input if omitted or '-'.", valueName: "file"), completion: .file())
  var files: [String] = []

  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  func run() throws {
    let container = try PathArguments.path(path)
    guard container.isSingular else {
      throw PathArguments.rejection(
        "path '\(SourceExcerpt.printable(path.utf8))': expected the path of one array or object, with names and indexes "
          + "only, found a path that can match several values; jsift get accepts any path")
    }
    let children: JSONPath
    do throws(JSONError) {
      children = try JSONPath(container.description + "[*]")
    } catch {
      throw PathArguments.rejection(error.message)
    }
    let paths = [NamedPath(name: "", path: children)]
    if options.results.explain { throw Explanation(paths: paths, condition: nil, options: options).write() }
    var plan = try options.plan(.child, try options.files(files))
    plan.division = options.division(paths)
    let records = plan.records
    throw try options.run(plan) { (input) throws(JSONError) in
      try MatchStream(paths, where: nil, in: input, records)
    }
  }
}
