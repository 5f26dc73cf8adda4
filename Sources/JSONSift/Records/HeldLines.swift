/// A line of an input that waits for what follows it.
struct HeldLine {
  /// The place of its bytes in ``HeldLines``.
  var start = 0
  var count = 0
  /// The part of the line that belongs to the record.
  var content = 0..<0
  let place: LinePosition
  /// What ``MixedLines`` knows about the container with which the content begins.
  var container = Container.none
  /// The number of containers around it, and of bytes of text before the line.
  var depth = 0
  var textOffset = 0

  enum Container {
    case none
    case open
    /// It ends at the end of the line with this number.
    case closed(Int)
    case bad
  }

  init(_ place: LinePosition, content: Range<Int>) { (self.place, self.content) = (place, content) }
}

/// A queue whose first elements are dropped at a constant cost. An element keeps its number.
struct NumberedQueue<Element> {
  private var elements: [Element] = []
  private var head = 0
  /// The number of the first element.
  private(set) var first = 0

  var count: Int { elements.count - head }
  /// The number after the last element's.
  var end: Int { first + count }
  var last: Element? { count > 0 ? elements.last : nil }

  subscript(_ number: Int) -> Element {
    get { elements[number - first + head] }
    set { elements[number - first + head] = newValue }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeLast() { if count > 0 { elements.removeLast() } }

  mutating func removeFirst() {
    guard count > 0 else { return }
    first += 1
    head += 1
    // At least as many elements were dropped as are moved.
    guard head * 2 > elements.count else { return }
    elements.removeFirst(head)
    head = 0
  }
}

/// Lines that are kept until their record is known.
struct HeldLines: ~Copyable {
  private(set) var lines = NumberedQueue<HeldLine>()
  private var bytes = ByteBuffer(capacity: 0)
  /// The number of bytes before ``bytes`` that were dropped.
  private var dropped = 0
  private static let keptBytes = Sizes.of(1 << 20, fuzzing: 64)

  var count: Int { lines.count }
  var first: HeldLine? { count > 0 ? lines[lines.first] : nil }

  subscript(_ number: Int) -> HeldLine {
    get { lines[number] }
    set { lines[number] = newValue }
  }

  mutating func append(_ line: HeldLine, _ text: UnsafeRawBufferPointer) {
    var line = line
    (line.start, line.count) = (dropped + bytes.count, text.count)
    lines.append(line)
    unsafe bytes.append(text)
  }

  mutating func removeLast() {
    guard let last = lines.last else { return }
    bytes.truncate(to: last.start - dropped)
    lines.removeLast()
  }

  mutating func removeFirst() {
    lines.removeFirst()
    let start = first?.start ?? (dropped + bytes.count)
    guard (start - dropped) * 2 > bytes.count else { return }
    bytes.removeFirst(start - dropped)
    dropped = start
    if bytes.count == 0 { bytes.removeAll(keepingAtMost: Self.keptBytes) }
  }

  func withText<Result>(of line: HeldLine, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withBytes(in: (line.start - dropped)..<(line.start - dropped + line.count)) { unsafe body($0) }
  }
}
