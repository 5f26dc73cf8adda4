extension JSONRecords where Element == JSONRecord {
  /// Creates the sequence of the records that are new in the files of a folder since they were read last, and keeps in a file how
  /// far they were read.
  ///
  /// ```swift
  /// let records = JSONRecords(folder: "logs/**/app.log*", state: "errors.state").where("@.level == 'error'")
  /// for try await record in records {
  ///   try store(record)
  /// }
  /// ```
  ///
  /// The records of each file are lines. Files are recognised by what was read of them, also after they were renamed, copied and
  /// truncated, compressed (see `decompressing()`) or moved. The files are read in the order of their names, and the lines and the
  /// errors of a record are those of its file. A last line without a line feed waits until it has one, or until its file is rotated.
  ///
  /// # What is promised
  ///
  /// The state is saved when the iterator has returned `nil`, before that is returned, and by ``saveState(after:)``. After any other
  /// end, such as a `break`, an error, a cancelled task or a crash, it is as it was saved last, and the next iterator returns the
  /// records after that again: each record is returned **at least once**. A bad record that is skipped is not returned again.
  ///
  /// From the first `next()` until it has returned `nil`, or until the iterator is released, the state is locked (`.lock` after its
  /// name). If it is in use by another iterator or process, or if it was written with another condition or by the tool, the first
  /// `next()` throws ``JSONError/Code/unreadable``, and so does the last one if a file was truncated meanwhile.
  ///
  /// Memory is a window of 64 KiB, and each file with new records has a descriptor. A file that has not changed is not opened.
  ///
  /// - Parameters:
  ///   - pattern: A folder, all of whose files are read, also those in folders in it; or a name of files with wildcards as on the
  ///     command line: `*`, `?` and `[a-z]` in the name of a file or folder, `**` for any number of folders. Rotated files must be
  ///     among the files. The state is not.
  ///   - state: The file of the state. If it is missing, all records are new.
  ///   - restarts: Whether a state that is damaged, or was written with another condition, is begun anew, so that all records are
  ///     returned.
  ///   - options: How the files are read, and how bad records are handled. The range is not used. With
  ///     ``JSONFraming/automatic`` a file that does not look like lines is an error; otherwise any file is read as lines.
  public init(
    folder pattern: String, state: String, restarting restarts: Bool = false,
    options: JSONRecordOptions = JSONRecordOptions()
  ) {
    var options = options
    options.range = nil
    let plan = FolderPlan(pattern, state, options, restarts: restarts)
    options.framing = .lines
    self.init(
      .unopenable(ReadingState.failure("expected an iterator, which knows the state of the folder")), options: options)
    request.folder = plan
  }
}

extension JSONRecords {
  /// Saves that a record of `JSONRecords(folder:state:)` was handled, and all records before it: a program that ends after this is
  /// not given them again. Call it while the iterator that returned the record is in use, and not after each record: the file of the
  /// state is replaced, and the call returns when it has reached the disk.
  ///
  /// Records that steps make of one record of a file are saved when the first one of the next is. In a compressed file, records are
  /// saved when the file is read to its end.
  ///
  /// - Parameter record: A record that the iterator that was made last has returned.
  /// - Throws: ``JSONError/Code/unreadable`` if no iterator reads or the state cannot be written, and if the records do not come in the
  ///   order of the input (``workers(_:inOrder:)``).
  public func saveState(after record: JSONRecord) throws(JSONError) {
    guard let run = request.folder?.current.withLock({ $0 }), request.isOrdered else {
      throw ReadingState.failure("expected records of a folder with a state, in the order of the input")
    }
    try run.save(after: request.options.steps.isEmpty ? record.line : record.line - 1, of: record.inputIndex)
  }

  /// Returns the name of the file of a record of `JSONRecords(folder:state:)`, as it was found; `nil` for other records.
  ///
  /// - Parameter record: A record that the iterator that was made last has returned.
  public func path(of record: JSONRecord) -> String? {
    request.folder?.current.withLock { $0 }?.path(of: record.inputIndex).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// How the files of a folder are read from where they were read last.
struct FolderPlan: Sendable {
  private let pattern: [UInt8]
  let state: [UInt8]
  /// Whether files that are not lines are rejected.
  let guessesFraming: Bool
  let options: JSONRecordOptions
  let restarts: Bool
  /// Returns the decompressed content of a file.
  var content: @Sendable (JSONSource) -> JSONSource = { $0 }
  /// The reading that began last.
  let current = Lock<FolderRun?>(nil)

  init(_ pattern: String, _ state: String, _ options: JSONRecordOptions, restarts: Bool) {
    (self.pattern, self.state, self.restarts) = (Array(pattern.utf8), Array(state.utf8), restarts)
    guessesFraming = options.guessesFraming
    var options = options
    (options.framing, options.steps) = (.lines, [])
    self.options = options
  }

  /// Returns the names of the files that exist at present, without the state.
  func files() throws(JSONError) -> [[UInt8]] {
    var found: [[UInt8]]
    if File.status(at: pattern)?.kind == .folder {
      let escaped = pattern.flatMap { "*?[\\".utf8.contains($0) ? [ASCII.backslash, $0] : [$0] }
      found = FilePattern(escaped + Array("/**".utf8)).files()
    } else if case .pattern(let pattern) = FollowPlan.Target(pattern) {
      found = pattern.files()
    } else {
      // A single file must exist.
      _ = try File.reading(pattern)
      found = [pattern]
    }
    let own = [state, ReadingState.lockPath(state)].compactMap { File.status(at: $0) }
    found.removeAll { path in
      File.status(at: path).map { status in own.contains { $0.isSameFile(as: status) } } ?? false
    }
    return found
  }
}
