import Foundation
import JSONSift
import TestSupport
import Testing

/// A type that decodes itself with randomly chosen calls, and records the result of each.
private struct Wandering: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    guard let key = DecodingWalk.key, let walk = decoder.userInfo[key] as? DecodingWalk else { return }
    try walk.visit(decoder)
  }
}

/// The calls made to each of two decoders: with one seed, the same calls as long as the results are equal.
private final class DecodingWalk: @unchecked Sendable {
  static let key = CodingUserInfoKey(rawValue: "walk")
  private var source: SeededGenerator
  private(set) var log: [String] = []
  private var depth = 0
  private var decoders: [any Decoder] = []
  private var keyed: [KeyedDecodingContainer<WalkKey>] = []
  private var unkeyed: [any UnkeyedDecodingContainer] = []
  private var single: [any SingleValueDecodingContainer] = []

  init(seed: UInt64) { source = SeededGenerator(seed: seed) }

  func note(_ name: String, _ path: [any CodingKey]) {
    log.append("\(name) \(WalkKey.words(path))")
  }

  @discardableResult
  func attempt<T>(_ name: String, isOrdered: Bool = true, _ body: () throws -> T) throws -> T? {
    // In some cases the error passes through the initializer.
    let isCaught = source.pick(10) > 0 || !isOrdered
    do {
      let value = try body()
      log.append("\(name): \(WalkKey.words(value))")
      return value
    } catch {
      log.append("\(name): \(Outcome<T> { throw error }.words(isOrdered: isOrdered))")
      if !isCaught { throw error }
      return nil
    }
  }

  func visit(_ decoder: any Decoder) throws {
    depth += 1
    // Foundation's decoder is one object for all levels: during and after the decoding of a nested value, it is positioned
    // at that value.
    let outer = (decoders, single)
    (decoders, single) = ([decoder], [])
    defer {
      depth -= 1
      (decoders, single) = outer
    }
    note("visit", decoder.codingPath)
    guard depth < 6, log.count < 400 else { return }
    for _ in 0..<(4 + source.pick(12)) { try step() }
    if !keyed.isEmpty, source.pick(4) == 0 { keyed.removeFirst(source.pick(keyed.count)) }
  }

  /// Uses the stored containers after decoding has ended. Foundation's containers then read memory that they do not own any
  /// more.
  func visitKept() {
    for _ in 0..<20 { try? step() }
  }

  /// Returns the index of one of the latest containers.
  private func latest<T>(_ items: [T]) -> Int { max(items.count - 1 - source.pick(3), 0) }

  private func step() throws {
    switch source.pick(10) {
    case 0...2:
      guard !decoders.isEmpty else { return }
      try decoderStep(decoders[latest(decoders)])
    case 3...6:
      guard !keyed.isEmpty else { return }
      try keyedStep(keyed[latest(keyed)])
    case 7, 8:
      guard !unkeyed.isEmpty else { return }
      let index = latest(unkeyed)
      try unkeyedStep(index)
    default:
      guard !single.isEmpty else { return }
      try singleStep(single[latest(single)])
    }
  }

  private func decoderStep(_ decoder: any Decoder) throws {
    note("decoder", decoder.codingPath)
    switch source.pick(8) {
    case 0...3:
      if let made = try attempt("keyed", { try decoder.container(keyedBy: WalkKey.self) }) { keyed.append(made) }
    case 4, 5:
      if let made = try attempt("unkeyed", { try decoder.unkeyedContainer() }) { unkeyed.append(made) }
    default:
      if let made = try attempt("single", { try decoder.singleValueContainer() }) { single.append(made) }
    }
  }

  private func keyedStep(_ container: KeyedDecodingContainer<WalkKey>) throws {
    note("keyed", container.codingPath)
    let key = WalkKey.any[source.pick(WalkKey.any.count)]
    let name = key.stringValue
    switch source.pick(14) {
    case 0: log.append("keys \(container.allKeys.map { $0.stringValue }.sorted())")
    case 1: log.append("contains \(name) \(container.contains(key))")
    case 2: try attempt("nil \(name)") { try container.decodeNil(forKey: key) }
    case 3:
      if let made = try attempt("nested \(name)", { try container.nestedContainer(keyedBy: WalkKey.self, forKey: key) })
      {
        keyed.append(made)
      }
    case 4:
      if let made = try attempt("list \(name)", { try container.nestedUnkeyedContainer(forKey: key) }) {
        unkeyed.append(made)
      }
    case 5: if let made = try attempt("super", { try container.superDecoder() }) { decoders.append(made) }
    case 6:
      if let made = try attempt("super \(name)", { try container.superDecoder(forKey: key) }) { decoders.append(made) }
    case 7, 8:
      let type = source.pick(WalkTypes.all)
      try attempt("if \(name)", isOrdered: type.isOrdered) { try type.keyedIf(container, key) }
    default:
      let type = source.pick(WalkTypes.all)
      try attempt("at \(name)", isOrdered: type.isOrdered) { try type.keyed(container, key) }
    }
  }

  private func unkeyedStep(_ index: Int) throws {
    var container = unkeyed[index]
    note("unkeyed \(container.currentIndex) \(container.isAtEnd) \(container.count ?? -1)", container.codingPath)
    let type = source.pick(WalkTypes.all)
    defer {
      log.append("now \(container.currentIndex) \(container.isAtEnd)")
      // A value that passes through an initializer may have requested more containers.
      unkeyed[index] = container
    }
    switch source.pick(12) {
    case 0, 1: try attempt("nil") { try container.decodeNil() }
    case 2:
      if let made = try attempt("nested", { try container.nestedContainer(keyedBy: WalkKey.self) }) {
        keyed.append(made)
      }
    case 3: if let made = try attempt("list", { try container.nestedUnkeyedContainer() }) { unkeyed.append(made) }
    case 4: if let made = try attempt("super", { try container.superDecoder() }) { decoders.append(made) }
    case 5, 6:
      // Foundation continues to count after the end.
      guard !container.isAtEnd else { return }
      try attempt("if", isOrdered: type.isOrdered) { try type.unkeyedIf(&container) }
    default: try attempt("next", isOrdered: type.isOrdered) { try type.unkeyed(&container) }
    }
  }

  private func singleStep(_ container: any SingleValueDecodingContainer) throws {
    note("single", container.codingPath)
    if source.pick(5) == 0 {
      log.append("nil \(container.decodeNil())")
    } else {
      let type = source.pick(WalkTypes.all)
      try attempt("is", isOrdered: type.isOrdered) { try type.single(container) }
    }
  }
}

private struct WalkKey: CodingKey {
  var stringValue: String
  var intValue: Int? { Int(stringValue) }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) {
    if stringValue == "unknown" { return nil }
    self.stringValue = stringValue
  }
  init?(intValue: Int) { stringValue = "\(intValue)" }

  static let names = [
    "a", "b", "cD", "super", "", "7", "é", "x y\"z", "circle", "_0", "unknown", "longer than sixteen",
  ]
  static let any = names.map { WalkKey($0) } + [WalkKey("none")]

  static func words(_ path: [any CodingKey]) -> String {
    "[" + path.map { "\($0.stringValue)=\($0.intValue ?? -1)" }.joined(separator: ", ") + "]"
  }

  /// Returns a text of a value that is equal for equal values.
  static func words(_ value: Any) -> String {
    switch value {
    case is Wandering, is KeyedDecodingContainer<WalkKey>, is any UnkeyedDecodingContainer, is any Decoder,
      is any SingleValueDecodingContainer:
      "made"
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let date as Date?: date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "nil"
    case let members as [AnyHashable: Any]:
      "[" + members.map { "\($0): \(words($1))" }.sorted().joined(separator: ", ") + "]"
    case let numbers as Set<Int>: "\(numbers.sorted())"
    case let value as Loose: (try? sorted.string(of: value)) ?? "\(value)"
    default: String(describing: value)
    }
  }

  private static let sorted = {
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "n")
    return encoder
  }()
}

extension Outcome {
  /// Foundation reports no path if a number does not fit, and an initializer that catches the error gets one of Foundation's
  /// own: difference 1. If several members of a dictionary are wrong, it reports any of them.
  fileprivate func words(isOrdered: Bool = true) -> String {
    guard case .failure(let kind, _) = self else { return text }
    if !isOrdered { return "failure" }
    return kind == "dataCorrupted" || kind.hasPrefix("JSONError ") ? "dataCorrupted" : text
  }
}

/// A type, as each kind of container is called with it.
private struct WalkType: Sendable {
  /// Whether the error is independent of the order of members.
  let isOrdered: Bool
  let keyed: @Sendable (KeyedDecodingContainer<WalkKey>, WalkKey) throws -> Any
  let keyedIf: @Sendable (KeyedDecodingContainer<WalkKey>, WalkKey) throws -> Any
  let unkeyed: @Sendable (inout any UnkeyedDecodingContainer) throws -> Any
  let unkeyedIf: @Sendable (inout any UnkeyedDecodingContainer) throws -> Any
  let single: @Sendable (any SingleValueDecodingContainer) throws -> Any

  init<T: Decodable & SendableMetatype>(_ type: T.Type) {
    isOrdered = !"\(type)".contains("Dictionary")
    keyed = { try $0.decode(type, forKey: $1) }
    keyedIf = { try $0.decodeIfPresent(type, forKey: $1) as Any }
    unkeyed = { try $0.decode(type) }
    unkeyedIf = { try $0.decodeIfPresent(type) as Any }
    single = { try $0.decode(type) }
  }
}

private enum WalkTypes {
  static let all: [WalkType] = generic + generic.suffix(8) + concrete

  private static let generic = [
    WalkType(Int.self), WalkType(String.self), WalkType(Double.self), WalkType(Bool.self), WalkType(UInt64.self),
    WalkType(Int?.self), WalkType(String?.self), WalkType(Int??.self), WalkType(Date.self), WalkType(Date?.self),
    WalkType(Data.self), WalkType(URL.self), WalkType(UUID.self), WalkType(Decimal.self), WalkType([Int].self),
    WalkType([Int?].self), WalkType([String].self), WalkType([Double].self), WalkType([String: Int].self),
    WalkType([String: Int]?.self), WalkType([Int: Int].self), WalkType([CodedSuit: Int].self), WalkType(Suit.self),
    WalkType(Shape.self), WalkType(Level.self), WalkType(Loose.self), WalkType(Float.self), WalkType(Set<Int>.self),
    WalkType(Point.self), WalkType(Animal.self), WalkType([[String: [Int]]].self),
    WalkType(Wandering.self), WalkType([Wandering].self), WalkType(Wandering?.self), WalkType([Wandering?].self),
    WalkType(Wandering.self), WalkType([Wandering]?.self),
  ]

  // The overloads that a compiler calls if it knows the type. IntegerWidthTests calls those of integers.
  private static let concrete = [
    WalkType(
      keyed: { try $0.decode(String.self, forKey: $1) },
      keyedIf: { try $0.decodeIfPresent(String.self, forKey: $1) as Any }, unkeyed: { try $0.decode(String.self) },
      unkeyedIf: { try $0.decodeIfPresent(String.self) as Any }, single: { try $0.decode(String.self) }),
    WalkType(
      keyed: { try $0.decode(Double.self, forKey: $1) },
      keyedIf: { try $0.decodeIfPresent(Double.self, forKey: $1) as Any }, unkeyed: { try $0.decode(Double.self) },
      unkeyedIf: { try $0.decodeIfPresent(Double.self) as Any }, single: { try $0.decode(Double.self) }),
    WalkType(
      keyed: { try $0.decode(Float.self, forKey: $1) },
      keyedIf: { try $0.decodeIfPresent(Float.self, forKey: $1) as Any }, unkeyed: { try $0.decode(Float.self) },
      unkeyedIf: { try $0.decodeIfPresent(Float.self) as Any }, single: { try $0.decode(Float.self) }),
    WalkType(
      keyed: { try $0.decode(Bool.self, forKey: $1) },
      keyedIf: { try $0.decodeIfPresent(Bool.self, forKey: $1) as Any }, unkeyed: { try $0.decode(Bool.self) },
      unkeyedIf: { try $0.decodeIfPresent(Bool.self) as Any }, single: { try $0.decode(Bool.self) }),
  ]
}

extension WalkType {
  fileprivate init(
    keyed: @escaping @Sendable (KeyedDecodingContainer<WalkKey>, WalkKey) throws -> Any,
    keyedIf: @escaping @Sendable (KeyedDecodingContainer<WalkKey>, WalkKey) throws -> Any,
    unkeyed: @escaping @Sendable (inout any UnkeyedDecodingContainer) throws -> Any,
    unkeyedIf: @escaping @Sendable (inout any UnkeyedDecodingContainer) throws -> Any,
    single: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Any
  ) {
    isOrdered = true
    self.keyed = keyed
    self.keyedIf = keyedIf
    self.unkeyed = unkeyed
    self.unkeyedIf = unkeyedIf
    self.single = single
  }
}

extension SeededGenerator {
  fileprivate mutating func pick<T>(_ values: [T]) -> T { values[pick(values.count)] }

  /// Returns a text in which an object has each name once.
  fileprivate mutating func walkText(_ depth: Int) -> String {
    let scalars = [
      "null", "null", "true", "false", "0", "1", "-1", "7", "300", "1.5", "2.0", "1e3", "18446744073709551615",
      "\"\"", "\"a\"", "\"hearts\"", "\"7\"", "\"é\\u00e9\\n\"", "\"AAEC\"", "\"https://example.net/\"",
      "\"2025-03-01T08:30:00Z\"", "\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", "\"a string of more than sixteen bytes\"",
      "\"+∞\"", "12345678901234567890.5",
    ]
    let space = ["", "", " ", "\n"]
    guard depth > 0, pick(4) > 0 else { return pick(scalars) }
    if pick(2) == 0 {
      return "[" + list(5) { $0.walkText(depth - 1) }.joined(separator: ",\(pick(space))") + "]"
    }
    var names = WalkKey.names.map { name in
      name == "x y\"z" ? "\"x y\\\"z\"" : name == "a" && pick(4) == 0 ? "\"\\u0061\"" : "\"\(name)\""
    }
    names.shuffle(using: &self)
    let members = names.prefix(pick(8)).map { "\($0):\(pick(space))\(walkText(depth - 1))" }
    return "{" + members.joined(separator: "\(pick(space)),") + "}"
  }
}

@Suite struct RandomDecodingTests {
  @Test func `random sequences of decoding calls give the same results as Foundation`() {
    var source = SeededGenerator()
    print("random decoding: \(source)")
    let rounds = isDebug ? 2000 : 100_000
    var lines = 0
    var failures: [String] = []
    for round in 0..<rounds where failures.count < 3 {
      let text = source.walkText(1 + source.pick(5))
      let seed = source.next()
      let (left, right) = (DecodingWalk(seed: seed), DecodingWalk(seed: seed))
      // Every second round makes a new container for each call.
      let ours = round % 2 == 0 ? JSONSiftDecoder() : JSONSiftDecoder().withoutReuse()
      let theirs = JSONDecoder()
      if let key = DecodingWalk.key {
        ours.userInfo[key] = left
        theirs.userInfo[key] = right
      }
      if round % 3 == 1 {
        ours.keyDecodingStrategy = .convertFromSnakeCase
        theirs.keyDecodingStrategy = .convertFromSnakeCase
        ours.dateDecodingStrategy = .iso8601
        theirs.dateDecodingStrategy = .iso8601
      }
      if round % 3 == 2 {
        ours.dateDecodingStrategy = .custom { decoder in
          _ = try Wandering(from: decoder)
          return Date(timeIntervalSinceReferenceDate: 1)
        }
        theirs.dateDecodingStrategy = .custom { decoder in
          _ = try Wandering(from: decoder)
          return Date(timeIntervalSinceReferenceDate: 1)
        }
        ours.dataDecodingStrategy = .deferredToData
        theirs.dataDecodingStrategy = .deferredToData
        ours.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "a")
        theirs.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "a")
      }
      let ourEnd = Outcome { try ours.decode(Wandering.self, from: text) }.words()
      let theirEnd = Outcome { try theirs.decode(Wandering.self, from: Data(text.utf8)) }.words()
      lines += left.log.count
      guard left.log != right.log || ourEnd != theirEnd else {
        left.visitKept()
        continue
      }
      let index = zip(left.log, right.log).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
      let before = left.log.prefix(max(index, 0)).suffix(60).joined(separator: "\n    ")
      failures.append(
        """
        \(text)
          after
            \(before)
          ours   \(index < 0 ? ourEnd : left.log[index])
          theirs \(index < 0 ? theirEnd : right.log[index])
        """)
    }
    #expect(failures.isEmpty, "\(source)\n\(failures.joined(separator: "\n"))")
    #expect(lines > rounds * 5, "\(lines) lines")
  }
}
