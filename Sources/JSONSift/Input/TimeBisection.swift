/// Finds the records of a window of time in a file whose lines are sorted by time, without reading all of it.
///
/// The file is sorted but for a *slack*: a record may have a time that is earlier than the time of a record before it, by at
/// most the slack. Bisection reads the time of one record in the middle of the bytes that are still possible. If the time is
/// before the start of the window by more than the slack, that record and all before it are outside. If it is not before the
/// end of the window plus the slack, that record and all after it are outside. If the record has no time, the next one is
/// read.
///
/// The times that were read are compared with each other. Disorder between records that were not read is not noticed.
package struct TimeBisection: ~Copyable {
  /// What was found.
  package enum Outcome {
    /// The bytes in which the records of the window begin, and the check for reading them.
    case found(JSONInputRange, TimeOrderCheck)
    /// The file is not sorted.
    case disorder(TimeDisorder)
    /// The records do not begin with lines.
    case framing(JSONFraming)
  }

  /// The search for a bound ends when at most this number of bytes is left. They are read with the window. Smaller in tests.
  var grain = Sizes.of(1 << 16, fuzzing: 64)
  /// The number of bytes of each of the first four reads of a step; later reads are longer. Smaller in tests.
  var probeBytes = Sizes.of(1 << 14, fuzzing: 16)
  /// The most bytes of one read, in a long line or a long run of lines without a time.
  private static let maxReadBytes = 1 << 20

  private var file: SearchedFile
  private let window: JSONTimeWindow
  private let slack: Int128
  private let options: JSONRecordOptions
  /// The times that were read.
  private var known: [TimePlace] = []
  /// The number of steps, and the largest number of bytes that one of them has read.
  private(set) var stepCount = 0
  private(set) var maxStepBytes = 0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - window: The window.
  ///   - slack: The slack in attoseconds.
  ///   - options: How records are read, and the range of the file.
  /// - Throws: ``JSONError/Code/unreadable``, also if it is not a regular file or is shorter than the range;
  ///   ``JSONError/Code/compressedInput``.
  package init(
    _ path: [UInt8], _ window: JSONTimeWindow, slack: Int128, _ options: JSONRecordOptions
  ) throws(JSONError) {
    let file = try SearchedFile(path, options.knownFraming)
    let range = options.range
    guard max(range?.lowerBound ?? 0, range?.upperBound ?? 0) <= file.size else {
      throw ByteSource.tooShort(file.size, max(range?.lowerBound ?? 0, range?.upperBound ?? 0))
    }
    self.file = file
    self.window = window
    self.slack = slack
    self.options = options
  }

  /// Finds the bytes in which the records of the window begin, within the range of the options.
  ///
  /// - Throws: ``JSONError/Code/unreadable``.
  package mutating func find() throws(JSONError) -> Outcome {
    guard file.framing == .lines else { return .framing(file.framing) }
    let start = options.range?.lowerBound ?? 0
    let end = options.range?.upperBound ?? file.size
    let bounds = window.bounds
    var (low, high) = (start, end)
    // Of the records that were read: the start of the first one after the window, and the end of the last one that is not.
    var (after, before): (Int?, Int) = (nil, start)
    if let since = bounds.since {
      while high - low > grain {
        let middle = low + (high - low) / 2
        guard let found = try probe(from: middle, before: high) else {
          high = middle
          continue
        }
        if let disorder = note(found.place) { return .disorder(disorder) }
        if found.place.time.adding(slack) < since {
          low = found.end
        } else {
          high = middle
          if isAfter(found.place.time) { after = found.place.byteOffset } else { before = max(before, found.end) }
        }
      }
    }
    let lower = low
    if bounds.until != nil {
      (low, high) = (max(lower, before), after ?? end)
      while high - low > grain {
        let middle = low + (high - low) / 2
        guard let found = try probe(from: middle, before: high) else {
          high = middle
          continue
        }
        if let disorder = note(found.place) { return .disorder(disorder) }
        if isAfter(found.place.time) {
          after = found.place.byteOffset
          high = middle
        } else {
          low = found.end
        }
      }
    }
    var range: JSONInputRange
    if let upper = after ?? options.range?.upperBound {
      range = JSONInputRange(lower..<max(upper, lower))
    } else {
      range = JSONInputRange(lower...)
    }
    if let firstLine = options.range?.firstLine, lower == start { range.firstLine = firstLine }
    let check = TimeOrderCheck(
      window, options, slack: slack, after: known.filter { $0.byteOffset < lower }.max { $0.time < $1.time },
      before: after.flatMap { after in known.filter { $0.byteOffset >= after }.min { $0.time < $1.time } })
    return .found(range, check)
  }

  /// Returns whether a record with this time is after the window, and so are all records after it.
  private func isAfter(_ time: Instant) -> Bool { window.bounds.until.map { time >= $0.adding(slack) } ?? false }

  /// Adds a time that was read. Returns a disorder between it and another one.
  private mutating func note(_ place: TimePlace) -> TimeDisorder? {
    for other in known {
      let (first, second) = other.byteOffset < place.byteOffset ? (other, place) : (place, other)
      if first.byteOffset < second.byteOffset, second.time.adding(slack) < first.time {
        return TimeDisorder(first: first, second: second)
      }
    }
    known.append(place)
    return nil
  }

  // MARK: Reading

  /// Returns the first record with a time whose line begins from an offset on and before another one, and the end of its
  /// line.
  private mutating func probe(
    from start: Int, before end: Int
  ) throws(JSONError) -> (place: TimePlace, end: Int)? {
    // The byte before the offset decides whether a line begins there.
    var offset = max(start - 1, 0)
    var reader: TimeReader?
    if start == 0 { reader = try TimeReader(window, options, at: 0) }
    var read = 0
    stepCount += 1
    defer { maxStepBytes = max(maxStepBytes, read) }
    while offset < file.size {
      let wanted = read < 4 * probeBytes ? probeBytes : min(read, Self.maxReadBytes)
      let bytes = try unsafe file.bytes(at: offset, count: wanted)
      guard unsafe !bytes.isEmpty else { break }
      var first = 0
      if reader == nil {
        guard offset < end else { return nil }
        if let feed = unsafe ByteScan.lineFeed(bytes) {
          first = feed + 1
          reader = try TimeReader(window, options, at: offset + first)
        }
      }
      unsafe reader?.push(UnsafeRawBufferPointer(rebasing: bytes[first...]))
      offset += bytes.count
      read += bytes.count
      while let line = reader?.next() {
        guard line.range.lowerBound < end else { return nil }
        if let time = line.time {
          return (TimePlace(time: time, byteOffset: line.range.lowerBound), line.range.upperBound)
        }
      }
    }
    reader?.close()
    while let line = reader?.next(), line.range.lowerBound < end {
      if let time = line.time {
        return (TimePlace(time: time, byteOffset: line.range.lowerBound), line.range.upperBound)
      }
    }
    return nil
  }
}
