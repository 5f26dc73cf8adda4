import JSONSift

/// A value built from the events of the push reader: the model with which other ways of access are compared.
enum Tree: Equatable {
  case object([(name: String, value: Tree)])
  case array([Tree])
  case string(String)
  case number(String)
  case bool(Bool)
  case null

  /// Strings are compared by their bytes: Swift treats two compositions of one character as equal.
  static func == (left: Tree, right: Tree) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.number(let left), .number(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  /// Walks a value through the iterator of its children.
  init(_ json: JSON) {
    switch json.type {
    case .dictionary: self = .object(json.map { ($0.0, Tree($0.1)) })
    case .array: self = .array(json.arrayValue.map { Tree($0) })
    case .string: self = .string(json.stringValue)
    case .number: self = .number(json.numberText ?? "")
    case .bool: self = .bool(json.boolValue)
    case .null, .unknown: self = .null
    }
  }

  /// The value of the last member with this name, as the subscript returns it.
  func member(_ name: String) -> Tree? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Whether an object in it has a name twice, also in two compositions of the same characters.
  var hasDuplicates: Bool {
    switch self {
    case .object(let members):
      Set(members.map(\.name)).count < members.count || members.contains { $0.value.hasDuplicates }
    case .array(let elements): elements.contains { $0.hasDuplicates }
    default: false
    }
  }

  var children: [Tree] {
    switch self {
    case .object(let members): members.map(\.value)
    case .array(let elements): elements
    default: []
    }
  }
}

/// Builds a ``Tree``, and keeps each event as text.
struct TreeBuilder: JSONEventHandler {
  private(set) var events: [String] = []
  private var open: [(members: [(name: String, value: Tree)]?, elements: [Tree], name: String)] = []
  private(set) var root: Tree?
  /// The number of events after which the handler asks to stop.
  var maxEvents = Int.max

  private mutating func add(_ value: Tree) -> Bool {
    if open.isEmpty {
      root = value
    } else if open[open.count - 1].members != nil {
      let name = open[open.count - 1].name
      open[open.count - 1].members?.append((name, value))
    } else {
      open[open.count - 1].elements.append(value)
    }
    return events.count < maxEvents
  }

  private mutating func close(_ event: String) -> Bool {
    events.append(event)
    guard let last = open.popLast() else { return false }
    return add(last.members.map { .object($0) } ?? .array(last.elements))
  }

  private static func words(_ kind: String, _ text: borrowing JSONText) -> String {
    "\(kind) \(text.byteRange) \(text.isEscaped) \(text.string)"
  }

  mutating func startObject(at offset: Int) -> Bool {
    events.append("{ \(offset)")
    open.append(([], [], ""))
    return events.count < maxEvents
  }
  mutating func key(_ key: borrowing JSONText) -> Bool {
    events.append(Self.words("key", key))
    if !open.isEmpty { open[open.count - 1].name = key.string }
    return events.count < maxEvents
  }
  mutating func endObject(at offset: Int) -> Bool { close("} \(offset)") }
  mutating func startArray(at offset: Int) -> Bool {
    events.append("[ \(offset)")
    open.append((nil, [], ""))
    return events.count < maxEvents
  }
  mutating func endArray(at offset: Int) -> Bool { close("] \(offset)") }
  mutating func string(_ string: borrowing JSONText) -> Bool {
    events.append(Self.words("string", string))
    return add(.string(string.string))
  }
  mutating func number(_ number: borrowing JSONText) -> Bool {
    events.append(Self.words("number", number))
    return add(.number(number.string))
  }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool {
    events.append("\(value) \(byteRange)")
    return add(.bool(value))
  }
  mutating func null(byteRange: Range<Int>) -> Bool {
    events.append("null \(byteRange)")
    return add(.null)
  }
}

/// The events of a text, and the error that ended it.
struct PushReading: Equatable {
  var events: [String]
  var root: Tree?
  var error: JSONError?

  init(_ chunks: [[UInt8]], _ options: JSONOptions, maxEvents: Int = .max) {
    var builder = TreeBuilder()
    builder.maxEvents = maxEvents
    var reader = JSONPushReader(builder, options: options)
    do throws(JSONError) {
      for chunk in chunks { try reader.feed(chunk) }
      try reader.finish()
    } catch {
      self.error = error
    }
    events = reader.handler.events
    root = error == nil ? reader.handler.root : nil
  }
}
