import JSONSift

/// The file of an index. All numbers are little-endian. A header says where its sections are: one with the blocks, and one
/// for each path with the sketches of that path. Each section has a hash, and only those that a condition needs are read.
///
/// The file is input like any other: every length is checked before it is used.
extension JSONBlockIndex {
  /// The first bytes of the file: the name of the format, and its version.
  private static let magic = Array("JSIDX\r\n\u{3}".utf8)
  /// The maximum number of blocks. A block has about a megabyte, so no file has that many.
  private static let maxBlocks = 1 << 26
  private static let maxHeaderBytes = 1 << 24

  // MARK: Writing

  /// Writes the index. An existing file is replaced when the new one is complete and on the disk.
  ///
  /// The index holds values of the indexed file: the least and the greatest of each block, and hashes of the others. So nobody
  /// can read the index who could not read the file when it was indexed: its permissions are at most those of the file. An
  /// index that was read from a file, and not made in this process, keeps the permissions of the file that it replaces.
  ///
  /// - Throws: `JSONError.Code.unwritable`.
  public func write(to path: String) throws(JSONError) {
    do throws(File.Failure) {
      let file = try ReplacementFile(Array(path.utf8), atMost: permissions)
      try write(to: file)
      try file.complete()
    } catch {
      throw JSONError(.unwritable, at: 0, system: error.number).naming(path)
    }
  }

  package func write(to file: ReplacementFile) throws(File.Failure) {
    let bytes = encoded()
    try unsafe bytes.span.withUnsafeBytes { (bytes) throws(File.Failure) in try unsafe file.write(bytes) }
  }

  package func encoded() -> [UInt8] {
    let sections = [encodedBlocks()] + paths.indices.map { encodedSketches(of: $0) }
    let texts = paths.map { Array($0.description.utf8) }
    // The offsets in the header depend on its size, but not the size on the offsets. So it is encoded once to measure it.
    let headerBytes = header(sections, texts, at: 0).count
    return header(sections, texts, at: headerBytes) + sections.flatMap { $0 }
  }

  private func header(_ sections: [[UInt8]], _ texts: [[UInt8]], at start: Int) -> [UInt8] {
    var bytes = Self.magic
    bytes.append(number: UInt64(start))
    for word in identity.words { bytes.append(number: word) }
    bytes.append(end)
    let array = Array((container?.description ?? "").utf8)
    for word in [fingerprint, UInt64(blocks.count), UInt64(paths.count), UInt64(array.count)] {
      bytes.append(number: word)
    }
    bytes += array
    var offset = start
    for (number, section) in sections.enumerated() {
      let text = number > 0 ? texts[number - 1] : []
      bytes.append(number: UInt64(text.count))
      bytes += text
      bytes.append(number: UInt64(offset))
      bytes.append(number: UInt64(section.count))
      bytes.append(number: section.sketchHash)
      offset += section.count
    }
    bytes.append(number: bytes.sketchHash)
    return bytes
  }

  private func encodedBlocks() -> [UInt8] {
    var bytes: [UInt8] = []
    for block in blocks {
      bytes.append(block.start)
      bytes.append((block.isUncertain ? 1 : 0) | (block.hasBadRecords ? 2 : 0))
    }
    return bytes
  }

  private func encodedSketches(of path: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for sketch in sketches[path] {
      bytes.append(sketch.kinds.rawValue)
      bytes.append((sketch.numbers == nil ? 0 : 1) | (sketch.strings == nil ? 0 : 2))
      if let numbers = sketch.numbers {
        bytes.append(number: numbers.lowerBound.bitPattern)
        bytes.append(number: numbers.upperBound.bitPattern)
      }
      if let strings = sketch.strings {
        for bound in [strings.least, strings.greatest] {
          bytes.append(UInt8(truncatingIfNeeded: bound.count))
          bytes += bound
        }
      }
      bytes.append(number: UInt64(sketch.hashes.bytes.count))
      bytes += sketch.hashes.bytes
    }
    return bytes
  }

  // MARK: Reading

  /// Reads an index from a file.
  ///
  /// - Parameters:
  ///   - path: The file of the index.
  ///   - condition: If present, only the parts for its paths are read. ``ranges(where:includingBadRecords:)`` then answers
  ///     only this condition.
  /// - Throws: `JSONError.Code.unreadable` if the file cannot be read, is not an index, or is damaged.
  public init(contentsOf path: String, for condition: JSONCondition? = nil) throws(JSONError) {
    do throws(JSONError) {
      try self.init(contentsOf: Array(path.utf8), for: condition)
    } catch {
      throw error.naming(path)
    }
  }

  package init(contentsOf path: [UInt8], for condition: JSONCondition? = nil) throws(JSONError) {
    let file = try File.reading(path)
    guard let size = file.regularSize() else { throw .notAnIndex }
    try self.init(size: size, for: condition) { (range) throws(JSONError) in try Self.bytes(of: file, range) }
  }

  /// Reads an index from its bytes.
  package init(stored bytes: [UInt8], for condition: JSONCondition? = nil) throws(JSONError) {
    try self.init(size: bytes.count, for: condition) { (range) throws(JSONError) in
      Array(bytes[min(range.lowerBound, bytes.count)..<min(range.upperBound, bytes.count)])
    }
  }

  /// Reads an index.
  ///
  /// - Parameters:
  ///   - size: The number of bytes of the file.
  ///   - condition: See ``init(contentsOf:for:)``.
  ///   - read: Returns the bytes of a range, or fewer.
  init(
    size: Int, for condition: JSONCondition? = nil, _ read: (Range<Int>) throws(JSONError) -> [UInt8]
  ) throws(JSONError) {
    var start = IndexBytes(try read(0..<min(size, Self.magic.count + 8)))
    guard start.bytes(Self.magic.count).map({ Array($0) }) == Self.magic else { throw .notAnIndex }
    guard let headerBytes = start.count, (8...min(size, Self.maxHeaderBytes)).contains(headerBytes) else {
      throw .damagedIndex
    }
    var header = IndexBytes(try read(0..<headerBytes))
    guard header.takeHash(), let _ = header.bytes(Self.magic.count + 8), let identity = FileIdentity(&header),
      let end = header.position, let fingerprint = header.number, let blockCount = header.count,
      blockCount <= Self.maxBlocks, let pathCount = header.count,
      let array = header.count.flatMap({ header.bytes($0) })
    else { throw .damagedIndex }
    var container: JSONPath?
    if !array.isEmpty {
      guard let path = Self.path(array), pathCount == 0 else { throw .damagedIndex }
      container = path
    }
    var paths: [JSONPath] = []
    var sections: [IndexSection] = []
    // Each path takes more than a byte of the header.
    guard pathCount < headerBytes else { throw .damagedIndex }
    for number in 0...pathCount {
      guard let section = IndexSection(&header, of: size) else { throw .damagedIndex }
      if number > 0 {
        guard let path = Self.path(section.text) else { throw .damagedIndex }
        paths.append(path)
      }
      sections.append(section)
    }
    guard let blocks = Self.blocks(IndexBytes(try read(sections[0].range)), sections[0].hash, blockCount) else {
      throw .damagedIndex
    }
    var sketches: [[ValueSketch]] = []
    var known: [JSONPath] = []
    let wanted = condition?.reads(paths)
    for (number, (path, section)) in zip(paths, sections.dropFirst()).enumerated() where wanted?[number] != false {
      guard let read = Self.sketches(IndexBytes(try read(section.range)), section.hash, blockCount) else {
        throw .damagedIndex
      }
      sketches.append(read)
      known.append(path)
    }
    guard blocks.last.map({ $0.start.isBefore(end) }) ?? true else { throw .damagedIndex }
    self.init(
      paths: known, container: container, identity: identity, end: end, fingerprint: fingerprint, blocks: blocks,
      sketches: sketches)
  }

  private static func path(_ text: ArraySlice<UInt8>) -> JSONPath? {
    guard let text = String(validating: text, as: UTF8.self), let path = try? JSONPath(text), path.isSingular else {
      return nil
    }
    return path
  }

  private static func blocks(_ section: IndexBytes, _ hash: UInt64, _ count: Int) -> [Block]? {
    var section = section
    guard section.hash == hash else { return nil }
    var blocks: [Block] = []
    for _ in 0..<count {
      guard let start = section.position, let flag = section.byte else { return nil }
      if let last = blocks.last, !last.start.isBefore(start) { return nil }
      blocks.append(Block(start: start, isUncertain: flag & 1 != 0, hasBadRecords: flag & 2 != 0))
    }
    return section.isAtEnd ? blocks : nil
  }

  private static func sketches(_ section: IndexBytes, _ hash: UInt64, _ count: Int) -> [ValueSketch]? {
    var section = section
    guard section.hash == hash else { return nil }
    var sketches: [ValueSketch] = []
    for _ in 0..<count {
      guard let kinds = section.byte, let parts = section.byte else { return nil }
      var sketch = ValueSketch(kinds: ValueSketch.Kinds(rawValue: kinds))
      if parts & 1 != 0 {
        guard let least = section.number.map({ Double(bitPattern: $0) }),
          let greatest = section.number.map({ Double(bitPattern: $0) }), least <= greatest
        else { return nil }
        sketch.numbers = least...greatest
      }
      if parts & 2 != 0 {
        guard let least = section.shortBytes, let greatest = section.shortBytes else { return nil }
        sketch.strings = ValueSketch.StringBounds(least: least, greatest: greatest)
      }
      guard let length = section.count, length <= BloomFilter.maxBytes, let bits = section.bytes(length) else {
        return nil
      }
      sketch.hashes = BloomFilter(bytes: Array(bits))
      sketches.append(sketch)
    }
    return section.isAtEnd ? sketches : nil
  }
}
