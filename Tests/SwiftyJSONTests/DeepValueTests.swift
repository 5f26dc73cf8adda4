import Foundation
import JSONSift
import SwiftyJSON
import TestSupport
import Testing

/// Values of a million levels, handled on a thread whose stack is 512 KiB: the stack usage must not depend on depth.
///
/// Each body creates and frees its values on that thread and returns its failures.
@Suite(.serialized) struct DeepValueTests {
  #if DEBUG
    /// A million would take minutes. The stack has 32 bytes for each of these levels, less than any frame of a debug build.
    static let depth = 16_000
  #else
    static let depth = 1_000_000
  #endif

  enum Shape: String, CaseIterable, Sendable { case arrays, objects }
  enum Origin: String, CaseIterable, Sendable { case literals, text }

  /// Returns a value of `depth` levels around a leaf.
  static func deep(_ shape: Shape, _ origin: Origin, depth: Int = depth, leaf: Int = 1) throws -> JSON {
    switch origin {
    case .literals:
      var json: JSON = JSON(leaf)
      for _ in 0..<depth { json = shape == .arrays ? [json] : ["k": json] }
      return json
    case .text:
      return try JSON(parsing: text(shape, depth: depth, leaf: leaf), options: JSONOptions(limits: .unlimited))
    }
  }

  static func text(_ shape: Shape, depth: Int = depth, leaf: Int = 1) -> [UInt8] {
    let opening = Array((shape == .arrays ? "[" : #"{"k":"#).utf8)
    let closing = UInt8(ascii: shape == .arrays ? "]" : "}")
    var bytes: [UInt8] = []
    bytes.reserveCapacity((opening.count + 1) * depth + 20)
    for _ in 0..<depth { bytes += opening }
    bytes += Array(String(leaf).utf8)
    bytes += Array(repeating: closing, count: depth)
    return bytes
  }

  static func step(_ shape: Shape) -> JSONSubscriptType { shape == .arrays ? 0 : "k" }

  /// Returns the leaf, reached level by level.
  static func leaf(of json: JSON, _ shape: Shape, depth: Int = depth) -> JSON {
    var json = json
    for _ in 0..<depth { json = shape == .arrays ? json[0] : json["k"] }
    return json
  }

  /// Runs `body`, which adds what is wrong, on a thread with a stack of this size.
  private func expectNoFailures(
    stackBytes: Int = 512 << 10, _ body: @escaping @Sendable (inout [String]) throws -> Void
  ) async throws {
    let failures = try await onThread(stackBytes: stackBytes) { () -> [String] in
      var failures: [String] = []
      try body(&failures)
      return failures
    }
    #expect(failures == [])
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `a deep value is created, read along its path and freed`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures { failures in
      let json = try Self.deep(shape, origin)
      if json.count != 1 || !json.exists() { failures.append("the top") }
      if Self.leaf(of: json, shape) != 1 { failures.append("level by level") }
      let path = Array(repeating: Self.step(shape), count: Self.depth)
      if json[path] != 1 { failures.append("by a path") }
      if json[path + [Self.step(shape)]].error != .wrongType { failures.append("one step more") }
      if Array(json).count != 1 || json.first?.1.count != 1 { failures.append("iteration") }
      var copies = [json, json, json]
      copies.removeAll()
    }
  }

  @Test(arguments: Shape.allCases)
  func `a deep value is compared and hashed`(shape: Shape) async throws {
    try await expectNoFailures { failures in
      let (built, read) = (try Self.deep(shape, .literals), try Self.deep(shape, .text))
      if try built != Self.deep(shape, .literals) { failures.append("built and built") }
      if try read != Self.deep(shape, .text) { failures.append("read and read") }
      if built != read || read != built { failures.append("built and read") }
      if built < read || !(built <= read) || read > built { failures.append("the order of equals") }
      if built.hashValue != read.hashValue { failures.append("the hashes") }
      let other = try Self.deep(shape, .literals, leaf: 2)
      if built == other || read == other || read <= other { failures.append("another leaf") }
    }
  }

  @Test(arguments: Origin.allCases)
  func `a deep value is merged`(origin: Origin) async throws {
    try await expectNoFailures { failures in
      var json = try Self.deep(.objects, origin)
      try json.merge(with: Self.deep(.objects, .literals, leaf: 2))
      if Self.leaf(of: json, .objects) != 2 { failures.append("with literals") }
      json = try json.merged(with: Self.deep(.objects, .text, leaf: 3))
      if Self.leaf(of: json, .objects) != 3 { failures.append("with text") }
      let arrays = try Self.deep(.arrays, origin)
      let both = try arrays.merged(with: arrays)
      if both.count != 2 || Self.leaf(of: both[1][0], .arrays, depth: Self.depth - 2) != 1 { failures.append("arrays") }
    }
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `a deep value is written compactly`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures { failures in
      let json = try Self.deep(shape, origin)
      let text = Self.text(shape)
      if try json.bytes() != text { failures.append("compact") }
      if try json.bytes(.normalized(sortsKeys: true)) != text { failures.append("normalized") }
      var written = 0
      try json.write(.compact) { written += $0.byteCount }
      if written != text.count { failures.append("to a sink") }
    }
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `the innermost level is changed`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures { failures in
      var json = try Self.deep(shape, origin)
      let before = json
      var path = Array(repeating: Self.step(shape), count: Self.depth)
      json[path] = 7
      if json[path] != 7 { failures.append("by a path") }
      json[path].string = "x"
      if json[path].string != "x" { failures.append("by a typed setter") }
      if before[path] != 1 || before == json { failures.append("the copy") }
      if try json.bytes().count != Self.text(shape).count + 2 { failures.append("written") }
      path.append("missing")
      json[path] = 8
      if json[path].exists() { failures.append("something was made") }
      path.removeLast(2)
      json[path] = JSON.null
      if json[path].type != .null || !json[path].exists() { failures.append("one level up") }
    }
  }

  /// Pretty text of a million levels would have about 10¹² blanks, so the depth is smaller.
  @Test(arguments: Shape.allCases, Origin.allCases)
  func `pretty text and description need no stack per level`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures { failures in
      let depth = 3_000
      let json = try Self.deep(shape, origin, depth: depth)
      let pretty = try json.bytes(.pretty)
      if withoutBlanks(pretty) != Self.text(shape, depth: depth) { failures.append("pretty") }
      if json.description.isEmpty || json.debugDescription != json.description { failures.append("description") }
    }
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `the Foundation forms of a deep value end cleanly`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures { failures in
      for depth in [513, 2_000, Self.depth] {
        let json = try Self.deep(shape, origin, depth: depth)
        // A tree of Foundation objects cannot be this deep: freeing it would overflow the stack.
        if json.object is [Any] || json.object is [String: Any] { failures.append("object at \(depth)") }
        if json.rawValue is [Any] || json.rawValue is [String: Any] { failures.append("rawValue at \(depth)") }
        if json.arrayObject != nil || json.dictionaryObject != nil { failures.append("arrayObject at \(depth)") }
        if json.rawString([.castNilToNSNull: true]) != nil { failures.append("castNil at \(depth)") }
        // Text has no such limit.
        if try Array(json.rawData()) != Self.text(shape, depth: depth) { failures.append("rawData at \(depth)") }
        if json.rawString(options: [])?.utf8.count != Self.text(shape, depth: depth).count {
          failures.append("rawString at \(depth)")
        }
      }
    }
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `a coder rejects more than 512 levels`(shape: Shape, origin: Origin) async throws {
    // Foundation's encoder calls itself for each level and needs about 2 KiB for it.
    try await expectNoFailures(stackBytes: 8 << 20) { failures in
      for depth in [513, 2_000, Self.depth] {
        let json = try Self.deep(shape, origin, depth: depth)
        if !(thrownError { _ = try JSONEncoder().encode(json) } is EncodingError) { failures.append("at \(depth)") }
      }
      let bearable = try Self.deep(shape, origin, depth: 300)
      if try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(bearable)) != bearable {
        failures.append("300 levels")
      }
    }
  }

  /// In a separate process, because a stack overflow ends it.
  @Test func `a coder rejects a million levels without using the stack for them`() async {
    await #expect(processExitsWith: .success) {
      let rejected = try await onThread { () -> Bool in
        let json = try DeepValueTests.deep(.arrays, .literals)
        return thrownError { _ = try JSONEncoder().encode(json) } is EncodingError
      }
      #expect(rejected)
    }
  }

  @Test(arguments: Shape.allCases, Origin.allCases)
  func `512 levels have the Foundation forms`(shape: Shape, origin: Origin) async throws {
    try await expectNoFailures(stackBytes: 8 << 20) { failures in
      let json = try Self.deep(shape, origin, depth: 512)
      if JSON(json.object) != json || !(json.object is [Any] || json.object is [String: Any]) {
        failures.append("object")
      }
      if JSON(rawValue: json.rawValue) != json { failures.append("rawValue") }
      if try Array(json.rawData()) != Self.text(shape, depth: 512) { failures.append("rawData") }
      if json.rawString(options: []).map({ Array($0.utf8) }) != Self.text(shape, depth: 512) {
        failures.append("rawString")
      }
      if json.rawString([.castNilToNSNull: true, .maxObjextDepth: 513]) == nil { failures.append("castNil") }
    }
  }

  @Test func `text of more levels is rejected by the initializers of SwiftyJSON`() async throws {
    try await expectNoFailures { failures in
      for shape in Shape.allCases {
        let data = Data(Self.text(shape))
        if (try? JSON(data: data)) != nil { failures.append("data") }
        if JSON(data).type != .null { failures.append("object") }
        if JSON(parseJSON: String(decoding: data, as: UTF8.self)).type != .null { failures.append("parseJSON") }
        if (try? JSONDecoder().decode(JSON.self, from: data)) != nil { failures.append("JSONDecoder") }
      }
    }
  }
}
