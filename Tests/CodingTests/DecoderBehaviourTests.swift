import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct DecoderBehaviourTests {
  private func context(_ body: () throws -> Void) -> DecodingError.Context? {
    do {
      try body()
      return nil
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context)
    {
      return context
    } catch {
      return nil
    }
  }

  @Test func `an error has the byte and the line of the value`() {
    let text = "{\n  \"a\": [\n    {\"x\": 1, \"y\": 2},\n    {\"x\": 1, \"y\": \"2\"}\n  ]\n}"
    let offset = text.utf8.count - "\"2\"}\n  ]\n}".utf8.count
    let mismatch = context { _ = try JSONSiftDecoder().decode([String: [Point]].self, from: text) }
    #expect(mismatch?.debugDescription == "Expected to decode Int but found a string instead. (line 4, byte \(offset))")
    #expect(mismatch?.codingPath.map { $0.stringValue } == ["a", "Index 1", "y"])
    let missing = context {
      _ = try JSONSiftDecoder().decode([String: [Optionals]].self, from: text.replacing("x", with: "list"))
    }
    #expect(missing?.debugDescription.contains("line 3") == true)
    let corrupted = context { _ = try JSONSiftDecoder().decode(Point.self, from: "{\"x\":1,\n\"y\":1.5}") }
    #expect(corrupted?.debugDescription == "The number is not representable as Int. (line 2, byte 12)")
    #expect(corrupted?.codingPath.map { $0.stringValue } == ["y"])
    let atEnd = context { _ = try JSONSiftDecoder().decode(Fish.self, from: "[1.5]") }
    #expect(atEnd?.debugDescription == "Unkeyed container is at end. (line 1, byte 4)")
  }

  @Test func `invalid JSON throws an error with its location and the underlying error`() throws {
    let bad = context { _ = try JSONSiftDecoder().decode(Point.self, from: "{\"x\":1,\n!}") }
    let error = try #require(bad?.underlyingError as? JSONError)
    #expect(error.byteOffset == 8)
    #expect(bad?.debugDescription.contains("line 2, byte 8") == true)
    #expect(bad?.codingPath.isEmpty == true)
  }

  @Test func `all kinds of byte collections are decoded`() throws {
    let text = "\u{FEFF}{\"x\":1,\"y\":2}"
    let point = Point(x: 1, y: 2)
    let decoder = JSONSiftDecoder()
    let bytes = Array(text.utf8)
    #expect(try decoder.decode(Point.self, from: bytes) == point)
    #expect(try decoder.decode(Point.self, from: Data(bytes)) == point)
    #expect(try decoder.decode(Point.self, from: text) == point)
    #expect(try decoder.decode(Point.self, from: bytes[...]) == point)
    #expect(try decoder.decode(Point.self, from: bytes.lazy.map { $0 }) == point)
    let span = try unsafe bytes.withUnsafeBytes { try unsafe decoder.decode(Point.self, from: $0.bytes) }
    #expect(span == point)
    #expect(try decoder.decode(Point.self, from: JSON(parsing: bytes)) == point)
    #expect(try decoder.decode(Point.self, from: ["x": 1, "y": 2] as JSON) == point)
    #expect(throws: DecodingError.self) { try decoder.decode(Point.self, from: [UInt8]()) }
  }

  @Test func `a JSON inside a type is the node itself and is written as it was read`() throws {
    struct Holder: Codable, Equatable { var raw: JSON, list: [JSON], optional: JSON? }
    let text = "{\"raw\":{\"a\":1.50,\"b\":\"\\u0041\\/\"},\"list\":[1e2,null,\"x\"]}"
    let holder = try JSONSiftDecoder().decode(Holder.self, from: text)
    #expect(String(decoding: holder.raw.rawBytes, as: UTF8.self) == "{\"a\":1.50,\"b\":\"\\u0041\\/\"}")
    #expect(holder.list[0].numberText == "1e2")
    #expect(try JSONSiftEncoder().string(of: holder) == text)
    let json = try JSON(parsing: text)
    #expect(try json["raw"].decode(JSON.self).byteRange == json["raw"].byteRange)
    #expect(try JSONSiftEncoder().json(of: json).byteRange == json.byteRange)
    #expect(try JSON(encoding: holder)["raw"]["a"].numberText == "1.50")
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.string(of: holder).hasPrefix("{\"list\":[1e2,null,\"x\"],\"raw\""))
    #expect(throws: EncodingError.self) { try encoder.string(of: [JSON(Double.nan)]) }
    #expect(throws: EncodingError.self) { try encoder.string(of: JSON(Date.self)) }
  }

  @Test func `a missing value is null`() throws {
    let json = try JSON(parsing: "{\"a\":1}")
    #expect(try json["b"].decode(Int?.self) == nil)
    #expect(throws: DecodingError.self) { try json["b"].decode(Int.self) }
    #expect(throws: DecodingError.self) { try JSON(Date.self).decode(Int.self) }
    #expect(throws: DecodingError.self) { try (["a": JSON(Double.nan)] as JSON).decode([String: Double].self) }
  }

  @Test func `decoders and containers can be stored`() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    struct Lazy: Decodable {
      let container: KeyedDecodingContainer<DecodingTableTests.DateKey>
      init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: DecodingTableTests.DateKey.self)
      }
    }
    let decoder = JSONSiftDecoder()
    let text = "{\"a\":[{\"x\":1,\"y\":2,\"at\":\"later\"},{\"x\":3,\"y\":4,\"at\":\"last\"}],\"b\":{\"x\":5,\"y\":6}}"
    let kept = try decoder.decode([String: Kept].self, from: text.replacing("\"a\"", with: "\"c\"")).mapValues {
      $0.decoder
    }
    let lazy = try decoder.decode([String: [Lazy]].self, from: "{\"k\":\(text.dropFirst(5).prefix { $0 != "]" })]}")
    // Other texts are decoded in between.
    for index in 0..<100 { _ = try decoder.decode([Int].self, from: "[\(index), 2, 3]") }
    #expect(try kept["b"].map { try Point(from: $0) } == Point(x: 5, y: 6))
    #expect(kept["b"]?.codingPath.map { $0.stringValue } == ["b"])
    #expect(try kept["c"].map { try [Point](from: $0) } == [Point(x: 1, y: 2), Point(x: 3, y: 4)])
    let containers = try #require(lazy["k"])
    #expect(try containers.map { try $0.container.decode(String.self, forKey: .at) } == ["later", "last"])
    #expect(containers[1].container.codingPath.map { $0.stringValue } == ["k", "Index 1"])
    #expect(throws: DecodingError.self) { try containers[1].container.decode(Int.self, forKey: .at) }
  }

  @Test func `a container stays valid after its decoder was used for other values`() throws {
    enum OtherKey: String, CodingKey { case y }
    typealias Key = DecodingTableTests.DateKey
    struct Keeps: Decodable {
      let make: () throws -> [Int]
      init(from decoder: any Decoder) throws {
        let way = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .at)
        let first = try decoder.container(keyedBy: Key.self)
        switch way {
        case 0: make = { [try first.decode(Int.self, forKey: .at)] }
        case 1:
          let other = try decoder.container(keyedBy: OtherKey.self)
          let again = try decoder.container(keyedBy: Key.self)
          make = { [try other.decode(Int.self, forKey: .y), try again.decode(Int.self, forKey: .at)] }
        case 2:
          make = {
            let late = try decoder.container(keyedBy: OtherKey.self)
            return [try late.decode(Int.self, forKey: .y), try first.decode(Int.self, forKey: .at)]
          }
        default:
          _ = try decoder.container(keyedBy: OtherKey.self)
          var made = Optional(decoder)
          make = {
            let late = try made?.container(keyedBy: OtherKey.self)
            made = nil
            return [try late?.decode(Int.self, forKey: .y) ?? -1]
          }
        }
      }
    }
    let decoder = JSONSiftDecoder()
    var kept: [(keeps: Keeps, numbers: [Int])] = []
    for round in 0..<20 {
      let ways = (0..<8).map { ($0 + round) % 4 }
      let elements = ways.enumerated().map { "{\"at\":\($1),\"y\":\(round * 8 + $0)}" }
      let made = try decoder.decode([Keeps].self, from: "[\(elements.joined(separator: ","))]")
      for (index, keeps) in made.enumerated() where (index * 7 + round) % 3 > 0 {
        let number = round * 8 + index
        kept.append((keeps, [[0], [number, 1], [number, 2], [number]][ways[index]]))
      }
      _ = try decoder.decode([Point].self, from: "[{\"x\":1,\"y\":2},{\"x\":1,\"y\":2}]")
    }
    #expect(kept.count > 90)
    for (keeps, numbers) in kept { #expect(try keeps.make() == numbers) }
  }

  @Test func `512 levels are decoded and one more is an error`() throws {
    func nest(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(try JSONSiftDecoder().decode(Loose.self, from: nest(512)) != .null)
    #expect(throws: DecodingError.self) { try JSONSiftDecoder().decode(Loose.self, from: nest(513)) }
    let deep = with(JSONOptions()) { $0.limits.depth = 100_000 }
    let json = try JSON(parsing: nest(100_000), options: deep)
    let error = context { _ = try json.decode(Loose.self) }
    #expect(error != nil)
    #expect(throws: DecodingError.self) { try json.decode(Endless.self) }
    var objects = "1"
    for _ in 0..<600 { objects = "{\"next\":\(objects)}" }
    #expect(throws: DecodingError.self) { try JSONSiftDecoder().decode(Chain.self, from: objects) }
  }

  /// Decodes itself from the same value, recursively without end.
  private indirect enum Endless: Decodable {
    case more(Endless)
    case end
    init(from decoder: any Decoder) throws { self = .more(try decoder.singleValueContainer().decode(Endless.self)) }
  }

  @Test func `a type that decodes itself from the same value throws an error`() {
    #expect(throws: DecodingError.self) { try JSONSiftDecoder().decode(Endless.self, from: "1") }
  }

  @Test func `options set through a constant are visible to every holder of the decoder`() throws {
    let decoder = JSONSiftDecoder()
    let same = decoder
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.options.limits.depth = 2
    struct Named: Decodable, Equatable { var firstName: String }
    #expect(try same.decode(Named.self, from: #"{"first_name":"Ada"}"#).firstName == "Ada")
    #expect(throws: DecodingError.self) { try same.decode([[[Int]]].self, from: "[[[1]]]") }
    #expect(try JSONSiftDecoder().decode([[[Int]]].self, from: "[[[1]]]") == [[[1]]])
  }

  @Test func `a decoding keeps the options it started with`() throws {
    let decoder = JSONSiftDecoder()
    decoder.dateDecodingStrategy = .custom { _ in
      decoder.dateDecodingStrategy = .secondsSince1970
      return Date(timeIntervalSince1970: 0)
    }
    let epoch = Date(timeIntervalSince1970: 0)
    #expect(try decoder.decode([Date].self, from: "[7,8]") == [epoch, epoch])
    #expect(try decoder.decode([Date].self, from: "[7,8]").map { $0.timeIntervalSince1970 } == [7, 8])
  }

  @Test func `a stream of values keeps the options its decoder had`() async throws {
    struct Named: Decodable, Sendable { var firstName: String }
    let decoder = JSONSiftDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let bytes = Array("{\"first_name\":\"Ada\"}\n{\"first_name\":\"Grace\"}\n".utf8)
    let records = JSONRecords(bytes: bytes).decode(Named.self, with: decoder)
    let parallel = JSONRecords(bytes: bytes).workers(2).decode(Named.self, with: decoder)
    var reader = try JSONRecordReader(.bytes(bytes))
    // A reader copies the options with its first value.
    var names = [try reader.next(as: Named.self, with: decoder)?.firstName]
    decoder.keyDecodingStrategy = .useDefaultKeys
    for try await person in records { names.append(person.firstName) }
    for try await person in parallel { names.append(person.firstName) }
    while let person = try reader.next(as: Named.self, with: decoder) { names.append(person.firstName) }
    #expect(names == ["Ada", "Ada", "Grace", "Ada", "Grace", "Grace"])
  }

  @Test func `dates are parsed by a strategy or a closure`() throws {
    struct Wrong: Error {}
    let decoder = JSONSiftDecoder()
    decoder.dateDecodingStrategy = .formatted(Date.ISO8601FormatStyle().year().month().day())
    #expect(try decoder.decode([Date].self, from: "[\"2025-03-01\"]") == [Date(timeIntervalSince1970: 1_740_787_200)])
    let error = context { _ = try decoder.decode([Date].self, from: "[\"x\"]") }
    #expect(error?.codingPath.map { $0.stringValue } == ["Index 0"])
    #expect(error?.underlyingError != nil)
    decoder.dateDecodingStrategy = .formatted { text in
      guard let seconds = Double(text) else { throw Wrong() }
      return Date(timeIntervalSince1970: seconds)
    }
    #expect(try decoder.decode(Date.self, from: "\"60\"") == Date(timeIntervalSince1970: 60))
    #expect(context { _ = try decoder.decode(Date.self, from: "\"x\"") }?.underlyingError is Wrong)
    let encoder = JSONSiftEncoder()
    encoder.dateEncodingStrategy = .formatted { "\($0.timeIntervalSince1970)" }
    #expect(try encoder.string(of: Date(timeIntervalSince1970: 60)) == "\"60.0\"")
  }

  @Test func `fast dates equal those of Foundation second by second and year by year`() throws {
    let decoder = JSONSiftDecoder()
    decoder.dateDecodingStrategy = .iso8601
    for step in 0..<4000 {
      // From 1590 to 2500, at irregular times.
      let date = Date(timeIntervalSince1970: Double(step) * 7_176_431 - 11_990_000_000)
      let text = date.formatted(.iso8601)
      #expect(try decoder.decode(Date.self, from: "\"\(text)\"") == date, "\(text)")
    }
  }

  @Test func `keys are found at every position and in every spelling`() throws {
    struct Wide: Decodable, Equatable {
      let values: [Int?]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DecodingTableTests.DateKey.self)
        values = try (0..<130).map { try container.decodeIfPresent(Int.self, forKey: .init(stringValue: "name \($0)")) }
      }
    }
    for count in [1, 2, 8, 9, 40, 63, 64, 65, 66, 129] {
      for spelling in 0..<3 {
        let order = (0..<count).map { ($0 * 37) % count }
        let members = Set(order).sorted { ($0 * 31) % 17 < ($1 * 31) % 17 }.map { number in
          spelling == 1 && number % 3 == 0 ? "\"n\\u0061me \(number)\":\(number)" : "\"name \(number)\":\(number)"
        }
        var text = members.joined(separator: ",")
        // The last of several duplicates.
        if spelling == 2, let first = members.first {
          text = first.replacing(":", with: ":[1],\"other\":") + "," + text
        }
        let wide = try JSONSiftDecoder().decode(Wide.self, from: "{\(text)}")
        #expect(
          wide.values == (0..<130).map { $0 < count && Set(order).contains($0) ? $0 : nil }, "\(count) \(spelling)")
      }
    }
  }

  @Test func `keys chosen to collide cost no more than other keys`() throws {
    // Keys of equal length with equal first and last bytes share the bits by which keys are distinguished.
    func text(_ count: Int) -> String {
      "["
        + (0..<count).map { _ in
          "{" + (0..<64).map { "\"prefix__\(String($0 + 100))________suffix\":\($0)" }.joined(separator: ",") + "}"
        }.joined(separator: ",") + "]"
    }
    let (few, many) = (Array(text(isDebug ? 10 : 200).utf8), Array(text(isDebug ? 100 : 2000).utf8))
    let clock = ContinuousClock()
    let decoder = JSONSiftDecoder()
    func time(_ bytes: [UInt8]) throws -> Duration {
      try clock.measure { _ = try decoder.decode([Probe].self, from: bytes) }
    }
    _ = try time(few)
    let (short, long) = (try time(few), try time(many))
    #expect(long < short * 60, "\(short) and \(long)")
  }

  @Test func `decoding a large dictionary takes time proportional to its size`() throws {
    func text(_ count: Int) -> [UInt8] {
      Array("{\((0..<count).map { "\"key \($0)\":\($0)" }.joined(separator: ","))}".utf8)
    }
    let decoder = JSONSiftDecoder()
    let clock = ContinuousClock()
    _ = try decoder.decode([String: Int].self, from: text(1000))
    let (few, many) = (text(4000), text(40_000))
    var counts: [Int] = []
    let short = try clock.measure { counts.append(try decoder.decode([String: Int].self, from: few).count) }
    let long = try clock.measure { counts.append(try decoder.decode([String: Int].self, from: many).count) }
    #expect(counts == [4000, 40_000])
    #expect(long < short * 80, "\(short) and \(long)")
  }

  @Test func `a coder releases its input after an error and when a decoder was stored`() throws {
    final class UserObject: Sendable {}
    struct Kept: Decodable {
      let decoder: any Decoder
      let container: KeyedDecodingContainer<DecodingTableTests.DateKey>?
      init(from decoder: any Decoder) {
        self.decoder = decoder
        container = try? decoder.container(keyedBy: DecodingTableTests.DateKey.self)
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "told"))
    weak var first: UserObject?
    weak var second: UserObject?
    weak var third: UserObject?
    func use() throws {
      let decoder = JSONSiftDecoder()
      let other = JSONSiftDecoder()
      other.options.limits.depth = 100
      let encoder = JSONSiftEncoder()
      let objects = [UserObject(), UserObject(), UserObject()]
      (first, second, third) = (objects[0], objects[1], objects[2])
      decoder.userInfo[key] = objects[0]
      encoder.userInfo[key] = objects[1]
      other.userInfo[key] = objects[2]
      for decoder in [decoder, other] {
        _ = try decoder.decode([Probe].self, from: "[1]")
        #expect(throws: DecodingError.self) { try decoder.decode([Point].self, from: "[1]") }
        _ = try decoder.decode([Kept].self, from: "[{}, [1]]")
        _ = try JSON(parsing: "[[1]]").decode([[Probe]].self, with: decoder)
      }
      _ = try encoder.bytes(of: [Point(x: 1, y: 2)])
      #expect(throws: EncodingError.self) { try encoder.bytes(of: [[Double.nan]]) }
      #expect(first != nil)
      #expect(second != nil)
      #expect(third != nil)
    }
    try use()
    // A later use holds no reference to earlier input.
    _ = try JSONSiftDecoder().decode(Int.self, from: "1")
    _ = try JSONSiftEncoder().bytes(of: [Point(x: 1, y: 2)])
    #expect(first == nil)
    #expect(second == nil)
    #expect(third == nil)
  }

  @Test func `one decoder serves many tasks`() async throws {
    let decoder = JSONSiftDecoder()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<16 {
        group.addTask {
          var sum = 0
          for number in 0..<200 {
            sum += try decoder.decode([Point].self, from: "[{\"x\":\(task),\"y\":\(number)}]")[0].x
          }
          return sum
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 200 * 120)
  }

  @Test func `a match can be decoded`() throws {
    let text = "{\"users\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":\"4\"}]}"
    var matches = try JSONMatches(of: "$.users[*]", in: .bytes(Array(text.utf8)))
    let first = try #require(try matches.next())
    #expect(try first.decode(Point.self) == Point(x: 1, y: 2))
    let second = try #require(try matches.next())
    let error = context { _ = try second.decode(Point.self) }
    #expect(error?.codingPath.map { $0.stringValue } == ["y"])
    #expect(error?.debugDescription.contains("byte 35") == true, "\(error?.debugDescription ?? "")")
  }

  /// Returns the keys on its coding path.
  private struct Path: Decodable {
    let keys: [String]

    init(from decoder: any Decoder) throws {
      keys = decoder.codingPath.map { "\($0.stringValue) \($0.intValue.map(String.init) ?? "none")" }
    }
  }

  private static func paths<Value>(_ value: Value) -> [String] {
    switch value {
    case let path as Path: path.keys
    case let paths as [String: Path]: paths["7"]?.keys ?? []
    case let paths as [Int: Path]: paths[7]?.keys ?? []
    case let paths as [[String: Path]]: paths[0]["7"]?.keys ?? []
    case let paths as [String: [String: Path]]: paths["3"]?["7"]?.keys ?? []
    default: []
    }
  }

  @Test func `issue 16: dictionary keys equal those of Foundation whatever their names`() throws {
    func check<T: Decodable>(_ type: T.Type, _ text: String) throws {
      let ours = JSONSiftDecoder()
      let foundation = JSONDecoder()
      let expected = try Self.paths(foundation.decode(type, from: Data(text.utf8)))
      #expect(try Self.paths(ours.decode(type, from: text)) == expected)
      foundation.keyDecodingStrategy = .convertFromSnakeCase
      ours.keyDecodingStrategy = .convertFromSnakeCase
      let converted = try Self.paths(foundation.decode(type, from: Data(text.utf8)))
      #expect(try Self.paths(ours.decode(type, from: text)) == converted)
      #expect(!expected.isEmpty)
    }
    try check([String: Path].self, "{\"7\":0}")
    try check([Int: Path].self, "{\"7\":0}")
    try check([[String: Path]].self, "[{\"7\":0}]")
    try check([String: [String: Path]].self, "{\"3\":{\"7\":0}}")
  }

  @Test func `many tasks decode a value whose bytes are in an array, and the bytes are not moved`()
    async throws
  {
    let text = "[" + (0..<500).map { "{\"x\":\($0),\"y\":\(-$0)}" }.joined(separator: ",") + "]"
    let json = try JSON(parsing: Array(text.utf8))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let points = try json.decode([Point].self)
          return try points.count == 500 && points.allSatisfy { $0.y == -$0.x } && json[7].decode(Point.self).x == 7
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
