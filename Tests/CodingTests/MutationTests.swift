import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct MutationTests {
  private struct Seed {
    let bytes: [UInt8]
    let decode: (JSONSiftDecoder, [UInt8]) throws -> Void

    init<T: RandomValue>(_ type: T.Type, _ source: inout SeededGenerator) throws {
      bytes = try JSONSiftEncoder().bytes(of: T.random(&source, 8))
      decode = { _ = try $0.decode(type, from: $1) }
    }
  }

  private static func seeds(_ source: inout SeededGenerator) throws -> [Seed] {
    try [
      Seed(Everything.self, &source), Seed([Shape].self, &source), Seed([Optionals].self, &source),
      Seed(Tree.self, &source), Seed(Chain.self, &source), Seed(Flattened.self, &source),
      Seed([String: [Double]].self, &source), Seed([Int: [String?]].self, &source), Seed([Snake].self, &source),
      Seed([Box<[Point: Suit]>].self, &source),
    ]
  }

  private static let chunks: [[UInt8]] = [
    "null", "true", "{}", "[]", "\"\"", "1e999", "-0", "1.5", "9223372036854775808", "\"\\ud83d\\ude00\"",
    "\"\\u0000\"", ",", ":", "{", "}", "[", "]", "\"", "\\", "{\"x\":1,\"x\":2}", "[[[[", "1e-9999", "\"x\":", "000",
    "-", "\u{FEFF}", "{\"_0\":{}}", "18446744073709551616", "\"AAA\"",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: [UInt8], _ source: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...source.pick(3) {
      guard !bytes.isEmpty else { break }
      let offset = source.pick(bytes.count)
      switch source.pick(7) {
      case 0: bytes[offset] = UInt8(source.pick(256))
      case 1: bytes.remove(at: offset)
      case 2: bytes.insert(contentsOf: chunks[source.pick(chunks.count)], at: offset)
      case 3:
        let end = min(bytes.count, offset + source.pick(12))
        bytes.replaceSubrange(offset..<end, with: chunks[source.pick(chunks.count)])
      case 4:
        let end = min(bytes.count, offset + source.pick(30))
        bytes.insert(contentsOf: Array(bytes[offset..<end]), at: source.pick(bytes.count))
      case 5: bytes.removeLast(min(bytes.count, source.pick(20)))
      default: bytes[offset] = bytes[source.pick(bytes.count)]
      }
    }
    return bytes
  }

  @Test func `mutated documents give values or decoding errors`() throws {
    var source = SeededGenerator()
    // Printed before any trap can occur.
    print("mutated documents: \(source)")
    let rounds = isDebug ? 20_000 : 200_000
    let decoders = [JSONSiftDecoder(), JSONSiftDecoder(), JSONSiftDecoder()]
    decoders[1].keyDecodingStrategy = .convertFromSnakeCase
    decoders[1].dateDecodingStrategy = .iso8601
    decoders[2].dataDecodingStrategy = .deferredToData
    decoders[2].nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "\u{1F}", negativeInfinity: "", nan: "null")
    decoders[2].options.loneSurrogates = .replace
    var seeds = try Self.seeds(&source)
    var values = 0
    var errors = 0
    var others: [String] = []
    for round in 0..<rounds {
      if round % 5000 == 0 { seeds = try Self.seeds(&source) }
      let seed = seeds[source.pick(seeds.count)]
      let bytes = Self.mutate(seed.bytes, &source)
      do {
        try seed.decode(decoders[round % 3], bytes)
        values += 1
      } catch is DecodingError {
        errors += 1
      } catch {
        others.append("\(error): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(others.isEmpty, "\(source)\n\(others.prefix(3))")
    #expect(values > rounds / 100, "\(values) of \(rounds) were still of their type")
    #expect(errors > rounds / 4, "\(errors) of \(rounds) were refused")
  }
}
