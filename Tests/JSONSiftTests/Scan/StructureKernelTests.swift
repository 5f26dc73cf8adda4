import CJSONScan
import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// One version of the structure kernels.
@safe private struct Version {
  private let kernels: json_scan_structure_version

  /// The versions that this machine can run, the portable one last.
  static var all: [Version] {
    var all: [Version] = []
    while let version = unsafe json_scan_structure_version(all.count) {
      unsafe all.append(Version(kernels: version.pointee))
    }
    return all
  }

  var name: String { unsafe String(cString: kernels.name) }

  /// Returns the end of an input that arrives in two windows, and the state after it.
  func containerEnd(_ bytes: UnsafePointer<UInt8>, _ count: Int, cut: Int, _ isObject: Bool) -> [Int] {
    var state = json_scan_container_opened(isObject)
    var end = unsafe kernels.container_end(bytes, cut, &state)
    if end == cut { unsafe end += kernels.container_end(bytes + cut, count - cut, &state) }
    return [end, Int(state.depth), Int(state.objects), state.in_string ? 1 : 0, state.escaped ? 1 : 0]
  }

  /// Returns all children, the outcome and the offset of an input that arrives in two windows, with room for `room` children
  /// at a time.
  func children(_ bytes: UnsafePointer<UInt8>, _ count: Int, cut: Int, room: Int, _ isObject: Bool) -> [UInt64] {
    var state = unsafe json_scan_children_opened(isObject)
    var result: [UInt64] = []
    var end = cut
    while true {
      var found = 0
      var children = [json_scan_child](repeating: json_scan_child(), count: room)
      let used = unsafe Int(state.offset)
      let outcome = unsafe kernels.children(bytes + used, end - used, &state, &children, room, &found)
      for child in children.prefix(found) {
        result += [child.key_start, child.key_end, child.value_start, child.value_end]
      }
      if outcome == JSON_SCAN_FULL { continue }
      if outcome == JSON_SCAN_MORE, end < count {
        end = count
        continue
      }
      return unsafe result + [UInt64(outcome.rawValue), state.offset]
    }
  }

  /// Returns the offset of the literal found, and its index.
  func find(_ literals: [[UInt8]], _ bytes: UnsafePointer<UInt8>, _ count: Int) -> [Int]? {
    var prepared = unsafe json_scan_literals()
    let lengths = literals.map { $0.count }
    return unsafe literals.flatMap { $0 }.withUnsafeBufferPointer { all in
      guard unsafe json_scan_literals_prepare(&prepared, all.baseAddress, lengths, lengths.count) else { return nil }
      var which = -1
      return [unsafe kernels.literals_find(bytes, count, &prepared, &which), which]
    }
  }
}

/// `Scripts/check kernels scan` does the same with far more input.
@Suite struct StructureKernelTests {
  private static let chunks = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", "\\\\", " ", "\n", "1", "\"a\"", "{}", "[]", "\"a\":1",
    "\"{[,:]}\"", "\"a\":{\"b\":[1,2]},", "[1,[2,{}],3],", "abcdefghijklmnop", "é", String(repeating: "\\", count: 67),
  ].map { Array($0.utf8) }

  /// Runs `body` with one page of memory between two inaccessible pages.
  private func withGuardedPage(_ body: (UnsafeMutablePointer<UInt8>, Int) throws -> Void) throws {
    let page = Int(getpagesize())
    let mapped = unsafe mmap(nil, page * 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let base = try unsafe #require(mapped)
    defer { _ = unsafe munmap(base, page * 3) }
    try #require(unsafe mprotect(base, page, PROT_NONE) == 0)
    try #require(unsafe mprotect(base + page * 2, page, PROT_NONE) == 0)
    try unsafe body((base + page).assumingMemoryBound(to: UInt8.self), page)
  }

  @Test func `every version agrees with the portable one, whole and cut, beside inaccessible pages`() throws {
    var random = SeededGenerator.announced(#function)
    let versions = Version.all
    let portable = try #require(versions.last)
    var answers = 0
    try unsafe withGuardedPage { page, pageBytes in
      for round in 0..<1_500 {
        var input: [UInt8] = []
        let length = random.below(200)
        while input.count < length { input += random.pick(Self.chunks) }
        input.removeLast(input.count - length)
        let start = unsafe round.isMultiple(of: 2) ? page : page + (pageBytes - length)
        unsafe start.update(from: input, count: length)
        let isObject = random.below(2) == 0
        let cut = random.below(length + 1)
        let literals = (0..<1 + random.below(4)).map { _ in random.pick(Self.chunks) }
        let end = unsafe portable.containerEnd(start, length, cut: length, isObject)
        let children = unsafe portable.children(start, length, cut: length, room: 300, isObject)
        let found = unsafe portable.find(literals, start, length)
        for version in versions {
          let how = "\(version.name), cut at \(cut), \(literals): \(input)"
          let sameEnd = unsafe version.containerEnd(start, length, cut: cut, isObject) == end
          try #require(sameEnd, "\(how)")
          let sameChildren = unsafe version.children(start, length, cut: cut, room: 1 + cut % 4, isObject) == children
          try #require(sameChildren, "\(how)")
          let sameFind = unsafe version.find(literals, start, length) == found
          try #require(sameFind, "\(how)")
          answers += 3
        }
      }
    }
    #expect(answers == 4_500 * versions.count)
  }
}
