extension JSONError {
  /// The data of an error in addition to its code and offset. ``message`` converts them into text.
  ///
  /// Indirect, so that an error is four machine words wherever it is stored. Only an error that occurs allocates it.
  indirect enum Payload: Sendable, Hashable {
    /// The rejected byte, and the input that the grammar allows instead.
    case syntax(found: Found?, expected: Expectation?)
    /// The limit that is exceeded.
    case limit(Int, LimitSubject)
    /// The error number of the system.
    case system(Int32)
    /// The error number of a read that failed after other bytes had been read.
    case readFailure(Int32)
    /// The input ends before the offset at which reading was to begin or to continue.
    case shortInput(wanted: Int)
    /// A range of an input whose records cannot be found from the middle.
    case noRanges(framing: String)
    /// A range of an input that must be read from its start.
    case noRandomAccess(isCompressed: Bool)
    /// The file is smaller than it was when it was indexed.
    case changedFile(wanted: Int)
    /// A file other than the caller expects.
    case otherFile(FileDifference)
    /// The file of rejects is smaller than the checkpoint says; `nil` if it is not a regular file.
    case shortRejects(wanted: Int, size: Int?)
    /// Compressed data where text was expected; `isInside` if it was decompressed once already.
    case compressed(format: String, isInside: Bool)
    /// A URL whose scheme is not `file`.
    case foreignURL(scheme: String?)
    /// A file URL whose path is empty or not UTF-8.
    case emptyURL
    /// libyajl could not allocate memory.
    case noMemory
    /// A valid path that cannot be evaluated in this context.
    case unanswerablePath(PathFault)
    /// A value that is not of the type to decode, and the decoding that found it.
    case mismatch(reason: String, in: DecodingIdentity)
    /// NUL bytes where a record begins, and the offset after them.
    case gap(end: Int)
    /// Data of a format that is not read; `isEncoding` for text of another encoding, `isInside` if it was decompressed.
    case foreign(format: String, converter: String?, isEncoding: Bool, isInside: Bool)
    /// A message from the code that threw the error.
    case reason(String)
    /// Other data, and where the error was found. ``JSONError/payload`` never returns it.
    case found(Payload?, file: String?, at: JSONError.Position?)
  }

  /// The quantity that exceeds a limit.
  enum LimitSubject: Sendable, Hashable {
    /// The quantity that the error's code implies, such as the size of a record.
    case ofCode
    /// The states of queries that are followed together.
    case pathStates
    /// The text of matches that are held until earlier ones are known; `heldBytes` is the limit of their other memory.
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

  /// How a file differs from the one that the caller expects.
  enum FileDifference: Sendable, Hashable {
    /// It is not a regular file.
    case kind
    case size(found: Int, expected: Int, isAfterReading: Bool)
    case time(found: FileTime, expected: FileTime, isAfterReading: Bool)
    /// Reads return its end at another offset.
    case end(found: Int, expected: Int)
  }

  /// The reason why a valid path cannot be evaluated.
  enum PathFault: Sendable, Hashable {
    /// A filter refers to the root, which a stream does not keep.
    case rootInFilter
    /// The path of a container has selectors other than names and nonnegative indexes.
    case notOneContainer
    /// A path of one value can select several values.
    case severalValues(path: String)
  }

  /// The decoding that found an error, so that an error of another text is recognised. Equality of errors ignores it.
  struct DecodingIdentity: Sendable, Hashable {
    let object: ObjectIdentifier

    init(_ object: AnyObject) { self.object = ObjectIdentifier(object) }

    static func == (left: Self, right: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// A file that is not a regular one.
  package static let notRegular = JSONError(.unreadable, at: 0, .otherFile(.kind))

  /// The error of an input that must be read from its start, where a part of it is wanted.
  package static func noRandomAccess(isCompressed: Bool) -> JSONError {
    JSONError(.unreadable, at: 0, .noRandomAccess(isCompressed: isCompressed))
  }

  /// Creates the error of NUL bytes where a record begins.
  init(gap: Range<Int>) { self.init(.unexpectedByte, at: gap.lowerBound, .gap(end: gap.upperBound)) }

  /// The range of NUL bytes where a record begins; `nil` for other errors.
  var gap: Range<Int>? {
    if case .gap(let end) = payload { byteOffset..<max(end, byteOffset) } else { nil }
  }

  /// The rejected byte, if it is known.
  var found: Found? {
    if case .syntax(let found, _) = payload { found } else { nil }
  }

  /// The input that the grammar allows instead of that byte.
  var expected: Expectation? {
    if case .syntax(_, let expected) = payload { expected } else { nil }
  }

  /// The exceeded limit.
  var limit: Int? {
    if case .limit(let limit, _) = payload { limit } else { nil }
  }

  /// The quantity that exceeds the limit; `nil` if the error does not concern a limit.
  var limitSubject: LimitSubject? {
    if case .limit(_, let subject) = payload { subject } else { nil }
  }
}
