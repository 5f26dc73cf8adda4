import CJSONScan
import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// One byte kernel and its portable version, called as the same function. The flag states whether the first byte is escaped,
/// and the result contains the flag afterwards.
enum Kernel: String, CaseIterable, Sendable {
  case text, stringEnd, whitespace, newline, countNewlines, surrogate

  struct Answer: Equatable {
    var offset: Int
    var escaped = false
  }

  func fast(_ bytes: UnsafePointer<UInt8>, _ count: Int, escaped: Bool) -> Answer {
    var flag = escaped
    switch self {
    case .text: return Answer(offset: unsafe json_scan_text(bytes, count))
    case .stringEnd:
      let offset = unsafe json_scan_string_end(bytes, count, &flag)
      return Answer(offset: offset, escaped: flag)
    case .whitespace: return Answer(offset: unsafe json_scan_whitespace(bytes, count))
    case .newline: return Answer(offset: unsafe json_scan_newline(bytes, count))
    case .countNewlines: return Answer(offset: unsafe json_scan_count_newlines(bytes, count))
    case .surrogate: return Answer(offset: unsafe json_scan_surrogate(bytes, count))
    }
  }

  func portable(_ bytes: UnsafePointer<UInt8>, _ count: Int, escaped: Bool) -> Answer {
    var flag = escaped
    switch self {
    case .text: return Answer(offset: unsafe json_scan_text_portable(bytes, count))
    case .stringEnd:
      let offset = unsafe json_scan_string_end_portable(bytes, count, &flag)
      return Answer(offset: offset, escaped: flag)
    case .whitespace: return Answer(offset: unsafe json_scan_whitespace_portable(bytes, count))
    case .newline:
      let all = unsafe UnsafeBufferPointer(start: bytes, count: count)
      return Answer(offset: unsafe all.firstIndex(of: 0x0A) ?? count)
    case .countNewlines: return Answer(offset: unsafe json_scan_count_newlines_portable(bytes, count))
    case .surrogate:
      for start in 0..<max(count - 3, 0) {
        let four = unsafe UnsafeBufferPointer(start: bytes + start, count: 4)
        let isHalf = unsafe (0x44 == four[2] & 0xDF) && Array("89abcdefABCDEF".utf8).contains(four[3])
        if unsafe four[0] == 0x5C, unsafe four[1] == 0x75, isHalf { return Answer(offset: start) }
      }
      return Answer(offset: count)
    }
  }

  /// Parts of the random inputs for this kernel: bytes that it searches for, similar bytes, and filling.
  var chunks: [[UInt8]] {
    switch self {
    case .text:
      [
        [0x61], [0x20], [0x0A], [0x61, 0x62, 0x63, 0x64], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80],
        [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xE0, 0xA0, 0x80], [0xF0, 0x90, 0x80, 0x80],
      ]
    case .stringEnd: [[0x5C], [0x5C, 0x5C], [0x61], [0x61, 0x61, 0x61], [0x5C, 0x22], [0x22]]
    case .whitespace: [[0x20], [0x09], [0x0A], [0x0D], [0x20, 0x20, 0x20, 0x20]]
    case .newline, .countNewlines: [[0x0A], [0x0B], [0x8A], [0x0D], [0x61, 0x62, 0x63], [0x2A]]
    case .surrogate:
      [
        Array("\\u".utf8), Array("\\u0041".utf8), Array("\\ue000".utf8), Array("\\ud".utf8), Array("\\uD7".utf8),
        [0x5C], [0x61], Array("abcd".utf8), Array("uD8".utf8), Array("\\Ud8".utf8), Array("\\uc800".utf8),
      ]
    }
  }

  /// Bytes that end the search: inserted into an otherwise quiet input at one offset.
  var hits: [[UInt8]] {
    switch self {
    case .text:
      [
        [0x0B], [0x0C], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82],
        [0xF0, 0x9F, 0x98], [0xE2, 0x82, 0x41], [0xC3, 0xC3, 0xA9], [0xF0, 0x9F, 0x98, 0x80, 0x80],
      ]
    case .stringEnd: [[0x22], [0x5C, 0x22, 0x22], [0x5C, 0x5C, 0x22]]
    case .whitespace: [[0x61], [0x0B], [0x0C], [0x00], [0xA0], [0x21]]
    case .newline, .countNewlines: [[0x0A], [0x0A, 0x0A]]
    case .surrogate: [Array("\\ud8".utf8), Array("\\uDf".utf8), Array("\\uDC".utf8), Array("\\udb".utf8)]
    }
  }

  /// A byte that the kernel ignores.
  var quiet: UInt8 { self == .whitespace ? 0x20 : 0x61 }

  /// Bytes that would change the result if they were read as part of the input.
  var neighbours: [UInt8] {
    switch self {
    case .text: [0x80, 0x0B]
    case .stringEnd: [0x22, 0x5C]
    case .whitespace: [0x20, 0x61]
    case .newline, .countNewlines: [0x0A, 0x61]
    case .surrogate: [0x38, 0x5C]
    }
  }
}

/// A block between bytes that no kernel may read, aligned to 64.
@safe struct GuardedBlock: ~Copyable {
  private let block: UnsafeMutablePointer<UInt8>
  private static let size = 512

  init() {
    unsafe block = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 64)
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Compares kernel and portable version on `input` at an alignment, with each kind of neighbouring byte. Returns the
  /// difference.
  func difference(_ kernel: Kernel, _ input: [UInt8], alignment: Int, escaped: Bool = false) -> String? {
    let expected = unsafe input.withUnsafeBufferPointer { bytes in
      var empty: UInt8 = 0
      return unsafe withUnsafePointer(to: &empty) { none in
        unsafe kernel.portable(bytes.baseAddress ?? none, bytes.count, escaped: escaped)
      }
    }
    for neighbour in kernel.neighbours {
      unsafe block.update(repeating: neighbour, count: Self.size)
      let start = unsafe block + 64 + alignment
      for (index, byte) in input.enumerated() { unsafe start[index] = byte }
      let found = unsafe kernel.fast(start, input.count, escaped: escaped)
      guard found == expected else {
        return "\(kernel) at alignment \(alignment), \(input.count) bytes between \(neighbour), escaped \(escaped): "
          + "\(found), portable says \(expected); input \(input)"
      }
    }
    return nil
  }

  deinit { unsafe block.deallocate() }
}

@Suite struct KernelTests {
  @Test(arguments: Kernel.allCases)
  func `a kernel and its portable version agree at every alignment and length`(kernel: Kernel) {
    var random = SeededGenerator.announced("\(#function) \(kernel)")
    let block = GuardedBlock()
    var differences: [String] = []
    for alignment in stride(from: 0, to: 64, by: isDebug ? 9 : 1) {
      for length in 0...200 {
        var input: [UInt8] = []
        input.reserveCapacity(length + 8)
        let hitChance = random.pick([8, 40, 400])
        while input.count < length {
          input += random.below(hitChance) == 0 ? random.pick(kernel.hits) : random.pick(kernel.chunks)
        }
        input.removeLast(input.count - length)
        let escaped = kernel == .stringEnd && alignment & 1 == 1
        if let difference = block.difference(kernel, input, alignment: alignment, escaped: escaped) {
          differences.append(difference)
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count) differ, first: \(differences.first ?? "")")
  }

  @Test(arguments: Kernel.allCases)
  func `a kernel finds one hit at every offset of a quiet input`(kernel: Kernel) {
    let block = GuardedBlock()
    var differences: [String] = []
    for hit in kernel.hits {
      for length in [1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 160, 200] {
        for offset in 0..<length {
          var input = [UInt8](repeating: kernel.quiet, count: length)
          for (index, byte) in hit.enumerated() where offset + index < length { input[offset + index] = byte }
          // In a debug build every second offset of the longer inputs.
          if isDebug, length > 33, (offset + length + Int(hit[0])) % 2 == 1, offset + 1 < length { continue }
          for escaped in kernel == .stringEnd ? [false, true] : [false] {
            let alignment = (offset &* 7) & 63
            if let difference = block.difference(kernel, input, alignment: alignment, escaped: escaped) {
              differences.append(difference)
            }
          }
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count) differ, first: \(differences.first ?? "")")
  }

  @Test(arguments: [false, true])
  func `a run of backslashes of any length and offset escapes the quote or not`(escaped: Bool) {
    let block = GuardedBlock()
    var differences: [String] = []
    for run in 0...70 {
      for before in 0...70 {
        let input =
          [UInt8](repeating: 0x61, count: before) + [UInt8](repeating: 0x5C, count: run) + Array("\"abc\"".utf8)
        if let difference = block.difference(.stringEnd, input, alignment: run & 31, escaped: escaped) {
          differences.append(difference)
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count) differ, first: \(differences.first ?? "")")
  }

  @Test(arguments: [Kernel.text, .whitespace, .stringEnd, .newline, .countNewlines, .surrogate])
  func `random bytes of every value give the portable result`(kernel: Kernel) {
    var random = SeededGenerator.announced("\(#function) \(kernel)")
    let block = GuardedBlock()
    var differences: [String] = []
    for _ in 0..<(isDebug ? 1_500 : 4_000) {
      let ceiling: UInt64 = random.pick([0x100, 0x80, 0x30])
      let input = (0..<random.below(201)).map { _ in UInt8(truncatingIfNeeded: random.next() % ceiling) }
      if let difference = block.difference(kernel, input, alignment: random.below(64), escaped: false) {
        differences.append(difference)
      }
    }
    #expect(differences.isEmpty, "\(differences.count) differ, first: \(differences.first ?? "")")
  }

  @Test(arguments: [8_159, 8_160, 8_161, 16_319, 16_320, 16_321, 65_536, 100_003])
  func `all line feeds of a long input are counted`(length: Int) {
    let input = [UInt8](repeating: 0x0A, count: length)
    let count = unsafe input.withUnsafeBufferPointer { unsafe json_scan_count_newlines($0.baseAddress, $0.count) }
    #expect(count == length)
  }

  @Test func `a kernel reads no byte of the pages around its input`() throws {
    let page = Int(getpagesize())
    let mapped = unsafe mmap(nil, page * 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let base = try unsafe #require(mapped)
    defer { _ = unsafe munmap(base, page * 3) }
    // A read of the first or last page ends the process.
    try #require(unsafe mprotect(base, page, PROT_NONE) == 0)
    try #require(unsafe mprotect(base + page * 2, page, PROT_NONE) == 0)
    for kernel in Kernel.allCases {
      let middle = unsafe (base + page).assumingMemoryBound(to: UInt8.self)
      unsafe middle.update(repeating: kernel.quiet, count: page)
      for length in 0...200 {
        for start in [0, page - length] {
          let found = unsafe kernel.fast(middle + start, length, escaped: false)
          let expected = unsafe kernel.portable(middle + start, length, escaped: false)
          #expect(found == expected, "\(kernel), \(length) bytes at \(start)")
        }
      }
    }
  }
}
