import ArgumentParser
import JSONSift

/// The options of a run that goes on where the last one ended, as typed.
struct StateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read only what is new since the last run with this file, which is written when the run has succeeded. Files are known by "
        + "their first bytes, also after rotation.",
      valueName: "file"), completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Write to the end of this file, each result exactly once: what a run has written that was killed is cut off by the next. "
        + "With --state.",
      valueName: "file"), completion: .file())
  var append: String?

  @Option(
    help: ArgumentHelp(
      "What to do with a state of another command, or one that is damaged: refuse it, or begin anew and read everything.",
      valueName: "refuse|restart"))
  var stateMismatch = Mismatch.refuse

  enum Mismatch: String, ExpressibleByArgument, CaseIterable {
    case refuse, restart
  }

  func validate() throws {
    guard state == nil else { return }
    if append != nil { throw ValidationError("--append needs --state, which knows where the last run ended") }
    if stateMismatch != .refuse { throw ValidationError("--state-mismatch is for --state; use both") }
  }

  /// The option, if it is used.
  var option: String? { state == nil ? nil : "--state" }

  /// Replaces files by what is new in them.
  ///
  /// - Parameter names: The names of the files, as the parser has returned them.
  func apply(to files: inout [InputFile], _ names: [String], _ command: some ResultCommand) throws {
    guard let state else { return }
    try refuseOthers(command)
    let target = try OutputFile.target(state, of: "--state", reading: files)
    guard let path = target.path else { throw failure("--state -: expected the name of a file") }
    files = files.flatMap { $0.matchingPattern() }
    if files.contains(where: { $0.path == nil }) {
      throw failure("--state: expected the names of files, found standard input")
    }
    if files.contains(where: { $0.path == path }) {
      throw failure("--state \(target.displayName): expected a file that is not an input")
    }
    // Only files with new records are opened.
    DescriptorLimit.raise(for: files.count)
    let reading = command.reading
    let isRestarting = stateMismatch == .restart
    do {
      let known = try ReadingState(
        path, question: Self.question(without: names), restarting: isRestarting, content: { reading.content(of: $0) })
      let appended = append.map { InputFile(argument: RawArguments.launch.bytes(of: $0)) }
      let run = RunState(known, target.displayName, appended, isRestarting: isRestarting)
      try run.findEnd()
      try run.plan(&files, guessing: reading.input == .auto && !reading.skipPrefix)
      unsafe RunState.current = run
    } catch let error as JSONError {
      throw failure("--state \(target.displayName): \(error.file.map { "\($0): " } ?? "")\(error.message)")
    }
  }

  private func refuseOthers(_ command: some ResultCommand) throws {
    let (reading, range, results) = (command.reading, command.range, command.results)
    let others = [
      ("--follow", results.follow), ("--limit", results.limit != nil), ("--output", command.output.output != nil),
      ("--range", range.range != nil), ("--split", range.split != nil), ("--line", range.line != nil),
      ("--record", range.record != nil), ("--from-offset", reading.fromOffset != nil),
      ("--expect-size", range.expectSize != nil), ("--expect-mtime", range.expectMtime != nil),
    ]
    if let (other, _) = others.first(where: { $0.1 }) {
      throw failure("--state reads all that is new, and keeps where it ends; use it without \(other)")
    }
    if let joining = reading.joining {
      throw failure("--state: expected records that are lines, found \(joining), which puts lines together")
    }
    guard reading.input == .auto || reading.input == .ndjson else {
      throw failure("--state: expected records that are lines, found --input \(reading.input.rawValue)")
    }
    guard append != nil, !results.format.canBeAppended else { return }
    throw failure("--append: expected --format ndjson, csv or tsv, found \(results.format.name)")
  }

  /// The options that do not change the records and their places.
  private static let neutral = ["-j", "--jobs", "--progress", "--state", "--append", "--state-mismatch", "--summary"]

  /// Returns what a command asks: its arguments without the files, and without options that do not change the results.
  private static func question(without names: [String]) -> [UInt8] {
    var texts = RawArguments.launch.texts
    for name in names { if let index = texts.lastIndex(of: name) { texts.remove(at: index) } }
    var question: [UInt8] = []
    var rest = texts[...]
    while let text = rest.popFirst() {
      if neutral.contains(text) {
        _ = rest.popFirst()
        continue
      }
      if neutral.contains(where: { text.hasPrefix($0 + "=") }) { continue }
      for value in RawArguments.launch.values(of: [text]) { question += RawArguments.launch.bytes(of: value) + [0] }
    }
    return question
  }
}

/// What a run knows of earlier ones.
final class RunState {
  /// The state of this run.
  ///
  /// SAFETY: the tool uses it on one thread.
  nonisolated(unsafe) static var current: RunState?

  private let state: ReadingState
  private let name: String
  private let target: InputFile?
  private let isRestarting: Bool
  private var parts: [ReadPart] = []
  private var notes = ReadingState.Notes()
  /// The length of the appended file before the run.
  private var start: Int?

  init(_ state: ReadingState, _ name: String, _ target: InputFile?, isRestarting: Bool) {
    (self.state, self.name, self.target, self.isRestarting) = (state, name, target, isRestarting)
  }

  /// Replaces files by what is new in them. One file stays, so that the run has an input.
  func plan(_ files: inout [InputFile], guessing: Bool) throws(JSONError) {
    (parts, notes) = try state.plan(files.map { $0.path ?? [] }) { path, head in
      !guessing || JSONFraming.guess(name: String(decoding: path, as: UTF8.self), head: head) == .lines
    }
    for part in parts { files[part.index].fresh = part }
    // The run reports a name that was typed and that no file has.
    let missing = Set(notes.missing.filter { !files[$0].isOfPattern })
    let fresh = files.indices.filter { files[$0].fresh != nil || missing.contains($0) }.map { files[$0] }
    if fresh.isEmpty { files[0].isUnchanged = true }
    files = fresh.isEmpty ? [files[0]] : fresh
  }

  // MARK: The file that results are appended to

  /// Whether there are results of earlier runs before those of this one.
  var isAppending: Bool { start ?? 0 > 0 }

  /// Finds out where results are appended.
  func findEnd() throws {
    guard let target else {
      if let file = state.appended?.file {
        try mismatch("expected --append \(file), as in the run that wrote the state")
      }
      return
    }
    guard target.path?.isEmpty == false else { throw failure("--append: expected the name of a file") }
    try target.requireRegular(for: "--append")
    let length = target.size ?? 0
    start = length
    guard let known = state.appended else { return }
    let shown = "--append \(target.displayName):"
    if known.file != target.name {
      try mismatch("\(shown) expected \(known.file), as in the run that wrote the state")
    } else if !target.exists {
      if known.bytes > 0 { ErrorReport.write("\(shown) the file of earlier runs is missing; a new one is begun") }
    } else if length < known.bytes {
      try mismatch("\(shown) expected at least \(known.bytes) bytes, those of earlier runs, found \(length)")
    } else {
      start = known.bytes
    }
  }

  private func mismatch(_ message: String) throws {
    guard isRestarting else { throw failure(message) }
    state.restart()
  }

  /// Cuts off what a run has written that did not end, and sends the results of this one to the end of the file.
  func openAppended(_ files: [InputFile], rejects: String?) throws {
    guard let target, let path = target.path, let length = start else { return }
    if files.contains(where: { $0.isSameFile(as: target) }) || target.isSameOutput(as: rejects) {
      throw failure("--append \(target.displayName): expected a file that is neither an input nor --rejects")
    }
    do throws(File.Failure) {
      let file = try File(writing: path, .kept)
      try file.truncate(to: length)
      try unsafe Output.standard.redirect(to: file.descriptor, target.displayName)
    } catch {
      throw failure("\(target.displayName): \(error.reason)")
    }
    // Before the first result: a run that is killed must not leave a file whose end nobody knows.
    if state.appended?.bytes != length || state.appended?.file != target.name {
      guard saves({ (state) throws(JSONError) in try state.save(.init(file: target.name, bytes: length)) }) else {
        throw ExitCode(Status.failed)
      }
    }
  }

  /// Removes what a run has appended that has failed.
  func abandon() {
    guard let start else { return }
    do throws(File.Failure) {
      try File(borrowing: 1).truncate(to: start)
    } catch {
      // The next run removes it.
    }
  }

  // MARK: The end

  /// Saves where the run has ended, after all results are written. Returns whether it is saved.
  func save() -> Bool {
    if start != nil {
      do throws(File.Failure) {
        try File(borrowing: 1).synchronize()
      } catch {
        ErrorReport.write("\(target?.displayName ?? ""): \(error.reason)")
        abandon()
        return false
      }
      state.appended?.bytes = File(borrowing: 1).position ?? start ?? 0
    }
    guard saves({ [parts] (state) throws(JSONError) in try state.save(parts) }) else {
      abandon()
      return false
    }
    for path in notes.replaced {
      ErrorReport.write(
        "\(path.printable): another file than at the last run; if it was rotated, name the rotated file too: it may have more "
          + "records")
    }
    if let (first, files, bytes) = notes.unfinished {
      let others = files > 1 ? ", and those of \(files - 1) other file\(files > 2 ? "s" : "")" : ""
      ErrorReport.write(
        "\(first.printable): the last line has no line feed yet and waits for a later run\(others) (\(bytes) bytes)")
    }
    return true
  }

  /// Returns whether the state is saved. Reports the error if it is not.
  private func saves(_ body: (ReadingState) throws(JSONError) -> Void) -> Bool {
    do throws(JSONError) {
      try body(state)
      return true
    } catch {
      ErrorReport.write("--state \(name): \(error.file.map { "\($0): " } ?? "")\(error.message)")
      return false
    }
  }
}
