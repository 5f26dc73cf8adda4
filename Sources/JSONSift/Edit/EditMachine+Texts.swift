extension EditMachine {
  /// Masks parts of a string or number, or edits the JSON text in a string.
  mutating func text(_ part: borrowing Part, _ word: TapeWord) throws(QueryLimitExceeded) {
    guard word.kind.isString || word.kind == .number else { return }
    let raw = unsafe UnsafeRawBufferPointer(rebasing: part.text[word.textRange(in: part.text)])
    guard let text = try unsafe masked(raw, isEscaped: word.kind.isString && word.kind.isEscaped, word.kind.isString)
    else {
      if word.kind.isString { noteShared() }
      return
    }
    unsafe replace(part, from: word.offset, upTo: word.end(in: part.text)) { output in
      unsafe text.withUnsafeBytes { unsafe output.append(quoting: $0, escapesSlashes: false) }
    }
  }

  private mutating func masked(
    _ raw: UnsafeRawBufferPointer, isEscaped: Bool, _ isString: Bool
  ) throws(QueryLimitExceeded) -> [UInt8]? {
    if isEscaped {
      let text = unsafe [UInt8](unsafeUninitializedCapacity: raw.count) {
        unsafe $1 = EscapedText.decode(raw, into: $0)
      }
      return try unsafe text.span.withUnsafeBytes { (text) throws(QueryLimitExceeded) in
        try unsafe masked(text, isEscaped: false, isString)
      }
    }
    if isString, options.editsInside, level <= InsideEditor.maxLevel,
      unsafe raw.first(where: { !$0.isJSONWhitespace })?.opensContainer == true
    {
      let editor = inside ?? InsideEditor(plan, options, reading, level: level + 1)
      inside = editor
      switch try unsafe editor.edit(raw, &counts) {
      case .notJSON: break
      case .beyondLimits:
        counts.applied[plan.insideRule] += 1
        counts.selected[plan.insideRule] += 1
        return Array("***".utf8)
      case .edited(let edited, let isChanged):
        // A part that spans several tokens of the text is masked only in the whole.
        let masked = unsafe edited.withUnsafeBytes { unsafe masker.masked($0, &counts) }
        return masked ?? (isChanged ? edited : nil)
      }
    }
    return unsafe masker.masked(raw, &counts)
  }

  /// Masks parts of a key, and numbers it.
  mutating func maskKey(_ part: borrowing Part, _ word: TapeWord, _ raw: UnsafeRawBufferPointer, _ end: Int) {
    let text =
      unsafe word.kind.isEscaped
      ? EscapedText.withDecoded(raw) { unsafe maskedKey($0) } : maskedKey(raw)
    guard let text else { return }
    replace(part, from: word.offset, upTo: end) { output in
      unsafe text.withUnsafeBytes { unsafe output.append(quoting: $0, escapesSlashes: false) }
    }
  }

  /// Returns what replaces a decoded key; `nil` if it stays as it is.
  ///
  /// A masked key gets a number, except the first key of an object that has the text of a mask. So does a key that has this
  /// text already and follows a masked one. The numbers grow, and begin after one at the end of the first key, so that a
  /// masked key differs from all others without a list of them.
  private mutating func maskedKey(_ key: UnsafeRawBufferPointer) -> [UInt8]? {
    let masked = unsafe masker.masked(key, &counts)
    guard unsafe masked != nil || masker.hasMask(key) else { return nil }
    var text = unsafe masked ?? Array(key)
    let isNumbered = masked == nil ? frame.hasMaskedKey : frame.maskedKeys > 0
    if isNumbered {
      frame.maskedKeys += 1
      text += "#\(frame.maskedKeys)".utf8
    } else {
      let end = text.lastIndex(of: ASCII.hash).flatMap { Int32(String(decoding: text[($0 + 1)...], as: UTF8.self)) }
      frame.maskedKeys = max(frame.maskedKeys, Int(end ?? 1), 1)
    }
    if masked != nil { frame.hasMaskedKey = true }
    return isNumbered || masked != nil ? text : nil
  }
}

/// Edits the JSON texts in strings.
final class InsideEditor {
  private var machine: EditMachine
  private var builder: DocumentBuilder

  enum Result {
    case edited([UInt8], isChanged: Bool)
    case notJSON
    /// The text exceeds a limit, is in too many texts or holds half of a surrogate pair, so its secrets cannot be found.
    case beyondLimits
  }

  static let maxLevel = 8

  init(_ plan: EditPlan, _ options: JSONEdit.Options, _ reading: JSONOptions, level: Int) {
    machine = EditMachine(plan, options, reading, level: level)
    builder = DocumentBuilder(options: reading)
  }

  func edit(_ text: UnsafeRawBufferPointer, _ counts: inout EditCounts) throws(QueryLimitExceeded) -> Result {
    let document: Document
    do throws(JSONError) {
      document = try unsafe builder.document(copying: text, stripsMark: false)
    } catch {
      return error.code.isOfSyntax ? .notJSON : .beyondLimits
    }
    guard machine.level <= Self.maxLevel else { return .beyondLimits }
    do throws(JSONError) {
      try machine.edit(JSON(document, Document.root))
    } catch {
      throw QueryLimitExceeded()
    }
    counts.add(machine.counts.take())
    let edited = machine.takeOutput()
    let isChanged = unsafe !edited.elementsEqual(text)
    return .edited(edited, isChanged: isChanged)
  }
}

extension JSONError.Code {
  /// Whether the text is not JSON under any options.
  fileprivate var isOfSyntax: Bool {
    let codes: [JSONError.Code] = [
      .unexpectedByte, .unexpectedEnd, .trailingContent, .missingSeparator, .invalidNumber, .invalidLiteral,
      .controlCharacter, .invalidEscape, .invalidUTF8,
    ]
    return codes.contains(self)
  }
}

/// Masks parts of texts.
struct TextMasker: Sendable {
  private var literals: [(table: LiteralTable, rule: Int)] = []
  /// The patterns, and apart from them what each needs, which is compared without a reference count.
  private var patterns: [(search: IRegexpSearch, rule: Int)] = []
  private var needs: [IRegexpNeeds] = []
  private var cards: [Int] = []
  /// The patterns that a text with two bytes may match, by the second byte and four bits of the first one: bit n stands for
  /// pattern n, n + 64, and so on. Each pattern has few such bytes, and most texts have none of them.
  private var keys = [UInt64](repeating: 0, count: keyCount)
  private static let keyCount = 16 << 8
  private let masks: [JSONEdit.Mask?]
  /// What the masks write: each masked text contains one of these texts, unless a hash replaced it.
  private let maskTexts: LiteralTable

  init(_ rules: [TextRule], _ masks: [JSONEdit.Mask?]) {
    self.masks = masks
    maskTexts = LiteralTable(rules.compactMap { masks[$0.number]?.part }.filter { !$0.isEmpty })
    for rule in rules {
      switch rule.matcher {
      case .literals(let table): literals.append((table, rule.number))
      case .cards: cards.append(rule.number)
      case .pattern(let search):
        let bit: UInt64 = 1 << UInt64(patterns.count % 64)
        for first in 0..<UInt8(16) {
          for second in UInt8.min...UInt8.max where search.needs.mayMatch(first, second) {
            keys[Self.key(first, second)] |= bit
          }
        }
        patterns.append((search, rule.number))
        needs.append(search.needs)
      }
    }
  }

  private static func key(_ first: UInt8, _ second: UInt8) -> Int { Int(first & 15) << 8 | Int(second) }

  /// Returns the bits of the patterns that a text may match.
  private func candidates(for text: UnsafeRawBufferPointer) -> UInt64 {
    // SAFETY: each key is below the number of elements. The loop reads every string, which is 15 % of the time of the preset with
    // the checks of an array.
    unsafe keys.withUnsafeBufferPointer { keys in
      var (candidates, last): (UInt64, UInt8) = (0, 0)
      for index in 0..<text.count {
        let byte = unsafe text[index]
        unsafe candidates |= keys[Self.key(last, byte)]
        last = byte
      }
      return candidates
    }
  }

  /// Returns whether a decoded key stays as it is, because no rule masks a part of it and it has no text of a mask.
  func keeps(key: UnsafeRawBufferPointer) -> Bool { unsafe masked(uncounted: key) == nil && !hasMask(key) }

  func masked(uncounted text: UnsafeRawBufferPointer) -> [UInt8]? {
    var counts = EditCounts(rules: masks.count)
    return unsafe masked(text, &counts)
  }

  /// Returns whether a decoded text may be one that a mask has made.
  func hasMask(_ text: UnsafeRawBufferPointer) -> Bool { unsafe !maskTexts.ranges(in: text).isEmpty }

  /// Returns a decoded text with every part masked that a rule finds; `nil` if there is none. Parts that overlap are replaced
  /// together.
  func masked(_ text: UnsafeRawBufferPointer, _ counts: inout EditCounts) -> [UInt8]? {
    let candidates = patterns.isEmpty ? 0 : unsafe candidates(for: text)
    guard candidates != 0 || !literals.isEmpty || !cards.isEmpty, unsafe !text.isEmpty else { return nil }
    var parts: [(range: Range<Int>, rule: Int)] = []
    for index in literals.indices {
      for range in unsafe literals[index].table.ranges(in: text) { parts.append((range, literals[index].rule)) }
    }
    for bit in candidates.bits {
      for index in stride(from: bit, to: needs.count, by: 64) where unsafe needs[index].areMet(by: text) {
        // SAFETY: the span is used only during this call, in which the bytes do not change.
        let span = unsafe Span<UInt8>(_unsafeBytes: text)
        for range in patterns[index].search.ranges(in: span) { parts.append((range, patterns[index].rule)) }
      }
    }
    if let rule = cards.first { for range in unsafe CardNumbers.ranges(in: text) { parts.append((range, rule)) } }
    guard !parts.isEmpty else { return nil }
    for part in parts {
      counts.applied[part.rule] += 1
      counts.selected[part.rule] += 1
    }
    parts.sort {
      $0.range.lowerBound != $1.range.lowerBound ? $0.range.lowerBound < $1.range.lowerBound : $0.rule < $1.rule
    }
    var result: [UInt8] = []
    var end = 0
    var index = 0
    while index < parts.count {
      var range = parts[index].range
      let mask = masks[parts[index].rule]
      index += 1
      while index < parts.count, parts[index].range.lowerBound < range.upperBound {
        range = range.lowerBound..<max(range.upperBound, parts[index].range.upperBound)
        index += 1
      }
      unsafe result += text[end..<range.lowerBound]
      unsafe result += mask?.replacement(of: UnsafeRawBufferPointer(rebasing: text[range])) ?? []
      end = range.upperBound
    }
    unsafe result += text[end...]
    return result
  }
}

extension JSONEdit.Mask {
  /// A text in everything that replaces a part of a text.
  fileprivate var part: String {
    switch content {
    case .fixed(let fixed): String(decoding: fixed, as: UTF8.self)
    case .null: "***"
    case .stars: "*"
    case .hash: ""
    }
  }

  /// Returns what replaces a decoded text.
  func replacement(of text: UnsafeRawBufferPointer) -> [UInt8] {
    switch content {
    case .fixed(let fixed): return fixed
    case .null: return Array("***".utf8)
    case .stars: return unsafe text.filter { $0 & 0xC0 != 0x80 }.map { _ in ASCII.star }
    case .hash(let key):
      var hash = KeyedHash(key: key)
      unsafe hash.add(text)
      return hash.text()
    }
  }

  /// The JSON text that replaces each value; `nil` if that depends on the value.
  var value: [UInt8]? {
    switch content {
    case .fixed(let fixed):
      var text: [UInt8] = []
      text.append(quoting: String(decoding: fixed, as: UTF8.self))
      return text
    case .null: return Array("null".utf8)
    case .stars, .hash: return nil
    }
  }

  /// Appends what replaces a value; for a container, whose text is not known yet, not its hash.
  func append(for word: TapeWord, in text: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    let raw: UnsafeRawBufferPointer
    switch word.kind {
    case .string, .escapedString, .number: unsafe raw = UnsafeRawBufferPointer(rebasing: text[word.textRange(in: text)])
    case .arrayStart, .objectStart: unsafe raw = UnsafeRawBufferPointer(start: nil, count: 0)
    default: unsafe raw = UnsafeRawBufferPointer(rebasing: text[word.offset..<min(word.end, text.count)])
    }
    var replaced =
      unsafe word.kind == .escapedString
      ? EscapedText.withDecoded(raw) { unsafe replacement(of: $0) } : replacement(of: raw)
    if word.kind.isStart, case .stars = content { replaced = Array("***".utf8) }
    unsafe replaced.withUnsafeBytes { unsafe output.append(quoting: $0, escapesSlashes: false) }
  }
}

extension UInt64 {
  /// The numbers of the bits that are set.
  fileprivate var bits: some Sequence<Int> {
    sequence(state: self) { rest -> Int? in
      guard rest != 0 else { return nil }
      defer { rest &= rest &- 1 }
      return rest.trailingZeroBitCount
    }
  }
}
