import Foundation
import SwiftyJSON
import TestSupport
import Testing

/// Written text reads as the same value, and unchanged values keep their bytes.
@Suite struct RoundTripTests {
  static let values = isDebug ? 1_000 : 100_000
  static let largestFile = isDebug ? 150_000 : Int.max

  /// Returns the fault of a round trip through the written forms, or `nil`.
  private func fault(of json: JSON, inDepth: Bool = true) throws -> String? {
    if try JSON(parsing: json.bytes()) != json { return "compact" }
    if try JSON(parsing: json.bytes(.pretty)) != json { return "pretty" }
    if try JSON(parsing: json.bytes(.normalized())) != json { return "normalized" }
    guard json.type == .array || json.type == .dictionary else { return nil }
    if try JSON(data: json.rawData()) != json { return "rawData" }
    guard inDepth else { return nil }
    if JSON(parseJSON: json.rawString(options: [.prettyPrinted, .sortedKeys]) ?? "") != json { return "rawString" }
    if JSON(parseJSON: json.description) != json { return "description" }
    // A Swift dictionary cannot contain two keys that differ only in composition, and a decimal has 38 digits.
    let object = json.object
    if difference(between: JSON(object).object, and: object) != nil { return "object" }
    if JSON(object) == json, JSON(object).hashValue != json.hashValue { return "hash of object" }
    return nil
  }

  @Test(.enabled(if: ThirdPartyData.has("corpora"), "\(ThirdPartyData.absence)"))
  func `every corpus survives a round trip byte for byte`() throws {
    var texts: [(String, [UInt8])] = []
    for file in try ThirdPartyData.files(in: "corpora") { texts.append((file.name, try file.bytes())) }
    for file in try ThirdPartyData.files(in: "corpora", ending: ".ndjson") {
      for (number, line) in try file.bytes().split(separator: UInt8(ascii: "\n")).enumerated() {
        texts.append(("\(file.name):\(number + 1)", Array(line)))
      }
    }
    #expect(texts.count > 100)
    for (name, bytes) in texts where bytes.count < Self.largestFile {
      let json = try JSON(parsing: bytes)
      #expect(try json.bytes() == withoutBlanks(bytes), "\(name)")
      #expect(try JSON(data: Data(bytes), options: .fragmentsAllowed) == json, "\(name)")
      #expect(try fault(of: json) == nil, "\(name)")
      #expect(JSON(json.object) == json, "\(name)")
    }
  }

  @Test(.enabled(if: ThirdPartyData.has("JSONTestSuite/test_parsing"), "\(ThirdPartyData.absence)"))
  func `every valid text of JSONTestSuite survives a round trip`() throws {
    let files = try ThirdPartyData.files(in: "JSONTestSuite/test_parsing", prefix: "y_")
    #expect(files.count > 90)
    for file in files {
      let bytes = try file.bytes()
      let json = try JSON(data: Data(bytes), options: .fragmentsAllowed)
      #expect(try json.bytes() == withoutBlanks(bytes), "\(file)")
      #expect(try fault(of: json) == nil, "\(file)")
    }
  }

  private static let otherFolders = ["json-patch-tests", "json-schema-pointer", "jsonpath-cts"]

  @Test(.enabled(if: otherFolders.allSatisfy { ThirdPartyData.has($0) }, "\(ThirdPartyData.absence)"))
  func `every other file of the test data survives a round trip`() throws {
    for folder in Self.otherFolders {
      for file in try ThirdPartyData.files(in: folder) {
        let bytes = try file.bytes()
        let json = try JSON(data: Data(bytes))
        #expect(try json.bytes() == withoutBlanks(bytes), "\(file)")
        #expect(try fault(of: json) == nil, "\(file)")
      }
    }
  }

  @Test func `a generated document survives a round trip byte for byte`() throws {
    let generator = SeededGenerator()
    var writer = DocumentWriter(generator)
    var failures: [String] = []
    for number in 0..<Self.values / 4 {
      let text = writer.document()
      let json = try JSON(parsing: text)
      if try json.bytes() != withoutBlanks(text.utf8) { failures.append("document \(number): bytes of \(text)") }
      if let fault = try fault(of: json, inDepth: number % 10 == 0) {
        failures.append("document \(number): \(fault) of \(text)")
      }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }

  @Test func `a generated value survives a round trip`() throws {
    let generator = SeededGenerator()
    var maker = ValueMaker(generator)
    var failures: [String] = []
    for number in 0..<Self.values {
      let json = JSON(maker.value(depth: 3))
      if number % 20 == 0, JSON(json.object) != json { failures.append("value \(number): object of \(json)") }
      if let fault = try fault(of: json, inDepth: number % 20 == 0) {
        failures.append("value \(number): \(fault) of \(json)")
      }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }

  @Test func `a changed document survives a round trip with its changes`() throws {
    let generator = SeededGenerator()
    var writer = DocumentWriter(generator)
    var maker = ValueMaker(generator)
    var failures: [String] = []
    for number in 0..<Self.values / 10 {
      let text = writer.document()
      var json = try JSON(parsing: text)
      let before = json
      var path: [JSONSubscriptType] = []
      while writer.below(4) > 0, let (key, _) = json[path].dropFirst(writer.below(max(json[path].count, 1))).first {
        path.append(json[path].type == .array ? Int(key) ?? 0 : key)
      }
      guard !path.isEmpty else { continue }
      let value = JSON(maker.value(depth: 2))
      json[path] = value
      if json[path] != value { failures.append("document \(number): \(path) not set in \(text)") }
      if let fault = try fault(of: json, inDepth: number % 10 == 0) {
        failures.append("document \(number): \(fault) of \(text)")
      }
      if try before.bytes() != withoutBlanks(text.utf8) {
        failures.append("document \(number): copy changed of \(text)")
      }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }

  @Test func `a generated value survives a round trip through Codable`() throws {
    let generator = SeededGenerator()
    var maker = ValueMaker(generator)
    var failures: [String] = []
    for number in 0..<Self.values / 20 {
      let json = JSON(maker.value(depth: 3))
      let again = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(json))
      // Decimals with more digits than a Double are converted to a Double.
      if again != json { failures.append("value \(number): \(again) of \(json)") }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }
}

/// Generates values of Swift and Foundation, of every JSON type.
private struct ValueMaker {
  var writer: DocumentWriter

  init(_ generator: SeededGenerator) { writer = DocumentWriter(generator) }

  private mutating func text() -> String {
    String(
      String.UnicodeScalarView(
        (0..<writer.below(8)).compactMap { _ in
          Unicode.Scalar(UInt32(writer.below(writer.pick([0x80, 0x800, 0x1_0000, 0x11_0000]))))
        }))
  }

  private mutating func scalar() -> Any {
    let bits = writer.generator.next()
    switch writer.below(12) {
    case 0: return NSNull()
    case 1: return bits & 1 == 0
    case 2: return Int64(bitPattern: bits) >> Int64(writer.below(64))
    case 3: return bits >> UInt64(writer.below(64))
    case 4: return Double(bitPattern: bits).isFinite ? Double(bitPattern: bits) : 0.5
    // A Float with an exact text: any other reads back as the same Float but as another Double.
    case 5: return Float(writer.below(1000)) / 4 - 100
    case 6: return Double(writer.below(100_000)) / 100
    case 7: return NSNumber(value: Int32(truncatingIfNeeded: bits))
    case 8: return Int8(truncatingIfNeeded: bits)
    case 9: return text() as NSString
    default: return text()
    }
  }

  mutating func value(depth: Int) -> Any {
    guard depth > 0, writer.below(4) > 0 else { return scalar() }
    let count = writer.below(writer.below(20) == 0 ? 40 : 5)
    if writer.below(2) == 0 {
      let array = (0..<count).map { _ in value(depth: depth - 1) }
      return writer.below(5) == 0 ? array.map { JSON($0) } as [JSON] : array as [Any]
    }
    var dictionary: [String: Any] = [:]
    for _ in 0..<count { dictionary[text()] = value(depth: depth - 1) }
    return dictionary
  }
}
