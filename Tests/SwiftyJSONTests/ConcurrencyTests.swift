import Foundation
import SwiftyJSON
import Synchronization
import TestSupport
import Testing

/// Eight threads read one value and change copies of it.
@Suite struct ConcurrencyTests {
  static let threads = 8
  static let rounds = isDebug ? 2 : 20

  private static let members = isDebug ? 700 : 2_000

  /// An object with tables that are built at the first lookup: a long array, a wide object and nested containers.
  private static let text: String = {
    let list = (0..<members).map { "{\"id\":\($0),\"name\":\"n\($0)\"}" }.joined(separator: ",")
    let object = (0..<members).map { "\"key\($0)\":\($0).5" }.joined(separator: ",")
    return #"{"list":[\#(list)],"object":{\#(object)},"nest":{"a":[{"b":"\u00e9"}]},"dup":1,"dup":2}"#
  }()

  /// Runs `body` on eight threads that begin together; returns the numbers of the threads with their failures.
  private func onThreads(_ body: @escaping @Sendable (Int) throws -> [String]) async throws -> [String] {
    let gate = Gate(for: Self.threads)
    return try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<Self.threads {
        group.addTask {
          try await onThread {
            gate.pass()
            return try body(number).map { "thread \(number): \($0)" }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Blocks all threads until the last one has arrived.
  private final class Gate: Sendable {
    private let waiting: Atomic<Int>
    init(for threads: Int) { waiting = Atomic(threads) }
    func pass() {
      waiting.subtract(1, ordering: .relaxed)
      while waiting.load(ordering: .relaxed) > 0 { Thread.sleep(forTimeInterval: 0.000_01) }
    }
  }

  private static func faults(reading json: JSON, from start: Int) -> [String] {
    var faults: [String] = []
    for step in 0..<members {
      let index = (start * 251 + step) % members
      if json["list"][index]["id"].int != index { faults.append("list \(index)") }
      if json["list", index, "name"].string != "n\(index)" { faults.append("name \(index)") }
      if json["object"]["key\(index)"].double != Double(index) + 0.5 { faults.append("key \(index)") }
    }
    if json["nest"]["a"][0]["b"].string != "é" || json["dup"].int != 2 { faults.append("nest") }
    if json["object"]["missing"].error != .notExist || json["list"][members].error != .indexOutOfBounds {
      faults.append("missing")
    }
    if json["list"].reduce(0, { $0 + $1.1["id"].intValue }) != members * (members - 1) / 2 {
      faults.append("iteration")
    }
    if json.count != 5 && json.count != 4 { faults.append("count") }
    return faults
  }

  private static func faults(changing shared: JSON, number: Int) throws -> [String] {
    var faults: [String] = []
    var copy = shared
    copy["list"][number]["id"] = JSON(-number)
    copy["object"]["key\(number)"].string = "thread \(number)"
    copy["mine"] = ["thread": number]
    copy["nest"]["a"][0]["c"].int = number
    try copy.merge(with: ["merged": [number]])
    if copy["list"][number]["id"].int != -number || copy["object"]["key\(number)"].string != "thread \(number)" {
      faults.append("own change")
    }
    if copy["mine"]["thread"].int != number || copy["nest"]["a"][0]["c"].int != number
      || copy["merged"][0].int != number
    {
      faults.append("own member")
    }
    if shared["mine"].exists() || shared["nest"]["a"][0]["c"].exists() || shared["merged"].exists() {
      faults.append("the shared value changed")
    }
    if shared["list"][number]["id"].int != number { faults.append("the shared element changed") }
    if copy == shared { faults.append("equal after a change") }
    let other = (number + 1) % threads
    if copy["object"]["key\(other)"].double != Double(other) + 0.5 { faults.append("a change of another thread") }
    return faults
  }

  @Test(arguments: [false, true])
  func `threads that share a value all get the right results`(isBuilt: Bool) async throws {
    for _ in 0..<Self.rounds {
      // A new value each time, so that the first thread to arrive builds its tables.
      let json =
        isBuilt
        ? JSON(try JSONSerialization.jsonObject(with: Data(Self.text.utf8))) : try JSON(data: Data(Self.text.utf8))
      let failures = try await onThreads { number in
        var faults = Self.faults(reading: json, from: number)
        faults += try Self.faults(changing: json, number: number)
        faults += Self.faults(reading: json, from: number + 3)
        return faults
      }
      #expect(failures.isEmpty, "\(summary(of: failures))")
    }
  }

  @Test(arguments: [false, true])
  func `threads write, compare and hash one value`(isBuilt: Bool) async throws {
    let json =
      isBuilt
      ? JSON(try JSONSerialization.jsonObject(with: Data(Self.text.utf8))) : try JSON(data: Data(Self.text.utf8))
    let bytes = try json.bytes()
    let hash = json.hashValue
    let expected = JSON(parseJSON: Self.text)
    let failures = try await onThreads { number in
      var faults: [String] = []
      if try json.bytes() != bytes { faults.append("bytes") }
      if json.hashValue != hash || json != expected { faults.append("equality") }
      if try JSON(data: json.rawData()) != expected { faults.append("rawData") }
      if JSON(json.object) != expected { faults.append("object") }
      return faults
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `parts of one value outlive it on other threads`() async throws {
    var parts: [JSON] = []
    do {
      let json = try JSON(data: Data(Self.text.utf8))
      parts = (0..<Self.threads).map { json["list"][$0] }
    }
    let handed = parts
    parts = []
    let failures = try await onThreads { number in
      var part = handed[number]
      if part["id"].int != number { return ["read"] }
      part["id"].int = 99
      return part["id"].int == 99 && handed[number]["id"].int == number ? [] : ["changed"]
    }
    #expect(failures == [])
  }
}
