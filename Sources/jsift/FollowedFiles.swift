import JSONSift

extension ResultCommand {
  /// Checks the files of `--follow`.
  func checkFollowed(_ files: [InputFile]) throws {
    guard files.allSatisfy({ $0.path != nil }) else {
      throw failure("--follow: expected a named file; standard input is always read as it arrives")
    }
    guard let targets = Self.followed(files) else { return }
    let others = [
      reading.input.isLines ? nil : "--input \(reading.input.rawValue)", reading.joining,
      hasGroups ? "-A, -B or -C" : nil,
    ]
    if let option = others.lazy.compactMap({ $0 }).first {
      throw failure("--follow: expected one file, or records on single lines, found several files and \(option)")
    }
    let existing = Self.existing(targets)
    InputFile.protect(existing)
    try DescriptorLimit.allow(existing.count, room: 1 << 16, else: "follow fewer files")
    for (file, target) in zip(files, targets) where !target.paths.contains(where: { File.status(at: $0) != nil }) {
      ErrorReport.write("\(file.displayName): there is no such file yet; it is read when there is one")
    }
  }

  /// Returns the names and patterns if several files may be followed; `nil` for one name, unless its records are put in order.
  static func followed(_ files: [InputFile]) -> [FollowPlan.Target]? {
    let targets = files.compactMap { $0.path.map { FollowPlan.Target($0) } }
    if targets.count == 1, Self.self != Merge.self, case .path = targets[0] { return nil }
    return targets
  }

  /// The files that exist at present.
  static func existing(_ targets: [FollowPlan.Target]) -> [InputFile] {
    targets.flatMap { $0.paths.map { InputFile(argument: $0) } }.filter { $0.exists }
  }

  /// Returns whether a file is an output of the run, which is not followed, although a pattern may select it.
  func isOutput(_ file: FileStatus) -> Bool {
    let names = [output.output, reading.rejects].compactMap { $0 }
    let outputs =
      names.map { File.status(at: RawArguments.launch.bytes(of: $0)) } + [1, 2].map { File(borrowing: $0).status }
    return file.kind == .regular && outputs.contains { $0?.isSameFile(as: file) ?? false }
  }
}
