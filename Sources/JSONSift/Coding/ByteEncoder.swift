/// An encoder of one value: what an `encode(to:)` is handed. It writes the text as it is told.
///
/// A value inside this one gets an encoder that hangs below it, and which is used again for the next one when nobody
/// has kept it. It writes to the same text. A container or superclass that is asked for and filled later has a text of
/// its own, which is put into its place in the end.
@safe final class ByteEncoder: Encoder, CodingLevel {
  enum Kind { case empty, scalar, array, object }

  let context: EncodingContext
  private(set) var part: EncodedPart
  private(set) var kind = Kind.empty
  /// Elements or members so far, and the names of the members.
  ///
  /// SAFETY, of what is not checked for exclusive access: nothing of it is lent to code that can reach this object. See
  /// `EncodedPart`. Worth it: the checks are 9 % more instructions (check-instructions, encode).
  @exclusivity(unchecked) private var written = 0
  @exclusivity(unchecked) private var names = DuplicateKeyTracker()
  /// The text of a container that was asked for by name, so that who asks again gets the same.
  private var containers: [(name: String, encoder: ByteEncoder)] = []
  /// The text is this encoder's own.
  private var isKept = false
  /// The value is complete: what somebody still writes goes nowhere.
  private var isClosed = false
  /// A value inside this one is being written. What is written here meanwhile waits.
  private var isWaiting = false
  private var waiting: EncodedPart?
  /// Where the names of members stand in the text that waits, and how long they are.
  private var waitingNames: [(start: Int, length: Int)] = []

  // The step from the encoder above.
  private(set) var key: (any CodingKey)?
  private(set) var position = -1
  /// The encoder above: while one of its calls is under way, and for as long as somebody keeps this one.
  private(set) var above: ByteEncoder?
  private var spare: ByteEncoder?
  private var depth = 0

  init(_ context: EncodingContext, _ part: EncodedPart = EncodedPart()) {
    self.context = context
    self.part = part
  }

  /// Starts a text.
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

  private func setPlace(_ step: CodingStep, above: ByteEncoder) {
    self.above = above
    depth = above.depth &+ 1
    switch step {
    case .same:
      if key != nil { key = nil }
      position = -1
    case .index(let place):
      if key != nil { key = nil }
      position = place
    case .key(let newKey): key = newKey
    }
  }

  // MARK: Where text goes

  /// The text that is written to now.
  @inline(__always)
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

  /// Has the value inside this one written that `body` encodes.
  @inline(__always)
  func nested(_ step: CodingStep, _ target: EncodedPart, _ body: (ByteEncoder) throws -> Void) throws {
    var child = spare ?? ByteEncoder(context, target)
    spare = nil
    child.part = target
    child.reset()
    child.setPlace(step, above: self)
    let wasWaiting = isWaiting
    // A value inside may write into this one, and that may have a value inside which does so again.
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
        child.above = nil
        spare = child
      }
      isWaiting = wasWaiting
      if waiting != nil || outerWaiting != nil {
        let (text, names) = (waiting, waitingNames)
        (waiting, waitingNames) = (outerWaiting, outerNames)
        // What is written while a value is, that is taken back, is taken back with it.
        if isWritten, let text { append(text, names, to: target) }
      }
    }
    guard child.depth <= JSONSiftEncoder.largestDepth else { throw tooDeep(step) }
    try body(child)
    if child.kind == .empty { target.append("{}") } else { child.close() }
    isWritten = true
  }

  /// Puts what has waited behind the value for which it did.
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
    .invalidValue(
      Optional<Int>.none as Any,
      EncodingError.Context(
        codingPath: path(step),
        debugDescription: "Values lie more than \(JSONSiftEncoder.largestDepth) deep inside one another."))
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
    guard kind == .empty else { return fail("Two containers of different kinds are asked for at one place.") }
    kind = wanted
    let target = target
    // The text of a value inside another is closed when that value is done, this one when all is.
    if isKept { target.closing = wanted == .object ? ASCII.closeBrace : ASCII.closeBracket }
    target.append(byte: bracket)
  }

  /// Notes the error of a call that cannot throw.
  func fail(_ reason: String) {
    guard context.failure == nil else { return }
    context.failure = EncodingError.invalidValue(
      Optional<Int>.none as Any, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  /// An encoder with a text of its own, which stands where this one is now.
  func kept(_ step: CodingStep, _ target: EncodedPart, _ kind: Kind) -> ByteEncoder {
    let text = EncodedPart()
    target.insert(text)
    let child = ByteEncoder(context, text)
    child.isKept = true
    child.setPlace(step, above: self)
    switch kind {
    case .object: child.open(.object, ASCII.openBrace)
    case .array: child.open(.array, ASCII.openBracket)
    default: text.isValue = true
    }
    return child
  }

  // MARK: Elements and members

  /// Begins an element.
  @inline(__always)
  func beginElement() -> EncodedPart {
    let target = target
    if count > 0 { target.append(byte: ASCII.comma) }
    unsafe written &+= 1
    return target
  }

  /// Begins a member: what follows is its value.
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

  /// Writes an element or member, or nothing if that fails.
  @inline(__always)
  func all(_ body: () throws -> Void) throws {
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
      target.takeBack(to: mark)
      unsafe written = oldCount
      throw error
    }
  }

  /// The container of an earlier call with this name.
  func container(named name: String, _ kind: Kind) -> ByteEncoder? {
    containers.last { $0.name == name && $0.encoder.kind == kind }?.encoder
  }

  func note(_ container: ByteEncoder, named name: String) {
    if context.note(self) { containers.append((name, container)) }
  }

  func forgetContainers() { containers = [] }

  /// Begins the only value.
  func beginScalar() throws -> EncodedPart {
    guard kind == .empty else {
      throw EncodingError.invalidValue(
        Optional<Int>.none as Any,
        EncodingError.Context(
          codingPath: codingPath, debugDescription: "A second value is encoded where there is place for one."))
    }
    kind = .scalar
    return target
  }

  /// Forgets a value that could not be written.
  func takeBackScalar(to mark: EncodedPart.Mark, in target: EncodedPart) {
    target.takeBack(to: mark)
    kind = .empty
  }
}
