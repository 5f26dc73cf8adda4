/// Checks one text that comes in chunks, and tells nothing of it but its error.
///
/// The proof passes over what is JSON. Where it is in doubt, libyajl judges: it begins at the token that holds the doubtful
/// byte, inside of the containers that are open there. So an error has the code, the offset and the words that it has
/// where libyajl reads everything, and comes with the same byte.
///
/// What the judge accepts is passed over like what is proven. It reads at least as much as the text that leads it to its
/// place, and twice as much as the last time, up to 1 MiB, if the proof did not get far. So the cost stays linear.
struct TextChecker: ~Copyable {
  private let options: JSONOptions
  private var scan: ProofScan
  /// The start of a token that the last chunk has cut.
  private var open: [UInt8] = []
  /// Reads where the proof is in doubt.
  private var judge: ChunkedParser?
  /// How many bytes the judge reads, and how many are left of them.
  private var region = Self.minRegion
  private var bytesLeft = 0
  /// Up to here the last judge has read.
  private var judgedEnd = 0
  private(set) var doubts = ProofDoubts()

  private static let minRegion = 1 << 10
  private static let maxRegion = 1 << 20

  init(options: JSONOptions) {
    self.options = options
    scan = ProofScan(isLines: false, limits: options.limits)
  }

  /// Checks the next bytes.
  ///
  /// - Throws: What a ``ChunkedParser`` throws.
  mutating func feed(_ chunk: UnsafeRawBufferPointer) throws(JSONError) {
    var rest = unsafe chunk
    while unsafe !rest.isEmpty {
      if bytesLeft == 0 {
        let start = scan.offset
        let proven = unsafe scan.run(rest)
        // The open token began in this chunk, or goes on.
        let token = scan.tokenStart - start
        if scan.doubt == nil {
          // A long token leaves no memory behind.
          if token >= 0 { open.removeAll(keepingCapacity: open.count <= Self.minRegion) }
          unsafe open.append(contentsOf: rest[max(token, 0)..<proven])
          return
        }
        // The judge gets the token in the same pieces as a parser does: on that depends when an error comes.
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(token < 0 ? 0 : token)...])
        try beginJudging(behind: scan.offset - start - max(token, 0), isOpen: token < 0)
      }
      let judged = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(bytesLeft))
      let used = try unsafe judge(judged)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[used...])
    }
  }

  /// Where the text stands before the token that is open, or behind what was fed. `nil` behind an error.
  var place: GrammarState? {
    if bytesLeft == 0 { return scan.place }
    switch judge {
    case .some(let judge): return judge.place
    case .none: return nil
    }
  }

  /// Says that the text is complete.
  mutating func finish() throws(JSONError) {
    if bytesLeft == 0 {
      if scan.finish() { return }
      try beginJudging(behind: 0, isOpen: true)
    }
    var sink = NoSink()
    try judge?.finish(into: &sink)
  }

  /// Makes a judge at the token with the doubtful byte, and gives it what earlier chunks had of that.
  ///
  /// - Parameter proven: How many bytes there are before that byte which the judge gets next.
  private mutating func beginJudging(behind proven: Int, isOpen: Bool) throws(JSONError) {
    doubts.add(scan.doubt)
    let place = scan.place
    region = place.offset - judgedEnd < region ? min(region * 2, Self.maxRegion) : Self.minRegion
    bytesLeft = proven + max(region, YajlParser.leadBytes(to: place))
    judge = ChunkedParser(options: options, from: place)
    var token: [UInt8] = []
    swap(&token, &open)
    if !isOpen { token = [] }
    doubts.add(bytes: token.count)
    try unsafe token.span.withUnsafeBytes { (token) throws(JSONError) in
      var sink = NoSink()
      try unsafe judge?.feed(token, into: &sink)
    }
  }

  /// Returns how many of the bytes are done with.
  private mutating func judge(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Int {
    var sink = NoSink()
    doubts.add(bytes: bytes.count)
    try unsafe judge?.feed(bytes, into: &sink)
    bytesLeft -= bytes.count
    return bytesLeft > 0 ? bytes.count : endJudging(bytes.count)
  }

  /// Lets the proof go on behind what the judge has accepted, if it has no doubt about the token that is open there.
  private mutating func endJudging(_ count: Int) -> Int {
    guard let place = judge?.place, let token = judge?.openBytes else { return count }
    scan.resume(at: place)
    let proven = unsafe token.withUnsafeBytes { unsafe scan.run($0) }
    guard proven == token.count else {
      region = min(region * 2, max(Self.maxRegion, token.count))
      bytesLeft = region
      return count
    }
    judge = nil
    judgedEnd = scan.offset
    if token.count <= count {
      // It began in this chunk: the proof goes on at its start.
      scan.resume(at: place)
      return count - token.count
    }
    open = token
    return count
  }
}

/// Has no use for events.
private struct NoSink: WordSink {
  func take(_ batch: WordBatch) -> Bool { true }
}
