import JSONSift
import JSONSiftAnalysis

extension FuzzTarget {
  /// Compares the readers of many records: whole, in chunks, pushed, counted, by index, and resumed at each checkpoint.
  static let lines = FuzzTarget(name: "lines") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = JSONRecordOptions(framing: framing(input.choice()), reading: input.options())
    options.recovery = .report
    let flags = input.choice()
    options.skipsPrefix = flags & 1 != 0
    options.maxErrors = flags & 2 != 0 ? flags >> 6 : nil
    options.rawByteLimit = flags & 4 != 0 ? 12 : 64 << 10
    let lengths = input.choices(4).map { $0 % 60 }
    let text = input.text
    let whole = readElements(.bytes(text), options)
    if whole.failure?.code == .compressedInput { return }
    let cut = split(text, cutBy: lengths)
    try expectEqual("the elements in chunks", readElements(.chunks(cut), options), whole)
    if !text.isEmpty { try expectEqual("the pushed elements", pushElements(cut, options), whole) }
    try compareResumed(text, whole, options)
    try comparePolicies(text, whole, options)
    if whole.framing == .lines, !options.skipsPrefix { try compareShapes(cut, text, options) }
  }
}

func framing(_ choice: Int) -> JSONFraming {
  switch choice % 7 {
  case 0, 1: .lines
  case 2: .values
  case 3: .textSequence
  case 4: .children(of: "$")
  case 5: .automatic
  default: .children(of: "$.a")
  }
}

/// An element of a stream as text, and the position after it.
struct Elements: Equatable {
  struct Element: Equatable {
    var line: Int
    var offset: Int
    var bytes: [UInt8]
    var bad: JSONBadRecord?
    var checkpoint: JSONCheckpoint?

    /// The elements of workers have no reader, so nothing is known of the position after them.
    init(_ element: Result<JSONRecord, JSONBadRecord>, _ checkpoint: JSONCheckpoint?) {
      switch element {
      case .success(let record):
        (line, offset, bytes) = (record.line, record.byteRange.lowerBound, record.value.rawBytes)
      case .failure(let bad):
        (line, offset, bytes) = (bad.line, bad.byteRange.lowerBound, bad.rawBytes)
        self.bad = bad
      }
      self.checkpoint = checkpoint
    }
  }

  var elements: [Element] = []
  var failure: JSONError?
  var framing: JSONFraming?
  var checkpoint: JSONCheckpoint?
  var errorCount = 0
}

func readElements(
  _ source: JSONSource, _ options: JSONRecordOptions, resumingAt checkpoint: JSONCheckpoint? = nil
) -> Elements {
  var found = Elements()
  do throws(JSONError) {
    var reader = try JSONRecordReader(source, options: options, resumingAt: checkpoint)
    found.framing = reader.framing
    do throws(JSONError) {
      while let element = try reader.nextResult() { found.elements.append(.init(element, reader.checkpoint)) }
    } catch {
      found.failure = error
    }
    found.checkpoint = reader.checkpoint
    found.errorCount = reader.errorCount
  } catch {
    found.failure = error
  }
  return found
}

private func pushElements(_ chunks: [[UInt8]], _ options: JSONRecordOptions) -> Elements {
  var found = Elements()
  do throws(JSONError) {
    var reader = try JSONRecordPushReader(options: options)
    do throws(JSONError) {
      for chunk in chunks {
        reader.feed(chunk)
        while let element = try reader.nextResult() { found.elements.append(.init(element, reader.checkpoint)) }
      }
      reader.finish()
      while let element = try reader.nextResult() { found.elements.append(.init(element, reader.checkpoint)) }
    } catch {
      found.failure = error
    }
    found.framing = reader.framing
    found.checkpoint = reader.checkpoint
    found.errorCount = reader.errorCount
  } catch {
    found.failure = error
  }
  return found
}

/// A reader that continues at the checkpoint after an element returns the elements after it.
private func compareResumed(_ text: [UInt8], _ whole: Elements, _ options: JSONRecordOptions) throws(Difference) {
  // A resumed reader counts its own errors only.
  guard options.maxErrors == nil, whole.failure == nil else { return }
  let stride = max(whole.elements.count / 4, 1)
  for index in Swift.stride(from: 0, to: whole.elements.count, by: stride) {
    guard let checkpoint = whole.elements[index].checkpoint else { continue }
    // After the last element of a stream that cannot continue, the bad record is read again.
    if whole.elements[index].bad?.stopReason != nil { continue }
    let rest = readElements(.bytes(text), options, resumingAt: checkpoint)
    try expectEqual("the rest after \(checkpoint)", rest.elements, Array(whole.elements[(index + 1)...]))
    try expectEqual("the failure after \(checkpoint)", rest.failure, whole.failure)
  }
}

/// The policies for bad records differ only in how these are reported.
private func comparePolicies(_ text: [UInt8], _ whole: Elements, _ options: JSONRecordOptions) throws(Difference) {
  guard options.maxErrors == nil, whole.failure == nil else { return }
  var options = options
  let stops = whole.elements.last?.bad?.stopReason != nil
  options.recovery = .skip
  let skipped = readElements(.bytes(text), options)
  try expectEqual(
    "the records if bad ones are skipped", skipped.elements.map(\.bytes),
    whole.elements.filter { $0.bad == nil }.map(\.bytes))
  try expect((skipped.failure != nil) == stops, "skipping ends with an error", skipped.failure as Any)
  options.recovery = .stop
  let stopped = readElements(.bytes(text), options)
  let first = whole.elements.firstIndex { $0.bad != nil }
  try expectEqual(
    "the records before the first bad one", stopped.elements.map(\.bytes),
    whole.elements[..<(first ?? whole.elements.count)].map(\.bytes))
  try expectEqual("the first error", stopped.failure, first.flatMap { whole.elements[$0].bad?.error })
}

/// The shape of records is the same in chunks, and when validated lines are counted many at a time.
private func compareShapes(
  _ cut: [[UInt8]], _ text: [UInt8], _ options: JSONRecordOptions
) throws(Difference) {
  func shape(_ source: JSONSource, countsMany: Bool) -> (paths: [JSONShape.Path], errors: [JSONError]) {
    var errors: [JSONError] = []
    do throws(JSONError) {
      var reader = try JSONShape.Reader(source, records: options)
      if countsMany { reader.countManyLines() }
      while true {
        do throws(JSONError) {
          guard try reader.next() else { break }
        } catch {
          if errors.last == error { break }
          errors.append(error)
        }
      }
      return (reader.takeShape().paths, errors)
    } catch {
      return ([], [error])
    }
  }
  let whole = shape(.bytes(text), countsMany: false)
  for countsMany in [false, true] {
    let other = shape(.chunks(cut), countsMany: countsMany)
    try expectEqual("the errors of the shape", other.errors, whole.errors)
    try expectEqual("the shape", other.paths, whole.paths)
  }
}
