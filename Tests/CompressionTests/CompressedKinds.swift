#if Compression
  import CZstd
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  /// A zstd frame without a checksum, which need not say how long its text is.
  func plainFrame(_ bytes: [UInt8], hasSize: Bool) -> [UInt8] {
    zstdFrame(bytes, [(ZSTD_c_contentSizeFlag, hasSize ? 1 : 0)])
  }

  /// The bytes of a number, the lowest first.
  func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A frame as pzstd writes it: after a skippable frame with its size, and without the size of its text.
  func pzstdFrame(_ bytes: [UInt8]) -> [UInt8] {
    let frame = plainFrame(bytes, hasSize: false)
    return skippableFrame(littleEndian(frame.count, 4)) + frame
  }

  /// A block of BGZF: a gzip member with its size in the extra field.
  func bgzfBlock(_ bytes: [UInt8]) -> [UInt8] {
    let member = Format.gzip.compress(bytes)
    let size = member.count + 8
    return [0x1F, 0x8B, 8, 4] + member[4..<10] + [6, 0, 0x42, 0x43, 2, 0] + littleEndian(size - 1, 2) + member[10...]
  }

  /// A seek table for frames, each with the number of bytes of its text.
  func seekTable(_ frames: [(bytes: [UInt8], text: Int)], hasChecksums: Bool = false) -> [UInt8] {
    var table: [UInt8] = []
    for frame in frames {
      table += littleEndian(frame.bytes.count, 4) + littleEndian(frame.text, 4)
      if hasChecksums { table += [1, 2, 3, 4] }
    }
    table += littleEndian(frames.count, 4)
    table.append(hasChecksums ? 0x80 : 0)
    table += [0xB1, 0xEA, 0x92, 0x8F]
    return skippableFrame(table, kind: 0xE)
  }

  /// Writers of frames.
  enum FrameKind: CaseIterable, Sendable {
    case pzstd, sized, bgzf

    func frame(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .pzstd: pzstdFrame(bytes)
      case .sized: Format.zstd.compress(bytes)
      case .bgzf: bgzfBlock(bytes)
      }
    }
  }

  /// A compressed input of several frames, with the text that it holds.
  struct CompressedKind: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]
    let bytes: [UInt8]
    /// Whether it consists of frames that can be found.
    var isDivisible = true
    var options = JSONRecordOptions(framing: .lines, recovery: .report)

    var testDescription: String { name }

    init(_ name: String, _ parts: [[UInt8]], _ frame: ([UInt8]) -> [UInt8]) {
      self.init(name, parts.flatMap { $0 }, parts.flatMap(frame))
    }

    init(_ name: String, _ text: [UInt8], _ bytes: [UInt8], isDivisible: Bool = true) {
      self.name = name
      self.text = text
      self.bytes = bytes
      self.isDivisible = isDivisible
    }

    func framed(_ framing: JSONFraming) -> CompressedKind {
      var kind = self
      kind.options.framing = framing
      return kind
    }

    /// Bad records, blank lines, both line endings, and no last line feed. Cut between lines, and after a line feed.
    static let lines = ["{\"a\":1}\n", "2\r\n\n{\"a\":}\n", "\"é\"\n [4]\n", "\n5\n66"].map { Array($0.utf8) }
    /// Cut inside records, inside a character, and before a line feed; one record is longer than two frames.
    static let cuts = ["{\"a\":1", "}", "\n2\n[3,4", ",5,6", ",7,8]\n\"", "x\"\n\n}\n7", "\n"].map { Array($0.utf8) }
    static let withEmpty = [[], Array("{\"a\":1}\n[".utf8), [], [], Array("2]\n".utf8), [], Array("3\n".utf8), []]
    static let sequence = ["\u{1E}1\n", "\u{1E}[2,", "3]\n\u{1E}", "4 ", "5\n", "\u{1E}\u{1E}{}\n\u{1E}6 "].map {
      Array($0.utf8)
    }

    static let all: [CompressedKind] = [
      CompressedKind("frames with sizes", lines) { Format.zstd.compress($0) },
      CompressedKind("frames by pzstd", lines, pzstdFrame),
      CompressedKind("frames cut inside records", cuts) { plainFrame($0, hasSize: true) },
      CompressedKind("frames by pzstd cut inside records", cuts, pzstdFrame),
      CompressedKind("empty frames", withEmpty) { Format.zstd.compress($0) },
      CompressedKind("empty frames without sizes", withEmpty) { plainFrame($0, hasSize: false) },
      CompressedKind("skippable frames", cuts) {
        skippableFrame([]) + plainFrame($0, hasSize: true) + skippableFrame([1, 2])
      }, CompressedKind("only skippable frames", [[], []]) { _ in skippableFrame([7]) },
      CompressedKind(
        "a seek table", cuts.flatMap { $0 }, seekable(cuts.map { (plainFrame($0, hasSize: false), $0.count) })),
      CompressedKind(
        "a seek table with checksums, and skippable frames", cuts.flatMap { $0 },
        seekable(
          cuts.flatMap { [(skippableFrame([9]), 0), (Format.zstd.compress($0), $0.count)] }, hasChecksums: true)),
      CompressedKind(
        "a byte order mark", ["\u{FEFF}1\n", "\u{FEFF}2\n", "3\n\u{FEFF}4\n"].map { Array($0.utf8) }, pzstdFrame),
      CompressedKind("guessed lines", cuts, pzstdFrame).framed(.automatic),
      CompressedKind("a text sequence", sequence, pzstdFrame).framed(.textSequence),
      CompressedKind("a text sequence in BGZF", sequence, bgzfBlock).framed(.automatic),
      CompressedKind("BGZF", lines + [[]], bgzfBlock),
      CompressedKind("BGZF cut inside records", cuts + [[]], bgzfBlock),
      CompressedKind("BGZF and zeros", cuts.flatMap { $0 }, cuts.flatMap(bgzfBlock) + [UInt8](repeating: 0, count: 9)),
      CompressedKind(
        "BGZF and a plain member", cuts.flatMap { $0 } + Array("8\n9\n".utf8),
        cuts.flatMap(bgzfBlock) + Format.gzip.compress(Array("8\n".utf8)) + bgzfBlock(Array("9\n".utf8))),
      CompressedKind(
        "plain gzip", lines.flatMap { $0 }, Format.gzip.compress(lines.flatMap { $0 }), isDivisible: false),
      CompressedKind(
        "several members", lines.flatMap { $0 }, lines.flatMap { Format.gzip.compress($0) }, isDivisible: false),
      CompressedKind("one frame", lines.flatMap { $0 }, Format.zstd.compress(lines.flatMap { $0 }), isDivisible: false),
      CompressedKind("one empty frame", [], Format.zstd.compress([]), isDivisible: false),
    ]

    private static func seekable(_ frames: [(bytes: [UInt8], text: Int)], hasChecksums: Bool = false) -> [UInt8] {
      frames.flatMap(\.bytes) + seekTable(frames, hasChecksums: hasChecksums)
    }
  }
#endif
