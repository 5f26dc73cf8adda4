/// Reads a ``JSONSource``.
///
/// Throws an error for gzip and zstd data, unless a module that decompresses them has opened the source.
package struct ByteSource: ~Copyable {
  var file: File?
  /// Reads the file on its own thread, once reading ahead has started.
  var ahead: ReadAhead?
  let reader: (any ByteReader)?
  private let isCompressionAllowed: Bool
  var isHeadKnown = false
  /// An error behind the first bytes, which the next read throws.
  private var headError: JSONError?
  private var nextChunk: JSONSource.NextChunk?
  private(set) var nonblocking: NonblockingInput?
  /// Whether a read waits for `nonblocking`. Otherwise the owner waits.
  private let waits: Bool
  /// The number of bytes in memory that were not read yet; `nil` for any other source.
  private var restInMemory: Int?
  /// The bytes in memory; `nil` for any other source.
  private(set) var memory: [UInt8]?
  /// Whether the last read found no bytes although the input has not ended.
  package internal(set) var wouldBlock = false
  private var chunk: ArraySlice<UInt8> = []
  private var hooks = ReadHooks()
  /// The hooks of a reader that another thread uses.
  private var inputHooks = ReadHooks()
  let following: JSONSource.Following?
  package let mayGrow: Bool
  /// The offset in the file of the next read. `nil` if the descriptor's own position is used.
  var fileOffset: Int?
  var isAtEnd = false
  /// The size that the file must have; `nil` for any size.
  private var expectedSize: Int?
  /// Owns the descriptor of an expected file, so it is released after the other properties.
  private let expectation: FileExpectation?

  package init(_ source: JSONSource, allowingCompression: Bool = false) throws(JSONError) {
    var reader: (any ByteReader)?
    if case .reader(let inner, let open) = source.kind { reader = try open(inner) }
    if case .unopenable(let error) = source.kind { throw error }
    if case .arriving = source.kind {
      throw JSONError(.unreadable, at: 0, .reason("the bytes arrive over time, for which only JSONRecords can wait"))
    }
    var chunks: JSONSource.NextChunk?
    if case .chunks(let make) = source.kind { chunks = try make() }
    try self.init(source, reader, chunks, allowingCompression)
  }

  private init(
    _ source: JSONSource, _ reader: (any ByteReader)?, _ chunks: JSONSource.NextChunk?, _ allowingCompression: Bool
  ) throws(JSONError) {
    self.reader = reader
    // The text that a step makes has the format of a step, whatever its first bytes are.
    isHeadKnown = reader?.origins != nil || source.isPlain
    hooks.before = source.callbacks.beforeRead
    hooks.after = source.callbacks.afterRead
    isCompressionAllowed = allowingCompression
    following = source.following
    mayGrow = source.mayGrow
    if case .bytes(let bytes) = source.kind { (restInMemory, memory) = (bytes.count, bytes) }
    expectation = source.expectation
    waits = if case .path = source.kind { source.following != nil } else { false }
    if case .path(let path) = source.kind, let opened = try source.expectation?.open(path) {
      // Also compared with the end of the bytes: the file may be shorter while it is read, and have this size again later.
      expectedSize = opened.size
      file = File(borrowing: opened.descriptor)
      return
    }
    do throws(File.Failure) {
      switch source.kind {
      case .path(let path):
        if let following {
          nonblocking = FollowedInput(try File(path: path), following)
        } else {
          file = try File(path: path)
        }
      case .descriptor(let descriptor): file = File(borrowing: descriptor)
      case .bytes(let bytes):
        var rest: [UInt8]? = bytes
        nextChunk = {
          defer { rest = nil }
          return rest
        }
      case .chunks: nextChunk = chunks
      case .nonblocking(let make): nonblocking = make()
      case .reader, .arriving, .unopenable: break
      case .descriptorAt(let descriptor, let offset):
        file = File(borrowing: descriptor)
        fileOffset = offset
      }
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
  }

  /// Reads up to `buffer.count` bytes and returns their number; 0 is the end, unless ``wouldBlock`` is set. `offset` is the
  /// offset in the input, for errors.
  package mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if let error = headError.take() { throw error }
    return isHeadKnown
      ? try unsafe readMore(into: buffer, at: offset) : try unsafe readHead(into: buffer, at: offset)
  }

  /// Reads the first bytes, at least enough of them to detect compression.
  private mutating func readHead(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    var count = 0
    repeat {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let more: Int
      do throws(JSONError) {
        more = try unsafe readMore(into: room, at: offset + count)
      } catch {
        // The bytes before the error come first.
        guard count > 0 else { throw error }
        headError = error
        break
      }
      if more == 0 { break }
      count += more
    } while unsafe !isCompressionAllowed
      && Self.needsMore(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), isExternal)
    isHeadKnown = count > 0 || !wouldBlock
    guard !isCompressionAllowed else { return count }
    if let format = unsafe CompressedFormat(of: UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) {
      isAtEnd = true
      throw JSONError(compressed: format, isInside: reader != nil)
    }
    if isExternal,
      let format = unsafe CompressedFormat(foreign: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    {
      isAtEnd = true
      throw JSONError(foreign: format, isInside: isCompressed)
    }
    return count
  }

  /// Whether the bytes come from outside of the program, so that they can have any format.
  private var isExternal: Bool { file != nil || reader != nil || nonblocking != nil }

  /// Returns whether more bytes are needed to recognise a format.
  private static func needsMore(_ bytes: UnsafeRawBufferPointer, _ isExternal: Bool) -> Bool {
    // Most texts begin with a bracket, and then with a byte that is not 0.
    // A skippable frame of zstd can begin with a bracket and an asterisk.
    if bytes.count >= 2, unsafe bytes[0] | 0x20 == ASCII.openBrace, unsafe bytes[1] != 0 && bytes[1] != 0x2A {
      return false
    }
    return CompressedFormat.all.contains { unsafe $0.mayBegin(bytes) }
      || isExternal && CompressedFormat.foreign.contains { unsafe $0.mayBegin(bytes) }
  }

  private mutating func readMore(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    guard !isAtEnd, unsafe !buffer.isEmpty else { return 0 }
    beforeRead()
    let count: Int
    if let reader {
      // An error ends the source: the next read returns 0, and does not throw again.
      isAtEnd = true
      count = try unsafe reader.read(into: buffer, at: offset)
      isAtEnd = false
      wouldBlock = count == 0 && reader.wouldBlock
    } else if let nextChunk {
      isAtEnd = true
      do {
        while chunk.isEmpty, let next = try nextChunk() { chunk = next[...] }
      } catch {
        throw JSONError(ofSource: error, at: offset)
      }
      isAtEnd = false
      count = min(chunk.count, buffer.count)
      unsafe buffer.copyBytes(from: chunk.prefix(count))
      chunk = chunk.dropFirst(count)
      restInMemory = restInMemory.map { $0 - count }
    } else {
      do throws(File.Failure) {
        if let nonblocking {
          var found = try unsafe nonblocking.read(into: buffer)
          while waits, found == nil {
            hooks.before?()
            nonblocking.waitBlocking()
            found = try unsafe nonblocking.read(into: buffer)
          }
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
      try expectEnd(at: offset)
    }
    afterRead(count)
    return count
  }

  /// Throws an error if an expected file does not end at its size.
  private func expectEnd(at offset: Int) throws(JSONError) {
    guard let expectedSize, offset != expectedSize else { return }
    throw JSONError(.unreadable, at: offset, .otherFile(.end(found: offset, expected: expectedSize)))
  }

  /// Whether a read returns without waiting for the process that writes the input.
  package var canReadAtOnce: Bool {
    guard following == nil else { return false }
    if ahead != nil { return true }
    if let reader { return reader.canReadAtOnce }
    if neverWaits { return true }
    // Requesting a chunk from the sequence may block.
    return file.borrow { $0.isReady } ?? (nonblocking != nil)
  }

  /// Whether no read ever waits: true for bytes in memory and for regular files.
  package var neverWaits: Bool {
    if ahead != nil { return true }
    guard following == nil, reader == nil else { return false }
    return file.borrow { $0.regularSize() != nil } ?? (restInMemory != nil)
  }

  /// The number of bytes left in a regular file; `nil` for any other source.
  package var regularRest: Int? {
    guard following == nil, let size = file?.regularSize(), let position = file.borrow({ $0.position }) ?? nil else {
      return nil
    }
    return size - (fileOffset ?? position)
  }

  /// The number of bytes left; `nil` if bytes cannot be skipped without reading them: in pipes, chunks and compressed input.
  package var rest: Int? {
    guard following == nil, ahead == nil else { return nil }
    return reader.map { $0.rest } ?? nonblocking.map { $0.rest } ?? restInMemory ?? regularRest
  }

  /// Whether the input is compressed.
  var isCompressed: Bool { reader?.isCompressed ?? false }

  // MARK: Reading ahead

  /// Starts a thread that reads the rest of the file, if the rest is long enough to be worth a thread.
  ///
  /// - Parameters:
  ///   - offset: The offset in the input of the next byte.
  ///   - limit: The number of bytes that are needed; `nil` for the whole rest.
  ///   - inspector: Inspects each block on the reading thread; see ``ReadAhead``. Not used where that thread decompresses,
  ///     since it is busy.
  /// - Returns: Whether the inspector receives all further bytes.
  mutating func readAhead(
    from offset: Int, atMost limit: Int? = nil, inspectedBy inspector: (any BlockInspector)?
  ) -> Bool {
    guard ahead == nil, following == nil, fileOffset == nil, isHeadKnown, !isAtEnd, Processors.count > 1 else {
      return false
    }
    if let reader {
      guard reader.remainingInput ?? 0 >= Self.longRestOfReader else { return false }
      // Taken before the thread starts, so that the thread does not call the hooks.
      inputHooks = reader.takeReadHooks()
      ahead = ReadAhead(AheadReader(reader, at: offset))
      return false
    }
    guard min(regularRest ?? 0, limit ?? .max) >= Self.longRest else { return false }
    let input = AheadFile(taking: &file)
    ahead = ReadAhead(input, inspectedBy: inspector)
    if ahead == nil { input.returnFile(&file) }
    return ahead != nil && inspector != nil
  }

  /// The minimum number of bytes left in a file. Fewer bytes are read before a thread has started.
  private static let longRest = 8 << 20
  /// The minimum for compressed input, which expands to several times its size and is slower to read.
  private static let longRestOfReader = 1 << 20

  /// Whether another thread reads ahead and the bytes arrive in blocks.
  var isReadAhead: Bool { ahead != nil }

  /// Takes the next block that was read ahead, after the unused bytes; see ``ReadAhead/next(into:after:)``. `offset` is the
  /// block's offset in the input, for errors.
  mutating func nextBlock(
    into memory: inout RawMemory, after left: inout Range<Int>, at offset: Int
  ) throws(JSONError) -> Int {
    guard let ahead, !isAtEnd else { return 0 }
    beforeRead()
    let count: Int
    do {
      count = try ahead.next(into: &memory, after: &left)
    } catch {
      // An error ends the source: the thread has ended.
      isAtEnd = true
      if let error = error as? JSONError { throw error }
      throw Self.readFailure(error as? File.Failure ?? File.Failure(number: 0), at: offset)
    }
    if count == 0 {
      isAtEnd = true
      try expectEnd(at: offset)
    }
    afterRead(count)
    return count
  }

  func beforeRead() {
    hooks.before?()
    inputHooks.before?()
  }

  mutating func afterRead(_ count: Int) {
    hooks.after?(count)
    guard let after = inputHooks.after else { return }
    let used = inputHooks.usedBytes()
    guard used > inputHooks.reportedBytes else { return }
    after(used - inputHooks.reportedBytes)
    inputHooks.reportedBytes = used
  }

  /// Returns the read hooks to the caller, which calls them from now on.
  package mutating func takeReadHooks() -> ReadHooks {
    defer { hooks = ReadHooks() }
    return hooks
  }

  private mutating func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    if let fileOffset {
      let count = try unsafe file?.read(into: buffer, at: fileOffset) ?? 0
      self.fileOffset = fileOffset + count
      return count
    }
    return try unsafe file?.read(into: buffer) ?? 0
  }

  /// Skips the next bytes, in a file without reading them.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - target: The offset in the input after them.
  /// - Returns: The number of bytes still to skip if the source has no bytes yet; else 0.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before.
  package mutating func skip(_ count: Int, of target: Int) throws(JSONError) -> Int {
    guard count > 0 else { return 0 }
    var left = count
    if let reader, try reader.skip(count, of: target) { return 0 }
    if let fileOffset {
      // Reading at an offset beyond the end of the file would only show that the file ends before it.
      let rest = max(regularRest ?? count, 0)
      guard rest >= count else { throw Self.tooShort(target - count + rest, target) }
      self.fileOffset = fileOffset + count
      return 0
    }
    if let skipped = skipInFile(count) {
      guard skipped == count else { throw Self.tooShort(target - count + skipped, target) }
      return 0
    }
    // The source cannot seek: the bytes are read and dropped.
    let room = Sizes.of(1 << 16, fuzzing: 16)
    let memory = RawMemory(capacity: room)
    while left > 0 {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory.base, count: min(left, room))
      let read = try unsafe read(into: buffer, at: target - left)
      if read == 0, wouldBlock { return left }
      guard read > 0 else { throw Self.tooShort(target - left, target) }
      left -= read
    }
    return 0
  }

  private func skipInFile(_ count: Int) -> Int? { file.borrow { $0.skip(count) } ?? nonblocking?.skip(count) }

  /// Returns the error for a failed read.
  package static func readFailure(_ failure: File.Failure, at offset: Int) -> JSONError {
    // A directory, for example, can be opened but not read.
    JSONError(.unreadable, at: offset, offset > 0 ? .readFailure(failure.number) : .system(failure.number))
  }

  /// Returns the error for an input that ends before an offset.
  package static func tooShort(_ size: Int, _ wanted: Int) -> JSONError {
    JSONError(.unreadable, at: size, .shortInput(wanted: wanted))
  }
}
