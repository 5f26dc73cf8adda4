import JSONSift

extension FuzzTarget {
  /// Compares edits of a text: whole, in chunks, in memory and of the edited text. What no rule selects stays byte for byte.
  static let edit = FuzzTarget(name: "edit") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = JSONRecordOptions(
      framing: [.document, .lines, .values, .textSequence][input.choice() % 4], reading: input.options())
    let flags = input.choice()
    options.recovery = flags & 1 != 0 ? .skip : .stop
    options.skipsPrefix = flags & 2 != 0
    var settings = JSONEdit.Options()
    settings.editsInside = flags & 4 != 0
    settings.keepsBadRecords = flags & 8 != 0
    settings.keepsPrefix = flags & 16 != 0
    let rules = rules(&input, mask: flags & 32 != 0 ? .stars : flags & 64 != 0 ? .hash(key: [1, 2, 3]) : .fixed("M"))
    let lengths = input.choices(4).map { $0 % 60 }
    let text = input.text
    guard let edit = try? JSONEdit(rules, options: settings) else { return }
    let whole = Edited(edit, .bytes(text), options)
    if whole.error?.code == .compressedInput { return }
    let cut = Edited(edit, .chunks(split(text, cutBy: lengths)), options)
    // What is written before an error depends on how the bytes arrive.
    try expectEqual("the error of the edit in chunks", cut.error, whole.error)
    if whole.error == nil { try expectEqual("the edit in chunks", cut, whole) }
    if whole.error == nil, options.framing == .document {
      let value = result { () throws(JSONError) in
        try edit.edited(JSON(parsing: text, options: options.reading), options: options.reading).rawBytes
      }
      try expectEqual("the edit in memory", words((try? value.get()) ?? []), words(Array(withoutEnds(whole.text))))
    }
    guard let none = try? JSONEdit([.delete("$.no.such.name")], options: settings) else { return }
    let same = Edited(none, .bytes(text), options)
    if same.error == nil, options.framing == .document { try expectEqual("the text without a change", same.text, text) }
  }

  private static func rules(_ input: inout FuzzInput, mask: JSONEdit.Mask) -> [JSONEdit.Rule] {
    var rules: [JSONEdit.Rule] = []
    for _ in 0..<(1 + input.choice() % 4) {
      let path = editPaths[input.choice() % editPaths.count]
      switch input.choice() % 8 {
      case 0: rules.append(.delete(path))
      case 1: rules.append(.set(path, to: [1, "x"]))
      case 2: rules.append(.rename(path, to: "r\"n"))
      case 3: rules.append(.mask(names: ["a", "B_b"], with: mask))
      case 4: rules.append(.mask(values: ["x", "12", "ab"], with: mask))
      case 5: rules.append(.mask(patterns: ["[0-9]{2,}", "a.*b", "(x|xy)+z?"], with: mask))
      default: rules.append(.mask(path, with: mask))
      }
    }
    return rules
  }

  private static let editPaths: [JSONPath] = [
    "$.a", "$..a", "$.*", "$[0]", "$[1:]", "$.a.b", "$.a[*]", "$..[0]", "$..*", "$[-1]", "$[?@.a]", "$..[?@ > 1]",
    "$.b.c.d",
    "$..a..b", "$['a','b']", "$[::-2]",
  ]
}

/// The result of an edit.
private struct Edited: Equatable {
  var text: [UInt8] = []
  var error: JSONError?
  var receipt: JSONEdit.Receipt?

  init(_ edit: JSONEdit, _ source: JSONSource, _ options: JSONRecordOptions) {
    var text: [UInt8] = []
    do {
      receipt = try edit.rewrite(source, records: options) { chunk in
        unsafe chunk.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
      }
    } catch {
      self.error = error as? JSONError
    }
    self.text = text
  }
}

/// Returns a text without the white space around it, and without a byte order mark.
private func withoutEnds(_ text: [UInt8]) -> ArraySlice<UInt8> {
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
  let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
  let end = text.lastIndex { !isBlank($0) } ?? text.startIndex - 1
  return text[...end].drop(while: isBlank)
}
