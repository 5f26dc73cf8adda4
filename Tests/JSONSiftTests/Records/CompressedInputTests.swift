import TestSupport
import Testing

@testable import JSONSift

/// The library alone reads only text, and reports compressed input.
@Suite struct CompressedInputTests {
  static let heads: [(String, [UInt8])] = [
    ("gzip", [0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00]), ("gzip", [0x1F, 0x8B]),
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x05]), ("zstd", [0x50, 0x2A, 0x4D, 0x18]),
    ("zstd", [0x5B, 0x2A, 0x4D, 0x18, 0x0A]),
  ]

  @Test(arguments: heads)
  func `compressed bytes are reported by every reader`(format: String, bytes: [UInt8]) throws {
    let message =
      "expected JSON text, found \(format) data, which needs JSONSiftCompression (for jsift, a build with --traits "
      + "Compression)"
    let file = try TemporaryFile(bytes)
    func error(_ source: JSONSource, _ framing: JSONFraming) -> JSONError? {
      jsonError {
        var reader = try JSONRecordReader(source, framing: framing)
        _ = try reader.next()
      }
    }
    for framing in [JSONFraming.lines, .values, .document, .automatic] {
      for size in [1, 2, 3, nil] { #expect(error(.chunks(Chunks(bytes, size: size)), framing)?.message == message) }
      let found = error(.path(file.path), framing)
      #expect(found?.code == .compressedInput && found?.message == message && found?.byteOffset == 0)
    }
    for size in [1, nil] {
      let error = jsonError {
        var matches = try JSONMatches(of: "$.a", in: .chunks(Chunks(bytes, size: size)))
        _ = try matches.next()
      }
      #expect(error?.message == message)
    }
    for loading in [JSON.FileLoading.copied, .mapped] {
      #expect(jsonError { _ = try JSON(contentsOf: file.path, loading: loading) }?.message == message)
    }
    #expect(jsonError { _ = try JSON(contentsOf: file.path, keeping: ["$.a"]) }?.message == message)
  }

  @Test(arguments: [[0x1F, 0x8B, 0x08, 0x00], [0x28, 0xB5, 0x2F, 0xFD]] as [[UInt8]])
  func `bytes in memory are judged as text`(bytes: [UInt8]) {
    let parsed = #expect(throws: JSONError.self) { _ = try JSON(parsing: bytes) }
    #expect(parsed?.code == .unexpectedByte && parsed?.byteOffset == 0)
  }

  @Test func `compressed lines are one error and not an endless series of bad records`() throws {
    var reader = try JSONRecordReader(.bytes([0x1F, 0x8B, 0x08] + Array("\n\n{}\n{}\n".utf8)))
    for _ in 0..<3 {
      let error = #expect(throws: JSONError.self) { _ = try reader.next() }
      #expect(error?.code == .compressedInput)
    }
  }

  @Test(arguments: ["[", "[1]", "[*", "(", "[\n", "_", "5"])
  func `text that begins like a signature is judged as text under every chunk size`(text: String) {
    let difference = differenceOverEveryChunking(of: Array(text.utf8), sizes: [1, 2, 3]) { size in
      var found = ""
      do {
        var reader = try JSONRecordReader(.chunks(Chunks(Array(text.utf8), size: size)), framing: .document)
        found = try "\(String(describing: reader.next()?.value))"
      } catch { found = "\(error)" }
      #expect(!found.contains("zstd") && !found.contains("gzip"))
      return found
    }
    #expect(difference == nil)
  }

  @Test func `the first bracket is delivered as soon as the next byte arrives`() throws {
    let chunks = Lock([Array("[".utf8), Array("1".utf8), Array("]".utf8)][...])
    let source = JSONSource.chunks(AnySequence { AnyIterator { chunks.withLock { $0.popFirst() } } })
    var bytes = try ByteSource(source)
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = try unsafe buffer.withUnsafeMutableBytes { buffer in try unsafe bytes.read(into: buffer, at: 0) }
    #expect(count == 2 && chunks.withLock { $0.count } == 1)
  }
}
