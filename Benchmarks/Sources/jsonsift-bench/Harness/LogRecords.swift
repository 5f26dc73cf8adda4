/// Makes log records, and knows the answers to all that is asked about them.
///
/// Same seed, same bytes, on every machine. `Scripts/make-log` writes similar records for demonstrations; that one is
/// slow for gigabytes, and knows no answers.
struct LogRecords {
  enum Size {
    /// About 350 bytes each.
    case short
    /// About 1 KB each.
    case long
  }

  /// What a reader must find.
  struct Answer: Equatable {
    var records = 0
    /// Records whose level is `error`.
    var errors = 0
    /// The sum of `latency_ms`, added in the order of the records, so that it is the same to the last bit.
    var latency = 0.0
    /// The same, only of records whose level is `error`.
    var errorLatency = 0.0
    /// By level: the smallest and the largest `latency_ms` in tenths; `nil` where no record has the level.
    var latencyBounds = [ClosedRange<Int>?](repeating: nil, count: 4)
    /// The sum of `user.id`.
    var userIDs = 0
    /// The same, only of records whose level is `error`.
    var errorUserIDs = 0
    /// The sum of `request.status`.
    var statuses = 0
    /// The sum of the numbers in `host`.
    var hosts = 0
    /// `user.id` of the first record, the 1001st and so on: how many there are, and their sum.
    var thousandths = 0
    var thousandthUserIDs = 0
    /// `user.id` of the last record.
    var lastUserID = 0
  }

  private let size: Size
  /// Some records have the word of a filter where it does not count: in another member, in a text, and in an escape.
  private let hasDecoys: Bool
  private var seed: UInt64 = 20_240_229
  private(set) var answer = Answer()

  init(_ size: Size, hasDecoys: Bool = false) {
    self.size = size
    self.hasDecoys = hasDecoys
  }

  /// SplitMix64: one multiplication chain, no state but a counter.
  private mutating func pick(_ count: Int) -> Int {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var bits = seed
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ bits >> 31) % UInt64(count))
  }

  private mutating func pick(_ words: [StaticString]) -> StaticString { words[pick(words.count)] }

  /// Appends one record, without a line feed.
  mutating func append(to bytes: inout [UInt8]) {
    let isError = pick(100) == 0
    let tenths = isError ? 8000 + pick(300_000) : pick(4000)
    let id = pick(1_000_000)
    if answer.records.isMultiple(of: 1000) {
      answer.thousandths += 1
      answer.thousandthUserIDs += id
    }
    answer.lastUserID = id
    answer.records += 1
    if isError { answer.errors += 1 }
    // The quotient of two exact integers is rounded once, as the decimal text is.
    answer.latency += Double(tenths) / 10
    if isError { answer.errorLatency += Double(tenths) / 10 }
    answer.userIDs += id
    if isError { answer.errorUserIDs += id }

    bytes.put("{\"ts\":\"2025-03-")
    bytes.put(1 + pick(28), width: 2)
    bytes.put("T")
    bytes.put(pick(24), width: 2)
    bytes.put(":")
    bytes.put(pick(60), width: 2)
    bytes.put(":")
    bytes.put(pick(60), width: 2)
    bytes.put("Z\",\"level\":\"")
    let level = isError ? 3 : pick(Self.levels.count)
    bytes.put(isError ? "error" : Self.levels[level])
    let group = isError ? 3 : max(level - 3, 0)
    let bounds = answer.latencyBounds[group] ?? tenths...tenths
    answer.latencyBounds[group] = min(bounds.lowerBound, tenths)...max(bounds.upperBound, tenths)
    bytes.put("\",\"service\":\"")
    bytes.put(pick(Self.services))
    bytes.put("\",\"host\":\"node-")
    let host = pick(100)
    answer.hosts += host
    bytes.put(host, width: 2)
    bytes.put(".eu-west.example.net\",\"request\":{\"method\":\"")
    bytes.put(pick(Self.methods))
    bytes.put("\",\"path\":\"")
    bytes.put(pick(Self.paths))
    bytes.put(pick(100_000))
    bytes.put("\",\"status\":")
    let status = isError ? 500 + pick(5) : 200
    answer.statuses += status
    bytes.put(status)
    bytes.put("},\"latency_ms\":")
    bytes.put(tenths / 10)
    bytes.put(".")
    bytes.put(tenths % 10)
    bytes.put(",\"user\":{\"id\":")
    bytes.put(id)
    bytes.put(",\"name\":\"")
    bytes.put(pick(Self.names))
    bytes.put("\",\"tags\":[\"")
    bytes.put(pick(Self.tags))
    bytes.put("\",\"")
    bytes.put(pick(Self.tags))
    bytes.put("\"],\"active\":")
    bytes.put(pick(2) == 0 ? "true" : "false")
    bytes.put("},\"message\":\"")
    bytes.put(isError ? pick(Self.errors) : pick(Self.messages))
    bytes.put("\",\"parent\":null")
    if size == .long { appendDetail(to: &bytes) }
    if hasDecoys {
      switch pick(100) {
      case 0: bytes.put(",\"labels\":{\"level\":\"error\"}")
      case 1: bytes.put(",\"note\":\"{\\\"level\\\":\\\"error\\\"}\"")
      case 2: bytes.put(",\"note\":\"caf\\u00e9 \\u0065rror\"")
      default: break
      }
    }
    bytes.put("}")
  }

  private mutating func appendDetail(to bytes: inout [UInt8]) {
    bytes.put(",\"headers\":{\"accept\":\"application/json, text/plain;q=0.9\"")
    bytes.put(",\"accept-language\":\"de-DE,de;q=0.8,en;q=0.5\"")
    bytes.put(",\"user-agent\":\"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\"")
    bytes.put(",\"x-request\":\"")
    bytes.put(pick(1 << 40))
    bytes.put("\"},\"timings\":[")
    for step in 0..<12 {
      if step > 0 { bytes.put(",") }
      bytes.put(pick(1000))
      bytes.put(".")
      bytes.put(pick(1000), width: 3)
    }
    bytes.put("],\"query\":\"SELECT o.id, o.total, c.name FROM orders o JOIN customers c ON c.id = o.customer")
    bytes.put(" WHERE o.state = 'open' AND c.region IN ('eu-west', 'eu-north')")
    bytes.put(" ORDER BY o.created DESC LIMIT 50\",\"trace\":[")
    for step in 0..<3 {
      if step > 0 { bytes.put(",") }
      bytes.put("{\"span\":")
      bytes.put(pick(1 << 30))
      bytes.put(",\"at\":\"gateway.js:")
      bytes.put(pick(900))
      bytes.put("\",\"cached\":")
      bytes.put(pick(2) == 0 ? "true" : "false")
      bytes.put("}")
    }
    bytes.put("]")
  }

  /// One of four levels, with `error`.
  private static let levels: [StaticString] = ["info", "info", "info", "info", "debug", "warn"]
  private static let services: [StaticString] = ["checkout", "search", "gateway", "billing", "inventory", "mailer"]
  private static let methods: [StaticString] = ["GET", "GET", "GET", "POST", "DELETE"]
  private static let paths: [StaticString] = ["/api/v1/orders/", "/api/v2/search?q=caf%C3%A9&page=", "/static/img/"]
  private static let names: [StaticString] = [
    "Ada Okafor", "José Álvarez", "Łukasz Nowak", "山田 太郎", "John \\\"Jack\\\" Reed", "Priya Raman",
  ]
  private static let tags: [StaticString] = ["beta", "mobile", "premium", "trial", "eu-west", "staff"]
  private static let messages: [StaticString] = [
    "request served from cache", "cart \\\"spring sale\\\" updated, total 42,50 €", "session renewed\\tttl=3600",
    "plan: index scan on orders_by_user", "ok",
  ]
  private static let errors: [StaticString] = [
    "timeout after 30000 ms\\n  at Gateway.send (gateway.js:118:9)",
    "connection refused: payments.internal:8443 \\ud83d\\udd25 (errno 111)",
  ]
}

extension LogRecords {
  /// Hands out lines in blocks, until there are `count` bytes or a line more.
  mutating func lines(of count: Int, to write: ([UInt8]) throws -> Void) rethrows {
    try blocks(of: count, separator: "\n", to: write)
  }

  /// The same as one document: `{"meta":{…},"records":[…]}`.
  mutating func document(of count: Int, to write: ([UInt8]) throws -> Void) rethrows {
    try write(Array("{\"meta\":{\"version\":1,\"source\":\"generated\"},\"records\":[\n".utf8))
    try blocks(of: count, separator: ",\n", to: write)
    // The last record has a comma behind it, so one value more is needed. It has no user, and no path finds it.
    try write(Array("{\"end\":true}\n]}\n".utf8))
  }

  mutating func lines(of count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 4096)
    lines(of: count) { result += $0 }
    return result
  }

  mutating func document(of count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 4096)
    document(of: count) { result += $0 }
    return result
  }

  private mutating func blocks(
    of count: Int, separator: StaticString, to write: ([UInt8]) throws -> Void
  ) rethrows {
    var done = 0
    var block: [UInt8] = []
    let blockBytes = 1 << 20
    block.reserveCapacity(blockBytes + 4096)
    while done + block.count < count {
      append(to: &block)
      block.put(separator)
      guard block.count >= blockBytes else { continue }
      try write(block)
      done += block.count
      block.removeAll(keepingCapacity: true)
    }
    try write(block)
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number that is not negative, with zeros before it up to `width` digits.
  fileprivate mutating func put(_ number: Int, width: Int = 1) {
    var power = 1
    for _ in 1..<Swift.max(width, 1) { power *= 10 }
    while number / power >= 10 { power *= 10 }
    while power > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / power % 10))
      power /= 10
    }
  }
}
