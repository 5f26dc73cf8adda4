import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Random programs of reads, changes and writes, applied to values that are parsed on access and to values that were parsed
/// as a whole. The results must be equal.
@Suite struct LazyProgramTests {
  /// The number of programs that each test runs; `JSONSIFT_TEST_ROUNDS` sets it.
  private static let rounds =
    ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? (isDebug ? 200 : 2000)

  /// One value in both forms.
  private struct Pair {
    var lazy: JSON
    var whole: JSON

    subscript(path: [JSONSubscriptType]) -> Pair { Pair(lazy: lazy[path], whole: whole[path]) }

    mutating func change(_ body: (inout JSON) throws -> Void) rethrows {
      try body(&lazy)
      try body(&whole)
    }

    /// The difference between the two values, or between their ranges.
    var difference: String? {
      if lazy.error != whole.error {
        return "errors \(String(describing: lazy.error)), \(String(describing: whole.error))"
      }
      if lazy.jsonError != nil { return "a fault" }
      if lazy.isFromText != whole.isFromText { return "whether it is parsed" }
      if lazy.byteRange != whole.byteRange {
        return "places \(String(describing: lazy.byteRange)), \(String(describing: whole.byteRange))"
      }
      if lazy.rawBytes != whole.rawBytes { return "bytes" }
      return shallowDifference(between: lazy, and: whole)
    }
  }

  /// Returns a text in both forms. `least` is the length from which a container is indexed.
  private static func pair(_ text: [UInt8], least: Int) throws -> Pair? {
    var builder = DocumentBuilder(options: JSONOptions())
    let source = Document.Source.array(SourceArray(text))
    guard let lazy = JSON.lazy(LazyText(validating: source, options: JSONOptions(), minLength: least)) else {
      return nil
    }
    return Pair(lazy: lazy, whole: JSON(try builder.document(of: source), Document.root))
  }

  /// Returns a path that usually leads to a value.
  private static func path(into json: JSON, _ random: inout SeededGenerator) -> [JSONSubscriptType] {
    var path: [JSONSubscriptType] = []
    var value = json
    for _ in 0..<random.below(6) {
      let isAstray = random.below(12) == 0
      switch value.type {
      case .array where !isAstray && !value.isEmpty: path.append(random.below(value.count))
      case .dictionary where !isAstray && !value.isEmpty:
        path.append(Array(value)[random.below(value.count)].0)
      default:
        guard isAstray else { return path }
        path.append(random.below(2) == 0 ? random.below(4) - 1 as JSONSubscriptType : random.pick(["a", "", "none"]))
      }
      value = value[path[path.count - 1]]
    }
    return path
  }

  private static let writers: [JSONWriterOptions] = [
    .compact, .pretty,
    {
      return with(JSONWriterOptions.compact) { $0.sortsKeys = true }
    }(),
  ]

  @Test func `every step of a program gives the same`() throws {
    var writer = RandomText(random: .announced())
    var programs = 0
    while programs < Self.rounds {
      let least = writer.random.pick([1, 1, 20, 200])
      let text = Array(writer.document(depth: 5).utf8)
      guard var pair = try Self.pair(text, least: least) else { continue }
      programs += 1
      var kept = [pair]
      for step in 0..<(2 + writer.random.below(12)) {
        let path = Self.path(into: pair.whole, &writer.random)
        let what = writer.random.below(20)
        let scalar = JSON(writer.random.below(100))
        var same = true
        switch what {
        case 0...7: same = pair[path].difference == nil
        case 8: pair = pair[path]
        case 9: kept.append(pair)
        case 10: pair = writer.random.pick(kept)
        case 11: pair.change { $0[path] = scalar }
        case 12:
          let other = writer.random.pick(kept)[Self.path(into: pair.whole, &writer.random)]
          pair.lazy[path] = other.lazy
          pair.whole[path] = other.whole
        case 13: pair.change { $0[path].append(scalar) }
        case 14:
          let index = writer.random.below(3)
          pair.change { $0[path].remove(at: index) }
        case 15: pair.change { $0[path].removeValue(forKey: "a") }
        case 16:
          let other = writer.random.pick(kept)
          try? pair.lazy.merge(with: other.lazy)
          try? pair.whole.merge(with: other.whole)
        case 17:
          let detached = Pair(lazy: pair[path].lazy.detached(), whole: pair[path].whole.detached())
          same = detached.difference == nil && difference(between: detached.lazy, and: detached.whole) == nil
        case 18:
          let options = writer.random.pick(Self.writers)
          same = try pair[path].lazy.bytes(options) == pair[path].whole.bytes(options)
        default:
          let one = pair[path]
          same = one.lazy == one.whole && one.lazy.hashValue == one.whole.hashValue
          same = same && difference(between: one.lazy, and: one.whole) == nil
        }
        same = same && pair.difference == nil
        #expect(same, "step \(step), \(what) at \(path), least \(least): \(String(decoding: text, as: UTF8.self))")
        guard same else { return }
      }
    }
  }

  @Test func `every read of a long text gives the same after any other reads`() throws {
    var writer = RandomText(random: .announced())
    for _ in 0..<max(Self.rounds / 20, 1) {
      let items = (0..<(100 + writer.random.below(300))).map { _ in writer.value(depth: 4) }
      let members = items.map { "\"k\(writer.random.below(400))\":\($0)" }
      let text = Array(
        "{\"items\":[\(items.joined(separator: " , "))] ,\"a\":{\(members.joined(separator: ","))}}".utf8)
      guard let pair = try Self.pair(text, least: writer.random.pick([1, 100, 1000, LazyText.minValidated])) else {
        continue
      }
      for _ in 0..<100 {
        let path = Self.path(into: pair.whole, &writer.random)
        #expect(pair[path].difference == nil, "\(path): \(pair[path].difference ?? "")")
      }
      #expect(difference(between: pair.lazy, and: pair.whole) == nil)
    }
  }

  @Test func `damage anywhere is the same error when the text is read`() throws {
    var random = SeededGenerator.announced()
    let good = (0..<80).map {
      "{\"id\":\($0),\"text\":\"\(String(repeating: "x", count: 60))\",\"sub\":[1,{\"a\":null}]}"
    }
    let text = Array("{\"items\":[\(good.joined(separator: ", "))],\"é\":-1.5e3} ".utf8)
    let options = [
      JSONOptions(), JSONOptions(loneSurrogates: .replace), Self.options { $0.depth = 3 },
      Self.options { $0.depth = 2 }, Self.options { $0.stringBytes = 59 }, Self.options { $0.keyBytes = 4 },
      Self.options { $0.numberBytes = 5 }, Self.options { $0.tapeBytes = 4096 }, Self.options { $0.depth = 0 },
    ]
    let chunks = [
      "\"", "\\ud800", "\u{1}", "{", "}", "[", "]", ",", ":", "01", "tru", "\\", "/**/", " ", "\u{FEFF}", "7",
    ]
    for _ in 0..<Self.rounds {
      var damaged = text
      let offset = random.below(text.count)
      switch random.below(4) {
      case 0: damaged.removeSubrange(offset...)
      case 1: damaged.remove(at: offset)
      case 2: damaged[offset] = UInt8(truncatingIfNeeded: random.next())
      default: damaged.insert(contentsOf: random.pick(chunks).utf8, at: offset)
      }
      let options = random.pick(options)
      var expected: JSONError?
      var builder = DocumentBuilder(options: options)
      do throws(JSONError) {
        _ = try builder.document(of: .array(SourceArray(damaged)))
      } catch {
        expected = error
      }
      #expect(jsonError { _ = try JSON(parsing: damaged, options: options) } == expected)
      #expect(jsonError { _ = try JSON(parsing: Data(damaged), options: options) } == expected)
      var parser = JSONParser(options: options)
      #expect(jsonError { _ = try parser.parse(damaged[...]) } == expected)
    }
  }

  private static func options(_ change: (inout JSONLimits) -> Void) -> JSONOptions {
    var options = JSONOptions()
    change(&options.limits)
    return options
  }
}
