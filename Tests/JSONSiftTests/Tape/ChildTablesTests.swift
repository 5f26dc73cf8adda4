import Foundation
import Synchronization
import Testing

@testable import JSONSift

/// The tables of large containers, used by many threads at once.
@Suite struct ChildTablesTests {
  private static let threads = 8
  private static let arrays = 120
  private static let elements = 90

  /// Returns arrays and objects with a table each, adjacent and nested.
  private func document() throws -> JSON {
    var members: [String] = []
    for array in 0..<Self.arrays {
      let elements = (0..<Self.elements).map { "\(array * 1_000 + $0)" }.joined(separator: ",")
      let pairs = (0..<Self.elements).map { "\"\($0 % 7 == 0 ? "\\u006b" : "k")\($0)\":\(array * 1_000 + $0)" }
      members.append("[\(elements)],{\(pairs.joined(separator: ",")),\"k5\":-1}")
    }
    return try JSON(parsing: "[\(nested(depth: 100)),\(members.joined(separator: ","))]")
  }

  /// Returns nested arrays, two tape words apart, each with more than 64 elements.
  private func nested(depth: Int) -> String {
    let tail = (0..<70).map { ",\($0)" }.joined() + "]"
    return String(repeating: "[", count: depth) + "true" + String(repeating: tail, count: depth)
  }

  /// Returns the number of wrong lookups in one part of the document. `salt` gives each thread another order.
  private func wrongLookups(in json: JSON, salt: Int) -> Int {
    var wrong = 0
    for step in 0..<Self.arrays {
      let array = (step * 37 + salt * 11) % Self.arrays
      let (list, object) = (json[1 + array * 2], json[2 + array * 2])
      for child in stride(from: salt % 3, to: Self.elements, by: 4) {
        if list[child].int != array * 1_000 + child { wrong += 1 }
        if object["k\(child)"].int != (child == 5 ? -1 : array * 1_000 + child) { wrong += 1 }
      }
      if list[Self.elements].exists() || object["k\(Self.elements)"].exists() { wrong += 1 }
    }
    var inner = json[0]
    for _ in 0..<100 {
      if inner[70].int != 69 { wrong += 1 }
      inner = inner[0]
    }
    return inner.bool == true ? wrong : wrong + 1
  }

  @Test func `eight threads look up values in many large containers of one document`() throws {
    for _ in 0..<5 {
      let json = try document()
      let wrong = Atomic(0)
      onThreads { wrong.add(wrongLookups(in: json, salt: $0), ordering: .relaxed) }
      #expect(wrong.load(ordering: .relaxed) == 0)
    }
  }

  @Test func `threads that build the same table at once all see a correct one`() throws {
    let text = "[" + (0..<2_000).map { "\($0)" }.joined(separator: ",") + "]"
    for _ in 0..<100 {
      let json = try JSON(parsing: text)
      let waiting = Atomic(0)
      let wrong = Atomic(0)
      onThreads { thread in
        // Relaxed, so that nothing but the tables orders what the threads do.
        waiting.add(1, ordering: .relaxed)
        while waiting.load(ordering: .relaxed) < Self.threads { sched_yield() }
        for index in stride(from: thread, to: 2_000, by: 97) where json[index].int != index {
          wrong.add(1, ordering: .relaxed)
        }
      }
      #expect(wrong.load(ordering: .relaxed) == 0)
    }
  }

  @Test func `a reused document forgets its tables`() throws {
    var parser = JSONParser()
    for round in 0..<50 {
      // Both have the same tape words, so an old table would be found.
      let elements = (0..<100).map { "\(($0 + round) % 10)" }
      let list = try parser.parse(Array("[\(elements.joined(separator: ","))]".utf8))
      #expect(list.indicesMatch(elements))
      let pairs = (0..<100).map { "\"\(round % 2)\($0)\":\($0)" }.joined(separator: ",")
      let object = try parser.parse(Array("{\(pairs)}".utf8))
      #expect(object["\(round % 2)99"].int == 99)
      #expect(object["\((round + 1) % 2)99"].error == .notExist)
    }
  }

  /// Tasks share as many threads as there are cores. These are eight on every machine.
  private func onThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<Self.threads).map { number in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        body(number)
        done.signal()
      }
      return done
    }
    for done in threads { done.wait() }
  }
}

extension JSON {
  fileprivate func indicesMatch(_ elements: [String]) -> Bool {
    elements.indices.allSatisfy { self[$0].numberText == elements[$0] }
  }
}
