/// A file that is followed together with others.
final class FollowedFile {
  let identity: FileStatus.Identity
  /// The path by which the file was found last, and the number of that name; `nil` if the file is not read.
  var path: [UInt8]
  var number: UInt16?
  /// Whether the path is a name on the command line, and not one that a pattern selects.
  var isNamed: Bool
  /// The number of the last check that has found the file, and of the checks since then.
  var check: Int
  private(set) var missedChecks = 0
  /// Whether there may be bytes that were not read.
  private var hasNews = true
  /// The file that had the same path before. It is read to its end first, unless it has another name now.
  private var predecessor: FollowedFile?
  private var input: GrowingInput?
  private var cutter: LineCutter?
  /// The first bytes of a line that is too long, until its end is found.
  private var held: LineBlock?
  /// The status at the time of the last check.
  private var status: FileStatus
  /// The sizes that checks have found, each with the time of the check. A size is removed when the file was read up to it.
  private var sizes: [(size: Int, time: ContinuousClock.Instant)] = []
  /// When the lines that were read last arrived: at the first check that has found them, or when they were read.
  private(set) var arrival = ContinuousClock.now
  /// The next lines of the file, if files are merged.
  var merged: MergedInput?

  private static let maxSizes = 256

  init(_ status: FileStatus, at path: [UInt8], isNamed: Bool, check: Int) {
    (self.status, self.path, self.isNamed, self.check) = (status, path, isNamed, check)
    identity = status.identity
    sizes = [(status.size, .now)]
  }

  /// Whether the file is read.
  var isOpen: Bool { input != nil }

  /// Whether the next read may find bytes.
  var isReady: Bool {
    guard hasNews else { return false }
    guard let predecessor, predecessor.isOpen, predecessor.path == path else {
      predecessor = nil
      return true
    }
    return false
  }

  /// Whether the file is read after another one that had its name before.
  var isBehind: Bool { predecessor != nil }

  /// Begins to read the file from its start.
  func open(
    _ file: consuming File, after predecessor: FollowedFile?, _ plan: FollowPlan, readBytes: Int
  ) throws(JSONError) {
    self.predecessor = predecessor
    let part = GrowingInput(file, isRegular: status.kind == .regular)
    // SAFETY: one reader opens the source, on the thread that made it.
    nonisolated(unsafe) let input = part
    let source = plan.content(.growing(path) { unsafe input })
    self.input = part
    cutter = LineCutter(try ReadWindow(source, readBytes: readBytes), plan.options, isEager: true)
  }

  /// Closes the file. It is not opened again while it is found, unless it changes so that it may be readable.
  func close() {
    cutter = nil
    (input, held, predecessor) = (nil, nil, nil)
    hasNews = false
  }

  /// Notes that a check has found the file. Returns `false` if it is to be opened as a new one.
  func find(_ status: FileStatus, in check: Int) -> Bool {
    (self.check, missedChecks) = (check, 0)
    return compare(status)
  }

  /// Notes that a check has not found the file. It may grow nevertheless.
  func miss() {
    missedChecks += 1
    guard let status = input?.status else { return }
    _ = compare(status)
    if hasNews { missedChecks = 1 }
  }

  /// Compares the file with its status at a check. Returns `false` if it is to be opened as a new one.
  private func compare(_ status: FileStatus) -> Bool {
    defer { self.status = status }
    guard let input else { return status.size >= self.status.size && status.permissions == self.status.permissions }
    if status.kind != .regular || status.size > input.position { hasNews = true }
    if status.size > sizes.last?.size ?? 0 {
      if sizes.count == Self.maxSizes { sizes.removeLast() }
      sizes.append((status.size, .now))
    }
    if status.kind == .regular, status.size < input.position { finish() }
    return true
  }

  /// The number of bytes that were not read yet, as far as it is known.
  var unread: Int { input.map { max(($0.status?.size ?? 0) - $0.position, 0) } ?? 0 }

  /// Lets the file end once its bytes are read: it was replaced, truncated or removed, or the whole text ends.
  func finish() {
    guard let input, !input.isLast else { return }
    input.isLast = true
    hasNews = true
  }

  /// Reads the next lines. The spare block becomes the block of the lines, or is exchanged for another one.
  func next(into spare: inout LineBlock) throws(JSONError) -> LineCutter.Answer {
    let block = held ?? spare
    held = nil
    let answer = try cutter?.next(into: block) ?? .end
    switch answer {
    case .block:
      note(input?.position ?? 0)
      // Else this is the spare block already.
      if block !== spare { spare = block }
    case .wouldBlock:
      hasNews = false
      if block.range.isEmpty { break }
      held = block
      if block === spare { spare = LineBlock() }
    case .end: break
    }
    return answer
  }
}

extension FollowedFile {
  /// Notes when the bytes before a position arrived.
  private func note(_ position: Int) {
    while let first = sizes.first, first.size < position { sizes.removeFirst() }
    arrival = sizes.first?.time ?? .now
  }
}

/// The bytes of one of several followed files. They end when the owner sets ``isLast``.
final class GrowingInput: NonblockingInput {
  private let file: File
  private let isRegular: Bool
  /// The number of bytes that were read.
  private(set) var position = 0
  /// Whether the file ends at the end of its bytes.
  var isLast = false

  init(_ file: consuming File, isRegular: Bool) {
    self.file = file
    self.isRegular = isRegular
  }

  var status: FileStatus? { file.status }

  override func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int? {
    let count = try unsafe isRegular ? file.read(into: buffer) : file.readIfReady(into: buffer) ?? 0
    position += count
    // A pipe without a writer may get another one.
    return count > 0 || isLast ? count : nil
  }
}
