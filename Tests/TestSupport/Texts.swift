import Foundation
import JSONSift

/// Returns the JSONError that `body` throws, or `nil`.
package func jsonError(_ body: () throws -> Void) -> JSONError? {
  do {
    try body()
    return nil
  } catch {
    return error as? JSONError
  }
}

/// Returns `bytes` cut into chunks of `size`.
package func chunks(of bytes: [UInt8], size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

/// Returns a source of bytes in chunks that never blocks: a source of external chunks is not read further than needed.
package func source(of bytes: [UInt8], inPiecesOf size: Int) -> JSONSource {
  final class Chunks: ByteReader {
    private var rest: ArraySlice<UInt8>
    private let size: Int
    let wouldBlock = false
    let canReadAtOnce = true

    init(_ bytes: [UInt8], _ size: Int) { (rest, self.size) = (bytes[...], size) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
      let chunk = rest.prefix(min(size, buffer.count))
      unsafe buffer.copyBytes(from: chunk)
      rest = rest.dropFirst(chunk.count)
      return chunk.count
    }
  }
  return .reading(name: nil) { () throws(JSONError) in Chunks(bytes, size) }
}

extension JSON {
  /// The source text of a value.
  package var rawText: String { String(decoding: rawBytes, as: UTF8.self) }
}

/// Generates valid JSON texts with unusual features: blanks, escapes, duplicate and empty keys.
package struct RandomText {
  package var random: SeededGenerator
  package init(random: SeededGenerator) { self.random = random }

  package static let keys = ["a", "b", "c", "", "\\u0061", "é", "e\\u0301", "a b", "\\n", "\\ud83d\\ude00", "0"]
  package static let scalars = [
    "null", "true", "false", "0", "-0", "17", "-1.50", "1e400", "1E-7", "123456789012345678901234567890", "\"\"",
    "\"a\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000é\\ud834\\udd1e\"", "\"😀 [{}],:\"",
  ]

  package mutating func blank() -> String { random.pick(["", "", "", " ", "\n", "\t \r\n"]) }

  package mutating func value(depth: Int) -> String {
    guard depth > 0, random.below(4) > 0 else { return random.pick(Self.scalars) }
    var children: [String] = []
    let isObject = random.below(2) == 0
    for _ in 0..<random.below(random.below(12) == 0 ? 40 : 5) {
      let key = isObject ? "\"\(random.pick(Self.keys))\"" + blank() + ":" + blank() : ""
      children.append(blank() + key + value(depth: depth - 1) + blank())
    }
    let inside = children.isEmpty ? blank() : children.joined(separator: ",")
    return isObject ? "{\(inside)}" : "[\(inside)]"
  }

  package mutating func document(depth: Int = 4) -> String { blank() + value(depth: depth) + blank() }
}

extension SeededGenerator {
  /// Writes texts with this generator.
  package mutating func write<Result>(_ body: (inout RandomText) -> Result) -> Result {
    var writer = RandomText(random: self)
    defer { self = writer.random }
    return body(&writer)
  }
}

/// Returns a unique path in the temporary folder.
package func temporaryPath(_ name: String = "input") -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("JSONSiftTests-\(UUID().uuidString)-\(name)").path
}

/// Runs `body` with a file that holds `bytes` and removes it afterwards.
package func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
  let path = temporaryPath("input.ndjson")
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}

/// Runs `body` on a thread with a stack of 512 KiB, the size of secondary threads on Apple's systems.
package func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
  let done = DispatchSemaphore(value: 0)
  let box = Box(.success(()))
  let thread = Thread {
    box.result = Result { try body() }
    done.signal()
  }
  thread.stackSize = stackFactor * 512 << 10
  thread.start()
  done.wait()
  try box.result.get()
}

private final class Box: @unchecked Sendable {
  var result: Result<Void, any Error>
  init(_ result: Result<Void, any Error>) { self.result = result }
}

/// Yields chunks, and counts their bytes.
package final class CountedChunks: Sequence, IteratorProtocol, @unchecked Sendable {
  private var rest: ArraySlice<[UInt8]>
  package private(set) var bytesRead = 0

  package init(_ chunks: [[UInt8]]) { rest = chunks[...] }

  package func next() -> [UInt8]? {
    let chunk = rest.popFirst()
    bytesRead += chunk?.count ?? 0
    return chunk
  }
}

/// Returns a value after a change.
package func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

/// Returns what `next` returns, until it returns `nil`.
package func drain<Element>(_ next: () throws -> Element?) rethrows -> [Element] {
  var elements: [Element] = []
  while let element = try next() { elements.append(element) }
  return elements
}

/// Returns a record or a bad record with its position and bytes.
package func text(of element: Result<JSONRecord, JSONBadRecord>) -> String {
  switch element {
  case .success(let record): "\(record.line) \(record.byteRange) \(record.value.rawText)"
  case .failure(let bad): "\(bad.line) \(bad.byteRange) \(bad.error) on line \(bad.position.line): \(bad.rawBytes)"
  }
}
