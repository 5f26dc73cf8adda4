/// The encoder of one value, passed to `encode(to:)`. It writes the text immediately, without a tree of values.
///
/// A nested value gets a child encoder. The child is reused for the next nested value unless user code still holds it.
/// It writes to the same text. A nested container or superclass encoder that user code requests may be filled later, in
/// any order: it has a text of its own, which is inserted at its offset at the end.
@safe final class ByteEncoder: Encoder, CodingLevel {
  enum Kind { case empty, scalar, array, object }

  let context: EncodingContext
  private(set) var part: EncodedPart
  private(set) var kind = Kind.empty
  /// The number of elements or members so far, and the keys of the members.
  ///
  /// SAFETY of the disabled exclusivity checks: no part of either is passed to code that can reach this object; see
  /// `EncodedPart`. Worth it: the checks take 9 % more instructions (Scripts/measure instructions, encode).
  @exclusivity(unchecked) private var written = 0
  @exclusivity(unchecked) private var names = DuplicateKeyTracker()
  /// The nested containers by key: a second request for the same key returns the same container.
  private var containers: [(name: String, encoder: ByteEncoder)] = []
  /// Whether this encoder has a text of its own, and user code may hold it for longer than a call.
  private var hasOwnText = false
  /// Whether the value is complete. Later writes are discarded.
  private var isClosed = false
  /// Whether a nested value is being written. Text that is written to this encoder meanwhile is stored in `waiting`,
  /// and is appended after the nested value.
  private var isWaiting = false
  private var waiting: EncodedPart?
  /// The offset and length of each key in `waiting`.
  private var waitingNames: [(start: Int, length: Int)] = []

  // The step from the parent to this value.
  private(set) var key: (any CodingKey)?
  private(set) var elementIndex = -1
  /// The parent: set during one of its calls, and for as long as user code holds this encoder.
  private(set) var parent: ByteEncoder?
  private var spare: ByteEncoder?
  private var depth = 0

  init(_ context: EncodingContext, _ part: EncodedPart = EncodedPart()) {
    self.context = context
    self.part = part
  }

  /// Begins a new text, and reuses its memory.
  func beginText() {
    part.clear()
    reset()
  }

  /// Closes the outermost value.
  func endText() {
    close()
    isClosed = true
  }

  private func reset() {
    kind = .empty
    unsafe written = 0
    unsafe names.removeAll()
    if !containers.isEmpty { containers.removeAll() }
    isClosed = false
    isWaiting = false
    waiting = nil
    if !waitingNames.isEmpty { waitingNames = [] }
  }

  var isEmpty: Bool { kind == .empty }

  var count: Int { unsafe written }

  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  // MARK: Paths

  var codingPath: [any CodingKey] { path(.same) }

  private func attach(_ step: CodingStep, parent: ByteEncoder) {
    self.parent = parent
    depth = parent.depth &+ 1
    switch step {
    case .same:
      if key != nil { key = nil }
      elementIndex = -1
    case .index(let index):
      if key != nil { key = nil }
      elementIndex = index
    case .key(let newKey): key = newKey
    }
  }

  // MARK: Target

  /// The text that receives the next bytes.
  var target: EncodedPart {
    if !isWaiting, !isClosed { return part }
    return lateTarget
  }

  private var lateTarget: EncodedPart {
    if isClosed { return EncodedPart() }
    if let waiting { return waiting }
    let made = EncodedPart()
    waiting = made
    return made
  }

  // Forced inlining in this file saves 1.7 % of `encode` (Scripts/measure instructions).
  /// Writes the nested value that `body` encodes.
  @inline(__always)
  func nested(_ step: CodingStep, _ target: EncodedPart, _ body: (ByteEncoder) throws -> Void) throws {
    var child = spare ?? ByteEncoder(context, target)
    spare = nil
    child.part = target
    child.reset()
    child.attach(step, parent: self)
    let wasWaiting = isWaiting
    // A nested value may write to this encoder while it is being written, and another nested value inside it may do so
    // again.
    let outerWaiting = waiting
    let outerNames = waitingNames
    isWaiting = true
    if outerWaiting != nil {
      waiting = nil
      waitingNames = []
    }
    var isWritten = false
    defer {
      child.isClosed = true
      if isKnownUniquelyReferenced(&child) {
        child.parent = nil
        spare = child
      }
      isWaiting = wasWaiting
      if waiting != nil || outerWaiting != nil {
        let (text, names) = (waiting, waitingNames)
        (waiting, waitingNames) = (outerWaiting, outerNames)
        // Rolling back a value also rolls back everything written to its parent meanwhile.
        if isWritten, let text { append(text, names, to: target) }
      }
    }
    guard child.depth <= JSONLimits.maxRecursion else { throw tooDeep(step) }
    try body(child)
    if child.kind == .empty { target.append("{}") } else { child.close() }
    isWritten = true
  }

  /// Appends the text that waited, after the nested value it waited for.
  @inline(never)
  private func append(_ text: EncodedPart, _ members: [(start: Int, length: Int)], to target: EncodedPart) {
    let start = target.count
    target.append(text)
    for member in members {
      if target !== part {
        waitingNames.append((start + member.start, member.length))
      } else if let old = unsafe names.add(start + member.start, member.length, in: part) {
        part.skip(old)
      }
    }
  }

  private func tooDeep(_ step: CodingStep) -> EncodingError {
    .invalid(at: path(step), "Values are nested more than \(JSONLimits.maxRecursion) deep.")
  }

  private func close() {
    switch kind {
    case .object: part.append(byte: ASCII.closeBrace)
    case .array: part.append(byte: ASCII.closeBracket)
    default: break
    }
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object, ASCII.openBrace)
    return KeyedEncodingContainer(KeyedByteContainer<Key>(self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array, ASCII.openBracket)
    return UnkeyedByteContainer(self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func open(_ wanted: Kind, _ bracket: UInt8) {
    guard kind != wanted else { return }
    guard kind == .empty else { return fail("Two containers of different kinds are requested for one value.") }
    kind = wanted
    let target = target
    // A text of its own gets its closing bracket when all texts are joined; a shared text gets it when its value is
    // complete.
    if hasOwnText { target.closing = wanted == .object ? ASCII.closeBrace : ASCII.closeBracket }
    target.append(byte: bracket)
  }

  /// Records the error of a call that cannot throw. Only the first error is kept.
  func fail(_ reason: String) {
    guard context.failure == nil else { return }
    context.failure = EncodingError.invalid(at: codingPath, reason)
  }

  /// Returns a child encoder with a text of its own, which is inserted at the current end of `target`.
  func escapingChild(_ step: CodingStep, _ target: EncodedPart, _ kind: Kind) -> ByteEncoder {
    let text = EncodedPart()
    target.insert(text)
    let child = ByteEncoder(context, text)
    child.hasOwnText = true
    child.attach(step, parent: self)
    switch kind {
    case .object: child.open(.object, ASCII.openBrace)
    case .array: child.open(.array, ASCII.openBracket)
    default: text.isValue = true
    }
    return child
  }

  // MARK: Elements and members

  /// Begins an element, and returns the text to write its value to.
  func beginElement() -> EncodedPart {
    let target = target
    if count > 0 { target.append(byte: ASCII.comma) }
    unsafe written &+= 1
    return target
  }

  /// Begins a member, and returns the text to write its value to. An earlier member with the same key is dropped.
  @inline(__always)
  func beginMember(_ name: String) -> EncodedPart {
    let target = target
    if count > 0 { target.append(byte: ASCII.comma) }
    unsafe written &+= 1
    let start = target.count
    target.append(string: name, escapesSlashes: escapesSlashes)
    if !containers.isEmpty { containers.removeAll { $0.name == name } }
    if target !== part {
      if target === waiting { waitingNames.append((start, target.count - start)) }
    } else if let old = unsafe names.add(start, target.count &- start, in: target) {
      target.skip(old)
    }
    target.append(byte: ASCII.colon)
    return target
  }

  var escapesSlashes: Bool { !context.settings.value.outputFormatting.contains(.withoutEscapingSlashes) }

  /// Writes an element or member. On an error everything written for it is removed.
  @inline(__always)
  func atomically(_ body: () throws -> Void) throws {
    let target = target
    let mark = target.mark
    let oldCount = count
    let additions = unsafe names.additions
    let waitingCount = waitingNames.count
    do {
      try body()
    } catch {
      if target === part, unsafe names.additions > additions { unsafe names.removeLast(in: part) }
      if target === waiting { waitingNames.removeLast(max(waitingNames.count - waitingCount, 0)) }
      target.rollBack(to: mark)
      unsafe written = oldCount
      throw error
    }
  }

  /// Returns the container that an earlier call created for this key.
  func container(named name: String, _ kind: Kind) -> ByteEncoder? {
    containers.last { $0.name == name && $0.encoder.kind == kind }?.encoder
  }

  func register(_ container: ByteEncoder, named name: String) {
    if context.register(self) { containers.append((name, container)) }
  }

  func forgetContainers() { containers = [] }

  /// Begins the single value, and returns the text to write it to. Throws if a value has been encoded already.
  func beginScalar() throws -> EncodedPart {
    guard kind == .empty else {
      throw EncodingError.invalid(at: codingPath, "A second value is encoded where only one is allowed.")
    }
    kind = .scalar
    return target
  }

  /// Removes a value that could not be written.
  func rollBackScalar(to mark: EncodedPart.Mark, in target: EncodedPart) {
    target.rollBack(to: mark)
    kind = .empty
  }
}
