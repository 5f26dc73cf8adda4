#if Compression
  import CZlib
  import CZstd
  import Foundation
  import JSONSift
  import JSONSiftCompression

  extension FuzzTarget {
    /// Compresses a text into members and frames, damages them as the choices say, and compares what arrives with the text
    /// and with itself for other reads; or reads the bytes as they are.
    static let compression = FuzzTarget(name: "compression") { (bytes) throws(Difference) in
      var input = FuzzInput(bytes)
      let choices = input.choices(6)
      let text = input.text
      var data = text
      let isCompressed = choices[0] & 3 != 3
      if isCompressed { data = compressed(text, choices) }
      let isDamaged = isCompressed && choices[3] & 1 == 1 && !data.isEmpty
      if isDamaged { damage(&data, choices) }
      var limits = DecompressionLimits()
      if choices[0] & 32 != 0 { limits.bytes = 300 }
      if choices[0] & 64 != 0 { limits.ratio = 3 }
      if choices[0] & 128 != 0 { limits.windowBytes = 1 << 12 }
      let whole = decompress(.bytes(data), limits)
      let size = choices[2] % 30 + 1
      let chunked = decompress(.chunks(split(data, of: size)), limits)
      if choices[0] & 3 != 0, let first = whole.error, let second = chunked.error {
        // libzstd returns a part of a damaged block before its error, and how much depends on the chunks.
        try expectEqual("the error in chunks of \(size)", second.code.description, first.code.description)
        let common = min(whole.bytes.count, chunked.bytes.count)
        try expectEqual("the text before the error", chunked.bytes.prefix(common), whole.bytes.prefix(common))
      } else {
        // The message names the compressed byte that had been read, which depends on the chunks.
        try expectEqual("the text in chunks of \(size)", chunked.withoutMessage, whole.withoutMessage)
      }
      if isCompressed, !isDamaged, choices[0] & 0xE0 == 0, !text.isEmpty {
        let plain = decompress(.bytes(text), limits)
        // A text that looks compressed itself is rejected.
        if plain == Decompressed(bytes: text) { try expectEqual("the text", whole, plain) }
      }
      if isDamaged, whole.error == nil, choices[0] & 3 == 0 {
        try expect(
          text.starts(with: whole.bytes) || whole.bytes == data,
          "damaged gzip gives other bytes", words(whole.bytes))
      }
    }
  }

  /// The bytes of a source, and the error at its end.
  private struct Decompressed: Equatable {
    var bytes: [UInt8] = []
    var error: JSONError?

    /// The error with its code and offset only.
    var withoutMessage: Decompressed {
      Decompressed(
        bytes: bytes, error: error.map { JSONError(code: $0.code, byteOffset: $0.byteOffset, reason: "") })
    }
  }

  /// The number of bytes that are compared.
  private let maxBytes = 1 << 16

  private func decompress(_ source: JSONSource, _ limits: DecompressionLimits) -> Decompressed {
    var found = Decompressed()
    do throws(JSONError) {
      var reader = try ByteSource(source.decompressing(limits))
      var buffer = [UInt8](repeating: 0, count: 64)
      while found.bytes.count < maxBytes {
        let offset = found.bytes.count
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
          Result { () throws(JSONError) in try unsafe reader.read(into: buffer, at: offset) }
        }
        let read = try count.get()
        if read == 0 { break }
        found.bytes += buffer.prefix(read)
      }
    } catch {
      found.error = error
    }
    // How far the last read goes beyond the limit depends on the chunks.
    found.bytes.removeLast(max(found.bytes.count - maxBytes, 0))
    return found
  }

  /// Returns the text in one or more members of gzip or frames of zstd.
  private func compressed(_ text: [UInt8], _ choices: [Int]) -> [UInt8] {
    let half = choices[1] & 1 == 0 ? text.count : text.count / 2
    var data: [UInt8] = []
    for part in [Array(text[..<half]), Array(text[half...])] where !part.isEmpty || half == text.count && data.isEmpty {
      switch choices[0] & 3 {
      case 0: data += gzip(part, Int32(choices[1] >> 4 % 10))
      default: data += zstd(part, Int32(choices[1] >> 4 % 10), checksum: choices[0] & 4 != 0)
      }
    }
    if choices[0] & 3 == 0, choices[1] & 2 != 0 { data += [0, 0, 0] }
    if choices[0] & 3 != 0, choices[1] & 2 != 0 { data += [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7] }
    return data
  }

  private func damage(_ data: inout [UInt8], _ choices: [Int]) {
    let offset = choices[4] * 7 % data.count
    switch choices[3] >> 1 & 3 {
    case 0: data[offset] ^= UInt8(choices[5] | 1)
    case 1: data.removeLast(offset)
    case 2: data.insert(UInt8(choices[5]), at: offset)
    default: data.remove(at: offset)
    }
  }

  private func gzip(_ bytes: [UInt8], _ level: Int32) -> [UInt8] {
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

  private func zstd(_ bytes: [UInt8], _ level: Int32, checksum: Bool) -> [UInt8] {
    let context = unsafe ZSTD_createCCtx()
    defer { _ = unsafe ZSTD_freeCCtx(context) }
    _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0)
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = unsafe ZSTD_compress2(context, &result, result.count, bytes, bytes.count)
    return ZSTD_isError(count) == 0 ? Array(result.prefix(count)) : []
  }
#endif
