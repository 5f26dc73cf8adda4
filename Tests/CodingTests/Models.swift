import Foundation

struct Point: Codable, Equatable, Hashable { var x: Int, y: Int }

struct Everything: Codable, Equatable {
  var bool: Bool, int: Int, double: Double, float: Float, string: String, data: Data, date: Date, url: URL, uuid: UUID
  var decimal: Decimal, big: UInt64, huge: Int128, optional: Int?, list: [Int], nested: [[String]], map: [String: Int]
  var point: Point, points: [Point?]
}

struct Optionals: Codable, Equatable {
  var bool: Bool?, int: Int?, int8: Int8?, uint64: UInt64?, double: Double?, float: Float?, string: String?
  var point: Point?, list: [Int]?, map: [String: String]?, date: Date?, data: Data?, decimal: Decimal?, url: URL?
  var twice: Int??
}

enum Suit: String, Codable, CaseIterable, Hashable { case clubs, diamonds, hearts, spades }
enum Level: Int, Codable, CaseIterable { case low = 1, high = 10 }
enum CodedSuit: String, Codable, Hashable, CodingKeyRepresentable { case clubs, redHearts }

enum Shape: Codable, Equatable {
  case none
  case circle(radius: Double)
  case rectangle(width: Double, height: Double?)
  case named(String)
  case pair(Int, Int)
  case at(Point)
}

indirect enum Tree: Codable, Equatable {
  case leaf(Int)
  case node(left: Tree, right: Tree)
}

final class Chain: Codable, Equatable {
  var value: Int
  var next: Chain?
  init(_ value: Int, _ next: Chain?) {
    self.value = value
    self.next = next
  }
  static func == (left: Chain, right: Chain) -> Bool { left.value == right.value && left.next == right.next }
}

/// Superclass and subclass share one container.
class Animal: Codable, Equatable {
  var name: String
  init(name: String) { self.name = name }
  static func == (left: Animal, right: Animal) -> Bool { left.isEqual(right) }
  func isEqual(_ other: Animal) -> Bool { type(of: self) == type(of: other) && name == other.name }
}

final class Dog: Animal {
  var breed: String
  private enum CodingKeys: String, CodingKey { case breed }
  init(name: String, breed: String) {
    self.breed = breed
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(breed, forKey: .breed)
    try super.encode(to: encoder)
  }
  override func isEqual(_ other: Animal) -> Bool { super.isEqual(other) && breed == (other as? Dog)?.breed }
}

/// The superclass is encoded as a member.
final class Cat: Animal {
  var lives: Int
  private enum CodingKeys: String, CodingKey { case lives, parent }
  private let named: Bool
  init(name: String, lives: Int, named: Bool) {
    self.lives = lives
    self.named = named
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lives = try container.decode(Int.self, forKey: .lives)
    named = container.contains(.parent)
    try super.init(from: named ? container.superDecoder(forKey: .parent) : container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: named ? container.superEncoder(forKey: .parent) : container.superEncoder())
    try container.encode(lives, forKey: .lives)
  }
  override func isEqual(_ other: Animal) -> Bool { super.isEqual(other) && lives == (other as? Cat)?.lives }
}

/// The superclass is encoded as an element between others.
final class Fish: Animal {
  var length: Double
  init(name: String, length: Double) {
    self.length = length
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    length = try container.decode(Double.self)
    try super.init(from: container.superDecoder())
    _ = try container.decodeNil()
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(length)
    try super.encode(to: container.superEncoder())
    try container.encodeNil()
  }
  override func isEqual(_ other: Animal) -> Bool { super.isEqual(other) && length == (other as? Fish)?.length }
}

/// Nested containers written by hand, two of them open at once.
struct Flattened: Codable, Equatable {
  var id: Int, width: Int, height: Int, tags: [String], matrix: [[Int]]
  private enum Keys: String, CodingKey { case id, size, tags, matrix }
  private enum SizeKeys: String, CodingKey { case width, height }

  init(id: Int, width: Int, height: Int, tags: [String], matrix: [[Int]]) {
    (self.id, self.width, self.height, self.tags, self.matrix) = (id, width, height, tags, matrix)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let size = try container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    var tags = try container.nestedUnkeyedContainer(forKey: .tags)
    id = try container.decode(Int.self, forKey: .id)
    height = try size.decode(Int.self, forKey: .height)
    self.tags = []
    while !tags.isAtEnd { self.tags.append(try tags.decode(String.self)) }
    width = try size.decode(Int.self, forKey: .width)
    var rows = try container.nestedUnkeyedContainer(forKey: .matrix)
    matrix = []
    while !rows.isAtEnd {
      var row = try rows.nestedUnkeyedContainer()
      var cells: [Int] = []
      while !row.isAtEnd { cells.append(try row.decode(Int.self)) }
      matrix.append(cells)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var size = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    var list = container.nestedUnkeyedContainer(forKey: .tags)
    try size.encode(width, forKey: .width)
    try container.encode(id, forKey: .id)
    for tag in tags { try list.encode(tag) }
    try size.encode(height, forKey: .height)
    var rows = container.nestedUnkeyedContainer(forKey: .matrix)
    for cells in matrix {
      var row = rows.nestedUnkeyedContainer()
      for cell in cells { try row.encode(cell) }
    }
  }
}

/// A value that encodes as its content alone.
struct Box<Content: Codable & Equatable>: Codable, Equatable {
  var content: Content
  init(_ content: Content) { self.content = content }
  init(from decoder: any Decoder) throws { content = try decoder.singleValueContainer().decode(Content.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(content)
  }
}

/// Any value, decoded by trying one type after another.
indirect enum Loose: Codable, Equatable {
  case null, bool(Bool), int(Int), double(Double), string(String), array([Loose]), object([String: Loose])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([Loose].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: Loose].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

/// Records what a decoder reports about itself.
struct Probe: Codable, Equatable {
  var path: [String], keys: [String], count: Int?, info: String
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { Int(stringValue) }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = "\(intValue)" }
  }
  static let key = CodingUserInfoKey(rawValue: "probe")

  init(from decoder: any Decoder) throws {
    path = decoder.codingPath.map { "\($0.stringValue) \($0.intValue ?? -1)" }
    keys = []
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      keys = container.allKeys.map { $0.stringValue }.sorted()
      path += container.codingPath.map { $0.stringValue }
    }
    let elements = try? decoder.unkeyedContainer()
    count = elements?.count
    path += elements?.codingPath.map { $0.stringValue } ?? []
    info = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
  }
}

/// Continues after an element that fails.
struct Forgiving: Decodable, Equatable {
  var good: [Int], bad: Int, indexes: [Int]
  private struct Skipped: Decodable {}

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    (good, bad, indexes) = ([], 0, [])
    while !container.isAtEnd {
      indexes.append(container.currentIndex)
      if let value = try? container.decode(Int.self) {
        good.append(value)
      } else {
        bad += 1
        // A failed element is still the next one.
        if try !container.decodeNil() { _ = try container.decode(Skipped.self) }
      }
    }
    indexes.append(container.currentIndex)
  }
}

struct Snake: Codable, Equatable {
  var oneTwo: Int, myURLProperty: String, _leading: Int, nested: Inner?
  struct Inner: Codable, Equatable { var innerValue: Int, byName: [String: Int] }
}
