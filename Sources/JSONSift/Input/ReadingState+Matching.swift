/// Recognises files by what was read of them.
extension ReadingState {
  /// A file, and what is found out about it.
  struct Candidate {
    let index: Int
    let path: [UInt8]
    let status: FileStatus
    /// The number of its mark.
    var mark: Int?
    var file: OpenFile?
    /// The first and last bytes of what was read before.
    var ends = TextEnds.Ends()
    var isNew = false
    /// Whether nothing has changed, so that it need not be opened.
    var isUnchanged = false
    var isCompressed: Bool?
    /// Whether the file has lost its name since it was listed. Then it is as if it had not been there.
    var isGone = false

    init(index: Int, path: [UInt8], status: FileStatus) { (self.index, self.path, self.status) = (index, path, status) }
  }

  /// Finds the mark of each file: first the mark with the file's identity in the system, then the mark with its name, then any mark
  /// whose text the file begins with. Marks without text are matched last, because the system may reuse the identity of a file.
  func claim(_ candidates: inout [Candidate], _ isClaimed: inout [Bool]) throws(JSONError) {
    var byFile: [FileStatus.Identity: [Int]] = [:]
    var byPath: [[UInt8]: [Int]] = [:]
    for (number, mark) in files.enumerated() {
      byFile[mark.file, default: []].append(number)
      byPath[mark.path, default: []].append(number)
    }
    for pass in 0..<4 {
      for index in candidates.indices where candidates[index].mark == nil && !candidates[index].isGone {
        let candidate = candidates[index]
        let numbers: [Int] =
          switch pass {
          case 0, 3: byFile[candidate.status.identity] ?? []
          case 1: byPath[candidate.path] ?? []
          default: files.indices.filter { files[$0].position > 0 }
          }
        let free = numbers.filter { !isClaimed[$0] }
        var number: Int?
        do throws(JSONError) {
          number =
            pass == 3
            ? free.first { files[$0].waits(in: candidate.status) }
            : try match(&candidates[index], free, isSameFile: pass == 0)
        } catch {
          guard error.payload == Self.missing.payload else { throw error }
          candidates[index].isGone = true
        }
        if let number {
          candidates[index].mark = number
          isClaimed[number] = true
        }
      }
    }
  }

  /// Returns the mark of those given whose text a file begins with: the one that was read furthest.
  private func match(_ candidate: inout Candidate, _ numbers: [Int], isSameFile: Bool) throws(JSONError) -> Int? {
    if isSameFile, let number = numbers.first(where: { files[$0].isUnchanged(candidate.status) }) {
      candidate.isUnchanged = true
      return number
    }
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted { files[$0].position > files[$1].position }
    guard let longest = sorted.first.map({ files[$0].knownBytes }), longest > 0 else { return nil }
    let head = try self.head(&candidate, longest)
    var hashes: [Int: String] = [:]
    for number in sorted {
      let mark = files[number]
      let count = mark.knownBytes
      guard count > 0, head.count >= count else { continue }
      let hash = hashes[count] ?? SHA256.text(of: Array(head.prefix(count)))
      hashes[count] = hash
      guard hash == mark.head, let tail = try tail(candidate, mark), SHA256.text(of: tail) == mark.tail else {
        continue
      }
      candidate.ends = TextEnds.Ends(head: Array(head.prefix(count)), tail: tail)
      return number
    }
    return nil
  }

  /// The error of a file that has lost its name.
  static var missing: JSONError { JSONError(.unreadable, at: 0, system: File.Failure.missing) }

  static func open(_ candidate: Candidate) throws(JSONError) -> OpenFile {
    if let file = candidate.file { return file }
    return OpenFile(try File.reading(candidate.path))
  }

  /// Opens a file, and returns the first bytes of its text.
  func head(_ candidate: inout Candidate, _ count: Int) throws(JSONError) -> [UInt8] {
    let file = try Self.open(candidate)
    candidate.file = file
    guard try isCompressed(&candidate, file) else { return try file.bytes(0..<count) }
    return try text(of: file, from: 0, to: count) ?? []
  }

  func isCompressed(_ candidate: inout Candidate, _ file: OpenFile) throws(JSONError) -> Bool {
    if let known = candidate.isCompressed { return known }
    let magic = try file.bytes(0..<4)
    let isCompressed = unsafe magic.withUnsafeBytes { unsafe CompressedFormat(of: $0) } != nil
    candidate.isCompressed = isCompressed
    return isCompressed
  }

  /// Returns the last known bytes before the position of a mark; `nil` if the text of the file is shorter.
  func tail(_ candidate: Candidate, _ mark: ReadMark) throws(JSONError) -> [UInt8]? {
    guard let file = candidate.file else { return nil }
    let start = mark.position - mark.knownBytes
    if candidate.isCompressed == true { return try text(of: file, from: start, to: mark.position) }
    let bytes = try file.bytes(start..<mark.position)
    return bytes.count == mark.knownBytes ? bytes : nil
  }

  /// Returns a part of a compressed text; `nil` if the text is shorter, or damaged before its end.
  private func text(of file: OpenFile, from start: Int, to end: Int) throws(JSONError) -> [UInt8]? {
    do throws(JSONError) {
      var window = try ReadWindow(content(file.source))
      guard try window.skip(to: start) else { return nil }
      while window.count < end - start { guard try window.fill() else { break } }
      let text = unsafe Array(window.bytes.prefix(end - start))
      return start == 0 || text.count == end - start ? text : nil
    } catch {
      // The run reports what is damaged.
      return nil
    }
  }
}
