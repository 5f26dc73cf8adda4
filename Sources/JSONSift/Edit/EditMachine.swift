/// Applies the rules of an edit to tape words, and writes the text: slices of the source, and what replaces values.
///
/// The source arrives in *parts* that end between two tokens: complete records, or a part of a document. The text up to `copied`
/// has been written or dropped. It is written only where something changes and at the end of a part, so that a part without a
/// change is copied at once. The *gap* is the text between two tokens: white space, and a comma or colon. The gap at the end of a
/// part of a document is kept until the next token arrives, because it goes if the next child goes.
///
/// What is copied, dropped and held share this file, so that no other code can change the state of a gap.
struct EditMachine: ~Copyable {
  /// An open container.
  struct Frame: BitwiseCopyable {
    var head: EditAutomaton.Head
    var isObject = false
    /// Whether a child was kept.
    var hasKept = false
    /// The number of children so far.
    var index = 0
    /// The number of children; negative if it is not known.
    var count = -1
    /// The members that need not be created.
    var known: UInt64 = 0
    /// The last number of a key with the text of a mask.
    var maskedKeys = 0
    var hasMaskedKey = false
    /// The number of its path in ``SharedPaths``.
    var path: Int32 = 0

    static let root = Frame(
      head: EditAutomaton.Head(
        state: -1, isActive: false, isInert: false, needsNode: false, creates: false, known: 0))
  }

  /// A part of the source.
  ///
  /// Safe: its owner keeps the memory while a machine reads the part, and reads of the text and of the words are in their bounds.
  @safe struct Part {
    let words: UnsafeBufferPointer<UInt64>
    let text: UnsafeRawBufferPointer
    /// The number of words before the first one that links count.
    let links: Int
    /// The document of the words, if there is one.
    let document: Document?
  }

  let plan: EditPlan
  let options: JSONEdit.Options
  let reading: JSONOptions
  var automaton: EditAutomaton
  let masker: TextMasker
  /// Masks the names in paths of a receipt.
  private let pathMasker: TextMasker
  private let readsTexts: Bool
  private(set) var output = ByteBuffer(capacity: 256)
  package var counts: EditCounts
  /// The number of outermost values so far.
  private(set) var rootCount = 0
  /// How many texts enclose the text, in strings.
  let level: Int
  var inside: InsideEditor?
  let context: PathContext

  private var frames = PlainVector<Frame>()
  var frame = Frame.root
  /// The step for the value after the last key.
  private var memberStep: Int32 = 0
  /// The number of open containers in a value that is dropped, or copied without reading it. -1 before a value to drop.
  private var dropping = 0
  private var passing = 0
  /// The hash of a dropped value, if that replaces it.
  private var hash: KeyedHash?
  private var gap = ByteBuffer(capacity: 16)
  private var held = ByteBuffer(capacity: 16)
  var layouts: [MemberLayout] = []
  /// `nil` if they are not requested.
  private var sharedPaths: SharedPaths?
  /// The path of the value after the last key.
  private var memberPath: Int32 = 0

  // The current part.
  private var copied = 0
  /// The last token; `nil` before the first one of a part.
  private var previous: TapeWord?

  /// - Parameter pathMasker: Masks the names in paths of a receipt; `nil` for the rules of the plan.
  init(
    _ plan: EditPlan, _ options: JSONEdit.Options, _ reading: JSONOptions, level: Int = 0,
    pathMasker: TextMasker? = nil
  ) {
    self.plan = plan
    self.options = options
    self.reading = reading
    self.level = level
    let readsTexts = !plan.texts.isEmpty || options.editsInside || options.notesStrings
    masker = plan.masker
    self.readsTexts = readsTexts
    self.pathMasker = pathMasker ?? plan.masker
    automaton = EditAutomaton(plan, plan.texts.isEmpty ? nil : plan.masker, readsTexts: readsTexts)
    counts = EditCounts(rules: plan.labels.count)
    context = PathContext(root: .null, limits: reading.limits)
    sharedPaths = options.notesStrings ? SharedPaths(level: level) : nil
  }

  // MARK: Output

  /// Passes the output, and clears it.
  mutating func takeOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe output.withBytes { unsafe body($0) }
    output.removeAll(keepingAtMost: Self.keptOutput)
  }

  mutating func takeOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    unsafe takeOutput { unsafe bytes = Array($0) }
    return bytes
  }

  private static let keptOutput = Sizes.of(4 << 20, fuzzing: 32)

  /// Writes text that is not part of a value.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) { unsafe output.append(bytes) }

  /// Writes the source up to an index, with the gap before it.
  mutating func write(_ part: borrowing Part, upTo end: Int) {
    if gap.count > 0 {
      unsafe gap.withBytes { unsafe output.append($0) }
      gap.removeAll()
    }
    guard end > copied else { return }
    unsafe output.append(UnsafeRawBufferPointer(rebasing: part.text[copied..<end]))
    copied = end
  }

  /// Writes a text, which replaces the source up to an index, after the source before `start`.
  mutating func replace(_ part: borrowing Part, from start: Int, upTo end: Int, _ text: (inout ByteBuffer) -> Void) {
    write(part, upTo: start)
    text(&output)
    copied = end
  }

  /// Drops the source up to an index, and the gap before it.
  private mutating func drop(upTo end: Int) {
    gap.removeAll()
    copied = end
  }

  /// Writes the source up to the end of the last token.
  private mutating func writePrevious(_ part: borrowing Part) {
    if let previous { unsafe write(part, upTo: previous.end(in: part.text)) }
  }

  // MARK: Parts

  /// Edits a parsed record: its text with what precedes and follows the value.
  ///
  /// - Parameter start: The number of bytes of the text to leave out.
  mutating func edit(_ record: JSON, from start: Int = 0) throws(JSONError) {
    guard case .node(let document, let index) = record.storage else { return }
    context.setRoot(record)
    context.refill()
    // The memory of a record is reused only if nothing refers to it.
    defer { context.setRoot(.null) }
    let before = output.count
    do throws(QueryLimitExceeded) {
      try unsafe document.withSource { (text) throws(QueryLimitExceeded) in
        let part = unsafe Part(words: document.words(of: index), text: text, links: Int(index), document: document)
        try take(part, start..<text.count)
      }
    } catch {
      forget(after: before)
      throw context.failure
    }
  }

  /// Copies a parsed record.
  mutating func copy(_ record: JSON, from start: Int = 0) {
    rootCount += 1
    guard case .node(let document, _) = record.storage else { return }
    unsafe document.withSource { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[min(start, $0.count)...])) }
  }

  /// Forgets a record that could not be edited.
  private mutating func forget(after count: Int) {
    output.truncate(to: count)
    frames.removeAll()
    frame = .root
    (dropping, passing, hash, previous, layouts) = (0, 0, nil, nil, [])
    gap.removeAll()
    held.removeAll()
  }

  /// Edits a part of the source.
  ///
  /// - Parameters:
  ///   - part: The part, or more than it.
  ///   - range: The range of the part in its text.
  mutating func take(_ part: borrowing Part, _ range: Range<Int>) throws(QueryLimitExceeded) {
    copied = range.lowerBound
    previous = nil
    var index = 0
    let count = unsafe part.words.count
    while index < count {
      let word = unsafe TapeWord(bits: part.words[index])
      let kind = word.kind
      if passing > 0 {
        passing &+= kind.isStart ? 1 : kind.isEnd ? -1 : 0
      } else if dropping > 0 {
        dropping &+= kind.isStart ? 1 : kind.isEnd ? -1 : 0
        if dropping == 0 { endDropped(part, at: word.offset &+ 1) }
      } else if kind.isKey {
        try key(part, word, index)
      } else if kind.isEnd {
        end(part, word)
      } else {
        try value(part, word, index)
        if passing > 0, let end = part.end(ofContainerAt: index) {
          passing = 0
          index = end
          unsafe previous = TapeWord(bits: part.words[end &- 1])
          continue
        }
      }
      previous = word
      index &+= kind.isStart ? 2 : 1
    }
    endPart(part, range.upperBound)
  }

  private mutating func endPart(_ part: borrowing Part, _ end: Int) {
    if dropping != 0 {
      if let rest = unsafe hashedRest(part, upTo: end) { unsafe hash?.add(rest) }
      return drop(upTo: end)
    }
    guard frames.count > 0 else { return write(part, upTo: end) }
    writePrevious(part)
    unsafe gap.append(UnsafeRawBufferPointer(rebasing: part.text[copied..<end]))
    copied = end
  }

  /// The size of the gap that is kept.
  var gapCount: Int { gap.count }

  // MARK: Children

  private mutating func key(_ part: borrowing Part, _ word: TapeWord, _ index: Int) throws(QueryLimitExceeded) {
    let range = unsafe word.textRange(in: part.text)
    let raw = unsafe UnsafeRawBufferPointer(rebasing: part.text[range])
    let step = try unsafe memberStep(part, raw, isEscaped: word.kind.isEscaped, index)
    let head = automaton.heads[Int(step)]
    memberStep = step
    frame.known |= head.known
    if head.isActive, automaton.steps[Int(step)].change == .delete {
      count(step)
      beginDropped(part, at: word.offset)
      dropping = -1
      return
    }
    keep(part, at: word.offset)
    if frame.head.creates { layouts[layouts.count - 1].lead = blanks(part, before: word.offset) }
    let end = range.upperBound &+ 1
    if head.isActive, let rename = automaton.steps[Int(step)].rename, case .rename(let name) = plan.paths[rename].change
    {
      counts.applied[plan.paths[rename].number] += 1
      replace(part, from: word.offset, upTo: end) { output in
        unsafe name.withUnsafeBytes { unsafe output.append($0) }
      }
      // The receipt has the name of the output.
      if sharedPaths != nil { unsafe name[1..<name.count - 1].withUnsafeBytes { unsafe notePath($0, isEscaped: true) } }
      return
    }
    if !head.keepsKey { unsafe maskKey(part, word, raw, end) }
    if sharedPaths != nil { unsafe notePath(raw, isEscaped: word.kind.isEscaped) }
  }

  /// Sets the path of the value after a key. A key with masked parts is shown with them.
  private mutating func notePath(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) {
    if sharedPaths?.isFull == true { forgetPaths() }
    var key = unsafe isEscaped ? Array(EscapedText.decode(raw).utf8) : Array(raw)
    if let masked = unsafe key.withUnsafeBytes({ unsafe pathMasker.masked(uncounted: $0) }) { key = masked }
    let parent = frame.path
    memberPath = unsafe key.withUnsafeBytes { unsafe sharedPaths?.child(of: parent, key: $0) } ?? 0
  }

  /// Forgets the paths of containers that have ended.
  private mutating func forgetPaths() {
    let open = (0..<frames.count).map { frames[$0].path } + [frame.path]
    let paths = sharedPaths?.forget(except: open) ?? []
    for (index, path) in paths.enumerated() {
      if index < frames.count { frames[index].path = path } else { frame.path = path }
    }
  }

  /// Returns the path of a value, whose container is open.
  private mutating func valuePath() -> Int32 {
    if frame.isObject { return memberPath }
    return frames.count == 0 ? 0 : unsafe sharedPaths?.child(of: frame.path, key: nil) ?? 0
  }

  /// Notes that a string is copied.
  mutating func noteShared() {
    guard sharedPaths != nil else { return }
    let path = valuePath()
    if let text = sharedPaths?.note(path) { counts.strings.insert(text) }
  }

  private mutating func memberStep(
    _ part: borrowing Part, _ raw: UnsafeRawBufferPointer, isEscaped: Bool, _ index: Int
  ) throws(QueryLimitExceeded) -> Int32 {
    if isEscaped {
      let key = unsafe Array(EscapedText.decode(raw).utf8)
      return try unsafe key.span.withUnsafeBytes { (key) throws(QueryLimitExceeded) in
        try unsafe memberStep(part, key, isEscaped: false, index)
      }
    }
    return try unsafe nodeStep(part, raw, index &+ 1) ?? automaton.step(frame.head.state, key: raw)
  }

  private mutating func value(_ part: borrowing Part, _ word: TapeWord, _ index: Int) throws(QueryLimitExceeded) {
    if dropping < 0 {
      dropping = 0
      return dropValue(part, word)
    }
    let step: Int32
    if frame.isObject {
      step = memberStep
      if frame.head.creates { layouts[layouts.count - 1].colon = blanks(part, before: word.offset) }
    } else if frames.count == 0 {
      rootCount += 1
      step = automaton.rootStep
    } else {
      step = try elementStep(part, index)
      if automaton.heads[Int(step)].isActive, automaton.steps[Int(step)].change == .delete {
        count(step)
        beginDropped(part, at: word.offset)
        return dropValue(part, word)
      }
      keep(part, at: word.offset)
    }
    let head = automaton.heads[Int(step)]
    if head.isActive, try change(part, word, step) { return }
    if word.kind.isStart {
      guard !head.isInert else {
        passing = 1
        return
      }
      let link = part.link(ofContainerAt: index)
      let path = sharedPaths == nil ? 0 : valuePath()
      frames.append(frame)
      frame = Frame(head: head, isObject: word.kind == .objectStart, count: link, path: path)
      if head.creates { layouts.append(MemberLayout()) }
    } else if readsTexts {
      try text(part, word)
    }
  }

  private mutating func elementStep(_ part: borrowing Part, _ index: Int) throws(QueryLimitExceeded) -> Int32 {
    let count = frame.count >= 0 ? frame.count : nil
    return try unsafe nodeStep(part, nil, index) ?? automaton.step(frame.head.state, index: frame.index, count: count)
  }

  /// Returns the step to a child whose value decides about it; `nil` if the value is not needed.
  @inline(__always)
  private mutating func nodeStep(
    _ part: borrowing Part, _ key: UnsafeRawBufferPointer?, _ index: Int
  ) throws(QueryLimitExceeded) -> Int32? {
    guard frame.head.needsNode, let document = part.document else { return nil }
    let value = JSON(document, UInt32(truncatingIfNeeded: part.links &+ index))
    return try unsafe automaton.step(
      frame.head.state, key: key, index: frame.index, count: frame.count,
      EditAutomaton.Node(value: value, context: context))
  }

  /// Counts the rules that select a child.
  private mutating func count(_ step: Int32) {
    let only = Int(automaton.heads[Int(step)].onlyRule)
    guard only < 0 else {
      counts.selected[only] += 1
      counts.applied[only] += 1
      return
    }
    for rule in automaton.steps[Int(step)].selected { counts.selected[rule] += 1 }
    switch automaton.steps[Int(step)].change {
    case .none: break
    case .mask(let rule): counts.applied[rule] += 1
    case .set(let path): counts.applied[plan.paths[path].number] += 1
    case .delete:
      for path in plan.paths where automaton.steps[Int(step)].selected.contains(path.number) {
        guard case .delete = path.change else { continue }
        counts.applied[path.number] += 1
        break
      }
    }
  }

  /// Replaces a value, if a rule masks or sets it. Returns whether it does.
  private mutating func change(
    _ part: borrowing Part, _ word: TapeWord, _ step: Int32
  ) throws(QueryLimitExceeded) -> Bool {
    count(step)
    switch automaton.steps[Int(step)].change {
    case .none, .delete: return false
    case .set(let path):
      guard case .set(let text) = plan.paths[path].change else { return false }
      write(part, upTo: word.offset)
      unsafe text.withUnsafeBytes { unsafe output.append($0) }
    case .mask(let rule):
      write(part, upTo: word.offset)
      if let text = plan.maskedValues[rule] {
        unsafe text.withUnsafeBytes { unsafe output.append($0) }
      } else if let mask = plan.masks[rule] {
        if word.kind.isStart, case .hash(let key) = mask.content { hash = KeyedHash(key: key) }
        if hash == nil { unsafe mask.append(for: word, in: part.text, to: &output) }
      }
    }
    copied = word.offset
    dropValue(part, word)
    return true
  }

  /// Drops a value, whose first token has arrived.
  private mutating func dropValue(_ part: borrowing Part, _ word: TapeWord) {
    if word.kind.isStart {
      dropping = 1
      if hash == nil { drop(upTo: word.offset) }
    } else {
      drop(upTo: unsafe word.end(in: part.text))
    }
  }

  private mutating func endDropped(_ part: borrowing Part, at end: Int) {
    if let rest = unsafe hashedRest(part, upTo: end) { unsafe hash?.add(rest) }
    drop(upTo: end)
    guard let text = hash.take()?.text() else { return }
    unsafe text.withUnsafeBytes { unsafe output.append(quoting: $0, escapesSlashes: false) }
  }

  private func hashedRest(_ part: borrowing Part, upTo end: Int) -> UnsafeRawBufferPointer? {
    guard hash != nil, copied < end else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: part.text[copied..<end])
  }

  // MARK: Gaps
  //
  // A child that is dropped takes the gap before it along, with its comma. The gap before the first child is held until a child
  // is kept, and replaces the gap of that one, which has a comma. If no child is kept, the held gap and the gap before the
  // closing bracket go, too.

  private mutating func beginDropped(_ part: borrowing Part, at start: Int) {
    writePrevious(part)
    if frame.index == 0 {
      held.removeAll()
      unsafe gap.withBytes { unsafe held.append($0) }
      unsafe held.append(UnsafeRawBufferPointer(rebasing: part.text[copied..<start]))
    }
    drop(upTo: start)
    frame.index &+= 1
  }

  private mutating func keep(_ part: borrowing Part, at start: Int) {
    if !frame.hasKept {
      if frame.index > 0 {
        writePrevious(part)
        drop(upTo: start)
        unsafe held.withBytes { unsafe output.append($0) }
        held.removeAll()
      }
      frame.hasKept = true
    }
    frame.index &+= 1
  }

  private mutating func end(_ part: borrowing Part, _ word: TapeWord) {
    if frame.index > 0, !frame.hasKept {
      writePrevious(part)
      drop(upTo: word.offset)
      held.removeAll()
    }
    if frame.head.creates {
      if frame.isObject { create(part) }
      layouts.removeLast()
    }
    frame = frames.popLast() ?? .root
  }

  /// Creates the members that are absent from the object that ends, after its last one.
  private mutating func create(_ part: borrowing Part) {
    let creations = automaton.states[Int(frame.head.state)].creations.filter { $0.bit & frame.known == 0 }
    guard !creations.isEmpty, let layout = layouts.last else { return }
    writePrevious(part)
    var created: [Int] = []
    let text = NewMembers(plan).text(creations.map { ($0.path, $0.segment) }, layout, after: frame.hasKept, &created)
    unsafe text.withUnsafeBytes { unsafe output.append($0) }
    for path in created {
      counts.applied[plan.paths[path].number] += 1
      counts.selected[plan.paths[path].number] += 1
    }
  }

  /// Returns the white space after the last token, behind the comma or colon.
  private func blanks(_ part: borrowing Part, before start: Int) -> [UInt8] {
    var text: [UInt8] = []
    let known = previous.map { unsafe $0.end(in: part.text) } ?? copied
    if previous == nil { unsafe gap.withBytes { unsafe text = Array($0) } }
    unsafe text += part.text[min(known, start)..<start]
    let blanks = text.drop { $0 != ASCII.comma && $0 != ASCII.colon }
    let found = blanks.isEmpty ? text[...] : blanks.dropFirst()
    return found.count <= Self.maxBlanks && found.allSatisfy(\.isJSONWhitespace) ? Array(found) : []
  }

  private static let maxBlanks = 1 << 10
}

extension EditMachine.Part {
  /// Returns the number of children of a container; -1 if it does not end in the part.
  func link(ofContainerAt index: Int) -> Int {
    unsafe end(ofContainerAt: index) == nil ? -1 : TapeWord(bits: words[index &+ 1]).childCount
  }

  /// Returns the index of the word after a container; `nil` if it does not end in the part.
  func end(ofContainerAt index: Int) -> Int? {
    guard unsafe index &+ 1 < words.count else { return nil }
    let end = unsafe TapeWord(bits: words[index &+ 1]).linkedIndex &- links
    return unsafe end > index && end <= words.count ? end : nil
  }
}

extension TapeWord {
  /// Returns the offset after the token, also of a long text.
  func end(in text: UnsafeRawBufferPointer) -> Int {
    guard isLong else { return end }
    return unsafe min(textRange(in: text).upperBound &+ (kind == .number ? 0 : 1), text.count)
  }
}
