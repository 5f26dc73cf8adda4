import TestSupport
import Testing

@testable import JSONSift

/// Random patches (RFC 6902), compared with the same operations on a plain model.
@Suite struct JSONPatchModelTests {
  typealias Model = JSONModelTests.Model

  struct Operation {
    let name: String
    let path: [String]
    let from: [String]
    let value: Model

    var text: String {
      func pointer(_ tokens: [String]) -> String { JSONPointer(tokens: tokens).description }
      return #"{"value":\#(value.text),"from":"\#(pointer(from))","path":"\#(pointer(path))","op":"\#(name)"}"#
    }
  }

  /// Returns tokens that mostly name a value, and sometimes a position after the end, or nothing.
  private func tokens(in model: Model, _ generator: inout SeededGenerator) -> [String] {
    var tokens: [String] = []
    var model = model
    while Int.random(in: 0..<12, using: &generator) > (tokens.isEmpty ? 0 : 5) {
      let misses = Int.random(in: 0..<10, using: &generator) == 0
      switch model {
      case .array(let elements) where !misses && !elements.isEmpty:
        let index = Int.random(in: elements.indices, using: &generator)
        tokens.append("\(index)")
        model = elements[index]
      case .object(let members) where !misses && !members.isEmpty:
        let member = members[Int.random(in: members.indices, using: &generator)]
        tokens.append(member.0)
        model = member.1
      case .array(let elements):
        let others = ["-", "\(elements.count)", "\(elements.count + 1)", "01", "-1", "18446744073709551616", "k0", ""]
        return tokens + [others.randomElement(using: &generator) ?? ""] + deeper(&generator)
      default:
        let others = ["new", "~/", "", "0", "k0"]
        return tokens + [others.randomElement(using: &generator) ?? ""] + deeper(&generator)
      }
    }
    return tokens
  }

  /// Returns a token inside a value that usually does not exist, in one call of four.
  private func deeper(_ generator: inout SeededGenerator) -> [String] {
    Int.random(in: 0..<4, using: &generator) == 0 ? ["0"] : []
  }

  private func operation(on model: Model, _ generator: inout SeededGenerator) -> Operation {
    let names = ["add", "remove", "replace", "move", "copy", "test"]
    let name = names.randomElement(using: &generator) ?? ""
    let path = tokens(in: model, &generator)
    let value = Model.random(&generator, depth: 2)
    // Most `test` operations get the value at their path: a random value nearly never equals it.
    let isSame = name == "test" && Int.random(in: 0..<5, using: &generator) > 0
    return Operation(
      name: name, path: path, from: tokens(in: model, &generator),
      value: isSame ? model.value(at: path[...]) ?? value : value)
  }

  @Test func `random patches have the results of a plain model, or change nothing and name the operation`() throws {
    var generator = SeededGenerator()
    var outcomes: [String: Int] = [:]
    for _ in 0..<1500 {
      let start = generator
      let model = Model.array([.random(&generator, depth: 3), .random(&generator, depth: 3)])
      var operations: [Operation] = []
      var expected = model
      var failure: Int?
      for index in 0..<Int.random(in: 1...3, using: &generator) {
        let next = operation(on: expected, &generator)
        operations.append(next)
        // Operations after the one that fails must have no effect.
        guard failure == nil else { continue }
        let result = expected.applying(next)
        outcomes["\(next.name) \(result != nil)", default: 0] += 1
        if let result { expected = result } else { failure = index }
      }
      let text = "[" + operations.map(\.text).joined(separator: ",") + "]"
      let patch = try JSONPatch(JSON(parsing: text))
      for var json in [model.json, try JSON(parsing: model.text)] {
        let copy = json
        var found: JSONError?
        do throws(JSONError) { try json.apply(patch) } catch { found = error }
        let starts = operations.indices.map { 1 + operations[..<$0].reduce(0) { $0 + $1.text.utf8.count + 1 } }
        let words = "\(start): \(text) on \(model.text)"
        #expect(found?.code == (failure == nil ? nil : .patchFailed), "\(words)")
        #expect(found?.byteOffset == failure.map { starts[$0] }, "\(words)")
        let result = failure == nil ? expected.json : model.json
        #expect(json == result, "\(words)")
        #expect(try JSON(parsing: json.bytes()) == result, "\(words)")
        #expect(copy == model.json, "\(words)")
      }
    }
    #expect(outcomes.count == 12 && outcomes.values.allSatisfy { $0 > 30 }, "\(outcomes) \(generator)")
  }
}

extension JSONModelTests.Model {
  /// Returns the index of an array that a token names; `nil` if it is not one (RFC 6901, section 4).
  private static func index(_ token: String) -> Int? {
    guard let index = Int(token), "\(index)" == token, index >= 0 else { return nil }
    return index
  }

  fileprivate func value(at path: ArraySlice<String>) -> Self? {
    guard let token = path.first else { return self }
    switch self {
    case .array(let elements):
      guard let index = Self.index(token), index < elements.count else { return nil }
      return elements[index].value(at: path.dropFirst())
    case .object(let members): return members.first { $0.0 == token }?.1.value(at: path.dropFirst())
    default: return nil
    }
  }

  /// Returns a copy in which the value at a path is changed; `nil` if the path has no value, or if the change fails.
  private func changing(_ path: ArraySlice<String>, _ change: (Self) -> Self?) -> Self? {
    guard let token = path.first else { return change(self) }
    let rest = path.dropFirst()
    switch self {
    case .array(var elements):
      guard let index = Self.index(token), index < elements.count else { return nil }
      guard let changed = elements[index].changing(rest, change) else { return nil }
      elements[index] = changed
      return .array(elements)
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.0 == token }) else { return nil }
      guard let changed = members[index].1.changing(rest, change) else { return nil }
      members[index].1 = changed
      return .object(members)
    default: return nil
    }
  }

  private func adding(_ value: Self, at path: ArraySlice<String>) -> Self? {
    guard let token = path.last else { return value }
    return changing(path.dropLast()) { parent in
      switch parent {
      case .array(var elements):
        let position = token == "-" ? elements.count : Self.index(token)
        guard let position, position <= elements.count else { return nil }
        elements.insert(value, at: position)
        return .array(elements)
      case .object(let members):
        return .object(members.filter { $0.0 != token } + [(token, value)])
      default: return nil
      }
    }
  }

  /// The whole value cannot be removed: RFC 6902 does not say what would be left.
  private func removing(at path: ArraySlice<String>) -> Self? {
    guard let token = path.last, value(at: path) != nil else { return nil }
    return changing(path.dropLast()) { parent in
      switch parent {
      case .array(var elements):
        guard let index = Self.index(token) else { return nil }
        elements.remove(at: index)
        return .array(elements)
      case .object(let members): return .object(members.filter { $0.0 != token })
      default: return nil
      }
    }
  }

  /// Returns the value after an operation (RFC 6902, section 4); `nil` if the operation fails.
  fileprivate func applying(_ operation: JSONPatchModelTests.Operation) -> Self? {
    let (path, from) = (operation.path[...], operation.from[...])
    switch operation.name {
    case "add": return adding(operation.value, at: path)
    case "remove": return removing(at: path)
    case "replace": return value(at: path) == nil ? nil : changing(path) { _ in operation.value }
    case "copy": return value(at: from).flatMap { adding($0, at: path) }
    case "move":
      guard let moved = value(at: from), !(path.count > from.count && path.starts(with: from)) else { return nil }
      return path == from ? self : removing(at: from)?.adding(moved, at: path)
    default: return value(at: path) == operation.value ? self : nil
    }
  }
}
