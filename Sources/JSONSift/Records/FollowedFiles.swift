/// The files that are followed together. At each check the names are looked up again, and from time to time the patterns.
///
/// A file is known by its identity, not by its name: a renamed file is read on, under another name that selects it, or to its end;
/// a file with several names is read once.
struct FollowedFiles {
  private(set) var open: [FollowedFile] = []
  /// All files that were found at the last check, also those that cannot be read.
  private var known: [FileStatus.Identity: FollowedFile] = [:]
  private let plan: FollowPlan
  private var paths: [(path: [UInt8], isNamed: Bool)] = []
  private var check = 0
  private var nextListing: ContinuousClock.Instant?
  /// The last check in which a file could not be opened because too many are open; `nil` for none.
  private var checkAtLimit: Int?
  private let readBytes = Sizes.of(1 << 15, fuzzing: 96)

  /// A file that a pattern has selected is closed when nothing is written to it during these checks after it lost its name.
  private static let maxMissedChecks = 20
  /// The number of bytes of a file up to which it is read to its end after the end was requested.
  private static let maxLastBytes = 1 << 20
  /// A file that is not found is looked for once more, because a name that is looked up before a file is renamed and another one
  /// after that miss it.
  private static let minMissedChecks = 2

  init(_ plan: FollowPlan) { self.plan = plan }

  mutating func close(_ index: Int) {
    let file = open.remove(at: index)
    file.close()
    if let number = file.number.take() { plan.names.remove(number) }
  }

  /// Closes a file that was read to its end. It is opened again if it has its name at the next check: it was truncated.
  mutating func end(_ index: Int) {
    known[open[index].identity] = nil
    close(index)
  }

  /// Ends all files: after what was written to them, or at once if that is much.
  mutating func finish() {
    for index in open.indices.reversed() {
      if open[index].unread > Self.maxLastBytes { close(index) } else { open[index].finish() }
    }
  }

  /// Looks for new files, and for what has happened to the others.
  mutating func look() {
    list(at: .now)
    find()
    var missing = missing
    if missing.contains(where: { $0.missedChecks < Self.minMissedChecks }) {
      // A file may have a name that no pattern had found.
      nextListing = nil
      list(at: .now)
      find()
      missing = self.missing
    }
    for file in missing { miss(file) }
    let check = check
    if known.count > open.count { known = known.filter { $1.isOpen || $1.check == check } }
  }

  /// The files that the last check has not found.
  private var missing: [FollowedFile] { open.filter { $0.check != check } }

  /// Lists the files of the patterns, at most for a small part of the time.
  private mutating func list(at now: ContinuousClock.Instant) {
    guard nextListing ?? now <= now else { return }
    paths.removeAll(keepingCapacity: true)
    var hasPatterns = false
    for target in plan.targets {
      if case .path(let path) = target {
        paths.append((path, true))
      } else {
        hasPatterns = true
        paths += target.paths.map { ($0, false) }
      }
    }
    let end = ContinuousClock.now
    nextListing = hasPatterns ? end + max(.zero, (end - now) * 20) : end + .seconds(1 << 30)
  }

  private mutating func find() {
    check += 1
    for (path, isNamed) in paths {
      guard let status = File.status(at: path) else { continue }
      if let file = known[status.identity] {
        // Another name of the same file.
        guard file.check != check else { continue }
        guard file.find(status, in: check) else {
          known[file.identity] = nil
          add(status, path, isNamed)
          continue
        }
        if file.path != path { rename(file, path) }
        file.isNamed = isNamed
      } else {
        add(status, path, isNamed)
      }
    }
  }

  private func rename(_ file: FollowedFile, _ path: [UInt8]) {
    file.path = path
    guard file.isOpen, let number = plan.names.add(path) else { return }
    if let old = file.number { plan.names.remove(old) }
    file.number = number
  }

  /// Opens a file that was not known.
  private mutating func add(_ status: FileStatus, _ path: [UInt8], _ isNamed: Bool) {
    guard !plan.isExcluded(status) else {
      known[status.identity] = FollowedFile(status, at: path, isNamed: isNamed, check: check)
      return
    }
    guard checkAtLimit != check else { return }
    var added: FollowedFile?
    do throws(JSONError) {
      let opened: File
      do throws(File.Failure) {
        guard open.count < plan.maxFiles else { throw File.Failure(number: File.Failure.openFiles) }
        opened = try File(pathWithoutWaiting: path)
      } catch {
        if error.isMissing { return }
        let failure = JSONError(.unreadable, at: 0, system: error.number)
        guard error.isOfOpenFiles else { throw failure }
        if checkAtLimit == nil { plan.fail(failure, path, true) }
        checkAtLimit = check
        return
      }
      // Another file may have got the name since then; it is found at the next check.
      guard let status = opened.status, known[status.identity] == nil else { return }
      let file = FollowedFile(status, at: path, isNamed: isNamed, check: check)
      added = file
      file.number = plan.names.add(path)
      guard file.number != nil else {
        throw JSONError(.unreadable, at: 0, .reason("expected at most \(FollowedNames.maxCount) files at a time"))
      }
      known[file.identity] = file
      try file.open(opened, after: open.last { $0.path == path }, plan, readBytes: readBytes)
      open.append(file)
    } catch {
      plan.fail(error, path, false)
      let file = added ?? FollowedFile(status, at: path, isNamed: isNamed, check: check)
      known[file.identity] = file
      file.close()
      if let number = file.number.take() { plan.names.remove(number) }
    }
  }

  /// Decides about a file that no name selects any more.
  private func miss(_ file: FollowedFile) {
    let status = File.status(at: file.path)
    if let status, status.identity == file.identity {
      // The folder could not be read.
      if !file.find(status, in: check) { file.finish() }
      return
    }
    file.miss()
    guard file.missedChecks >= Self.minMissedChecks else { return }
    // What was written before this check is read first.
    if status != nil || !file.isNamed && file.missedChecks >= Self.maxMissedChecks { file.finish() }
  }
}
