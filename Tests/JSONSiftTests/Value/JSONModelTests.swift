import TestSupport
import Testing

@testable import JSONSift

/// Random changes to values, compared with the same changes to a plain model.
@Suite struct JSONModelTests {
  indirect enum Model: Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([Model])
    /// All names are different.
    case object([(String, Model)])

    static func == (left: Model, right: Model) -> Bool {
      switch (left, right) {
      case (.null, .null): true
      case (.bool(let left), .bool(let right)): left == right
      case (.number(let left), .number(let right)): left == right
      case (.string(let left), .string(let right)): left == right
      case (.array(let left), .array(let right)): left == right
      case (.object(let left), .object(let right)):
        left.count == right.count
          && left.allSatisfy { member in right.contains { $0.0 == member.0 && $0.1 == member.1 } }
      default: false
      }
    }

    var text: String {
      switch self {
      case .null: "null"
      case .bool(let value): value ? " true" : "false "
      case .number(let value): "\(value)"
      case .string(let value): "\"\(value)\""
      case .array(let elements): "[" + elements.map(\.text).joined(separator: " , ") + "]"
      case .object(let members): "{" + members.map { "\"\($0.0)\" : \($0.1.text)" }.joined(separator: ",") + " }"
      }
    }

    var json: JSON {
      switch self {
      case .null: .null
      case .bool(let value): JSON(value)
      case .number(let value): JSON(value)
      case .string(let value): JSON(value)
      case .array(let elements): JSON(elements: elements.map(\.json))
      case .object(let members): JSON(members: members.map { ($0.0, $0.1.json) })
      }
    }

    static func random(_ generator: inout SeededGenerator, depth: Int) -> Model {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &generator) {
      case 0: return .null
      case 1: return .bool(.random(using: &generator))
      case 2: return .number(.random(in: -3...3, using: &generator))
      case 3: return .string(["", "a", "é", "x y"].randomElement(using: &generator) ?? "")
      case 4, 5:
        // Some are large enough for a table.
        let count = Int.random(in: 0..<12, using: &generator) == 0 ? 70 : Int.random(in: 0...3, using: &generator)
        return .array((0..<count).map { _ in random(&generator, depth: count > 3 ? 0 : depth - 1) })
      default:
        let count = Int.random(in: 0..<12, using: &generator) == 0 ? 70 : Int.random(in: 0...3, using: &generator)
        return .object((0..<count).map { ("k\($0)", random(&generator, depth: count > 3 ? 0 : depth - 1)) })
      }
    }

    mutating func set(_ path: ArraySlice<JSON.Step>, _ value: Model) {
      guard let step = path.first else {
        self = value
        return
      }
      let rest = path.dropFirst()
      switch (step, self) {
      case (.index(let index), .array(var elements)) where elements.indices.contains(index):
        elements[index].set(rest, value)
        self = .array(elements)
      case (.key(let key), .object(var members)):
        if let index = members.firstIndex(where: { $0.0 == key }) {
          members[index].1.set(rest, value)
        } else if rest.isEmpty {
          members.append((key, value))
        }
        self = .object(members)
      default: break
      }
    }

    mutating func merge(_ other: Model) {
      switch (self, other) {
      case (.object(var members), .object(let others)):
        for (key, value) in others {
          if let index = members.firstIndex(where: { $0.0 == key }) {
            members[index].1.merge(value)
          } else {
            members.append((key, value))
          }
        }
        self = .object(members)
      case (.array(let elements), .array(let others)): self = .array(elements + others)
      default: self = other
      }
    }
  }

  private func check(_ json: JSON, _ model: Model, _ generator: SeededGenerator) throws {
    let expected = model.json
    #expect(json == expected && expected == json, "\(generator)")
    #expect(json.hashValue == expected.hashValue, "\(generator)")
    #expect(json.count == expected.count && Array(json).count == json.count, "\(generator)")
    let written = try json.bytes()
    #expect(try JSON(parsing: written) == expected, "\(generator)")
    #expect(written == (try expected.bytes()), "\(generator)")
    #expect(try JSON(parsing: json.bytes(.pretty)) == expected, "\(generator)")
    #expect(json.indices.map { json[$0].1 } == json.map { $0.1 }, "\(generator)")
    #expect(json.indices.map { json[$0].0 } == json.map { $0.0 }, "\(generator)")
  }

  private func randomPath(_ json: JSON, _ generator: inout SeededGenerator) -> [JSON.Step] {
    var path: [JSON.Step] = []
    var json = json
    while path.isEmpty || Bool.random(using: &generator) {
      let misses = Int.random(in: 0..<8, using: &generator) == 0
      switch json.type {
      case .array where !misses && !json.isEmpty:
        path.append(.index(.random(in: 0..<json.count, using: &generator)))
      case .dictionary where !misses && !json.isEmpty:
        path.append(.key(json.map { $0.0 }.randomElement(using: &generator) ?? ""))
      case .array: path.append(.index(.random(in: -1...80, using: &generator)))
      default: path.append(.key("new\(Int.random(in: 0...2, using: &generator))"))
      }
      json = json[path.suffix(1).map { $0 }]
    }
    return path
  }

  @Test func `random changes give the same result as a plain model, and copies stay unchanged`() throws {
    var generator = SeededGenerator()
    for _ in 0..<150 {
      let start = generator
      var model = Model.random(&generator, depth: 4)
      var json = Bool.random(using: &generator) ? model.json : try JSON(parsing: model.text)
      var copies: [(JSON, Model)] = []
      for _ in 0..<30 {
        if Int.random(in: 0..<3, using: &generator) == 0 { copies.append((json, model)) }
        let value = Model.random(&generator, depth: 2)
        let right = Bool.random(using: &generator) ? value.json : try JSON(parsing: value.text)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          if json.type == right.type {
            try json.merge(with: right)
            model.merge(value)
          }
        case 1:
          // A chain of subscripts, with an existing location.
          let path = randomPath(json, &generator)
          if json[Array(path.dropLast())].error == nil {
            func set(_ target: inout JSON, _ path: ArraySlice<JSON.Step>) {
              guard let step = path.first else {
                target = right
                return
              }
              switch step {
              case .index(let index): set(&target[index], path.dropFirst())
              case .key(let key): set(&target[key], path.dropFirst())
              }
            }
            set(&json, path[...])
            model.set(path[...], value)
          }
        default:
          let path = randomPath(json, &generator)
          json[path] = right
          model.set(path[...], value)
        }
        #expect(json == model.json, "\(start)")
      }
      try check(json, model, start)
      for (copy, model) in copies { #expect(copy == model.json, "\(start)") }
    }
  }

  @Test func `values differ exactly if their models differ`() throws {
    var generator = SeededGenerator()
    let models = (0..<120).map { _ in Model.random(&generator, depth: 2) }
    let values = try models.map { try JSON(parsing: $0.text) }
    for (left, leftModel) in zip(values, models) {
      for (right, rightModel) in zip(values, models) {
        #expect((left == right) == (leftModel == rightModel), "\(left) \(right) \(generator)")
        if left == right { #expect(left.hashValue == right.hashValue) }
      }
    }
  }
}

extension JSON.Step: JSONSubscriptType {
  /// The key itself.
  public var jsonKey: JSON.Step { self }
}
