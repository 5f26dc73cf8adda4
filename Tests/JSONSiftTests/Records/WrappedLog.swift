import TestSupport
import Testing

@testable import JSONSift

/// A random log whose records hold records, and what a reader of the inner ones has to find in it.
struct WrappedLog {
  /// What is found, in the order of the log.
  enum Found: Equatable {
    case record(text: String, line: Int)
    /// A bad record: its line, the line's bytes, and the offset of the wrong byte.
    case bad(line: Int, range: Range<Int>, raw: String, offset: Int)
  }

  /// A text, and for each of its bytes the offset of the byte in the log at which it begins.
  private struct Mapped {
    var bytes: [UInt8] = []
    var origins: [Int] = []

    mutating func append(_ other: Mapped, shiftedBy shift: Int) {
      bytes += other.bytes
      origins += other.origins.map { $0 + shift }
    }
  }

  private(set) var text: [UInt8] = []
  private(set) var found: [Found] = []
  /// The number of records without an inner one.
  private(set) var missing = 0
  private var random: SeededGenerator
  private var line = 1

  /// - Parameters:
  ///   - levels: How many strings are around a record.
  ///   - lines: The number of lines.
  init(_ random: SeededGenerator, levels: Int, lines: Int) {
    self.random = random
    for _ in 0..<lines { appendLine(levels) }
    if self.random.below(2) == 0, !text.isEmpty { text.removeLast() }
  }

  private mutating func appendLine(_ levels: Int) {
    let start = text.count
    func end(_ log: inout WrappedLog, _ bytes: [UInt8]) {
      log.text += bytes + [0x0A]
      log.line += 1
    }
    switch random.below(12) {
    case 0: return end(&self, random.below(2) == 0 ? [] : Array(" \t".utf8))
    case 1:
      missing += 1
      let others = [
        #"{"time":1}"#, #"{"log":"plain text"}"#, #"{"log":null}"#, #"{"log":""}"#, "[1]", "7", #"{"log":"  \n"}"#,
      ]
      return end(&self, Array(random.pick(others).utf8))
    case 2:
      // A damaged record outside.
      let damaged = [#"{"log" "{}"}"#, #"{"log":"{\"a\":1}""#, "\u{1}", #"{"log":"{}"}}"#]
      let bytes = Array(random.pick(damaged).utf8)
      let error = jsonError { _ = try JSON(parsing: bytes) }
      found.append(
        .bad(
          line: line, range: start..<(start + bytes.count), raw: String(decoding: bytes, as: UTF8.self),
          offset: start + (error?.byteOffset ?? 0)))
      return end(&self, bytes)
    default: break
    }
    let inner = record()
    var mapped = Mapped(bytes: inner, origins: Array(0...inner.count))
    for _ in 0..<levels { mapped = wrapped(mapped) }
    let error = jsonError { _ = try JSON(parsing: inner) }
    if let error {
      found.append(
        .bad(
          line: line, range: start..<(start + mapped.bytes.count), raw: String(decoding: mapped.bytes, as: UTF8.self),
          offset: start + mapped.origins[error.byteOffset]))
    } else {
      let text = inner.filter { $0 != 0x0A }.drop { $0 == 0x20 }
      found.append(.record(text: String(decoding: text, as: UTF8.self), line: line))
    }
    end(&self, mapped.bytes)
  }

  /// Returns a record inside, which can be damaged.
  private mutating func record() -> [UInt8] {
    let whole = [
      #"{"a":1}"#, #"{"level":"info","n":[1,{"b":"x\"y"}]}"#, #"{"é":"\u00e9\n","slash":"a\/b"}"#, "[]", "[1,2]",
      #"{"t":"😀","u":"\ud83d\ude00"}"#, #" {"a" : 2}"#, "{\"a\":\n3}", #"{"deep":{"a":{"a":{"a":[[]]}}}}"#,
    ]
    let damaged = [
      #"{"a":1"#, #"{"a" 1}"#, "[1,]", #"{"a":"\q"}"#, #"{"é":tru}"#, #"{"a":1}x"#, "{\"a\":\"b\u{1}\"}",
      "{\"a\":\"1\n2\"}",
    ]
    return Array(random.pick(random.below(5) == 0 ? damaged : whole).utf8)
  }

  /// Returns a record that holds the text in a string.
  private mutating func wrapped(_ inner: Mapped) -> Mapped {
    let heads = [#"{"log":""#, #"{"stream":"stderr", "log" : ""#, #"{"time":"2026","n":{"log":1},"log":""#]
    let tails = [#""}"#, #"","stream":"stdout"}"#, #"" , "log":"{\"second\":0}" }"#]
    var outer = Mapped()
    func put(_ bytes: some Sequence<UInt8>, at origin: Int) {
      for byte in bytes {
        outer.bytes.append(byte)
        outer.origins.append(origin)
      }
    }
    var positions: [Int] = []
    put(random.pick(heads).utf8, at: 0)
    let scalars = Array(String(decoding: inner.bytes, as: UTF8.self).unicodeScalars)
    for scalar in scalars {
      let escape = escaped(scalar)
      for _ in UTF8.encode(scalar) ?? .init() { positions.append(outer.bytes.count) }
      outer.bytes += escape
    }
    positions.append(outer.bytes.count)
    outer.bytes += random.pick(tails).utf8
    // The offsets of the record inside, each through this string.
    var origins: [Int] = []
    for origin in inner.origins {
      origins.append(origin < positions.count ? positions[origin] : positions[positions.count - 1])
    }
    return Mapped(bytes: outer.bytes, origins: origins)
  }

  private mutating func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
    func unit(_ value: UInt32) -> String {
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let units = String(scalar).utf16.map { unit(UInt32($0)) }.joined()
    let choice = random.below(8)
    switch scalar {
    case "\n": return Array((choice == 0 ? units : "\\n").utf8)
    case "\"", "\\": return Array((choice == 0 ? units : "\\\(scalar)").utf8)
    case "/": return Array((choice < 3 ? "\\/" : "/").utf8)
    case _ where scalar.value < 0x20: return Array(units.utf8)
    default: return Array((choice == 0 ? units : String(scalar)).utf8)
    }
  }
}

/// Reads the records that steps make of lines.
func readLines(_ bytes: [UInt8], _ options: JSONRecordOptions, size: Int? = nil) throws -> [WrappedLog.Found] {
  var options = options
  options.recovery = .report
  var reader = try JSONRecordReader(size.map { .chunks(Chunks(bytes, size: $0)) } ?? .bytes(bytes), options: options)
  var found: [WrappedLog.Found] = []
  while let result = try reader.nextResult() {
    switch result {
    case .success(let record): found.append(.record(text: record.value.rawText, line: record.line))
    case .failure(let bad):
      #expect(bad.position.byteOffset == bad.error.byteOffset)
      found.append(
        .bad(
          line: bad.line, range: bad.byteRange, raw: String(decoding: bad.rawBytes, as: UTF8.self),
          offset: bad.error.byteOffset))
    }
  }
  return found
}
