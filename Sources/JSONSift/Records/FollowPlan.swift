/// How several files are followed, as one text.
package struct FollowPlan {
  /// The names of files, and patterns of names: the first one that selects a file names it.
  package var targets: [Target]
  /// How the lines of a file are read. Steps are applied to the text of all files.
  package var options: JSONRecordOptions
  /// How the lines are put in the order of their times, and how long one waits for files that have no later one; `nil` if each is
  /// read as it arrives.
  package var merge: (plan: MergePlan, wait: Duration)?
  /// The time between two checks of the files.
  package var interval = Duration.milliseconds(250)
  /// The maximum number of open files. Listing folders needs one descriptor more.
  package var maxFiles = Int.max
  /// Returns the decompressed content of a file.
  package var content: (JSONSource) -> JSONSource = { $0 }
  /// Whether the text ends: after what has been written to the files until then, except where that is more than a megabyte.
  package var isDone: () -> Bool = { false }
  /// Whether a file is not read although a target selects it, such as an output of the program.
  package var isExcluded: (FileStatus) -> Bool = { _ in false }
  /// Called before each wait.
  package var beforeWait: () -> Void = {}
  /// Called for a file that cannot be read, or no further. The file is opened later if too many files are open.
  package var fail: (JSONError, _ path: [UInt8], _ isOpenedLater: Bool) -> Void = { _, _, _ in }
  package let names = FollowedNames()

  package enum Target {
    case path([UInt8])
    case pattern(FilePattern)

    /// Creates the target of an argument. It is a pattern if it has wildcards and there is no file with that name.
    package init(_ argument: [UInt8]) {
      let pattern = FilePattern(argument)
      self = pattern.hasWildcards && File.status(at: argument) == nil ? .pattern(pattern) : .path(argument)
    }

    /// The paths that it selects at present. A single name need not exist.
    package var paths: [[UInt8]] {
      switch self {
      case .path(let path): [path]
      case .pattern(let pattern): pattern.files()
      }
    }
  }

  package init(_ targets: [Target], _ options: JSONRecordOptions) {
    (self.targets, self.options) = (targets, options)
    self.options.steps = []
    self.options.range = nil
    self.options.framing = .lines
  }
}

/// The names of followed files, by the numbers that the records of their text have.
///
/// A number is used again long after its file was closed, so that files that come and go for months need a bounded number of them.
package final class FollowedNames: Sendable {
  private struct State {
    var paths: [[UInt8]] = []
    /// The numbers of closed files, the one that was closed first at the start.
    var free: [UInt16] = []
    var used = 0
  }

  private let state = Lock(State())
  static let maxCount = Sizes.of(Int(UInt16.max), fuzzing: 8)

  /// Returns the path of a file.
  package func path(of number: Int) -> [UInt8] {
    state.withLock { $0.paths.indices.contains(number) ? $0.paths[number] : [] }
  }

  /// Returns a number for a path; `nil` if too many files are open.
  func add(_ path: [UInt8]) -> UInt16? {
    state.withLock { state in
      guard state.paths.count == Self.maxCount else {
        state.paths.append(path)
        return UInt16(state.paths.count - 1)
      }
      guard state.used < state.free.count else { return nil }
      let number = state.free[state.used]
      state.used += 1
      if state.used == Self.maxCount {
        state.free.removeFirst(state.used)
        state.used = 0
      }
      state.paths[Int(number)] = path
      return number
    }
  }

  func remove(_ number: UInt16) { state.withLock { $0.free.append(number) } }
}
