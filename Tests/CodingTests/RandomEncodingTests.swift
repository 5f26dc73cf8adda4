import Foundation
import JSONSift
import TestSupport
import Testing

/// A value that encodes itself with randomly chosen calls.
private struct Rambling: Encodable {
  let walk: EncodingWalk
  func encode(to encoder: any Encoder) throws { try walk.visit(encoder) }
}

/// The calls made to each of two encoders: with one seed, the same calls.
///
/// It leaves out the calls that trap in Foundation, and those on rewritten members that `Documentation/Codable.md`
/// describes.
private final class EncodingWalk {
  typealias Key = DecodingTableTests.DateKey

  private enum Use {
    case value, object, array, superclass
  }

  /// The members of one object, written through any container.
  private final class Members {
    /// The members whose values are being written. Foundation prefers them to a value written meanwhile under the same name.
    var busy: Set<String> = []
    var uses: [String: Use] = [:]
    var inside: [String: Members] = [:]
    var lists: [String: List] = [:]
  }

  /// Foundation inserts into the surrounding array, before an element, what the element writes into that array.
  private final class List { var isBusy = false }

  private var source: SeededGenerator
  private var depth = 0
  private var calls = 0
  private var keyed: [(container: KeyedEncodingContainer<Key>, members: Members)] = []
  private var unkeyed: [(container: any UnkeyedEncodingContainer, list: List)] = []

  init(seed: UInt64) { source = SeededGenerator(seed: seed) }

  func visit(_ encoder: any Encoder) throws {
    depth += 1
    let (firstKeyed, firstUnkeyed) = (keyed.count, unkeyed.count)
    defer {
      depth -= 1
      // Writes to a container that outlives its value have no effect; for a nested container this holds only in Foundation.
      keyed.removeLast(max(keyed.count - firstKeyed, 0))
      unkeyed.removeLast(max(unkeyed.count - firstUnkeyed, 0))
    }
    switch source.pick(5) {
    case 0...1: keyed.append((encoder.container(keyedBy: Key.self), Members()))
    case 2...3: unkeyed.append((encoder.unkeyedContainer(), List()))
    default:
      var container = encoder.singleValueContainer()
      return try single(&container)
    }
    for _ in 0..<source.pick(8) where calls < 200 { try step() }
  }

  private func latest(_ count: Int) -> Int { max(count - 1 - source.pick(3), 0) }

  private func step() throws {
    calls += 1
    if source.pick(2) == 0 {
      if !keyed.isEmpty { try member(latest(keyed.count)) }
    } else if !unkeyed.isEmpty {
      try element(latest(unkeyed.count))
    }
  }

  private static let names = [
    "a", "b", "cDe", "myURLIs", "", "7", "é", "x y\"/z", "0", "_0", "longer than sixteen bytes",
  ]

  private func member(_ index: Int) throws {
    var (container, members) = keyed[index]
    let name = Self.names[source.pick(Self.names.count)]
    let key = Key(stringValue: name)
    let use = members.uses[name]
    guard !members.busy.contains(name) else { return }
    members.busy.insert(name)
    defer { members.busy.remove(name) }
    switch source.pick(12) {
    case 0 where use == nil || use == .object:
      members.uses[name] = .object
      let inside = members.inside[name] ?? Members()
      members.inside[name] = inside
      keyed.append((container.nestedContainer(keyedBy: Key.self, forKey: key), inside))
    case 1 where use == nil || use == .array:
      members.uses[name] = .array
      let list = members.lists[name] ?? List()
      members.lists[name] = list
      unkeyed.append((container.nestedUnkeyedContainer(forKey: key), list))
    case 2 where use == nil && depth < 6:
      members.uses[name] = .superclass
      try visit(container.superEncoder(forKey: key))
    case 3 where members.uses["super"] == nil && depth < 6:
      members.uses["super"] = .superclass
      members.busy.insert("super")
      try visit(container.superEncoder())
    default:
      guard use == nil || use == .value else { return }
      members.uses[name] = .value
      switch source.pick(24) {
      case 0: try container.encodeNil(forKey: key)
      case 1: try container.encode(true, forKey: key)
      case 2: try container.encode(source.text(), forKey: key)
      case 3: try container.encode(Double.random(&source, 1), forKey: key)
      case 4: try container.encode(Float.random(&source, 1), forKey: key)
      case 5: try container.encode(Int.random(&source, 1), forKey: key)
      case 6: try container.encode(Int8.random(&source, 1), forKey: key)
      case 7: try container.encode(UInt64.random(&source, 1), forKey: key)
      case 8: try container.encode(Int128.min, forKey: key)
      case 9: try container.encodeIfPresent(Int?.random(&source, 1), forKey: key)
      case 10: try container.encodeIfPresent(String?.random(&source, 1), forKey: key)
      case 11...15 where depth < 6: try container.encode(Rambling(walk: self), forKey: key)
      case 16 where depth < 6: try container.encode([Rambling(walk: self), Rambling(walk: self)], forKey: key)
      case 17 where depth < 6: try container.encode(["aB": Rambling(walk: self)], forKey: key)
      case 18 where depth < 6: try container.encodeIfPresent(Rambling(walk: self), forKey: key)
      default: try some { try container.encode($0, forKey: key) }
      }
    }
  }

  private func element(_ index: Int) throws {
    var (container, list) = unkeyed[index]
    guard !list.isBusy else { return }
    list.isBusy = true
    defer { list.isBusy = false }
    switch source.pick(24) {
    case 0: keyed.append((container.nestedContainer(keyedBy: Key.self), Members()))
    case 1: unkeyed.append((container.nestedUnkeyedContainer(), List()))
    case 2 where depth < 6: try visit(container.superEncoder())
    case 3: try container.encodeNil()
    case 4: try container.encode(false)
    case 5: try container.encode(source.text())
    case 6: try container.encode(Double.random(&source, 1))
    case 7: try container.encode(Float.random(&source, 1))
    case 8: try container.encode(container.count)
    case 9: try container.encode(UInt8.random(&source, 1))
    case 10: try container.encode(UInt128.max)
    case 11...14 where depth < 6: try container.encode(Rambling(walk: self))
    case 15 where depth < 6: try container.encode([Rambling(walk: self), Rambling(walk: self)])
    case 16: try container.encode(contentsOf: [Int].random(&source, 5))
    case 17 where depth < 6: try container.encode(Optional(Rambling(walk: self)))
    default: try some { try container.encode($0) }
    }
  }

  private func single(_ container: inout any SingleValueEncodingContainer) throws {
    switch source.pick(9) {
    case 0: try container.encodeNil()
    case 1: try container.encode(source.text())
    case 2: try container.encode(Double.random(&source, 1))
    case 3: try container.encode(Int64.random(&source, 1))
    case 4...6 where depth < 6: try container.encode(Rambling(walk: self))
    default:
      var failure: Result<Void, any Error> = .success(())
      try some { value in failure = Result { try container.encode(value) } }
      try failure.get()
    }
  }

  /// Encodes a value of some type as generic code does.
  private func some(_ body: (any Encodable) throws -> Void) throws {
    switch source.pick(16) {
    case 0: try body(Date.random(&source, 1))
    case 1: try body(Data.random(&source, 1))
    case 2: try body(URL.random(&source, 1))
    case 3: try body(UUID.random(&source, 1))
    case 4: try body(Decimal.random(&source, 1))
    case 5: try body([String].random(&source, 4))
    case 6: try body([Double].random(&source, 4))
    case 7: try body([String: Int].random(&source, 4))
    case 8: try body([Int: [Date]].random(&source, 4))
    case 9: try body(Shape.random(&source, 1))
    case 10: try body([Suit?].random(&source, 4))
    case 11: try body([Point: String].random(&source, 2))
    case 12: try body([String: [String: Bool]].random(&source, 4))
    case 13: try body(Snake.random(&source, 1))
    case 14: try body(Int?.random(&source, 1))
    default: try body(Dog(name: source.text(), breed: "b"))
    }
  }
}

@Suite struct RandomEncodingTests {
  @Test func `random sequences of encoding calls write the same text as Foundation`() {
    var source = SeededGenerator()
    print("random encoding: \(source)")
    let rounds = isDebug ? 4000 : 100_000
    var bytes = 0
    var failures: [String] = []
    for round in 0..<rounds where failures.count < 3 {
      let seed = source.next()
      let ours = JSONSiftEncoder()
      let theirs = JSONEncoder()
      ours.outputFormatting = [.sortedKeys]
      theirs.outputFormatting = [.sortedKeys]
      if round % 3 == 1 {
        ours.keyEncodingStrategy = .convertToSnakeCase
        theirs.keyEncodingStrategy = .convertToSnakeCase
        ours.dateEncodingStrategy = .iso8601
        theirs.dateEncodingStrategy = .iso8601
        ours.outputFormatting.insert(.prettyPrinted)
        theirs.outputFormatting.insert(.prettyPrinted)
      }
      if round % 3 == 2 {
        ours.dataEncodingStrategy = .deferredToData
        theirs.dataEncodingStrategy = .deferredToData
        ours.outputFormatting.insert(.withoutEscapingSlashes)
        theirs.outputFormatting.insert(.withoutEscapingSlashes)
      }
      let left = Outcome { try ours.string(of: Rambling(walk: EncodingWalk(seed: seed))) }
      let right = Outcome {
        String(decoding: try theirs.encode(Rambling(walk: EncodingWalk(seed: seed))), as: UTF8.self)
      }
      switch (left, right) {
      case (.value(let ours), .value(let theirs)):
        bytes += ours.utf8.count
        if ours != theirs { failures.append("\(round) \(seed)\n  ours   \(ours)\n  theirs \(theirs)") }
      case (.failure(let ours, _), .failure(let theirs, _)):
        if ours != theirs { failures.append("\(round) \(seed)\n  ours   \(left.text)\n  theirs \(right.text)") }
      default: failures.append("\(round) \(seed)\n  ours   \(left.text)\n  theirs \(right.text)")
      }
    }
    #expect(failures.isEmpty, "\(source)\n\(failures.map { String($0.prefix(4000)) }.joined(separator: "\n"))")
    #expect(bytes > rounds * 10, "\(bytes) bytes")
  }
}
