import JSONSift

extension FuzzTarget {
  /// Compares the ways to a value in memory: children accessed in any order before the rest, the iterator, the bytes, a
  /// pointer, a detached copy, and the tree of the push reader's events.
  static let document = FuzzTarget(name: "document") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let options = input.options()
    let accesses = input.choices(8)
    let text = input.text
    let events = PushReading([text], options)
    let parsed = result { () throws(JSONError) in try JSON(parsing: text, options: options) }
    switch parsed {
    case .failure(let error):
      try expectEqual("the error of the push reader", error, events.error)
      _ = error.position(in: text)
      _ = error.location(in: text)
      _ = error.message
      try compareWithRecogniser(text, error, options)
    case .success(let json):
      try compareWithRecogniser(text, nil, options)
      guard let tree = events.root else { throw Difference("the push reader rejects", events.error as Any, "") }
      try compareAccesses(json, tree, accesses)
      try compareWhole(json, tree, text)
      try compareWhole(json.detached(), tree, text)
    }
    try compareReused(text, parsed, options)
  }
}

/// Follows paths into both values, as the choices say, before anything else has been read.
private func compareAccesses(_ json: JSON, _ tree: Tree, _ choices: [Int]) throws(Difference) {
  var (json, tree) = (json, tree)
  let root = (json, tree)
  var path: [JSONSubscriptType] = []
  for choice in choices {
    switch tree {
    case .object(let members) where !members.isEmpty:
      let name = members[choice % members.count].name
      guard let child = tree.member(name) else { return }
      path.append(name)
      (json, tree) = (json[name], child)
    case .array(let elements) where !elements.isEmpty:
      let index = choice % elements.count
      path.append(index)
      (json, tree) = (json[index], elements[index])
    default:
      // An absent child is null with an error.
      try expect(json["absent name"].error != nil && json[1 << 20].error != nil, "an absent child", json)
      (json, tree) = root
      path = []
    }
    try expectEqual("the kind at \(path)", kind(json), kind(tree))
    if choice & 128 != 0 {
      try expectEqual("the value at \(path)", Tree(json), tree)
      let pointer = JSONPointer(
        tokens: path.map { step in
          switch step.jsonKey {
          case .index(let index): String(index)
          case .key(let key): key
          }
        })
      try expectEqual("the value at \(pointer)", Tree(root.0[pointer: pointer]), tree)
      try expectEqual("the value at \(path) at once", Tree(root.0[path]), tree)
    }
  }
}

private func kind(_ json: JSON) -> String {
  switch json.type {
  case .dictionary: "object of \(json.count)"
  case .array: "array of \(json.count)"
  default: "\(json.type)"
  }
}

private func kind(_ tree: Tree) -> String {
  switch tree {
  case .object(let members): "object of \(members.count)"
  case .array(let elements): "array of \(elements.count)"
  case .string: "\(JSONType.string)"
  case .number: "\(JSONType.number)"
  case .bool: "\(JSONType.bool)"
  case .null: "\(JSONType.null)"
  }
}

private func compareWhole(_ json: JSON, _ tree: Tree, _ text: [UInt8]) throws(Difference) {
  try expectEqual("the tree", Tree(json), tree)
  let value = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
  let written = result { () throws(JSONError) in try json.bytes() }
  try expectEqual("the written bytes", written, .success(withoutBlanks(value)))
  try expectEqual("the source bytes", withoutBlanks(json.rawBytes), withoutBlanks(value))
  if case .dictionary = json.type {
    for (name, child) in json.dictionaryValue {
      try expect(tree.member(name) != nil || tree.hasDuplicates, "a member of the dictionary", (name, child))
    }
  }
}

/// A parser that is used again must not remember the text before.
private func compareReused(
  _ text: [UInt8], _ expected: Result<JSON, JSONError>, _ options: JSONOptions
) throws(Difference) {
  var parser = JSONParser(options: options)
  for before in [Array(text.prefix(text.count / 2)), Array(text.reversed())] {
    _ = try? parser.parse(before)
    let again = result { () throws(JSONError) in try parser.parse(text) }
    try expectEqual("a parser that is used again", again.map { Tree($0) }, expected.map { Tree($0) })
  }
}
