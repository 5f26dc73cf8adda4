/// Drives a sink through one text in chunks: validates all of the text, and parses only the values that the sink needs.
///
/// Each chunk is validated first and traversed afterwards. It throws the errors of a ``TextChecker``, unless the sink throws
/// an error earlier.
struct ValidatingTraversal: ~Copyable {
  private var checker: TextChecker
  private var traversal: SkippingTraversal
  /// The bytes of earlier chunks that are not traversed yet: the start of a token.
  private var rest: [UInt8] = []
  /// The offset of the first byte that is not traversed yet.
  private var offset = 0
  /// The offset of the first byte that is not validated yet.
  private var checkedEnd = 0
  private var failure: JSONError?

  /// The minimum number of bytes that are copied after the rest at once.
  private static let minStep = Sizes.of(1 << 10, fuzzing: 7)

  init(_ options: JSONOptions) {
    checker = TextChecker(options: options)
    traversal = SkippingTraversal(options: options)
  }

  /// Validates and traverses the next bytes.
  ///
  /// - Throws: ``JSONError``; every later call throws it again.
  mutating func feed(_ chunk: UnsafeRawBufferPointer, into sink: inout some TraversalSink & ~Copyable) throws(JSONError)
  {
    if let failure { throw failure }
    do throws(JSONError) {
      try unsafe read(chunk, &sink)
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func read(
    _ chunk: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    var wrong: JSONError?
    var good = unsafe chunk
    do throws(JSONError) {
      try unsafe checker.feed(chunk)
    } catch {
      // An error in a token that began in an earlier chunk: everything before it is traversed.
      guard error.byteOffset >= checkedEnd else { throw error }
      wrong = error
      unsafe good = UnsafeRawBufferPointer(rebasing: chunk.prefix(error.byteOffset - checkedEnd))
    }
    checkedEnd += chunk.count
    try unsafe traverse(good, &sink)
    if let wrong { throw wrong }
  }

  /// Traverses validated bytes.
  private mutating func traverse(
    _ chunk: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    var used = 0
    // Copies larger and larger parts of the chunk after the rest, until the rest is traversed.
    while !rest.isEmpty, used < chunk.count {
      let step = min(max(rest.count, Self.minStep), chunk.count - used)
      unsafe rest.append(contentsOf: chunk[used..<(used + step)])
      used += step
      let left = rest.count - (try traverseRest(isLast: false, &sink))
      if left <= step {
        used -= left
        rest.removeAll(keepingCapacity: rest.count <= Self.minStep * 4)
      } else {
        rest.removeFirst(rest.count - left)
      }
    }
    let new = unsafe UnsafeRawBufferPointer(rebasing: chunk[used...])
    guard unsafe !new.isEmpty else { return }
    let done = try unsafe traversal.read(new, at: offset, isLast: false, into: &sink)
    offset += done
    unsafe rest.append(contentsOf: new[done...])
  }

  /// Traverses the rest, and returns the number of bytes of it that were consumed.
  private mutating func traverseRest(
    isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    var rest: [UInt8] = []
    swap(&rest, &self.rest)
    defer { swap(&rest, &self.rest) }
    let done = try unsafe rest.span.withUnsafeBytes { (rest) throws(JSONError) in
      try unsafe traversal.read(rest, at: offset, isLast: isLast, into: &sink)
    }
    offset += done
    return done
  }

  /// Ends the text.
  mutating func finish(into sink: inout some TraversalSink & ~Copyable) throws(JSONError) {
    if let failure { throw failure }
    var wrong: JSONError?
    do throws(JSONError) { try checker.finish() } catch { wrong = error }
    do throws(JSONError) {
      _ = try traverseRest(isLast: true, &sink)
    } catch {
      // An error of a match precedes an error of the text, which lies after it.
      if let wrong, !error.code.isOfMatches { throw wrong }
      throw error
    }
    if let wrong { throw wrong }
  }
}

extension JSONError.Code {
  /// Whether the error concerns a match and not the text.
  var isOfMatches: Bool { self == .recordLimit || self == .tapeLimit || self == .queryLimit }
}
