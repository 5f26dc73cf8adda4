import CBenchSystem
import JSONSift
import JSONSiftAnalysis

// jsonsift-bench-counts JOB FILE: does one job on a file twice and prints its answer. `Scripts/measure instructions`
// counts the instructions of the second time: what is made once for the process is made by then.

@main
enum Counts {
  private struct Rejected: Error {}

  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 3, let prepare = jobs[words[1]] else { throw Rejected() }
    let bytes = try bench_file(words[2])
    let job = Job(try prepare(bytes))
    let first = try job.work()
    guard try job.measured() == first else { throw Rejected() }
    print(first)
  }

  /// Each takes the file, does what is not counted, and returns what is.
  private static let jobs: [String: @Sendable ([UInt8]) throws -> () throws -> Int] = [
    "document": document, "access": access, "records": records, "filter": filter,
    "functions": functions, "columns": columns, "path": path,
    "fields": fields, "record-fields": recordFields, "decode": decode,
    "decode-reporting": decodeReporting, "encode": encode, "write": write, "push-chunks": pushChunks,
    "match-chunks": matchChunks,
    "record-chunks": recordChunks, "first-walk": firstWalk, "walk": walk, "equal": equal, "raw-data": rawData,
    "change": change, "shape": shape, "keep": keep, "events": events, "every-index": everyIndex, "every-key": everyKey,
    "three-values": threeValues,
  ]

  // MARK: Documents

  /// The text as a tape.
  @Sendable private static func document(_ bytes: [UInt8]) throws -> () throws -> Int {
    { try JSON(parsing: bytes)["records"].count }
  }

  /// Of every record a number, a String and a Double, by index and key.
  @Sendable private static func access(_ bytes: [UInt8]) throws -> () throws -> Int {
    let records = try JSON(parsing: bytes)["records"]
    return {
      var sum = 0
      for index in 0..<records.count {
        let record = records[index]
        sum += record["user"]["id"].intValue + record["message"].stringValue.utf8.count
        sum += Int(record["request"]["latency_ms"].doubleValue)
      }
      return sum
    }
  }

  /// Indented: nothing is copied as it stands.
  @Sendable private static func write(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    return { try json.bytes(.pretty).count }
  }

  // MARK: Values of any document

  /// Parses, and goes over every value.
  @Sendable private static func firstWalk(_ bytes: [UInt8]) throws -> () throws -> Int {
    { sum(try JSON(parsing: bytes)) }
  }

  /// Goes over every value of what was parsed.
  @Sendable private static func walk(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    return { sum(json) }
  }

  private static func sum(_ json: JSON) -> Int {
    switch json.type {
    case .dictionary: json.reduce(1) { $0 &+ $1.0.utf8.count &+ sum($1.1) }
    case .array: json.reduce(1) { $0 &+ sum($1.1) }
    case .string: json.stringValue.utf8.count
    case .number: Int(truncatingIfNeeded: json.doubleValue.bitPattern)
    default: 1
    }
  }

  @Sendable private static func equal(_ bytes: [UInt8]) throws -> () throws -> Int {
    let (json, other) = (try JSON(parsing: bytes), try JSON(parsing: JSON(parsing: bytes).bytes(.pretty)))
    return { json == other ? 1 : 0 }
  }

  @Sendable private static func rawData(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    return { try json.bytes().count }
  }

  /// Follows the last child five times, and changes what is there.
  @Sendable private static func change(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    var path: [JSONSubscriptType] = []
    var value = json
    while path.count < 5, let (key, child) = Array(value).last {
      path.append(value.type == .array ? value.count - 1 as JSONSubscriptType : key)
      value = child
    }
    return {
      var copy = json
      copy[path] = 1
      return copy.count
    }
  }

  /// Parses, and asks for each element of the largest container of the root by its index.
  @Sendable private static func everyIndex(_ bytes: [UInt8]) throws -> () throws -> Int {
    let key = try largestKey(JSON(parsing: bytes))
    return {
      let json = try key.map { try JSON(parsing: bytes)[$0] } ?? JSON(parsing: bytes)
      return (0..<json.count).reduce(0) { $0 + json[$1].count }
    }
  }

  /// Parses, and asks for each of 100,000 keys.
  @Sendable private static func everyKey(_ bytes: [UInt8]) throws -> () throws -> Int {
    let keys = (0..<100_000).map { "member number \($0)" }
    let text = Array("{\(keys.map { "\"\($0)\":\(keys.count)" }.joined(separator: ","))}".utf8)
    return {
      let json = try JSON(parsing: text)
      return keys.reduce(0) { $0 + json[$1].intValue }
    }
  }

  private static func largestKey(_ json: JSON) -> String? {
    json.type == .array ? nil : json.max { $0.1.rawBytes.count < $1.1.rawBytes.count }?.0
  }

  /// Parses, and touches three elements of the largest container of the root.
  @Sendable private static func threeValues(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    let key = try largestKey(JSON(parsing: bytes))
    let count = key.map { json[$0].count } ?? json.count
    return {
      let json = try JSON(parsing: bytes)
      let container = key.map { json[$0] } ?? json
      return [0, count / 2, count - 1].reduce(0) { $0 &+ container[$1].count }
    }
  }

  /// Asks each record of a document for functions.
  @Sendable private static func functions(_ bytes: [UInt8]) throws -> () throws -> Int {
    let json = try JSON(parsing: bytes)
    let paths = try [
      "$.records[?length(@.message) > 80].user.id", "$.records[?count(@.request.*) > 3].user.id",
      "$.records[?value(@.level) == 'error'].user.id", "$.records[?match(@.level, 'warn|error')].user.id",
      "$.records[?search(@.host, '7')].user.id",
    ].map { try JSONPath($0) }
    return { try paths.reduce(0) { sum, path in try json.query(path).reduce(sum) { $0 &+ $1.intValue } } }
  }

  // MARK: Streams

  @Sendable private static func records(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var reader = try JSONRecordReader(.bytes(bytes))
      var count = 0
      while try reader.next() != nil { count += 1 }
      return count
    }
  }

  @Sendable private static func filter(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var matches = try JSONMatches(
        of: [("id", JSONPath("$.user.id"))], where: JSONCondition("@.level == 'error'"), in: .bytes(bytes),
        records: JSONRecordOptions(framing: .lines, recovery: .skip))
      return try sum(&matches)
    }
  }

  @Sendable private static func path(_ bytes: [UInt8]) throws -> () throws -> Int { ids(bytes, JSONOptions()) }

  /// Several fields of each record.
  @Sendable private static func fields(_ bytes: [UInt8]) throws -> () throws -> Int {
    let names = ["user.id", "level", "request.status", "request.latency_ms", "host", "ts"]
    let paths = try names.map { ($0, try JSONPath("$.records[*].\($0)")) }
    return {
      var matches = try JSONMatches(of: paths, in: .bytes(bytes))
      var sum = 0
      while let match = try matches.next() { sum += match.byteRange.count }
      return sum
    }
  }

  /// The same of records that are lines.
  @Sendable private static func recordFields(_ bytes: [UInt8]) throws -> () throws -> Int {
    let paths = try ["user.id", "ts"].map { ($0, try JSONPath("$.\($0)")) }
    return {
      var matches = try JSONMatches(
        of: paths, in: .bytes(bytes), records: JSONRecordOptions(framing: .lines))
      return try sum(&matches)
    }
  }

  /// 500 members of each of 20 records.
  @Sendable private static func columns(_ bytes: [UInt8]) throws -> () throws -> Int {
    let names = (0..<500).map { "member_\($0)" }
    let line = "{\(names.map { "\"\($0)\":\(names.count)" }.joined(separator: ","))}\n"
    let text = Array(String(repeating: line, count: 20).utf8)
    let paths = try names.map { ($0, try JSONPath("$.\($0)")) }
    return {
      var matches = try JSONMatches(of: paths, in: .bytes(text), records: JSONRecordOptions(framing: .lines))
      return try sum(&matches)
    }
  }

  /// The shape of the records.
  @Sendable private static func shape(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var reader = try JSONShape.Reader(.bytes(bytes))
      while try reader.next() {}
      return reader.recordCount + reader.pathCount
    }
  }

  /// A document with two members of each record only.
  @Sendable private static func keep(_ bytes: [UInt8]) throws -> () throws -> Int {
    let paths = try ["$.records[*].user.id", "$.records[*].level"].map { try JSONPath($0) }
    return {
      var builder = try JSONBuilder(.keeping(paths))
      try builder.feed(bytes)
      return try builder.finish()["records"].reduce(0) { $0 + $1.1["user"]["id"].intValue }
    }
  }

  /// Every token, to a handler.
  @Sendable private static func events(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var reader = JSONPushReader(TextLength())
      try reader.feed(bytes.span.bytes)
      try reader.finish()
      return reader.handler.byteCount
    }
  }

  private static func ids(_ bytes: [UInt8], _ options: JSONOptions) -> () throws -> Int {
    {
      var matches = try JSONMatches(of: JSONPath("$.records[*].user.id"), in: .bytes(bytes), options: options)
      return try sum(&matches)
    }
  }

  private static func sum(_ matches: inout JSONMatches) throws -> Int {
    var sum = 0
    while let match = try matches.next() { sum += match.value.int ?? 0 }
    return sum
  }

  // MARK: Chunks, which cut every long token

  private static let chunkBytes = 4 << 10

  /// The events of a push reader.
  @Sendable private static func pushChunks(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var reader = JSONPushReader(TextLength())
      for start in stride(from: 0, to: bytes.count, by: chunkBytes) {
        try reader.feed(bytes.span.bytes.extracting(start..<min(start + chunkBytes, bytes.count)))
      }
      try reader.finish()
      return reader.handler.byteCount
    }
  }

  /// The whole document as a match.
  @Sendable private static func matchChunks(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var matches = try JSONMatches(of: "$", in: .chunks(chunks(of: bytes)))
      return try matches.next()?.byteRange.count ?? 0
    }
  }

  /// The whole document as a record that is one line.
  @Sendable private static func recordChunks(_ bytes: [UInt8]) throws -> () throws -> Int {
    {
      var reader = try JSONRecordReader(.chunks(chunks(of: bytes)))
      return try reader.next()?.byteRange.count ?? 0
    }
  }

  private static func chunks(of bytes: [UInt8]) -> some Sequence<[UInt8]> {
    stride(from: 0, to: bytes.count, by: chunkBytes).lazy.map {
      Array(bytes[$0..<min($0 + chunkBytes, bytes.count)])
    }
  }

  // MARK: Types

  @Sendable private static func decode(_ bytes: [UInt8]) throws -> () throws -> Int { decode(bytes, with: nil) }

  /// The same with a decoder that reports elements that do not match; there are none.
  @Sendable private static func decodeReporting(_ bytes: [UInt8]) throws -> () throws -> Int {
    let decoder = JSONSiftDecoder()
    decoder.elementFailures = .report { print($0) }
    return decode(bytes, with: decoder)
  }

  private static func decode(_ bytes: [UInt8], with decoder: JSONSiftDecoder?) -> () throws -> Int {
    {
      var records = try JSONRecordReader(.bytes(bytes))
      var sum = 0
      while let line = try records.next(as: Line.self, with: decoder) { sum += line.user.id }
      return sum
    }
  }

  @Sendable private static func encode(_ bytes: [UInt8]) throws -> () throws -> Int {
    var records = try JSONRecordReader(.bytes(bytes))
    var read: [Line] = []
    while let line = try records.next(as: Line.self) { read.append(line) }
    let lines = read
    return {
      var count = 0
      try JSONSiftEncoder().writeLines(lines) { count += $0.count }
      return count
    }
  }
}

/// A record of `Scripts/make-log`.
private struct Line: Codable {
  var ts: String, level: String, service: String, host: String
  var request: Request
  var user: User
  var message: String, trace: String

  struct Request: Codable { var method: String, path: String, status: Int, latency_ms: Double }
  struct User: Codable { var id: Int, name: String, tags: [String] }
}

/// Adds up the source bytes of keys, strings and numbers.
private struct TextLength: JSONEventHandler {
  var byteCount = 0

  mutating func add(_ text: borrowing JSONText) -> Bool {
    byteCount += text.source.byteCount
    return true
  }

  mutating func startObject(at offset: Int) -> Bool { true }
  mutating func key(_ key: borrowing JSONText) -> Bool { add(key) }
  mutating func endObject(at offset: Int) -> Bool { true }
  mutating func startArray(at offset: Int) -> Bool { true }
  mutating func endArray(at offset: Int) -> Bool { true }
  mutating func string(_ string: borrowing JSONText) -> Bool { add(string) }
  mutating func number(_ number: borrowing JSONText) -> Bool { add(number) }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool { true }
  mutating func null(byteRange: Range<Int>) -> Bool { true }
}

/// Work that is counted: C calls it, so that the function that the script names is one that no compiler renames.
private final class Job {
  let work: () throws -> Int
  private var result: Result<Int, any Error> = .success(0)

  init(_ work: @escaping () throws -> Int) { self.work = work }

  func measured() throws -> Int {
    let context = Unmanaged.passUnretained(self).toOpaque()
    bench_measured({ if let context = $0 { Unmanaged<Job>.fromOpaque(context).takeUnretainedValue().run() } }, context)
    return try result.get()
  }

  private func run() { result = Result { try work() } }
}

private func bench_file(_ path: String) throws -> [UInt8] {
  var count = 0
  guard let bytes = bench_read_file(path, &count) else { throw CannotRead() }
  defer { bench_free(bytes) }
  return Array(UnsafeRawBufferPointer(start: bytes, count: count))
}

private struct CannotRead: Error {}
