#if Compression
  import TestSupport
  import Testing

  @testable import JSONSift
  @testable import JSONSiftCompression

  /// Frames that threads decompress ahead give what one reader decompresses.
  @Suite struct FramesAheadTests {
    private static func bounds(max: Int, job: Int) -> FrameRing.Bounds {
      var bounds = FrameRing.Bounds()
      (bounds.maxBytes, bounds.jobBytes, bounds.minBytes) = (max, job, 0)
      return bounds
    }

    /// Frames of any size, one by one and several together, and frames that are too long.
    private static let bounds = [bounds(max: 1 << 20, job: 1), bounds(max: 1 << 20, job: 60), bounds(max: 40, job: 60)]

    private static func source(
      _ bytes: [UInt8], threads: Int, _ bounds: FrameRing.Bounds, limits: DecompressionLimits = DecompressionLimits()
    ) -> JSONSource { JSONSource.bytes(bytes).decompressing(limits, decoders: Decoders.all, threads: threads, bounds) }

    @Test(arguments: CompressedKind.all)
    func `threads decompress every kind of file as one reader does, for buffers of every size`(_ kind: CompressedKind) {
      let whole = Reading(kind.bytes)
      #expect(whole.bytes == kind.text)
      for bounds in Self.bounds {
        for threads in [2, 3] {
          for size in [1, 3, 17, 1000] {
            #expect(Reading(Self.source(kind.bytes, threads: threads, bounds), bufferBytes: size) == whole)
          }
        }
      }
    }

    @Test(arguments: CompressedKind.all)
    func `damage has the error and the text before it that one reader has`(_ kind: CompressedKind) {
      for offset in kind.bytes.indices where !isDebug || offset.isMultiple(of: 3) {
        var damaged = kind.bytes
        damaged[offset] ^= 0x11
        let cut = Array(kind.bytes[..<offset])
        for bytes in [damaged, cut] {
          let whole = Reading(bytes)
          for bounds in Self.bounds {
            let found = Reading(Self.source(bytes, threads: 3, bounds), bufferBytes: 50)
            #expect(found == whole, "byte \(offset)")
          }
        }
      }
    }

    @Test func `limits are exceeded where one reader exceeds them`() {
      let bytes = CompressedKind.cuts.flatMap(pzstdFrame)
      for limit in 1...CompressedKind.cuts.joined().count {
        let limits = with(DecompressionLimits()) { $0.bytes = limit }
        let whole = Reading(JSONSource.bytes(bytes).decompressing(limits))
        for bounds in Self.bounds {
          #expect(Reading(Self.source(bytes, threads: 3, bounds, limits: limits)) == whole)
        }
      }
      let limits = with(DecompressionLimits()) { $0.ratio = 2 }
      let long = (0..<40).flatMap { _ in Format.zstd.compress([UInt8](repeating: 0x20, count: 2 << 20)) }
      let whole = Reading(JSONSource.bytes(long).decompressing(limits))
      #expect(whole.error?.code == .decompressionLimit)
      #expect(Reading(Self.source(long, threads: 3, Self.bounds(max: 4 << 20, job: 1), limits: limits)) == whole)
    }

    @Test(arguments: CompressedKind.all)
    func `a range has the same records if threads decompress its frames`(_ kind: CompressedKind) throws {
      for count in [1, 2, 3, 9] {
        for number in 1...count {
          var options = kind.options
          options.range = JSONInputRange(part: number, of: count, size: kind.bytes.count)
          let expected = try Self.elements(JSONSource.bytes(kind.bytes).decompressing(), options)
          for bounds in Self.bounds {
            let found = try Self.elements(Self.source(kind.bytes, threads: 3, bounds), options)
            #expect(found == expected, "part \(number) of \(count)")
          }
        }
      }
    }

    private static func elements(_ source: JSONSource, _ options: JSONRecordOptions) throws -> [String] {
      var reader = try JSONRecordReader(source, options: options)
      var found: [String] = []
      while let element = try reader.nextResult() {
        switch element {
        case .success(let record): found.append("\(record.line) \(record.byteRange) \(record.value)")
        case .failure(let bad): found.append("\(bad.line) \(bad.byteRange) \(bad.error)")
        }
      }
      return found
    }

    @Test func `a reader that stops early ends the threads`() throws {
      let text = Array("{\"a\":1}\n".utf8)
      let bytes = (0..<500).flatMap { _ in bgzfBlock(text) }
      for count in [0, 1, 2, 100] {
        var reader = try JSONRecordReader(Self.source(bytes, threads: 3, Self.bounds(max: 4096, job: 1)))
        for _ in 0..<count { #expect(try reader.next()?["a"].intValue == 1) }
      }
    }

    @Test func `progress ends with the whole file`() throws {
      let bytes = CompressedKind.cuts.flatMap(bgzfBlock)
      let progress = DecompressionProgress()
      let source = JSONSource.bytes(bytes).decompressing(
        progress: progress, decoders: Decoders.all, threads: 2, Self.bounds[0])
      #expect(Reading(source).bytes == CompressedKind.cuts.flatMap { $0 })
      #expect(progress.compressedBytes == bytes.count)
      #expect(progress.decompressedBytes == CompressedKind.cuts.joined().count)
    }
  }
#endif
