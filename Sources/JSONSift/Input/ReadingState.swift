#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that says how far each of many files was read, so that a later run reads only what is new.
///
/// A file is recognised by what was read of it, also after it was renamed, copied, moved or compressed. The state is written
/// when a run has succeeded, as one file that replaces the last one: after any other end it is as it was, and the next run
/// reads the same again. While this object exists, no other run can use the state.
package final class ReadingState {
  private struct Stored: Codable {
    static let currentVersion = 1
    var version = Self.currentVersion
    /// The hash of what is asked. Another question has another state.
    var question: String
    var appended: Appended?
    var files: [ReadMark] = []
  }

  /// The file to which results are appended, and its length after the last run.
  package struct Appended: Sendable, Codable {
    package var file: String
    package var bytes: Int

    package init(file: String, bytes: Int) { (self.file, self.bytes) = (file, bytes) }
  }

  private let path: [UInt8]
  private let lock: File
  private var stored: Stored
  /// How far the files are read after this run, which is saved at its end only.
  var files: [ReadMark] = []
  /// The content of a file that may be compressed.
  let content: (JSONSource) -> JSONSource

  package var appended: Appended? {
    get { stored.appended }
    set { stored.appended = newValue }
  }

  /// Locks and reads a state. A file that is missing or empty is the state before the first run.
  ///
  /// - Parameters:
  ///   - path: The file. Beside it lies its lock, with `.lock` after the name.
  ///   - question: What is asked of the records.
  ///   - restarts: Whether a state that does not fit is begun anew.
  ///   - content: Returns the content of a source that may be compressed.
  /// - Throws: ``JSONError/Code/unreadable``, also if another run uses the state or it was written by a run that asked something
  ///   else.
  package init(
    _ path: [UInt8], question: [UInt8], restarting restarts: Bool = false,
    content: @escaping (JSONSource) -> JSONSource = { $0 }
  ) throws(JSONError) {
    self.path = path
    self.content = content
    let question = SHA256.text(of: question)
    stored = Stored(question: question)
    do throws(File.Failure) {
      let lock = try File(writing: Self.lockPath(path), .kept, permissions: 0o600)
      let descriptor = lock.descriptor
      _ = try File.succeeding { System.of(descriptor).lock(descriptor) }
      self.lock = lock
    } catch {
      guard error.number != EWOULDBLOCK else {
        throw Self.failure("expected a state that no other run uses, found one that is locked")
      }
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
    guard let text = try Self.text(at: path), !text.isEmpty else { return }
    do {
      let known = try JSON(parsing: text).decode(Stored.self)
      guard known.version == Stored.currentVersion else {
        throw Self.failure("expected version \(Stored.currentVersion) of a state, found \(known.version)")
      }
      guard known.question == question else {
        throw Self.failure("expected the command that wrote this state, found one that asks something else")
      }
      stored = known
      files = known.files
    } catch {
      if restarts { return }
      throw error as? JSONError ?? Self.failure("expected the state of a run, found another file (\(error))")
    }
  }

  /// Forgets all earlier runs.
  package func restart() {
    stored = Stored(question: stored.question)
    files = []
  }

  package static func failure(_ reason: String) -> JSONError { JSONError(.unreadable, at: 0, .reason(reason)) }

  /// Returns the name of the lock of a state.
  static func lockPath(_ path: [UInt8]) -> [UInt8] { path + Array(".lock".utf8) }

  private static func text(at path: [UInt8]) throws(JSONError) -> [UInt8]? {
    guard let status = File.status(at: path), status.size > 0 else { return nil }
    return try OpenFile(File.reading(path)).bytes(0..<status.size)
  }

  // MARK: Saving

  /// Replaces the state by that after a run. Returns when it has reached the disk.
  ///
  /// - Parameter parts: What was read. It is not saved if one was not read to its end, or is another file by now.
  package func save(_ parts: [ReadPart] = []) throws(JSONError) {
    for part in parts { files[part.number] = try part.markAfterReading() }
    stored.files = files
    try write()
  }

  /// Replaces the state by that in the midst of a run which reads its parts one after another.
  ///
  /// - Parameters:
  ///   - last: The index of the part up to which was read.
  ///   - mark: How far that part was read; `nil` if the next run reads it again.
  func save(_ parts: [ReadPart], before last: Int, _ mark: ReadMark?) throws(JSONError) {
    var files = files
    for (index, part) in parts.enumerated() {
      if index < last {
        files[part.number] = try part.markAfterReading()
      } else {
        if index == last, let mark { files[part.number] = mark }
        files[part.number].forgetFile()
      }
    }
    stored.files = files.filter { !$0.isEmpty }
    try write()
  }

  /// Replaces the state by the same one with another length of the file that results are appended to.
  package func save(_ appended: Appended) throws(JSONError) {
    stored.appended = appended
    try write()
  }

  private func write() throws(JSONError) {
    let text: [UInt8]
    do {
      text = try JSON(encoding: stored).bytes()
    } catch {
      throw error as? JSONError ?? Self.failure("\(error)")
    }
    do throws(File.Failure) {
      let file = try ReplacementFile(path, atMost: 0o600)
      do throws(File.Failure) {
        try unsafe text.span.withUnsafeBytes { (bytes) throws(File.Failure) in try unsafe file.write(bytes) }
        try file.complete()
      } catch {
        file.discard()
        throw error
      }
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
  }

  // MARK: What is new

  /// Finds out what is new in files.
  ///
  /// - Parameters:
  ///   - paths: The names of regular files. A file with several names is read once.
  ///   - isOfLines: Returns whether a file with a name and these first bytes has records that are lines.
  /// - Returns: The parts to read, in the order of the names, and what could not be read. A file that loses its name meanwhile is
  ///   left for the next run.
  package func plan(
    _ paths: [[UInt8]], isOfLines: (_ path: [UInt8], _ head: [UInt8]) -> Bool = { _, _ in true }
  ) throws(JSONError) -> (parts: [ReadPart], notes: Notes) {
    var notes = Notes()
    var candidates: [Candidate] = []
    var known: Set<FileStatus.Identity> = []
    for (index, path) in paths.enumerated() {
      guard let status = File.status(at: path) else {
        notes.missing.append(index)
        continue
      }
      guard status.kind == .regular else {
        throw Self.failure("expected a regular file, found another kind of file")
          .naming(String(decoding: path, as: UTF8.self))
      }
      guard known.insert(status.identity).inserted else { continue }
      candidates.append(Candidate(index: index, path: path, status: status))
    }
    var isClaimed = [Bool](repeating: false, count: files.count)
    try claim(&candidates, &isClaimed)
    let missing = Set(files.indices.lazy.filter { !isClaimed[$0] }.map { self.files[$0].path })
    var parts: [ReadPart] = []
    for var candidate in candidates where !candidate.isGone {
      let old = candidate.mark.map { files[$0] }
      if candidate.mark == nil {
        if missing.contains(candidate.path) { notes.replaced.append(candidate.path) }
        candidate.mark = files.count
        files.append(ReadMark(candidate.path, candidate.status))
        isClaimed.append(true)
        candidate.isNew = true
      }
      do throws(JSONError) {
        if let part = try part(candidate, &notes, isOfLines) { parts.append(part) }
      } catch {
        guard error.payload == Self.missing.payload, let number = candidate.mark else { throw error }
        if let old {
          files[number] = old
        } else {
          files.removeLast()
          isClaimed.removeLast()
        }
      }
    }
    forgetOld(&parts, isClaimed)
    return (parts, notes)
  }

  /// What was not read.
  package struct Notes: Sendable {
    /// The files whose last line has no line feed yet, and the number of bytes of these lines.
    package var unfinished: (first: [UInt8], files: Int, bytes: Int)?
    /// The indexes of the names that no file has.
    package var missing: [Int] = []
    /// The files that are not those that had their names before; the others are not among the files.
    package var replaced: [[UInt8]] = []

    package init() {}
  }

  // MARK: Parts

  /// Returns the part of a file to read; `nil` if nothing is new.
  private func part(
    _ candidate: Candidate, _ notes: inout Notes, _ isOfLines: ([UInt8], [UInt8]) -> Bool
  ) throws(JSONError) -> ReadPart? {
    guard let number = candidate.mark else { return nil }
    var candidate = candidate
    let old = files[number]
    let isFinished = isFinished(old, candidate)
    files[number].move(to: candidate.path, candidate.status)
    if candidate.isUnchanged, !isFinished || old.position >= old.size || old.isCompressed { return nil }
    let file = try Self.open(candidate)
    guard let status = file.status, status.isSameFile(as: candidate.status) else {
      // Another file has the name by now.
      throw Self.missing
    }
    let isCompressed = try isCompressed(&candidate, file)
    candidate.file = file
    if candidate.isUnchanged {
      candidate.ends = .init(head: try head(&candidate, old.knownBytes), tail: try tail(candidate, old) ?? [])
    }
    if candidate.isNew || old.position == 0 {
      let head = try self.head(&candidate, Self.guessBytes)
      guard head.isEmpty || isOfLines(candidate.path, head) else {
        throw Self.failure("expected records that are lines; --input ndjson reads any text as lines")
          .naming(String(decoding: candidate.path, as: UTF8.self))
      }
    }
    files[number].isCompressed = isCompressed
    var mark = files[number]
    if isCompressed { return ReadPart(candidate.index, number, mark, file, candidate.ends, end: nil) }
    var end = candidate.status.size
    if let last = candidate.ends.tail.last, last != ASCII.lineFeed {
      // Its last line was read without a line feed. What was written to that line since then is not a record.
      let rest = try Self.restOfLine(file, mark.position, end)
      candidate.ends.add(rest)
      mark.position += rest.count
      mark.line += rest.last == ASCII.lineFeed ? 1 : 0
    }
    if !isFinished {
      let last = try Self.endOfLines(file, mark.position, end)
      if last < end {
        let bytes = end - last
        notes.unfinished =
          notes.unfinished.map { ($0.first, $0.files + 1, $0.bytes + bytes) } ?? (candidate.path, 1, bytes)
      }
      end = last
    }
    return end > mark.position ? ReadPart(candidate.index, number, mark, file, candidate.ends, end: end) : nil
  }

  /// The number of first bytes that say whether a text is lines.
  private static let guessBytes = 1 << 16

  /// Returns whether nobody appends to a file any more: it was renamed or compressed, or its text stands under another name.
  private func isFinished(_ old: ReadMark, _ candidate: Candidate) -> Bool {
    if candidate.isNew { return false }
    if Self.name(old.path) != Self.name(candidate.path) { return true }
    guard old.path != candidate.path, let other = File.status(at: old.path) else { return false }
    return !other.isSameFile(as: candidate.status)
  }

  private static func name(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path[((path.lastIndex(of: ASCII.slash) ?? -1) + 1)...]
  }

  /// Returns the bytes from an offset up to the next line feed, or to the end.
  private static func restOfLine(_ file: OpenFile, _ start: Int, _ end: Int) throws(JSONError) -> [UInt8] {
    var rest: [UInt8] = []
    while start + rest.count < end, rest.last != ASCII.lineFeed {
      let from = start + rest.count
      let bytes = try file.bytes(from..<min(from + 1024, end))
      guard !bytes.isEmpty else { break }
      rest += bytes[...(bytes.firstIndex(of: ASCII.lineFeed) ?? bytes.count - 1)]
    }
    return rest
  }

  /// Returns the offset after the last line feed of a range; its start if there is none.
  private static func endOfLines(_ file: OpenFile, _ start: Int, _ end: Int) throws(JSONError) -> Int {
    var (end, step) = (end, 1 << 10)
    while end > start {
      let from = max(end - step, start)
      if let feed = try file.bytes(from..<end).lastIndex(of: ASCII.lineFeed) { return from + feed + 1 }
      (end, step) = (from, min(step * 4, 1 << 20))
    }
    return start
  }

  /// Forgets the files that were not found for the longest time, so that a state does not grow for ever.
  private func forgetOld(_ parts: inout [ReadPart], _ isClaimed: [Bool]) {
    let missing = files.indices.filter { !isClaimed[$0] }
    let excess = missing.count - max(Self.keptMissing, isClaimed.count - missing.count)
    // The files of this run stand behind those that are missing, so that the oldest ones are first.
    let order = Array(missing.dropFirst(max(excess, 0))) + files.indices.filter { isClaimed[$0] }
    var places: [Int: Int] = [:]
    for (place, number) in order.enumerated() { places[number] = place }
    files = order.map { files[$0] }
    for index in parts.indices { parts[index].number = places[parts[index].number] ?? 0 }
  }

  private static let keptMissing = 1000
}
