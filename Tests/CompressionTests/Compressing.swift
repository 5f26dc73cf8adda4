#if Compression
  import CZlib
  import CZstd
  import Foundation
  import TestSupport

  @testable import JSONSiftCompression
  @testable import JSONSift

  /// The two formats, written by the libraries that also read them.
  enum Format: String, CaseIterable, Sendable {
    case gzip, zstd

    /// Returns one member or frame with a checksum.
    func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
      switch self {
      case .gzip: gzipMember(bytes, level)
      case .zstd: zstdFrame(bytes, [(ZSTD_c_compressionLevel, level), (ZSTD_c_checksumFlag, 1)])
      }
    }

    var ending: String { self == .gzip ? ".gz" : ".zst" }
  }

  private func gzipMember(_ bytes: [UInt8], _ level: Int32) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    guard unsafe czlib_begin_gzip_deflate(stream, level) == Z_OK else { return [] }
    defer { _ = unsafe deflateEnd(stream) }
    var result = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 128)
    var input = bytes
    let room = result.count
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe result.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        _ = unsafe deflate(stream, Z_FINISH)
      }
    }
    return Array(result.prefix(unsafe room - Int(stream.pointee.avail_out)))
  }

  func zstdFrame(_ bytes: [UInt8], _ parameters: [(ZSTD_cParameter, Int32)]) -> [UInt8] {
    let context = unsafe ZSTD_createCCtx()
    defer { _ = unsafe ZSTD_freeCCtx(context) }
    for (parameter, value) in parameters { _ = unsafe ZSTD_CCtx_setParameter(context, parameter, value) }
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = unsafe ZSTD_compress2(context, &result, result.count, bytes, bytes.count)
    return ZSTD_isError(count) == 0 ? Array(result.prefix(count)) : []
  }

  /// Returns a frame that decoders must skip.
  func skippableFrame(_ bytes: [UInt8], kind: UInt8 = 0) -> [UInt8] {
    let count = UInt32(bytes.count)
    return [0x50 | kind, 0x2A, 0x4D, 0x18] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + bytes
  }

  /// All bytes of a source, read into buffers of one size, and the error at its end.
  struct Reading: Equatable {
    var bytes: [UInt8] = []
    var error: JSONError?

    init(_ source: JSONSource, bufferBytes: Int = 1 << 16, keeping kept: Int = .max) {
      do throws(JSONError) {
        var reader = try ByteSource(source)
        var buffer = [UInt8](repeating: 0, count: bufferBytes)
        var offset = 0
        while true {
          let count = try read(&reader, &buffer, offset)
          if count == 0 { break }
          offset += count
          if bytes.count < kept { bytes += buffer.prefix(count) }
        }
      } catch {
        self.error = error
      }
    }

    init(_ compressed: [UInt8], chunk: Int? = nil, bufferBytes: Int = 1 << 16, limits: DecompressionLimits = .init()) {
      self.init(.chunks(Chunks(compressed, size: chunk)).decompressing(limits), bufferBytes: bufferBytes)
    }
  }

  private func read(
    _ reader: inout ByteSource, _ buffer: inout [UInt8], _ offset: Int
  ) throws(JSONError) -> Int {
    let result = unsafe buffer.withUnsafeMutableBytes { buffer in
      Result { () throws(JSONError) in try unsafe reader.read(into: buffer, at: offset) }
    }
    return try result.get()
  }

  /// Returns the values, positions and errors of a stream of lines.
  func trace(_ source: JSONSource, framing: JSONFraming = .lines) -> [String] {
    var result: [String] = []
    do throws(JSONError) {
      var reader = try JSONRecordReader(source, framing: framing)
      while result.count < 100_000 {
        do throws(JSONError) {
          guard let record = try reader.next() else { return result }
          result.append("\(record.line) \(reader.recordOffset) \(record.value)")
        } catch {
          result.append("\(reader.position(of: error)) \(error)")
          if error.code.endsInput { return result }
        }
      }
    } catch {
      result.append("\(error)")
    }
    return result
  }

  /// Returns the elements of a stream, read by one task or by workers.
  func texts(of records: JSONRecords<JSONRecord>, workers: Int? = nil) async throws -> [String] {
    var texts: [String] = []
    guard let workers else {
      for try await element in records.results { texts.append(text(of: element)) }
      return texts
    }
    for try await element in records.workers(workers, { text(of: .success($0)) }).results {
      switch element {
      case .success(let found): texts.append(found)
      case .failure(let bad): texts.append(text(of: .failure(bad)))
      }
    }
    return texts
  }

  /// Lines of all kinds: valid, blank, invalid, with both line endings, long, short, not ASCII, and an unfinished last one.
  let mixedFixture: [UInt8] = {
    var random = SeededGenerator(seed: 11)
    var text = ""
    for line in 0..<160 {
      switch line % 11 {
      case 3: text += "\n"
      case 5: text += "{\"id\":\(line),\"bad\":}\n"
      case 7: text += "{\"id\":\(line),\"name\":\"Zoë \\u00e9 山田\"}\r\n"
      case 9:
        let letters = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
          "abcdefgh n".randomElement(using: &random) ?? "a"
        }
        text += "[\(line),\"\(String(letters))\"]\n"
      default: text += "{\"id\":\(line),\"ms\":\(Int.random(in: 0..<100_000, using: &random)),\"ok\":true}\n"
      }
    }
    return Array((text + "{\"id\":\"last\"}").utf8)
  }()
#endif
