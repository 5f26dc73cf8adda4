import ArgumentParser
import JSONSift
import JSONSiftAnalysis

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
      removed; everything else in a value is copied byte for byte. A key is written with no escapes but those it needs: \
      "k\\u0032" as "k2". The path selects one container: it has names and indexes only.

      --element 40-60 writes the elements 40 to 60 of an array, counted from 0. In a document, reading ends after the \
      last one.

      --with-location writes {"file":"a.json","byteOffset":57,"path":"$['a'][0]","value":1}; for records, also "line".
      """)

  @Argument(help: ArgumentHelp("A path to an array or object, such as '$.items'.", valueName: "path"))
  var path: String

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write element n of the array, or elements a to b, counted from 0 as in paths; a- extends to the end. If jsift "
        + "index has indexed this array, reading begins near the first of them. Members of an object are not selected.",
      valueName: "n|a-b"))
  var element: String?

  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup var noCondition: NoConditionOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  func validate() throws {
    try noCondition.reject(in: "each") { condition in
      let filtered = "\(path)[?\(condition)]"
      guard (try? JSONPath(filtered)) != nil else { return nil }
      return
        "each has no --where; a filter in the path of jsift get selects elements: jsift \(Shell.word(filtered)) FILE"
    }
    try null.check(results.format)
    try results.format.requireText()
    guard let element else { return }
    guard let (first, last) = NumberRange.numbers(element), first <= last ?? .max, first <= Self.maxElement
    else {
      throw ValidationError(
        "--element takes an index or a range, counted from 0, such as 40, 40-60 or 40- (to the end), not "
          + NumberRange.shown(element))
    }
  }

  /// The numbers of the first and last element that are selected; `nil` for all children.
  private var elements: (first: Int, last: Int?)? {
    element.flatMap { NumberRange.numbers($0) }.map { ($0.first, $0.last.map { min($0, Self.maxElement) }) }
  }

  /// The largest number that a slice of RFC 9535 can end before.
  private static let maxElement = (1 << 53) - 2

  /// The selector of the elements; `nil` for all children.
  private var selector: String? {
    guard let (first, last) = elements else { return nil }
    if first == last { return "\(first)" }
    return last.map { "\(first):\($0 + 1)" } ?? "\(first):"
  }

  /// The number of elements that are selected, if it is known.
  private var elementCount: Int? { elements.flatMap { range in range.last.map { max($0 - range.first + 1, 0) } } }

  private func isDocument(_ file: InputFile) -> Bool {
    reading.input == .json || reading.input == .auto && file.path.map { SearchedFile.isDocument($0) } ?? false
  }

  func run() throws {
    try MisplacedArgument.reject(path: path, before: files)
    let children = try PathArguments.children(path, "path", advice: "; jsift get accepts any path", selector: selector)
    let paths = [NamedPath(name: "", path: children)]
    if results.explain { throw Explanation(paths: paths, condition: nil, options: self).write() }
    let inputs = try inputs(files)
    var plan = try plan(.child, jump(inputs, to: paths))
    if let count = elementCount, inputs.count == 1, isDocument(inputs[0]) {
      // Reading ends after the last of them.
      plan.limit = min(plan.limit ?? count, count)
    }
    plan.division = division(paths)
    let records = plan.records
    throw try run(plan) { (input) throws(JSONError) in
      try JSONMatches.of(paths, where: nil, in: input, records)
    }
  }
}
