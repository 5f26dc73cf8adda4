import JSONSift

/// The ways in which a test cuts its input.
package enum EveryChunking {
  /// 1 to 64 bytes, sizes around a page and a pipe, and whole, which is `nil`. A debug build leaves out most of them.
  package static let chunkSizes: [Int?] =
    (isDebug ? [1, 2, 3, 5, 8, 16, 63] : Array(1...64)) + [4095, 4096, 4097, 65536, nil]

  /// The sizes that differ for an input of this length; of more than 20 KB fewer, to keep a debug run short.
  package static func sizes(forBytes count: Int) -> [Int?] {
    let all: [Int?] = count > 20_000 ? [1, 3, 7, 16, 63, 64, 4095, 4096, 4097, 65536, nil] : chunkSizes
    return all.filter { size in size.map { $0 < count } ?? true }
  }
}

/// Runs `body` for the input whole and in chunks of every size.
///
/// - Parameter body: Reads the input in chunks of a size; `nil` means whole.
/// - Returns: The first size whose answer is not that of the whole input, with both answers; `nil` if all are equal.
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

/// Reads the input with ``JSONPushReader`` whole and in chunks of every size.
///
/// - Returns: The first difference of events, ranges, texts or error, in words; `nil` if all are equal.
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
  /// How many bytes have been asked for.
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
