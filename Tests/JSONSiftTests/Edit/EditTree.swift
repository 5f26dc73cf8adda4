import JSONSift

/// A JSON text as a tree that keeps every byte, for the reference of an edit.
final class EditTree {
  enum Kind: Equatable { case object, array, scalar }

  struct Child {
    /// The text from the previous child, or from the opening bracket, to this child.
    var lead: String
    var key: String?
    /// The text between key and value, with the colon.
    var colon = ""
    var value: EditTree
    var isDeleted = false
  }

  var kind = Kind.scalar
  /// The text of a scalar, or what replaces the value.
  var text = ""
  var isReplaced = false
  var children: [Child] = []
  /// The text before the closing bracket.
  var tail = ""

  /// The parsed value, for filters.
  var json: JSON { get throws { try JSON(parsing: Array(written.utf8)) } }

  /// The text. A deleted child takes its lead along, and the first child that is kept has the lead of the first child.
  var written: String {
    if isReplaced || kind == .scalar { return text }
    let (open, close) = kind == .object ? ("{", "}") : ("[", "]")
    let kept = children.filter { !$0.isDeleted }
    if kept.isEmpty, !children.isEmpty { return open + close }
    var result = open
    for (index, child) in kept.enumerated() {
      result += index == 0 ? children[0].lead : child.lead
      if let key = child.key { result += key + child.colon }
      result += child.value.written
    }
    return result + tail + close
  }

  /// Parses a text that is known to be valid.
  static func parse(_ text: String) -> EditTree {
    var rest = Array(text.utf8)[...]
    return parse(&rest)
  }

  private static func parse(_ rest: inout ArraySlice<UInt8>) -> EditTree {
    let tree = EditTree()
    guard let first = rest.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      tree.text = token(&rest)
      return tree
    }
    tree.kind = first == UInt8(ascii: "{") ? .object : .array
    rest.removeFirst()
    var lead = blanks(&rest)
    while let next = rest.first, next != UInt8(ascii: "}"), next != UInt8(ascii: "]") {
      if next == UInt8(ascii: ",") {
        rest.removeFirst()
        lead += "," + blanks(&rest)
        continue
      }
      var child = Child(lead: lead, value: tree)
      if tree.kind == .object {
        child.key = token(&rest)
        child.colon = blanks(&rest)
        rest.removeFirst()
        child.colon += ":" + blanks(&rest)
      }
      child.value = parse(&rest)
      tree.children.append(child)
      lead = blanks(&rest)
    }
    rest.removeFirst()
    tree.tail = lead
    return tree
  }

  private static func blanks(_ rest: inout ArraySlice<UInt8>) -> String {
    let found = rest.prefix { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    rest = rest.dropFirst(found.count)
    return String(decoding: found, as: UTF8.self)
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String {
    var end = rest.startIndex
    if rest.first == UInt8(ascii: "\"") {
      end += 1
      while rest[end] != UInt8(ascii: "\"") { end += rest[end] == UInt8(ascii: "\\") ? 2 : 1 }
      end += 1
    } else {
      while end < rest.endIndex, !" \n\r\t,:]}".utf8.contains(rest[end]) { end += 1 }
    }
    let found = rest[rest.startIndex..<end]
    rest = rest[end...]
    return String(decoding: found, as: UTF8.self)
  }
}

/// A step of a path in the reference.
enum EditStep {
  case name(String), wildcard, index(Int), slice(Int?, Int?, Int), filter(String)

  var text: String {
    switch self {
    case .name(let name): "['\(name)']"
    case .wildcard: "[*]"
    case .index(let index): "[\(index)]"
    case .slice(let start, let end, let step):
      "[\(start.map { "\($0)" } ?? ""):\(end.map { "\($0)" } ?? ""):\(step)]"
    case .filter(let condition): "[?\(condition)]"
    }
  }
}

/// A path in the reference.
struct EditPath {
  var segments: [(isDescendant: Bool, step: EditStep)]

  var text: String { segments.reduce("$") { $0 + ($1.isDescendant ? ".." : "") + $1.step.text } }

  /// Returns the children that the path selects, as containers and indexes. Of duplicate keys, all are selected.
  func select(in root: EditTree) throws -> [(tree: EditTree, index: Int)] {
    var nodes = [root]
    var found: [(EditTree, Int)] = []
    for (position, segment) in segments.enumerated() {
      var starts = nodes
      if segment.isDescendant { starts = nodes.flatMap { Self.all($0) } }
      var next: [(EditTree, Int)] = []
      for start in starts {
        for index in start.children.indices where try Self.selects(segment.step, index, of: start) {
          // A descendant segment can reach one child in several ways.
          if !next.contains(where: { $0.0 === start && $0.1 == index }) { next.append((start, index)) }
        }
      }
      nodes = next.map { $0.0.children[$0.1].value }
      if position == segments.count - 1 { found = next }
    }
    return found.map { (tree: $0.0, index: $0.1) }
  }

  private static func all(_ tree: EditTree) -> [EditTree] { [tree] + tree.children.flatMap { all($0.value) } }

  private static func selects(_ step: EditStep, _ index: Int, of tree: EditTree) throws -> Bool {
    let child = tree.children[index]
    let count = tree.children.count
    switch step {
    case .name(let name):
      guard let key = child.key else { return false }
      return try JSON(parsing: Array(key.utf8)).stringValue.utf8.elementsEqual(name.utf8)
    case .wildcard: return true
    case .index(let own): return child.key == nil && (own < 0 ? own + count : own) == index
    case .slice(let start, let end, let step):
      guard child.key == nil, count > 0 else { return false }
      let numbers = try JSON(parsing: Array("[\((0..<count).map { "\($0)" }.joined(separator: ","))]".utf8))
      let path = try JSONPath("$" + EditStep.slice(start, end, step).text)
      return try numbers.query(path).contains { $0.intValue == index }
    case .filter(let condition):
      let path = try JSONPath("$[?\(condition)]")
      return try !JSON(parsing: Array("[\(child.value.written)]".utf8)).query(path).isEmpty
    }
  }
}
