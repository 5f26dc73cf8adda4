import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct RoundTripTests {
  /// Returns a description of the failure, or `nil`.
  private static func check<T: RandomValue>(_ type: T.Type, _ source: inout SeededGenerator) -> String? {
    let value = T.random(&source, 12)
    do {
      let bytes = try JSONSiftEncoder().bytes(of: value)
      let ours = JSONSiftDecoder()
      guard try ours.decode(type, from: bytes) == value else {
        return "\(T.self): ours, ours: \(String(decoding: bytes, as: UTF8.self))"
      }
      guard try JSONDecoder().decode(type, from: Data(bytes)) == value else {
        return "\(T.self): ours, Foundation: \(String(decoding: bytes, as: UTF8.self))"
      }
      let theirs = try JSONEncoder().encode(value)
      guard try ours.decode(type, from: theirs) == value else {
        return "\(T.self): Foundation, ours: \(String(decoding: theirs, as: UTF8.self))"
      }
      guard try JSON(encoding: value).decode(type) == value else { return "\(T.self): through a JSON" }
      return nil
    } catch {
      return "\(T.self): \(error)"
    }
  }

  private static var checks: [(inout SeededGenerator) -> String?] {
    [
      { check([Int].self, &$0) }, { check([Int8?].self, &$0) }, { check([Int16].self, &$0) },
      { check([UInt64].self, &$0) },
      { check([Bool].self, &$0) }, { check([Double].self, &$0) }, { check([Float].self, &$0) },
      { check([String].self, &$0) },
      { check([Decimal].self, &$0) }, { check([Date?].self, &$0) }, { check([Data].self, &$0) },
      { check([URL].self, &$0) },
      { check([UUID].self, &$0) }, { check([[Double]].self, &$0) }, { check([String: Int].self, &$0) },
      { check([Int: String].self, &$0) },
      { check([Suit: [Int]].self, &$0) }, { check([CodedSuit: Point].self, &$0) }, { check([Point: String].self, &$0) },
      { check(Set<Int64>.self, &$0) },
      { check(Point.self, &$0) }, { check([Shape].self, &$0) }, { check(Tree.self, &$0) }, { check(Chain.self, &$0) },
      { check(Flattened.self, &$0) },
      { check(Everything.self, &$0) }, { check([Optionals].self, &$0) }, { check([Snake].self, &$0) },
      { check(Box<[String: [Shape?]]>.self, &$0) },
      { check([String: [String: Everything]].self, &$0) }, { check([Box<Box<UInt8>>].self, &$0) },
      { check([[String?]?].self, &$0) },
    ]
  }

  /// A debug build runs a part of the rounds that a release build runs.
  private static var rounds: Int { isDebug ? 32 : 3200 }

  @Test func `random values of thirty types survive both coders, and each coder reads the other's output`() {
    var source = SeededGenerator()
    var count = 0
    var failures: [String] = []
    let checks = Self.checks
    for _ in 0..<Self.rounds {
      for check in checks {
        count += 1
        if let failure = check(&source) { failures.append(failure) }
        if failures.count > 5 { break }
      }
    }
    #expect(
      failures.isEmpty, "\(source)\n\(failures.prefix(5).map { String($0.prefix(2000)) }.joined(separator: "\n"))")
    #expect(Self.checks.count >= 30)
    #expect(count >= (isDebug ? 1000 : 100_000))
  }
}
