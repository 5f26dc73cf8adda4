import ArgumentParser
import JSONSift
import OrderedCollections

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count, sum, min, max, mean and percentiles of numbers, in one pass.",
    discussion: """
      jsift stats --of ms='$.ms' app.log
      jsift stats --of ms='$.ms' --by level='$.level' --by host='$.host' --format table *.log
      jsift stats --by status='$.status' --where '@.ms > 100' app.log
      jsift stats --of price='$.items[*].price' orders.ndjson

      One line for each path and group: {"name":"ms","level":"error","count":3,"sum":41.5,…}. Groups come in the order in \
      which they are met; without --of only their records are counted. A path may find several numbers in a record.

      The sum is exact up to 38 digits, min and max stand as in the source. Percentiles are exact up to 1000 numbers of a \
      group, and beyond that within 0.1 %. 'absent' counts records where the path finds nothing, 'wrong' what it finds that \
      is no number, or one too large for a Double. Memory grows with the groups only.

      Exit status: 0 there was a record, 1 there was none, 2 there was an error.
      """)

  @Argument(
    help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("Numbers, and what they are called. May be repeated.", valueName: "name=path"))
  var of: [String] = []

  @Option(help: ArgumentHelp("A value that records are grouped by. May be repeated.", valueName: "name=path"))
  var by: [String] = []

  @Option(help: ArgumentHelp("How the result is written.", valueName: RowFormat.names))
  var format = RowFormat.ndjson

  @OptionGroup var null: NullOption

  @Option(parsing: .unconditional, help: ArgumentHelp("Refuse more groups than this.", valueName: "n"))
  var maxGroups = 100_000

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Input options") var options: ReadingOptions

  func validate() throws {
    try null.check(format)
    if of.isEmpty, by.isEmpty { throw ValidationError("Missing --of NAME=PATH or --by NAME=PATH") }
    if maxGroups < 1 { throw ValidationError("--max-groups takes a number from 1, not \(maxGroups)") }
  }

  func run() throws {
    let numbers = try PathArguments.named(of, option: "--of")
    let keys = try PathArguments.named(by, option: "--by")
    try refuseTakenNames(keys)
    let holds = try PathArguments.condition(condition.condition)
    let inputs = try options.files(files)
    try output.open(reading: inputs, rejects: options.rejects)
    var plan = RunPlan(options, inputs, jobs: 1)
    plan.noun = "records"
    let records = plan.records
    let kept = (numbers + keys).map(\.path)
    let groups = Groups(numbers, keys, most: maxGroups, limits: options.readingOptions.limits)
    throw try Run(plan, GroupSink(groups, format, null: null.bytes)).read { (input) throws(JSONError) in
      let all = [NamedPath(name: "", path: "$")]
      return GroupStream(try MatchStream(all, where: holds, in: input, records, keeping: kept), groups)
    }
  }

  private func refuseTakenNames(_ keys: [NamedPath]) throws {
    var taken = ["name"] + NumberSummary.names
    for (key, argument) in zip(keys, by) {
      guard !taken.contains(key.name) else {
        throw PathArguments.refusal(
          "--by '\(SourceExcerpt.printable(argument.utf8))': expected a name of its own, found one that is taken")
      }
      taken.append(key.name)
    }
  }
}

/// The groups of records, and what is known of the numbers in each.
struct Groups: Sendable {
  private struct Group: Sendable {
    let cells: [Cell]
    var count = 0
    var summaries: [NumberSummary]
  }

  private let numbers: [NamedPath]
  private let keys: [NamedPath]
  let most: Int
  private let limits: JSONLimits
  private var groups: OrderedDictionary<[[UInt8]?], Group> = [:]

  init(_ numbers: [NamedPath], _ keys: [NamedPath], most: Int, limits: JSONLimits) {
    self.numbers = numbers
    self.keys = keys
    self.most = most
    self.limits = limits
  }

  var isEmpty: Bool { groups.isEmpty }

  /// There was a record of a group that is one too many.
  private(set) var isFull = false

  /// Counts a record. False if it makes one group too many.
  ///
  /// - Throws: ``JSONError`` of a path that asks for too much. Nothing is counted then.
  mutating func add(_ record: JSON) throws(JSONError) -> Bool {
    var found: [[JSON]] = []
    for number in numbers { found.append(try record.query(number.path, limits: limits)) }
    var values: [JSON?] = []
    for key in keys { values.append(try record.query(key.path, limits: limits).first) }
    let texts = values.map { value in
      value.map { value in
        var bytes: [UInt8] = []
        bytes.append(json: value)
        return bytes
      }
    }
    if groups[texts] == nil {
      isFull = groups.count >= most
      guard !isFull else { return false }
      groups[texts] = Group(
        cells: values.map { $0.map { Cell($0.detached()) } ?? .absent }, summaries: numbers.map { _ in NumberSummary() }
      )
    }
    groups[texts]?.count += 1
    for (place, found) in found.enumerated() {
      if found.isEmpty { groups[texts]?.summaries[place].addAbsent() }
      for value in found { groups[texts]?.summaries[place].add(value) }
    }
    return true
  }

  func write(_ format: RowFormat, null: [UInt8]) {
    let names = keys.map { $0.name }
    guard !numbers.isEmpty else {
      var rows = RowWriter(format, names + ["count"], null: null)
      for group in groups.values { rows.write(group.cells + [Cell(group.count)]) }
      return rows.finish()
    }
    var rows = RowWriter(format, ["name"] + names + NumberSummary.names, null: null)
    for group in groups.values {
      for (number, summary) in zip(numbers, group.summaries) {
        rows.write([.text(number.name)] + group.cells + summary.cells)
      }
    }
    rows.finish()
  }
}

struct GroupSink: ResultSink {
  static let gathers = true
  private var groups: Groups
  private let format: RowFormat
  private let null: [UInt8]
  init(_ groups: Groups, _ format: RowFormat, null: [UInt8]) {
    self.groups = groups
    self.format = format
    self.null = null
  }
  var isFull: Bool { groups.isFull }
  mutating func gather(_ part: inout Part) { if let groups = part.groups { self.groups = groups } }
  mutating func finish() {
    if isFull {
      ErrorReport.write(
        "jsift: expected at most \(groups.most) groups, found one more; --max-groups allows more, at about 200 bytes each"
      )
    }
    groups.write(format, null: null)
  }
}

struct GroupStream: ResultStream, ~Copyable {
  private var stream: MatchStream
  private var groups: Groups
  private var counted = 0
  init(_ stream: consuming MatchStream, _ groups: Groups) {
    self.stream = stream
    self.groups = groups
  }
  static var gathers: Bool { true }
  mutating func next() throws(JSONError) -> Found? { nil }
  mutating func step() throws(JSONError) -> Bool {
    guard let found = try stream.next() else { return false }
    counted += 1
    return try groups.add(found.value)
  }
  mutating func gather(into part: inout Part) { part.groups = groups }
  mutating func takeCounted() -> Int {
    defer { counted = 0 }
    return counted
  }
  var framing: JSONFraming { stream.framing }
  var summaries: [JSONPathSummary] { [] }
  var rulesOutLines: Bool { stream.rulesOutLines }
  var ruledOutLines: Int { stream.ruledOutLines }
  var doubts: ProofDoubts { stream.doubts }
  func position(of error: JSONError) -> SourcePosition { stream.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { stream.excerpt(of: error) }
  var stopReason: String? { stream.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { stream.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { stream.begin(block) }
  mutating func end(_ block: LineBlock) { stream.end(block) }
}
