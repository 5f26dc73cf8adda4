import JSONSift

extension FuzzTarget {
  /// Writes a value in every layout and reads it again; then changes it and compares with the same changes of a model. The
  /// input has a script of changes, a line feed, and a text.
  static let write = FuzzTarget(name: "write") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let layouts = input.choices(2)
    let script = input.line()
    let text = input.text
    guard var json = try? JSON(parsing: text) else { return }
    try expectRoundTrips(json, layouts)
    var tree = Tree(json)
    // Which of several equal names a change keeps is not part of the model.
    guard !tree.hasDuplicates else { return }
    let before = Tree(json)
    let copy = json
    for change in stride(from: 0, to: script.count - 2, by: 3) {
      let step = script[change..<change + 3].map { Int($0) }
      apply(step, to: &json, &tree)
      try expectEqual("the value after change \(change / 3)", Tree(json), tree)
    }
    try expectEqual("the copy from before the changes", Tree(copy), before)
    try expectRoundTrips(json, layouts)
    let written = result { () throws(JSONError) in Tree(try JSON(parsing: json.bytes())) }
    try expectEqual("the changed value, read again", written, .success(tree))
  }
}

private func expectRoundTrips(_ json: JSON, _ choices: [Int]) throws(Difference) {
  let compact = try written(json, .compact)
  for choice in choices {
    var options = JSONWriterOptions()
    options.isPretty = choice & 1 != 0
    options.layout = [.foundation, .spaces(3), .tabs, .spaces(0)][choice >> 1 & 3]
    options.slashes = [.asWritten, .escaped, .plain, .asWritten][choice >> 3 & 3]
    options.sortsKeys = choice & 32 != 0
    options.spelling = choice & 64 != 0 ? .normalized : .source
    let text = try written(json, options)
    var chunks: [UInt8] = []
    try? json.write(options) { chunk in unsafe chunk.withUnsafeBytes { unsafe chunks.append(contentsOf: $0) } }
    try expectEqual("the chunks", words(chunks), words(text))
    let again = result { () throws(JSONError) in try JSON(parsing: text) }
    guard case .success(let again) = again else { throw Difference("the written text", words(text), again) }
    // Sorting keeps the order of equal names, and equality ignores the order of different ones.
    // A normalised number has at most 38 digits.
    if options.spelling == .source || !hasLongNumber(json) {
      try expect(again == json, "the written value equals the read one", (words(text), words(compact)))
    }
    var last = (text: text, again: try written(again, options))
    if options.spelling == .normalized,
      case .success(let json) = result({ () throws(JSONError) in try JSON(parsing: last.again) })
    {
      // -0.0 is normalized to -0, which is read as the integer 0, and that stays.
      last = (last.again, try written(json, options))
    }
    try expectEqual("the same text, written again", words(last.again), words(last.text))
    if options.slashes == .asWritten, options.spelling == .source, !options.sortsKeys {
      try expectEqual("the compact text", words(withoutBlanks(text)), words(compact))
    }
  }
}

private func hasLongNumber(_ json: JSON) -> Bool {
  json.type == .number ? json.numberText?.utf8.count ?? 0 > 30 : json.contains { hasLongNumber($0.1) }
}

private func written(_ json: JSON, _ options: JSONWriterOptions) throws(Difference) -> [UInt8] {
  let text = result { () throws(JSONError) in try json.bytes(options) }
  guard case .success(let text) = text else { throw Difference("a value is written", text, "") }
  return text
}

/// Returns a value that changes insert. It is made anew each time: LeakSanitizer does not follow the references of a global
/// that are in spare bits.
private func inserted(_ choice: Int) -> (JSON, Tree) {
  switch choice % 6 {
  case 0: (JSON.null, .null)
  case 1: (JSON("new \u{1}\"/é"), .string("new \u{1}\"/é"))
  case 2: (JSON(true), .bool(true))
  case 3: (JSON([Any]()), .array([]))
  case 4: (JSON([String: Any]()), .object([]))
  default:
    (
      (try? JSON(parsing: #"{"in":[1.50,{"a":"\u00e9"}]}"#)) ?? .null,
      .object([("in", .array([.number("1.50"), .object([("a", .string("é"))])]))])
    )
  }
}

/// Applies one change at a path of at most two steps: set, append, remove, set a new member, or a patch.
private func apply(_ step: [Int], to json: inout JSON, _ tree: inout Tree) {
  let (value, model) = inserted(step[2])
  var path: [JSONSubscriptType] = []
  var at = tree
  for choice in [step[1] & 15, step[1] >> 4] where !at.children.isEmpty && choice != 15 {
    let index = choice % at.children.count
    if case .object(let members) = at { path.append(members[index].name) } else { path.append(index) }
    at = at.children[index]
  }
  if step[0] >= 192 { return patch(step, path, value, model, &json, &tree) }
  switch step[0] % 6 {
  case 0, 1:
    if path.isEmpty { json = value } else { json[path] = value }
    tree.change(path[...]) { $0 = model }
  case 2:
    if path.isEmpty { json.append(value) } else { json[path].append(value) }
    tree.change(path[...]) { target in
      if case .array(let elements) = target { target = .array(elements + [model]) }
    }
  case 3:
    if path.isEmpty { json["new"] = value } else { json[path]["new"] = value }
    tree.change(path[...]) { target in
      target.setMember("new", model)
    }
  case 4:
    let index = step[2]
    if path.isEmpty { _ = json.remove(at: index) } else { _ = json[path].remove(at: index) }
    tree.change(path[...]) { target in
      guard case .array(var elements) = target, index < elements.count else { return }
      elements.remove(at: index)
      target = .array(elements)
    }
  default:
    guard case .object(let members) = at, !members.isEmpty else { return }
    let name = members[step[2] % members.count].name
    if path.isEmpty { _ = json.removeValue(forKey: name) } else { _ = json[path].removeValue(forKey: name) }
    tree.change(path[...]) { target in
      guard case .object(let members) = target else { return }
      target = .object(members.filter { !$0.name.utf8.elementsEqual(name.utf8) })
    }
  }
}

/// Adds a value by a JSON Patch, or changes a value by a merge patch.
private func patch(
  _ step: [Int], _ path: [JSONSubscriptType], _ value: JSON, _ model: Tree, _ json: inout JSON, _ tree: inout Tree
) {
  let name = String(step[2] >> 4)
  if step[0] & 1 == 0 {
    let tokens = path.map { step in
      switch step.jsonKey {
      case .index(let index): String(index)
      case .key(let key): key
      }
    }
    let target = JSONPointer(tokens: tokens + [name])
    try? json.apply(JSONPatch([["op": "add", "path": target.description, "value": value]]))
    tree.change(path[...]) { target in
      if case .array(var elements) = target, step[2] >> 4 <= elements.count {
        elements.insert(model, at: step[2] >> 4)
        target = .array(elements)
      } else {
        target.setMember(name, model)
      }
    }
  } else {
    let change: JSON = [name: value, "new": JSON.null]
    if path.isEmpty { json.applyMergePatch(change) } else { json[path].applyMergePatch(change) }
    tree.change(path[...]) { $0 = $0.merged(with: .object([(name, model), ("new", .null)])) }
  }
}

extension Tree {
  /// The algorithm of RFC 7396, section 2.
  fileprivate func merged(with patch: Tree) -> Tree {
    guard case .object(let changes) = patch else { return patch }
    var members: [(name: String, value: Tree)] = []
    if case .object(let own) = self { members = own }
    for change in changes {
      let index = members.firstIndex { $0.name.utf8.elementsEqual(change.name.utf8) }
      if case .null = change.value {
        if let index { members.remove(at: index) }
      } else if let index {
        members[index].value = members[index].value.merged(with: change.value)
      } else {
        members.append((change.name, Tree.null.merged(with: change.value)))
      }
    }
    return .object(members)
  }

  /// Replaces a member of an object, or appends it. Does nothing if this is not an object.
  fileprivate mutating func setMember(_ name: String, _ value: Tree) {
    guard case .object(var members) = self else { return }
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append((name, value))
    }
    self = .object(members)
  }

  /// Changes the value at a path that exists.
  fileprivate mutating func change(_ path: ArraySlice<JSONSubscriptType>, _ body: (inout Tree) -> Void) {
    guard let step = path.first else { return body(&self) }
    switch (self, step.jsonKey) {
    case (.array(var elements), .index(let index)):
      elements[index].change(path.dropFirst(), body)
      self = .array(elements)
    case (.object(var members), .key(let name)):
      guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return }
      members[index].value.change(path.dropFirst(), body)
      self = .object(members)
    default: break
    }
  }
}
