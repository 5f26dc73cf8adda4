#if Compression
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  @Suite struct DecompressingTests {
    @Test(arguments: Format.allCases)
    func `the records of a compressed stream equal those of the plain stream for every chunk size`(format: Format) {
      let compressed = format.compress(mixedFixture)
      let plain = trace(.bytes(mixedFixture))
      #expect(plain.count > 140 && plain.contains { $0.contains("expected a value") })
      #expect(compressed.count < mixedFixture.count / 2)
      var different: [Int] = []
      for size in 1...300 where trace(.chunks(Chunks(compressed, size: size)).decompressing()) != plain {
        different.append(size)
      }
      #expect(different == [])
    }

    @Test(arguments: Format.allCases)
    func `the output is the same for buffers of every size`(format: Format) {
      let compressed = format.compress(mixedFixture)
      var different: [Int] = []
      for size in 1...300 {
        let reading = Reading(compressed, chunk: 301 - size, bufferBytes: size)
        if reading.bytes != mixedFixture || reading.error != nil { different.append(size) }
      }
      #expect(different == [])
    }

    @Test(arguments: [1, 2, 3, 5, nil])
    func `uncompressed input passes unchanged`(chunk: Int?) {
      let inputs: [[UInt8]] = [
        [], [0x31], Array("[1]".utf8), Array("(µ".utf8), Array("_*".utf8), [0x28, 0xB5, 0x2F], [0x50, 0x2A, 0x4D],
        [0x1F, 0x8A, 0x08], mixedFixture,
      ]
      for input in inputs {
        let reading = Reading(input, chunk: chunk)
        #expect(reading.bytes == input)
        #expect(reading.error == nil)
      }
    }

    @Test(arguments: Format.allCases, [1, 7, 64, nil])
    func `concatenated members and frames are one input`(format: Format, chunk: Int?) {
      let parts = [mixedFixture, [], [0x31], [], mixedFixture]
      let reading = Reading(parts.flatMap { format.compress($0) }, chunk: chunk)
      #expect(reading.bytes == parts.flatMap { $0 })
      #expect(reading.error == nil)
    }

    @Test(arguments: [1, 7, nil])
    func `skippable frames may occur first, between others and last`(chunk: Int?) {
      let frame = Format.zstd.compress(mixedFixture)
      let skipped = skippableFrame([1, 2, 3], kind: 0xA)
      let reading = Reading(skipped + skippableFrame([]) + frame + skipped + frame + skipped, chunk: chunk)
      #expect(reading.bytes == mixedFixture + mixedFixture)
      #expect(reading.error == nil)
      #expect(Reading(skipped).bytes == [])
      #expect(Reading(skipped).error == nil)
    }

    @Test(arguments: [1, 7, nil])
    func `zeros after the last gzip member are ignored`(chunk: Int?) {
      let compressed = Format.gzip.compress(mixedFixture) + [UInt8](repeating: 0, count: 200_000)
      let reading = Reading(compressed, chunk: chunk)
      #expect(reading.bytes == mixedFixture)
      #expect(reading.error == nil)
    }

    @Test(arguments: Format.allCases)
    func `a file gives the same records as its chunks, and its inner file extension selects the framing`(
      format: Format
    ) throws {
      let lines = Array("{\"a\":1}\n{\"a\":2}\n".utf8)
      let file = try TemporaryFile(format.compress(lines), ending: ".json" + format.ending)
      #expect(trace(.path(file.path).decompressing()) == trace(.bytes(lines)))
      // The extension suggests a document, but more data follows the first line.
      let reader = try JSONRecordReader(.path(file.path).decompressing(), framing: .automatic)
      #expect(reader.framing == .lines)
      let log = try TemporaryFile(
        format.compress(Array("{\"a\"\n1}".utf8)), ending: ".NDJSON" + format.ending.uppercased())
      let logReader = try JSONRecordReader(.path(log.path).decompressing(), framing: .automatic)
      #expect(logReader.framing == .lines)
      // A source can be read again.
      let source = JSONSource.path(file.path).decompressing()
      #expect(Reading(source) == Reading(source))
      #expect(Reading(source).bytes == lines)
    }

    @Test(arguments: Format.allCases)
    func `a single document and its matches can be compressed`(format: Format) throws {
      let text = "{\"items\":[" + (0..<2_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]}"
      let source = JSONSource.bytes(format.compress(Array(text.utf8))).decompressing()
      var matches = try JSONMatches(of: "$.items[*].id", in: source)
      var sum = 0
      while let match = try matches.next() { sum += match.value.intValue }
      #expect(sum == 1_999_000)
    }

    @Test func `the callback before a read is called before each read of the input and at no other time`() throws {
      var reads = 0
      let compressed = Format.gzip.compress(mixedFixture)
      let source = JSONSource.chunks(Chunks(compressed, size: 100)).beforeEachRead { reads += 1 }.decompressing()
      #expect(Reading(source, bufferBytes: 50).bytes == mixedFixture)
      #expect(reads == (compressed.count + 99) / 100 + 1)
    }

    @Test(arguments: Format.allCases)
    func `progress reports both sides and ends with the whole input`(format: Format) throws {
      let compressed = format.compress(mixedFixture)
      let progress = DecompressionProgress()
      let source = JSONSource.chunks(Chunks(compressed, size: 50)).decompressing(progress: progress)
      var reader = try JSONRecordReader(source)
      var last = 0
      while true {
        do { if try reader.next() == nil { break } } catch { if error.code.endsInput { throw error } }
        #expect(progress.compressedBytes >= last)
        last = progress.compressedBytes
      }
      #expect(progress.compressedBytes == compressed.count)
      #expect(progress.decompressedBytes == mixedFixture.count)
    }

    @Test func `a missing file is reported when reading begins`() {
      let reading = Reading(.path("/nonexistent/file.json.gz").decompressing())
      #expect(reading.error?.code == .unreadable)
    }

    @Test func `doubly compressed data is reported`() {
      let twice = Format.gzip.compress(Format.zstd.compress(mixedFixture))
      let reading = Reading(twice)
      #expect(reading.error?.code == .compressedInput)
      #expect(
        reading.error?.message
          == "expected JSON text after decompression, found zstd data: the input is compressed twice")
    }
  }
#endif
