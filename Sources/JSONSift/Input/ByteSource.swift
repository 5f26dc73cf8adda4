/// Reads a ``JSONSource``.
///
/// gzip and zstd data are refused, unless a module that reads them has opened the source.
package struct ByteSource: ~Copyable {
  private var file: File?
  /// What reads the file, once that is on its way.
  private var ahead: ReadAhead?
  private let reader: (any ByteReader)?
  private let isCompressionAllowed: Bool
  private var isHeadKnown = false
  private let nextChunk: (() -> [UInt8]?)?
  private let nonblocking: NonblockingInput?
  private let isInMemory: Bool
  /// The last read has found nothing, and that is not the end.
  package private(set) var wouldBlock = false
  private var chunk: ArraySlice<UInt8> = []
  private var hooks = ReadHooks()
  /// Those of the input of a reader that another thread uses.
  private var inputHooks = ReadHooks()
  private let following: JSONSource.Following?
  let mayGrow: Bool
  /// Where in the file the next read begins, if the file is not asked to keep that.
  private var place: Int?
  private var isAtEnd = false

  package init(_ source: JSONSource, allowingCompression: Bool = false) throws(JSONError) {
    var reader: (any ByteReader)?
    if case .reader(let open) = source.kind { reader = try open() }
    if case .unopenable(let error) = source.kind { throw error }
    try self.init(source, reader, allowingCompression)
  }

  private init(
    _ source: JSONSource, _ reader: (any ByteReader)?, _ allowingCompression: Bool
  ) throws(JSONError) {
    self.reader = reader
    hooks.before = source.beforeRead
    hooks.after = source.afterRead
    isCompressionAllowed = allowingCompression
    following = source.following
    mayGrow = source.mayGrow
    if case .nonblocking(let input) = source.kind { nonblocking = input } else { nonblocking = nil }
    if case .bytes = source.kind { isInMemory = true } else { isInMemory = false }
    do throws(File.Failure) {
      switch source.kind {
      case .path(let path):
        file = try File(path: path)
        nextChunk = nil
      case .descriptor(let descriptor):
        file = File(borrowing: descriptor)
        nextChunk = nil
      case .bytes(let bytes):
        file = nil
        var rest: [UInt8]? = bytes
        nextChunk = {
          defer { rest = nil }
          return rest
        }
      case .chunks(let next):
        file = nil
        nextChunk = next
      case .reader, .nonblocking, .unopenable:
        file = nil
        nextChunk = nil
      case .place(let descriptor, let offset):
        file = File(borrowing: descriptor)
        nextChunk = nil
        place = offset
      }
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
  }

  /// Reads up to `buffer.count` bytes; 0 is the end, unless `wouldBlock` says otherwise. `offset` is the
  /// place in the input, for the error.
  package mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    isHeadKnown
      ? try unsafe readMore(into: buffer, at: offset) : try unsafe readHead(into: buffer, at: offset)
  }

  /// Reads the first bytes, at least as many as tell whether they are compressed.
  private mutating func readHead(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    var count = 0
    repeat {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let more = try unsafe readMore(into: room, at: offset + count)
      if more == 0 { break }
      count += more
    } while !isCompressionAllowed
      && CompressedFormat.all.contains { unsafe $0.mayBegin(UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) }
    isHeadKnown = count > 0 || !wouldBlock
    guard !isCompressionAllowed else { return count }
    if let format = unsafe CompressedFormat(of: UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) {
      isAtEnd = true
      throw JSONError(compressed: format, isInside: reader != nil)
    }
    return count
  }

  private mutating func readMore(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    guard !isAtEnd, unsafe !buffer.isEmpty else { return 0 }
    beforeRead()
    let count: Int
    if let reader {
      // An error is the end: whoever asks again is not told for ever.
      isAtEnd = true
      count = try unsafe reader.read(into: buffer, at: offset)
      isAtEnd = false
      wouldBlock = count == 0 && reader.wouldBlock
    } else if let nextChunk {
      while chunk.isEmpty, let next = nextChunk() { chunk = next[...] }
      count = min(chunk.count, buffer.count)
      unsafe buffer.copyBytes(from: chunk.prefix(count))
      chunk = chunk.dropFirst(count)
    } else {
      do throws(File.Failure) {
        if let nonblocking {
          let found = try unsafe nonblocking.read(into: buffer)
          wouldBlock = found == nil
          count = found ?? 0
        } else {
          count = try unsafe readFile(into: buffer)
        }
      } catch {
        throw Self.readFailure(error, at: offset)
      }
    }
    if count == 0 {
      if wouldBlock { return 0 }
      isAtEnd = true
    }
    afterRead(count)
    return count
  }

  /// A read does not wait for somebody who writes.
  package var canReadAtOnce: Bool {
    guard following == nil else { return false }
    if ahead != nil { return true }
    if let reader { return reader.canReadAtOnce }
    if neverWaits { return true }
    switch file {
    case .some(let file): return file.isReady
    // Who hands over chunks is not asked twice.
    case .none: return nonblocking != nil
    }
  }

  /// No read waits for anybody: of bytes in memory and of regular files.
  package var neverWaits: Bool {
    if ahead != nil { return true }
    guard following == nil, reader == nil else { return false }
    switch file {
    case .some(let file): return file.regularSize() != nil
    case .none: return isInMemory
    }
  }

  /// How many bytes of a regular file are left.
  package var regularRest: Int? {
    guard following == nil else { return nil }
    switch file {
    case .some(let file):
      guard let size = file.regularSize(), let position = file.position else { return nil }
      return size - (place ?? position)
    case .none: return nil
    }
  }

  // MARK: Reading ahead

  /// From now on the rest of the file is read by a thread of its own, if it is worth one.
  ///
  /// - Parameters:
  ///   - offset: The offset in the input of the next byte.
  ///   - inspector: As of ``ReadAhead``. A thread that decompresses has enough to do.
  /// - Returns: Whether the inspector is given all that comes.
  mutating func readAhead(from offset: Int, inspectedBy inspector: (any BlockInspector)?) -> Bool {
    guard ahead == nil, following == nil, place == nil, isHeadKnown, !isAtEnd, Processors.count > 1 else {
      return false
    }
    if let reader {
      guard reader.restOfInput ?? 0 >= Self.longRestOfReader else { return false }
      // Before the thread begins: it must not find them.
      inputHooks = reader.takeReadHooks()
      ahead = ReadAhead(AheadReader(reader, at: offset))
      return false
    }
    guard regularRest ?? 0 >= Self.longRest else { return false }
    let input = AheadFile(taking: &file)
    ahead = ReadAhead(input, inspectedBy: inspector)
    if ahead == nil { input.giveBack(&file) }
    return ahead != nil && inspector != nil
  }

  /// A file of which less is left is read before a thread has begun.
  private static let longRest = 8 << 20
  /// Several times as much comes out of a compressed file, and slower.
  private static let longRestOfReader = 1 << 20

  /// What was read ahead is handed out in blocks.
  var isReadAhead: Bool { ahead != nil }

  /// The next block that was read ahead, behind bytes that are left, as ``ReadAhead/next(into:behind:)`` does it. `offset`
  /// is its place in the input, for the error.
  mutating func nextBlock(
    into memory: inout RawMemory, behind left: inout Range<Int>, at offset: Int
  ) throws(JSONError) -> Int {
    guard let ahead, !isAtEnd else { return 0 }
    beforeRead()
    let count: Int
    do {
      count = try ahead.next(into: &memory, behind: &left)
    } catch {
      // An error is the end: the thread is gone.
      isAtEnd = true
      if let error = error as? JSONError { throw error }
      throw Self.readFailure(error as? File.Failure ?? File.Failure(number: 0), at: offset)
    }
    if count == 0 { isAtEnd = true }
    afterRead(count)
    return count
  }

  private func beforeRead() {
    hooks.before?()
    inputHooks.before?()
  }

  private mutating func afterRead(_ count: Int) {
    hooks.after?(count)
    guard let after = inputHooks.after else { return }
    let used = inputHooks.usedBytes()
    guard used > inputHooks.reportedBytes else { return }
    after(used - inputHooks.reportedBytes)
    inputHooks.reportedBytes = used
  }

  /// Gives away what was to be done around each read.
  package mutating func takeReadHooks() -> ReadHooks {
    defer { hooks = ReadHooks() }
    return hooks
  }

  private mutating func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    if let place {
      let count = try unsafe file?.read(into: buffer, at: place) ?? 0
      self.place = place + count
      return count
    }
    while true {
      // What was written before the file was replaced is read before that ends it.
      let isLast = hasEnded
      let count = try unsafe file?.read(into: buffer) ?? 0
      guard count == 0, let following, !isLast else { return count }
      if following.isDone() { return 0 }
      hooks.before?()
      File.pause(milliseconds: following.milliseconds)
    }
  }

  /// Whether a file that is followed has nothing more to come.
  private var hasEnded: Bool {
    guard let following else { return true }
    switch file {
    case .some(let file):
      if file.isReplaced(at: following.path) { return true }
      guard let size = file.regularSize(), let position = file.position else { return false }
      return size < position
    case .none: return true
    }
  }

  /// Skips the next bytes. A file is not read for that.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - place: The offset in the input that is reached by that.
  /// - Returns: The number of bytes that are left to skip, when the source has nothing yet; else 0.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before.
  mutating func skip(_ count: Int, of place: Int) throws(JSONError) -> Int {
    guard count > 0 else { return 0 }
    var left = count
    if self.place != nil {
      self.place = self.place.map { $0 + count }
      return 0
    }
    if let skipped = skipInFile(count) {
      guard skipped == count else { throw Self.tooShort(place - count + skipped, place) }
      return 0
    }
    // Nothing to go in: it is read.
    let room = 1 << 16
    let memory = RawMemory(capacity: room)
    while left > 0 {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory.base, count: min(left, room))
      let read = try unsafe read(into: buffer, at: place - left)
      if read == 0, wouldBlock { return left }
      guard read > 0 else { throw Self.tooShort(place - left, place) }
      left -= read
    }
    return 0
  }

  private func skipInFile(_ count: Int) -> Int? {
    switch file {
    case .some(let file): file.skip(count)
    case .none: nonblocking?.skip(count)
    }
  }

  /// What is wrong where the system has given bytes, and then refuses to give more.
  private static func readFailure(_ failure: File.Failure, at offset: Int) -> JSONError {
    // A folder can be opened, and its first read fails.
    JSONError(.unreadable, at: offset, offset > 0 ? .readFailure(failure.number) : .system(failure.number))
  }

  /// What is wrong where an input ends before a place in it.
  static func tooShort(_ size: Int, _ wanted: Int) -> JSONError {
    JSONError(.unreadable, at: size, .shortInput(wanted: wanted))
  }
}
