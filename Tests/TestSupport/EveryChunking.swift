import JSONSift

/// The chunk sizes with which tests feed their input.
package enum EveryChunking {
  /// 1 to 64 bytes, sizes around a page and a pipe buffer, and `nil` for one chunk. A debug build omits most of them.
  package static let chunkSizes: [Int?] =
    (isDebug ? [1, 2, 3, 5, 8, 16, 63] : Array(1...64)) + [4095, 4096, 4097, 65536, nil]

  /// Returns the sizes that differ for an input of this length. Inputs of more than 20 KB get fewer, to limit the time
  /// of a debug build.
  package static func sizes(forBytes count: Int) -> [Int?] {
    let all: [Int?] = count > 20_000 ? [1, 3, 7, 16, 63, 64, 4095, 4096, 4097, 65536, nil] : chunkSizes
    return all.filter { size in size.map { $0 < count } ?? true }
  }
}

/// Runs `body` with the input as one chunk, and in chunks of every size.
///
/// - Parameter body: Reads the input in chunks of a size; `nil` means one chunk.
/// - Returns: The first size whose answer differs from that for one chunk, with both answers; `nil` if all are equal.
package func differenceOverEveryChunking<Answer: Equatable>(
  of bytes: [UInt8], sizes: [Int?]? = nil, body: (_ size: Int?) throws -> Answer
) rethrows -> String? {
  let whole = try body(nil)
  for case .some(let size) in sizes ?? EveryChunking.sizes(forBytes: bytes.count) {
    let answer = try body(size)
    if answer != whole { return "in chunks of \(size): \(answer), not \(whole) as in one" }
  }
  return nil
}

/// Reads the input with ``JSONPushReader`` as one chunk, and in chunks of every size.
///
/// - Returns: A description of the first difference in events, ranges, texts or error; `nil` if all are equal.
package func differenceOverEveryChunking(
  of bytes: [UInt8], sizes: [Int?]? = nil, options: JSONOptions = JSONOptions()
) -> String? {
  let whole = events(of: bytes, chunk: nil, options: options)
  for case .some(let size) in sizes ?? EveryChunking.sizes(forBytes: bytes.count) {
    if let difference = whole.difference(from: events(of: bytes, chunk: size, options: options)) {
      return "in chunks of \(size): \(difference) as in one"
    }
  }
  return nil
}

/// The chunks of an input, for ``JSONSource/chunks(_:)``.
package struct Chunks: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let size: Int
  private var start = 0
  /// The number of bytes requested so far.
  package var bytesTaken: Int { start }

  package init(_ bytes: [UInt8], size: Int?) {
    self.bytes = bytes
    self.size = size ?? Swift.max(bytes.count, 1)
  }

  package mutating func next() -> [UInt8]? {
    guard start < bytes.count else { return nil }
    let end = Swift.min(start + size, bytes.count)
    defer { start = end }
    return Array(bytes[start..<end])
  }
}
