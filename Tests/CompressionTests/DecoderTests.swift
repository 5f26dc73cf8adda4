#if Compression
  import TestSupport
  import Testing

  @testable import JSONSift
  @testable import JSONSiftCompression

  extension CompressedFormat {
    fileprivate static let flipped = CompressedFormat(
      "flipped", fileExtensions: [".flip"], marks: [[(0x46, 0xFF), (0x4C, 0xFF)]])
  }

  /// A two-byte signature, and then each byte with all its bits inverted, up to an inverted zero: the minimum of a new
  /// codec.
  private final class FlippedDecoder: JSONSiftCompression.Decoder {
    static let format = CompressedFormat.flipped
    static let allowsPadding = false
    private var markLeft = 2

    init?(_ limits: DecompressionLimits) {}

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      var step = DecodingStep(consumed: 0, produced: 0, outcome: .unfinished)
      for index in input.indices {
        let byte = unsafe input[index]
        if markLeft > 0 {
          guard byte == (markLeft == 2 ? 0x46 : 0x4C) else {
            step.outcome = .damaged("no mark")
            return step
          }
          markLeft -= 1
        } else if byte == 0xFF {
          step.consumed += 1
          step.outcome = .ended
          markLeft = 2
          return step
        } else {
          guard step.produced < output.count else { return step }
          unsafe output[step.produced] = ~byte
          step.produced += 1
        }
        step.consumed += 1
      }
      return step
    }
  }

  @Suite struct DecoderTests {
    private static func flip(_ bytes: [UInt8]) -> [UInt8] { [0x46, 0x4C] + bytes.map { ~$0 } + [0xFF] }

    @Test func `a new codec is one file and has the members, errors and limits of the others under every chunking`() {
      let decoders = Decoders.all + [FlippedDecoder.self]
      let whole = Self.flip(mixedFixture) + Self.flip(mixedFixture)
      let difference = differenceOverEveryChunking(of: whole) { size in
        trace(.chunks(Chunks(whole, size: size)).decompressing(decoders: decoders))
      }
      #expect(difference == nil)
      #expect(trace(.bytes(whole).decompressing(decoders: decoders)) == trace(.bytes(mixedFixture + mixedFixture)))
      // The other codecs are still registered, and without its registration this one is not.
      let gzip = Format.gzip.compress(mixedFixture)
      #expect(trace(.bytes(gzip).decompressing(decoders: decoders)) == trace(.bytes(mixedFixture)))
      #expect(Reading(.bytes(whole).decompressing()).bytes == whole)
      let cut = Reading(.bytes(Array(whole.dropLast(1))).decompressing(decoders: decoders))
      #expect(cut.error?.code == .damagedCompression)
      #expect("\(cut.error.map { "\($0)" } ?? "")".contains("expected more flipped data"))
      let limits = with(DecompressionLimits()) { $0.bytes = 1000 }
      let limited = Reading(.bytes(whole).decompressing(limits, decoders: decoders))
      #expect(limited.error?.code == .decompressionLimit)
    }
  }
#endif
