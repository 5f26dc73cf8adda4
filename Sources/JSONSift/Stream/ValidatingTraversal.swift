/// Leads a sink through one text that comes in chunks, of which all is checked and only what is wanted is parsed.
///
/// A chunk is checked first and gone over then. Errors are those of a ``TextChecker``, but where the sink has one before it.
struct ValidatingTraversal: ~Copyable {
  private var checker: TextChecker
  private var traversal: SkippingTraversal
  /// What is left of the chunks before: the start of a token.
  private var rest: [UInt8] = []
  /// The offset of the first byte that has not been gone over, and of the first that is not checked.
  private var offset = 0
  private var checkedEnd = 0
  private var failure: JSONError?

  /// The rest is continued with so many bytes at first.
  private static let minStep = 1 << 10

  init(_ options: JSONOptions) {
    checker = TextChecker(options: options)
    traversal = SkippingTraversal(options: options, isChecked: true)
  }

  /// Goes over the next bytes.
  ///
  /// - Throws: ``JSONError``, and the same at each further call.
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
      // All before a token that an earlier chunk has cut is gone over.
      guard error.byteOffset >= checkedEnd else { throw error }
      wrong = error
      unsafe good = UnsafeRawBufferPointer(rebasing: chunk.prefix(error.byteOffset - checkedEnd))
    }
    checkedEnd += chunk.count
    try unsafe goOver(good, &sink)
    if let wrong { throw wrong }
  }

  /// Goes over bytes that are checked.
  private mutating func goOver(
    _ chunk: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    var used = 0
    // More and more of the chunk is copied behind the rest, until that is gone over.
    while !rest.isEmpty, used < chunk.count {
      let step = min(max(rest.count, Self.minStep), chunk.count - used)
      unsafe rest.append(contentsOf: chunk[used..<(used + step)])
      used += step
      let left = rest.count - (try goOverRest(isLast: false, &sink))
      if left <= step {
        used -= left
        rest.removeAll(keepingCapacity: rest.count <= Self.minStep * 4)
      } else {
        rest.removeFirst(rest.count - left)
      }
    }
    let new = unsafe UnsafeRawBufferPointer(rebasing: chunk[used...])
    guard unsafe !new.isEmpty else { return }
    let done = try unsafe traversal.read(new, at: offset, isLast: false, isProven: true, into: &sink)
    offset += done
    unsafe rest.append(contentsOf: new[done...])
  }

  /// Goes over the rest, and returns how many bytes of it are done with.
  private mutating func goOverRest(
    isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    var rest: [UInt8] = []
    swap(&rest, &self.rest)
    defer { swap(&rest, &self.rest) }
    let done = try unsafe rest.span.withUnsafeBytes { (rest) throws(JSONError) in
      try unsafe traversal.read(rest, at: offset, isLast: isLast, isProven: true, into: &sink)
    }
    offset += done
    return done
  }

  /// Says that the text is complete.
  mutating func finish(into sink: inout some TraversalSink & ~Copyable) throws(JSONError) {
    if let failure { throw failure }
    var wrong: JSONError?
    do throws(JSONError) { try checker.finish() } catch { wrong = error }
    do throws(JSONError) {
      _ = try goOverRest(isLast: true, &sink)
    } catch {
      // What the sink does not take comes before what is wrong behind it.
      if let wrong, !error.code.isOfMatches { throw wrong }
      throw error
    }
    if let wrong { throw wrong }
  }
}

extension JSONError.Code {
  /// It is told of a match and not of the text.
  var isOfMatches: Bool { self == .recordLimit || self == .tapeLimit || self == .queryLimit }
}
