#if Compression
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  @Suite struct DamagedInputTests {
    private static let small = Array("{\"a\":1,\"b\":\"two\"}\n{\"a\":2}\n{\"a\":3,\"b\":[1,2,3]}\n".utf8)

    @Test(arguments: Format.allCases)
    func `input cut at any offset gives a prefix of the plain bytes and an error`(format: Format) {
      let compressed = format.compress(Self.small)
      // Zero bytes are an empty input; fewer bytes than the signature are not JSON.
      for cut in 1..<compressed.count {
        let bytes = Array(compressed[..<cut])
        let lines = trace(.bytes(bytes).decompressing())
        #expect(lines.last?.contains("expected") == true, "cut at \(cut): \(lines)")
        for chunk in [1, 7, nil] where cut >= 4 {
          let reading = Reading(bytes, chunk: chunk)
          let message = "expected more \(format) data after byte \(cut) of the compressed input, found the end"
          #expect(reading.error?.code == .damagedCompression && reading.error?.message == message)
          #expect(Self.small.starts(with: reading.bytes) && reading.error?.byteOffset == reading.bytes.count)
        }
      }
    }

    @Test(arguments: Format.allCases)
    func `an error names the file and the offset in it`(format: Format) throws {
      let compressed = format.compress(mixedFixture + [0x0A]) + format.compress(mixedFixture)
      let file = try TemporaryFile(Array(compressed.dropLast(9)), ending: ".ndjson" + format.ending)
      let lines = trace(.path(file.path).decompressing())
      #expect(
        lines.last?.hasSuffix(
          "expected more \(format) data after byte \(compressed.count - 9) of the compressed input, found the end")
          == true)
      var reader = try JSONRecordReader(
        JSONSource.path(file.path).decompressing(), options: JSONRecordOptions(framing: .lines, recovery: .skip))
      let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
      #expect(error?.file == file.path && error?.description.hasPrefix("\"\(file.path)\": expected more ") == true)
      // All records before the error are delivered.
      #expect(lines.count > 100)
      let plain = trace(.bytes(mixedFixture + [0x0A] + mixedFixture))
      #expect(lines.dropLast().elementsEqual(plain.prefix(lines.count - 1)))
    }

    @Test(arguments: Format.allCases)
    func `long input that a thread decompresses ahead has the error where it is cut`(format: Format) throws {
      var random = SeededGenerator(seed: 7)
      var text: [UInt8] = []
      while text.count < 4 << 20 { text += "\(random.next())\n".utf8 }
      let compressed = Array(format.compress(text).dropLast(9))
      // Less is not read ahead.
      #expect(compressed.count > 3 << 19)
      let file = try TemporaryFile(compressed, ending: format.ending)
      var window = try ReadWindow(JSONSource.path(file.path).decompressing(), readsAhead: true)
      var error: JSONError?
      do throws(JSONError) {
        while try window.fill() { window.use(window.count) }
      } catch let found {
        error = found
      }
      #expect(error?.code == .damagedCompression)
      #expect(
        error?.message
          == "expected more \(format) data after byte \(compressed.count) of the compressed input, found the end")
      let offset = window.offset + window.count
      #expect(error?.byteOffset == offset && offset > 3 << 20 && offset <= text.count)
    }

    @Test(arguments: Format.allCases)
    func `random bytes after a signature are read to an end or to an error`(format: Format) {
      var random = SeededGenerator()
      print("noise \(format): \(random)")
      let compressed = format.compress(mixedFixture)
      var errors = 0
      for round in 0..<2_000 {
        // Noise from the start, or a valid beginning with noise after it.
        var input = Array(compressed.prefix(round.isMultiple(of: 2) ? 4 : Int.random(in: 4..<200, using: &random)))
        for _ in 0..<Int.random(in: 0..<300, using: &random) { input.append(UInt8.random(in: 0...255, using: &random)) }
        let reading = Reading(input, chunk: Int.random(in: 1...300, using: &random), bufferBytes: 1 + round % 300)
        let codes: Set<JSONError.Code> = [.damagedCompression, .decompressionLimit, .decompressionWindow]
        if let code = reading.error?.code, codes.contains(code) { errors += 1 }
      }
      // Noise is a valid stream once in many thousand rounds.
      #expect(errors >= 1_990, "\(random)")
    }

    /// A log of about 500 KB, or 290 KB in a debug build: several zstd blocks without repetitions between them.
    private static let log: [UInt8] = {
      var random = SeededGenerator(seed: 16)
      var text = ""
      for line in 0..<(isDebug ? 7_000 : 12_000) {
        let number = Int.random(in: 0..<1_000_000_000, using: &random)
        text += "{\"id\":\(line),\"ms\":\(number),\"level\":\"\(number % 3 == 0 ? "error" : "info")\"}\n"
      }
      return Array(text.utf8)
    }()

    /// The frame of the issue: a raw block that holds `1` and a line feed, and a block of a reserved kind.
    @Test(arguments: [1, 2, 3, 5, 64, 1 << 16])
    func `issue 16: a record before a damaged zstd block is delivered for every chunk size`(buffer: Int) {
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0, 0x10, 0, 0, 0x31, 0x0A, 0x07, 0, 0]
      for size in Array(1...frame.count) + [nil] {
        let reading = Reading(frame, chunk: size, bufferBytes: buffer)
        #expect(reading.bytes == [0x31, 0x0A], "chunks of \(size ?? 0), buffers of \(buffer)")
        #expect(
          reading.error?.description
            == "byte 2: expected valid zstd data up to byte 14 in the compressed input, found damage: "
            + "Data corruption detected", "chunks of \(size ?? 0), buffers of \(buffer)")
      }
      #expect(trace(.bytes(frame).decompressing()).first == "1 0 1")
    }

    @Test(arguments: Format.allCases)
    func `all bytes before the damage and the same error are delivered for every chunk size`(format: Format) throws {
      var damaged = format.compress(Self.log)
      damaged[damaged.count * 6 / 10] ^= 0x55
      let file = try TemporaryFile(damaged, ending: ".ndjson" + format.ending)
      // For a file, the library gets as many bytes as it can take at once.
      let whole = Reading(.path(file.path).decompressing())
      #expect(whole.bytes.count > Self.log.count * 4 / 10)
      // Bytes decoded from the damaged bits may be detected only by the checksum at the end.
      let sound = Self.log.count * 4 / 10
      #expect(Self.log.prefix(sound).elementsEqual(whole.bytes.prefix(sound)))
      #expect(whole.error?.byteOffset == whole.bytes.count)
      let message = whole.error?.message.replacing(file.path, with: "the compressed input")
      for (size, buffer) in [(1, 1 << 16), (7, 1 << 18), (100, 4096), (4096, 1), (65_537, 333), (nil, 1 << 16)] {
        let reading = Reading(damaged, chunk: size, bufferBytes: buffer)
        let isSame = reading.bytes == whole.bytes
        #expect(isSame, "\(reading.bytes.count) bytes, not \(whole.bytes.count), in chunks of \(size ?? 0)")
        #expect(reading.error?.message == message, "chunks of \(size ?? 0), buffers of \(buffer)")
      }
    }

    @Test(arguments: Format.allCases)
    func `a changed byte is an error or changes nothing, and gives the same in chunks of every size`(format: Format) {
      // Frames with and without a content size, and one to skip.
      let compressed =
        format.compress(Self.small) + (format == .zstd ? skippableFrame([1, 2]) : []) + format.compress([])
      var different: [String] = []
      for index in compressed.indices {
        for change: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
          var damaged = compressed
          damaged[index] ^= change
          let whole = Reading(damaged)
          // Without its signature it is text.
          let isText = whole.bytes == damaged && index < 4
          #expect(whole.error != nil || whole.bytes == Self.small || isText, "byte \(index) ^ \(change)")
          for (size, buffer) in [(1, 1 << 16), (2, 1), (3, 7), (5, 64), (64, 1), (nil, 1)]
          where Reading(damaged, chunk: size, bufferBytes: buffer) != whole {
            different.append("byte \(index) ^ \(change) in chunks of \(size ?? 0) and buffers of \(buffer)")
          }
        }
      }
      #expect(different == [])
    }

    @Test func `a wrong checksum and a wrong length are reported`() {
      let compressed = Format.gzip.compress(Self.small)
      for (distance, message) in [(8, "incorrect data check"), (4, "incorrect length check")] {
        var damaged = compressed
        damaged[damaged.count - distance] ^= 1
        let reading = Reading(damaged)
        #expect(reading.bytes == Self.small)
        #expect(reading.error?.code == .damagedCompression)
        let end = "up to byte \(damaged.count - distance + 4) in the compressed input"
        #expect(reading.error?.message == "expected valid gzip data \(end), found damage: \(message)")
      }
      var frame = Format.zstd.compress(Self.small)
      frame[frame.count - 1] ^= 1
      #expect(Reading(frame).error?.code == .damagedCompression)
      #expect(Reading(frame).error?.message.hasSuffix("found damage: Restored data doesn't match checksum") == true)
    }

    @Test func `damaged input is reported once and then the stream has ended`() throws {
      var damaged = Format.gzip.compress(mixedFixture)
      damaged[damaged.count - 8] ^= 1
      var reader = try JSONRecordReader(.bytes(damaged).decompressing())
      var found: [JSONError.Code] = []
      for _ in 0..<1_000 {
        do { if try reader.next() == nil { break } } catch { if error.code.endsInput { found.append(error.code) } }
      }
      // A reader throws the error that ended it again on each call.
      #expect(Set(found) == [.damagedCompression])
      #expect(found.count > 500)
    }

    @Test(arguments: [1, nil])
    func `trailing bytes that are not a member are rejected`(chunk: Int?) {
      for (format, tail) in [
        (Format.gzip, [UInt8]("x".utf8)), (.gzip, [0, 0, 1]), (.gzip, [0x1F]), (.zstd, [0]), (.zstd, [0x28]),
      ] {
        let reading = Reading(format.compress(Self.small) + tail, chunk: chunk)
        #expect(reading.bytes == Self.small)
        #expect(reading.error?.code == .damagedCompression, "\(format) \(tail)")
      }
    }
  }

  @Suite struct DecompressionLimitTests {
    private static let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)

    @Test(arguments: Format.allCases)
    func `the ratio limit stops a decompression bomb`(format: Format) {
      // Concatenated members and frames: together 100 MiB.
      let part = format.compress([UInt8](repeating: 0x20, count: 20 << 20), level: 9)
      let source = JSONSource.bytes([part, part, part, part, part].flatMap { $0 }).decompressing()
      let reading = Reading(source, keeping: 0)
      #expect(reading.error?.code == .decompressionLimit)
      let offset = reading.error?.byteOffset ?? 0
      #expect(offset >= 64 << 20 && offset < 66 << 20, "\(offset)")
    }

    @Test(arguments: Format.allCases)
    func `the ratio limit does not apply to small output`(format: Format) {
      let limits = with(DecompressionLimits()) { $0.ratio = 2 }
      let reading = Reading(format.compress(Self.megabyte), limits: limits)
      #expect(reading.error == nil)
      #expect(reading.bytes == Self.megabyte)
    }

    @Test(arguments: Format.allCases, [1, 100, 1 << 16])
    func `output stops at the byte limit with an error`(format: Format, buffer: Int) {
      var limits = DecompressionLimits()
      for bytes in [0, 1, 99, 100, 101, 5_000, mixedFixture.count - 1] {
        limits.bytes = bytes
        let reading = Reading(format.compress(mixedFixture), bufferBytes: buffer, limits: limits)
        #expect(reading.bytes.elementsEqual(mixedFixture.prefix(bytes)))
        #expect(reading.error?.code == .decompressionLimit)
        #expect(reading.error?.byteOffset == bytes)
      }
      limits.bytes = mixedFixture.count
      #expect(Reading(format.compress(mixedFixture), bufferBytes: buffer, limits: limits).error == nil)
    }

    @Test func `a window that is too large is rejected`() {
      var limits = DecompressionLimits()
      let frame = Format.zstd.compress((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }, level: 19)
      limits.windowBytes = 1 << 14
      let reading = Reading(frame, limits: limits)
      #expect(reading.error?.code == .decompressionWindow)
      #expect(reading.error?.message.contains("a window of at most 16384 bytes") == true)
      limits.windowBytes = 1 << 20
      #expect(Reading(frame, limits: limits).error == nil)
    }

    @Test(arguments: Format.allCases)
    func `the record limit applies to decompressed input`(format: Format) throws {
      let options = with(JSONOptions()) { $0.limits.recordBytes = 1000 }
      let source = JSONSource.bytes(format.compress([0x5B] + Self.megabyte + [0x5D])).decompressing()
      var reader = try JSONRecordReader(source, options: options)
      #expect(throws: JSONError(.recordLimit, at: 0, limit: 1000)) { _ = try reader.next() }
    }
  }
#endif
