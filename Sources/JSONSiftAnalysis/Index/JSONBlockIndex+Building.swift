import JSONSift

extension JSONBlockIndex {
  /// Reads a file, and indexes the values of a few paths.
  ///
  /// - Parameters:
  ///   - path: A regular file that is not compressed, with one record on each line.
  ///   - paths: The paths, with names and indexes only. Of duplicate keys the first one counts, as in a condition.
  ///   - workers: The number of workers. The default is one for each core.
  /// - Throws: `JSONError`: `JSONError.Code.unreadable` if the file cannot be read, has another form, or changes while it
  ///   is read; `JSONError.Code.invalidPath` for a path that can select several values.
  @available(*, noasync, message: "it blocks its thread until the file is read")
  public init(of path: String, paths: [JSONPath], workers: Int? = nil) throws(JSONError) {
    do throws(JSONError) {
      try self.init(of: Array(path.utf8), paths: paths, workers: workers)
    } catch {
      throw error.isOfFile ? error.naming(path) : error
    }
  }

  @available(*, noasync)
  package init(of path: [UInt8], paths: [JSONPath], workers: Int? = nil) throws(JSONError) {
    for path in paths { try path.requireSingular() }
    let file = try File.reading(path)
    let identity = try Self.identity(of: file)
    try Self.checkLines(of: file, named: path)
    let end = try Self.lastLineEnd(of: file, identity.size)
    let found = try Self.blocks(of: file, paths, workers)
    let fingerprint = try Self.fingerprint(of: file, before: end)
    try Self.check(identity, of: file)
    self.init(identity, paths, fingerprint, found, end: end)
    permissions = file.status?.permissionsOfExcerpts ?? 0o600
  }

  /// - Parameters:
  ///   - found: The blocks. The last one may lack a line feed.
  ///   - end: The offset after the last line feed.
  private init(
    _ identity: FileIdentity, _ paths: [JSONPath], _ fingerprint: UInt64, _ found: [SketchedBlock], end: Int
  ) {
    // A last line without a line feed can still grow, so its block is not part of the index.
    let complete = found.prefix { $0.offset < end }
    var blocks: [Block] = []
    var records = 0
    for block in complete {
      blocks.append(
        Block(
          start: CountedPosition(lineAt: block.offset, line: block.line, count: records),
          isUncertain: block.isUncertain, hasBadRecords: block.hasBadRecords))
      records += block.records
    }
    let line = complete.last.map { $0.line + $0.lineFeeds } ?? 1
    self.init(
      paths: paths, container: nil, identity: identity, end: CountedPosition(lineAt: end, line: line, count: records),
      fingerprint: fingerprint, blocks: blocks,
      sketches: paths.indices.map { path in Self.droppingFilters(complete.map { $0.sketches[path] }) })
  }

  /// Drops the filters of a path whose values rise through the file, such as times: a value is within the bounds of two blocks
  /// at most, so the filters would rule out hardly any block.
  private static func droppingFilters(_ sketches: [ValueSketch]) -> [ValueSketch] {
    let bounded = sketches.filter { $0.numbers != nil || $0.strings != nil }
    guard bounded.count > 2, zip(bounded, bounded.dropFirst(2)).allSatisfy({ $0.isBelow($1) }) else { return sketches }
    return sketches.map { sketch in
      var sketch = sketch
      if !sketch.hashes.bytes.isEmpty { sketch.hashes = .all }
      return sketch
    }
  }

  /// Indexes a text without tasks, so that each run can be repeated exactly: for the fuzz targets. The index belongs to
  /// no file.
  package init(inTurn text: [UInt8], paths: [JSONPath]) throws(JSONError) {
    var cutter = LineCutter(try ReadWindow(.bytes(text)), BlockSketcher.options)
    let sketcher = try BlockSketcher(paths)
    var found: [SketchedBlock] = []
    let block = LineBlock()
    while case .block = try cutter.next(into: block) { found.append(try sketcher.read(block)) }
    let none = FileTime(seconds: 0)
    self.init(
      FileIdentity(device: 0, inode: 0, size: text.count, modified: none, changed: none), paths, 0, found,
      end: text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
  }

  private static func blocks(
    of file: borrowing File, _ paths: [JSONPath], _ workers: Int?
  ) throws(JSONError) -> [SketchedBlock] {
    var found: [SketchedBlock] = []
    try forEachBlock(of: file, BlockSketcher.options, workers) {
      let sketcher = try BlockSketcher(paths)
      return { block in
        // An index without the rest of the file would hide its records.
        if case .failure(let error) = block.content { throw error }
        return try sketcher.read(block)
      }
    } do: { block in
      found.append(block)
      return true
    }
    return found
  }

  /// Reads the blocks of a file in parallel, and passes the results in order, until `body` returns `false`.
  static func forEachBlock<Result: Sendable>(
    of file: borrowing File, _ options: JSONRecordOptions, dividedBy division: DocumentDivision? = nil, _ workers: Int?,
    makingWork makeWork: @escaping @Sendable () throws -> (LineBlock) throws -> Result, do body: (Result) -> Bool
  ) throws(JSONError) {
    let descriptor = file.descriptor
    let rejection = TaskPool.rejection()
    guard rejection == 0 else { throw JSONError(.unreadable, at: 0, system: rejection) }
    var blocks = JSONRecordBlocks<Result>(workers: workers, readingWholeFiles: false) { number in
      number == 0 ? BlockInput(.file(descriptor, at: 0), options: options, dividedBy: division) : nil
    } makingWork: {
      let work = try makeWork()
      return { (try work($0), isLast: true) }
    }
    do {
      while let block = try blocks.next(), body(block) {}
    } catch let error as JSONError {
      throw error
    } catch {
      throw JSONError(code: .unreadable, byteOffset: 0, reason: "reading ended early: \(error)")
    }
  }

  // MARK: The file

  static func identity(of file: borrowing File) throws(JSONError) -> FileIdentity {
    guard let identity = file.status.flatMap({ FileIdentity($0) }) else { throw .notRegular }
    return identity
  }

  /// Throws an error if a file has changed while it was read.
  static func check(_ identity: FileIdentity, of file: borrowing File) throws(JSONError) {
    guard file.status.flatMap({ FileIdentity($0) }) == identity else { throw .changedFile }
  }

  /// Throws an error if the file is compressed, or its records are not lines.
  private static func checkLines(of file: borrowing File, named path: [UInt8]) throws(JSONError) {
    let name = String(decoding: path, as: UTF8.self)
    var window = try ReadWindow(.file(file.descriptor, at: 0))
    let framing = try window.framing(JSONRecordOptions(framing: .automatic), name: name, resumingAt: nil)
    guard framing == .lines else { throw .notLines }
  }

  /// Returns the offset after the last line feed.
  private static func lastLineEnd(of file: borrowing File, _ size: Int) throws(JSONError) -> Int {
    var end = size
    while end > 0 {
      let start = max(end - fingerprintBytes, 0)
      let bytes = try bytes(of: file, start..<end)
      let found = unsafe bytes.withUnsafeBytes { unsafe ByteScan.lastLineFeed($0) }
      if let found { return start + found + 1 }
      guard !bytes.isEmpty else { return 0 }
      end = start
    }
    return 0
  }

  private static let fingerprintBytes = 1 << 16

  /// Returns a hash of the bytes before an offset, and of the first bytes of the file.
  static func fingerprint(of file: borrowing File, before end: Int) throws(JSONError) -> UInt64 {
    var hash = SketchHash()
    for range in [0..<min(end, fingerprintBytes), max(end - fingerprintBytes, 0)..<end] {
      let bytes = try bytes(of: file, range)
      unsafe bytes.withUnsafeBytes { unsafe hash.add($0) }
    }
    return hash.value
  }

  /// Returns the bytes of a range, or fewer if the file is shorter.
  static func bytes(of file: borrowing File, _ range: Range<Int>) throws(JSONError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let descriptor = file.descriptor
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe File.readAll(descriptor, $0, at: range.lowerBound) }
    do throws(File.Failure) {
      bytes.removeLast(bytes.count - (try read.get()))
    } catch {
      throw ByteSource.readFailure(error, at: range.lowerBound)
    }
    return bytes
  }
}
