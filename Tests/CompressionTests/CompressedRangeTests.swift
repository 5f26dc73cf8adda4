#if Compression
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  /// Readers of ranges that cover a compressed input together return what one reader returns.
  @Suite struct CompressedRangeTests {
    /// What a reader of a part has returned.
    private struct Part: Equatable {
      var found: [String] = []
      var nextLine = 1
      var counts = InputTally.Counts()
      var indivisible: CompressedFormat?

      static func == (left: Part, right: Part) -> Bool {
        left.found == right.found && left.nextLine == right.nextLine && left.counts == right.counts
      }
    }

    /// Reads a part of bytes in memory.
    private static func part(
      _ bytes: [UInt8], _ options: JSONRecordOptions, _ range: JSONInputRange?, readBytes: Int = 64
    ) throws -> Part {
      let options = with(options) { $0.range = range }
      let tally = InputTally()
      let noted = Noted()
      let source = JSONSource.bytes(bytes).decompressing().counted(by: tally).whenPartIsIndivisible {
        noted.format = $0
      }
      var window = try ReadWindow(source, readBytes: readBytes)
      let framing = try window.framing(options, name: nil, resumingAt: nil)
      var reader = try JSONRecordReader(window, framing: framing, options: options)
      var part = Part()
      while let element = try reader.nextResult() { part.found.append(text(of: element)) }
      part.nextLine = reader.checkpoint.line
      part.counts = tally.counts
      part.indivisible = noted.format
      return part
    }

    private final class Noted { var format: CompressedFormat? }

    /// Reads all of `count` parts, each with the line and the offset at which it begins.
    private static func parts(_ kind: CompressedKind, _ count: Int, readBytes: Int) throws -> Part {
      var sum = Part()
      sum.counts.compressedBytes = 0
      for number in 1...count {
        var range = JSONInputRange(part: number, of: count, size: kind.bytes.count)
        range.firstLine = sum.nextLine
        range.firstOffset = sum.counts.bytes
        let part = try part(kind.bytes, kind.options, range, readBytes: readBytes)
        sum.found += part.found
        sum.nextLine = part.nextLine
        sum.counts.bytes += part.counts.bytes
        sum.counts.lineFeeds += part.counts.lineFeeds
        sum.counts.records += part.counts.records
        sum.counts.compressedBytes = sum.counts.compressedBytes.flatMap { sum in
          part.counts.compressedBytes.map { sum + $0 }
        }
        let isKnown = count == 1 || kind.isDivisible
        #expect((part.indivisible == nil) == isKnown, "part \(number) of \(count)")
      }
      return sum
    }

    @Test(arguments: CompressedKind.all)
    func `all splits of a compressed input return together what one reader returns`(_ kind: CompressedKind) throws {
      let size = kind.bytes.count
      var whole = try Self.part(kind.bytes, kind.options, nil)
      let plain = try Self.part(kind.text, kind.options, nil)
      #expect(whole.found == plain.found)
      #expect(whole.counts.bytes == kind.text.count)
      #expect(whole.counts.compressedBytes == size)
      #expect(plain.counts.compressedBytes == nil)
      for count in 1...(size + 3) where !isDebug || count <= 8 || count.isMultiple(of: 11) || count > size {
        let parts = try Self.parts(kind, count, readBytes: 1 + (count * 7) % 40)
        guard parts == whole else {
          Issue.record("\(count) splits: \(parts), not \(whole)")
          return
        }
      }
      // Each range is read by itself, too: the parts of a divisible input are not all in the first one.
      whole.found = try Self.part(kind.bytes, kind.options, JSONInputRange(0..<1)).found
      #expect(kind.text.isEmpty || (whole.found.count < plain.found.count) == kind.isDivisible)
    }

    @Test(arguments: CompressedKind.all)
    func `workers and asynchronous readers return the same for each range of a compressed file`(
      _ kind: CompressedKind
    ) async throws {
      let file = try TemporaryFile(kind.bytes, ending: ".x")
      for count in [1, 2, 3, 7, 20, kind.bytes.count + 3] where !isDebug || count <= 20 {
        for number in 1...count {
          var options = kind.options
          options.range = JSONInputRange(part: number, of: count, size: kind.bytes.count)
          var reader = try JSONRecordReader(.path(file.path).decompressing(), options: options)
          let expected = try drain { try reader.nextResult().map { text(of: $0) } }
          #expect(expected == (try Self.part(kind.bytes, kind.options, options.range)).found)
          let records = JSONRecords(file.path, options: options).decompressing()
          #expect(try await texts(of: records) == expected)
          for workers in [1, 3] {
            let found = try await texts(of: records, workers: workers)
            #expect(found == expected, "\(workers) workers, part \(number) of \(count)")
          }
        }
      }
    }

    @Test(arguments: FrameKind.allCases)
    func `a long compressed file has the same records in ranges, with a thread that reads ahead`(
      kind: FrameKind
    ) throws {
      var random = SeededGenerator()
      var bytes: [UInt8] = []
      var text: [UInt8] = []
      while bytes.count < 2 << 20 {
        let words = (0..<Int.random(in: 0..<30, using: &random)).map { _ in String(random.next(), radix: 36) }
        text += "{\"id\":\(bytes.count + text.count),\"text\":\"\(words.joined(separator: " "))\"}\n".utf8
        guard text.count > 60_000 else { continue }
        bytes += kind.frame(Array(text.prefix(60_000)))
        text = Array(text.dropFirst(60_000))
      }
      bytes += kind.frame(text)
      let file = try TemporaryFile(bytes, ending: ".x")
      let size = bytes.count
      var whole = try JSONRecordReader(.path(file.path).decompressing())
      let ids = try drain { try whole.next().map { $0["id"].intValue } }
      #expect(ids.count > 1000)
      for cut in (0..<4).map({ _ in Int.random(in: 0..<size, using: &random) }) {
        var found: [Int] = []
        for range in [JSONInputRange(0..<cut), JSONInputRange(cut...)] {
          let options = with(JSONRecordOptions()) { $0.range = range }
          var reader = try JSONRecordReader(.path(file.path).decompressing(), options: options)
          while let record = try reader.next() { found.append(record["id"].intValue) }
        }
        #expect(found == ids, "cut at \(cut), \(random)")
      }
    }

    // MARK: Details

    private static let options = JSONRecordOptions(framing: .lines, recovery: .report)

    private static func error(_ bytes: [UInt8], _ range: JSONInputRange?) -> JSONError? {
      do {
        _ = try part(bytes, options, range)
        return nil
      } catch {
        return error as? JSONError
      }
    }

    @Test func `offsets count from the first frame of a part if no header says where that is`() throws {
      let frames = ["1\n2", "2\n3\n", "4\n"].map { Array($0.utf8) }
      let second = pzstdFrame(frames[0]).count
      var range = JSONInputRange(second...)
      let bytes = frames.flatMap(pzstdFrame)
      #expect(try Self.part(bytes, Self.options, range).found == ["1 2..<3 3", "2 4..<5 4"])
      range.firstLine = 3
      range.firstOffset = 5
      #expect(try Self.part(bytes, Self.options, range).found == ["3 5..<6 3", "4 7..<8 4"])
      let sized = frames.flatMap { plainFrame($0, hasSize: true) }
      range = JSONInputRange(1...)
      range.firstOffset = 99
      #expect(try Self.part(sized, Self.options, range).found == ["1 5..<6 3", "2 7..<8 4"])
    }

    @Test(arguments: CompressedKind.all)
    func `a reader that resumes in a range of a compressed input ends with the range`(_ kind: CompressedKind) throws {
      let size = kind.bytes.count
      for range in [
        JSONInputRange(0..<(size / 2)), JSONInputRange((size / 3)..<(size - 1)), JSONInputRange((size / 2)...),
      ] {
        let options = with(kind.options) { $0.range = range }
        let source = JSONSource.bytes(kind.bytes).decompressing()
        var reader = try JSONRecordReader(source, options: options)
        var whole: [String] = []
        var checkpoints = [options.start, reader.checkpoint]
        while let element = try reader.nextResult() {
          whole.append(text(of: element))
          checkpoints.append(reader.checkpoint)
        }
        for (index, checkpoint) in checkpoints.enumerated() {
          var resumed = try JSONRecordReader(source, options: options, resumingAt: checkpoint)
          var found = Array(whole.prefix(max(index - 1, 0)))
          while let element = try resumed.nextResult() { found.append(text(of: element)) }
          #expect(found == whole, "checkpoint \(index)")
        }
      }
    }

    @Test func `a seek table that contradicts the frames is an error that names both`() throws {
      let texts = CompressedKind.cuts
      let frames = texts.map { (bytes: plainFrame($0, hasSize: true), text: $0.count) }
      let bare = texts.map { (bytes: plainFrame($0, hasSize: false), text: $0.count) }
      func file(
        _ frames: [(bytes: [UInt8], text: Int)], _ change: (inout [(bytes: [UInt8], text: Int)]) -> Void
      ) -> [UInt8] {
        var table = frames
        change(&table)
        return frames.flatMap(\.bytes) + seekTable(table)
      }
      let start = frames[0].bytes.count
      let cases: [([UInt8], String)] = [
        (
          file(frames) { $0[1].bytes.append(0) },
          "to have \(frames[1].bytes.count + 1) bytes, as the seek table says, found \(frames[1].bytes.count)"
        ),
        (file(frames) { $0[1].text += 1 }, "to have 2 bytes of text, as the seek table says, found 1"),
        (file(frames) { $0.append($0[0]) }, "expected a seek table of 7 frames"),
        (file(frames) { $0.removeLast() }, "found another at byte"),
        (file(bare) { $0[1].text += 1 }, "as the headers of its frames or the seek table say, found"),
      ]
      for (bytes, message) in cases {
        #expect(Self.error(bytes, nil) == nil)
        for range in [JSONInputRange(0...), JSONInputRange(start..<bytes.count)] {
          let error = Self.error(bytes, range)
          #expect(error?.code == .damagedCompression)
          #expect(error?.message.contains(message) == true, "\(error?.message ?? "no error"), not \(message)")
        }
      }
    }

    @Test func `a block of BGZF with a wrong size is an error of the range that reads it`() throws {
      let texts = CompressedKind.cuts
      let blocks = texts.map(bgzfBlock)
      for change in [-1, 1, blocks[3].count] {
        var bytes = blocks.flatMap { $0 }
        let start = blocks[0].count + blocks[1].count
        bytes.replaceSubrange((start + 16)..<(start + 18), with: littleEndian(blocks[2].count - 1 + change, 2))
        #expect(Self.error(bytes, nil) == nil)
        let errors = (1...8).map { Self.error(bytes, JSONInputRange(part: $0, of: 8, size: bytes.count)) }
        // A size that extends to the end of another block has the wrong size of the text.
        #expect(errors.contains { $0 != nil }, "\(change)")
        #expect(errors.allSatisfy { $0 == nil || $0?.code == .damagedCompression })
      }
    }

    @Test(arguments: CompressedKind.all.filter(\.isDivisible))
    func `a damaged byte is an error of one range, and the others return what they did`(_ kind: CompressedKind) throws {
      let size = kind.bytes.count
      let ranges = (1...5).map { JSONInputRange(part: $0, of: 5, size: size) }
      let good = try ranges.map { try Self.part(kind.bytes, kind.options, $0).found }
      for offset in kind.bytes.indices {
        var bytes = kind.bytes
        bytes[offset] ^= 0x41
        let isDamaged = (try? Self.part(bytes, kind.options, nil).found) == nil
        var errors = 0
        var isDifferent = false
        for (range, expected) in zip(ranges, good) {
          do {
            let found = try Self.part(bytes, kind.options, range).found
            // zstd without checksums can be damaged unnoticed.
            if found != expected { isDifferent = true }
          } catch {
            errors += 1
          }
        }
        if isDamaged { #expect(errors > 0 || isDifferent, "damage at \(offset)") }
      }
    }

    @Test func `damage in a frame is an error of the ranges that read it, after the records before it`() throws {
      let texts = (0..<6).map { Array("\($0)\n\($0)\($0)\n".utf8) }
      for kind in [FrameKind.sized, .bgzf] {
        let frames = texts.map(kind.frame)
        let starts = frames.indices.map { index in frames[..<index].map(\.count).reduce(0, +) }
        var bytes = frames.flatMap { $0 }
        // The checksum of frame 3.
        bytes[starts[4] - (kind == .bgzf ? 8 : 1)] ^= 0xFF
        let whole = Self.error(bytes, nil)
        for index in 0..<5 {
          let error = Self.error(bytes, JSONInputRange(starts[index]..<starts[index + 1]))
          // The range of frame 2 reads the record that begins with frame 3.
          #expect((error != nil) == (index == 3), "frame \(index): \(error?.message ?? "no error")")
          if let error { #expect(error.message == whole?.message) }
        }
      }
    }

    @Test func `a range beyond the end of a compressed file, and a range of a compressed pipe, are errors`() throws {
      let bytes = CompressedKind.all[0].bytes
      for range in [JSONInputRange(0..<(bytes.count + 1)), JSONInputRange((bytes.count + 1)...)] {
        #expect(Self.error(bytes, range)?.message.hasSuffix("found its end at byte \(bytes.count)") == true)
      }
      #expect(Self.error(bytes, JSONInputRange(bytes.count...)) == nil)
      let options = with(Self.options) { $0.range = JSONInputRange(0..<1) }
      let error = #expect(throws: JSONError.self) {
        _ = try JSONRecordReader(.chunks([bytes]).decompressing(), options: options)
      }
      #expect(error?.message.contains("found a compressed input that must be read from its start") == true)
    }

    @Test func `a compressed file that becomes shorter while a range is read is an error`() throws {
      let text = (0..<200_000).map { "{\"id\":\($0)}\n" }.joined()
      let frames = stride(from: 0, to: text.utf8.count, by: 100_000).flatMap {
        pzstdFrame(Array(text.utf8.dropFirst($0).prefix(100_000)))
      }
      let file = try TemporaryFile(frames, ending: ".x")
      let options = with(JSONRecordOptions()) { $0.range = JSONInputRange(1..<frames.count) }
      var reader = try JSONRecordReader(.path(file.path).decompressing(), options: options)
      _ = try reader.next()
      try File(writing: Array(file.path.utf8), .kept).truncate(to: frames.count / 2)
      let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
      #expect(error?.code == .unreadable)
      #expect(error?.message.hasPrefix("expected an input of at least \(frames.count) bytes, found its end") == true)
    }
  }
#endif
