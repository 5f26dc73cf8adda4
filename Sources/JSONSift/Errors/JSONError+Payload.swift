extension JSONError {
  /// What an error carries besides its code and offset: data, from which ``message`` makes words.
  ///
  /// Indirect, so that an error is four machine words wherever it is stored. Only an error that occurs allocates it.
  indirect enum Payload: Sendable, Hashable {
    /// The refused byte, and what the grammar allows in its place.
    case syntax(found: Found?, expected: Expectation?)
    /// The limit that is exceeded.
    case limit(Int, LimitSubject)
    /// The error number of the system.
    case system(Int32)
    /// The error number of a read that failed after other bytes had been read.
    case readFailure(Int32)
    /// The input ends before the offset at which reading was to begin or to go on.
    case shortInput(wanted: Int)
    /// The file is smaller than the one that an index was made of.
    case changedFile(wanted: Int)
    /// The file of rejects is smaller than the checkpoint says; `nil` if it is no regular file.
    case shortRejects(wanted: Int, size: Int?)
    /// Compressed data where text was expected; `isInside` if it was decompressed once already.
    case compressed(format: String, isInside: Bool)
    /// A URL of a scheme that names no file.
    case foreignURL(scheme: String?)
    /// A file URL whose path is empty or not UTF-8.
    case emptyURL
    /// libyajl got no memory.
    case noMemory
    /// A path that is correct but cannot be answered here.
    case unanswerablePath(PathFault)
    /// A sentence of the code that threw the error.
    case reason(String)
  }

  /// What exceeds a limit.
  enum LimitSubject: Sendable, Hashable {
    /// What the error's code names, such as the size of a record.
    case ofCode
    /// The states of queries that are followed together.
    case pathStates
    /// The text of matches that wait for earlier ones; `heldBytes` is the limit of what they need beside it.
    case waitingMatches(heldBytes: Int)
    /// A part of a path.
    case path(PathPart)
    /// A part of a regular expression, which the grammar allows at any size. The offset is in the pattern.
    case pattern(PatternPart)
  }

  /// Parts of a path with a limit of their own.
  enum PathPart: Sendable, Hashable { case conditionBytes, pathBytes, steps, selectors, nesting }

  /// Parts of a regular expression with a limit of their own.
  enum PatternPart: Sendable, Hashable { case groups, classItems, instructions }

  /// Why a correct path cannot be answered.
  enum PathFault: Sendable, Hashable {
    /// A filter refers to the root, which a stream does not keep.
    case rootInFilter
    /// The path of a container has more than names and indexes from 0.
    case notOneContainer
  }

  /// The byte that was refused, if it is known.
  var found: Found? {
    if case .syntax(let found, _) = payload { found } else { nil }
  }

  /// What the grammar allows instead of that byte.
  var expected: Expectation? {
    if case .syntax(_, let expected) = payload { expected } else { nil }
  }

  /// The exceeded limit.
  var limit: Int? {
    if case .limit(let limit, _) = payload { limit } else { nil }
  }

  /// What exceeds the limit; `nil` if the error is not about a limit.
  var limitSubject: LimitSubject? {
    if case .limit(_, let subject) = payload { subject } else { nil }
  }
}
