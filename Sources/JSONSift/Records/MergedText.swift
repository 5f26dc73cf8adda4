/// The text that a merge makes of several inputs: their records in the order of time, one on each line. Records of one time have
/// the order of the inputs, and in an input that of its lines.
///
/// Each input is read in blocks of lines, whose times are found without documents. A heap has the inputs in the order of their
/// next times. The lines are copied as they are: the reader of the text is that of any other text, so every query works for
/// merged records, and it finds the error of a bad one.
final class MergedText: ByteReader {
  let origins: TextOrigins? = TextOrigins()
  private(set) var wouldBlock = false
  private let plan: MergePlan
  private let waiter: MergeWaiter?
  private let inputs: [MergedInput]
  /// The inputs whose next line is not known yet: at first all, the last one first.
  private var pending: [Int]
  /// The other inputs, with their next times.
  private var order = MergeHeap<MergeKey>()
  private var copied = CopiedText()
  /// The error that ends the text, and the number of its input.
  private var failure: (error: JSONError, input: Int)?

  /// The number of bytes of one read of an input; half of it with many inputs.
  private static let readBytes = Sizes.of(1 << 16, fuzzing: 96)
  private static let manyInputs = 32

  init(_ plan: MergePlan, waiting waiter: MergeWaiter?) throws(JSONError) {
    self.plan = plan
    self.waiter = waiter
    guard plan.parts.count <= Int(UInt16.max) else {
      throw JSONError(.unreadable, at: 0, .reason("expected at most \(UInt16.max) inputs, found \(plan.parts.count)"))
    }
    plan.tally.begin()
    let readBytes = plan.parts.count > Self.manyInputs ? Self.readBytes / 2 : Self.readBytes
    var inputs: [MergedInput] = []
    for number in plan.parts.indices { inputs.append(try MergedInput(plan, number, readBytes: readBytes)) }
    self.inputs = inputs
    pending = inputs.indices.reversed()
  }

  var canReadAtOnce: Bool { !copied.isUsed }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    wouldBlock = false
    if !copied.isUsed { return unsafe copied.read(into: buffer) }
    copied.begin(at: offset)
    if failure == nil {
      let skipped = produce()
      if let origin = copied.finishChunk(skipping: skipped) { origins?.append(origin) }
    }
    // The text before an error is read first.
    if copied.isUsed, let (error, input) = failure {
      // An error at a line has its position there.
      if error.position != nil { origins?.failure = TextOrigins.Failure(error: error, stopReason: nil, input: input) }
      copied.end()
      throw error
    }
    return unsafe copied.read(into: buffer)
  }

  /// Makes text until a chunk is full, or until a read may wait. Returns the number of bytes of its last line that were not kept.
  private func produce() -> Int {
    var number = 0
    do throws(JSONError) {
      while true {
        while let next = pending.last {
          number = next
          guard try advance(next) else { return 0 }
          pending.removeLast()
        }
        guard let first = order.first else { return 0 }
        number = first.input
        let input = inputs[number]
        let written = input.write(to: &copied.text, before: order.second, atMost: CopiedText.chunkBytes)
        if !written.isValidated { copied.isValidated = false }
        if written.hasNext {
          order.replaceFirst(input.key)
        } else {
          order.removeFirst()
          pending.append(number)
        }
        if written.isFull { return written.skippedBytes }
      }
    } catch {
      failure = (error, number)
      return 0
    }
  }

  /// Finds the next line of an input. Returns `false` if the text that is there must be read first, or if the input would block.
  private func advance(_ number: Int) throws(JSONError) -> Bool {
    let input = inputs[number]
    if copied.text.bytes.count > 0, !input.canReadAtOnce { return false }
    do throws(JSONError) {
      switch try input.advance() {
      case .line: order.insert(input.key)
      case .end: input.close()
      case .wouldBlock:
        waiter?.needed = number
        wouldBlock = copied.text.bytes.count == 0
        return false
      }
    } catch {
      guard plan.skipsFailures, error.position == nil else { throw error }
      plan.tally.add(error, of: number)
      input.close()
    }
    return true
  }
}

/// A binary heap, with its least element first.
struct MergeHeap<Element: BitwiseCopyable & Comparable>: ~Copyable {
  private var elements = PlainVector<Element>()

  var count: Int { elements.count }
  var first: Element? { elements.count > 0 ? elements[0] : nil }

  /// The least of the other elements.
  var second: Element? {
    guard elements.count > 2 else { return elements.count > 1 ? elements[1] : nil }
    return min(elements[1], elements[2])
  }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, element < elements[(index - 1) / 2] {
      elements[index] = elements[(index - 1) / 2]
      index = (index - 1) / 2
    }
    elements[index] = element
  }

  mutating func removeFirst() { if let last = elements.popLast(), elements.count > 0 { replaceFirst(last) } }

  mutating func replaceFirst(_ element: Element) {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = element
  }

  /// Changes elements in a way that keeps their order.
  mutating func change(_ body: (inout Element) -> Void) {
    for index in 0..<elements.count {
      var element = elements[index]
      body(&element)
      elements[index] = element
    }
  }
}
