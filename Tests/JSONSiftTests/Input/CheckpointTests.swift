import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct CheckpointTests {
  static let texts: [(String, JSONRecordOptions)] = {
    let lines = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.reading.limits.recordBytes = 60 }
    let prefixed = with(lines) { $0.skipsPrefix = true }
    let long = String(repeating: "x", count: 100)
    return [
      ("\u{FEFF}{\"a\":1}\r\n\n\"é\"\nbad\n\(long)\n[1,2]\n  \n3", lines),
      ("x {\"a\":1}\n[i] {}\n\(long)\n5", prefixed),
      ("1\n[2,\n3]4\"x\"{} 5 true", JSONRecordOptions(framing: .values, recovery: .report)),
      ("1\n2\"x\"3", JSONRecordOptions(framing: .values, recovery: .report)),
      ("\u{1E}1\n\u{1E}[2\n\u{1E}{\"a\":\n3}\n\u{1E}\u{1E}4", .init(framing: .textSequence, recovery: .report)),
      ("[1,\n{\"a\":[2]},\n\n\"x\" , null]\n", .init(framing: .children(of: "$"), recovery: .report)),
      (
        "{\"m\":[7],\"it's é\\n\":[0,{\"a\":1,\n\"b\":[2,{}] ,\"\":3}],\"z\":1}",
        .init(framing: .children(of: "$[\"it's é\\n\"][1]"), recovery: .report)
      ),
      (
        "{\"it'ems\":[0,{\"a\":1,\n\"b\":[2,{}] ,\"\":3}],\"z\":1,}",
        .init(framing: .children(of: "$[\"it'ems\"][1]"), recovery: .report)
      ),
      ("{\"a\":\n1}", JSONRecordOptions(framing: .document, recovery: .report)),
    ]
  }()

  static func stored(_ checkpoint: JSONCheckpoint) throws -> JSONCheckpoint {
    let read = try JSONDecoder().decode(JSONCheckpoint.self, from: JSONEncoder().encode(checkpoint))
    #expect(read == checkpoint)
    return read
  }

  @Test func `issue 50: behind a last line without a line feed the next byte is on the same line`() async throws {
    let (first, rest) = ("{\"id\":1}\n{\"id\":2}", " \n{\"id\":3}\n{\"id\" 4}\n")
    var reader = try JSONRecordReader(.bytes(Array(first.utf8)))
    while try reader.next() != nil {}
    let one = try Self.stored(reader.checkpoint)
    #expect((one.byteOffset, one.line) == (17, 2))
    let parallel = JSONRecords(bytes: Array(first.utf8)).workers(2).makeAsyncIterator()
    while try await parallel.next() != nil {}
    #expect((parallel.checkpoint.byteOffset, parallel.checkpoint.line) == (17, 2))
    for checkpoint in [one, parallel.checkpoint] {
      let bytes = Array((first + rest).utf8)
      var later = try JSONRecordReader(.bytes(bytes), resumingAt: checkpoint)
      #expect(try later.next()?.line == 3)
      let thrown = jsonError { _ = try later.next() }
      let error = try #require(thrown)
      #expect(later.position(of: error) == JSONError.Position(byteOffset: 34, line: 4, column: 7))
      let workers = JSONRecords(bytes: bytes, resumingAt: checkpoint).workers(2).makeAsyncIterator()
      #expect(try await workers.next()?.line == 3)
    }
  }

  @Test(arguments: texts.indices)
  func `a resumed reader gives exactly the remaining records`(index: Int) throws {
    let (text, options) = Self.texts[index]
    let bytes = Array(text.utf8)
    try withFile(bytes) { path in
      let all = try elements(.bytes(bytes), options)
      #expect(all.count > 0)
      #expect(try elements(.path(path), options) == all)
      for size in [1, 3, 1000] {
        var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: size)), options: options)
        for taken in 0...all.count {
          let checkpoint = try Self.stored(reader.checkpoint)
          let automatic = with(options) { $0.framing = .automatic }
          for (source, options) in [
            (JSONSource.path(path), options), (.bytes(bytes), options), (.path(path), taken > 0 ? automatic : options),
            (.chunks(chunks(of: bytes, size: 2)), options),
          ] {
            var resumed = try JSONRecordReader(source, options: options, resumingAt: checkpoint)
            let rest = try drain { try resumed.nextResult().map { words($0) } }
            // Nothing follows an error that ends the stream: the resumed reader throws it again.
            let isStuck =
              taken == all.count && all.last?.hasPrefix("bad") == true && !all[taken - 1].hasSuffix("goes on")
            #expect(rest == Array(all[(isStuck ? taken - 1 : taken)...]), "after \(taken), \(checkpoint)")
          }
          // The chunks after the checkpoint.
          var pushed = try JSONRecordPushReader(options: options, resumingAt: checkpoint)
          pushed.feed(bytes[min(checkpoint.byteOffset, bytes.count)...])
          pushed.finish()
          var count = 0
          while try pushed.nextResult() != nil { count += 1 }
          #expect(count >= all.count - taken)
          _ = try reader.nextResult()
        }
      }
    }
  }

  @Test func `an input that ends before the checkpoint is an error, and one that ends at it is at its end`() throws {
    let bytes = Array("1\n2\n".utf8)
    try withFile(bytes) { path in
      for source in [JSONSource.path(path), .bytes(bytes), .chunks(chunks(of: bytes, size: 1))] {
        let error = jsonError {
          _ = try JSONRecordReader(source, options: JSONRecordOptions(), resumingAt: JSONCheckpoint(byteOffset: 5))
        }
        #expect(error?.code == .unreadable)
        #expect(error?.message == "expected an input of at least 5 bytes, found its end at byte 4")
      }
      for source in [JSONSource.path(path), .bytes(bytes)] {
        var reader = try JSONRecordReader(
          source, options: JSONRecordOptions(), resumingAt: JSONCheckpoint(byteOffset: 4, line: 3))
        #expect(try reader.next() == nil)
      }
    }
  }

  @Test func `an inconsistent checkpoint is used as far as it is valid`() throws {
    for text in [
      #"{"byteOffset":-5,"line":-1,"lineOffset":99}"#, #"{"byteOffset":2,"line":1,"lineOffset":-9223372036854775808}"#,
      #"{"byteOffset":1,"line":9223372036854775807,"openContainer":{"path":"$","isObject":true,"childCount":-3}}"#,
      #"{"byteOffset":3,"line":1,"framing":"children","openContainer":{"path":"$[","isObject":true,"childCount":0}}"#,
    ] {
      let checkpoint = try JSONDecoder().decode(JSONCheckpoint.self, from: Data(text.utf8))
      #expect(checkpoint.byteOffset >= 0 && checkpoint.line >= 1 && checkpoint.lineOffset <= checkpoint.byteOffset)
      for framing in [JSONFraming.lines, .values, .textSequence, .document, .children(of: "$"), .automatic] {
        // It may be rejected. It must not trap.
        _ = jsonError {
          var reader = try JSONRecordReader(
            .bytes(Array("[1]\n[2]\n\n".utf8)), options: .init(framing: framing, recovery: .report),
            resumingAt: checkpoint)
          while try reader.nextResult() != nil {}
          _ = reader.checkpoint
        }
      }
    }
  }

  @Test(arguments: [1, 2, 5, 1000])
  func `issue 16: an offset in the middle of a line resumes at the next line`(size: Int) throws {
    let text = "{\"a\":1}\n{\"a\":2}\r\nbad\n\n{\"a\":3}"
    let bytes = Array(text.utf8)
    let options = JSONRecordOptions(framing: .lines, recovery: .report)
    let starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 } + [bytes.count]
    for offset in 0...bytes.count {
      var passed: [Int] = []
      let source = JSONSource.chunks(chunks(of: bytes, size: size)).whenLineIsSkipped { passed += [$0, $1] }
      var reader = try JSONRecordReader(source, options: options, resumingAt: JSONCheckpoint(byteOffset: offset))
      let start = try #require(starts.first { $0 >= offset })
      // No record is lost after the last byte of a record.
      let isBlank = bytes[offset..<start].allSatisfy { $0 == 0x0A || $0 == 0x0D }
      #expect(passed == (isBlank ? [] : [offset, start]))
      var atStart = try JSONRecordReader(
        .bytes(bytes), options: options, resumingAt: JSONCheckpoint(byteOffset: start))
      while let element = try reader.nextResult() {
        #expect(try atStart.nextResult().map(words) == words(element), "offset \(offset)")
      }
      #expect(try atStart.nextResult() == nil)
    }
    #expect(throws: JSONError.self) {
      _ = try JSONRecordReader(
        .chunks(chunks(of: bytes, size: size)), options: options,
        resumingAt: JSONCheckpoint(byteOffset: bytes.count + 1))
    }
  }

  @Test(arguments: [JSONFraming.lines, .values, .document, .textSequence, .children(of: "$")])
  func `issue 16: a byte order mark is skipped at byte 0 of the input, and at the start of a line`(
    framing: JSONFraming
  ) throws {
    let options = JSONRecordOptions(framing: framing, recovery: .report)
    let record = framing == .textSequence ? "\u{1E}[1]\n" : "[1]\n"
    for size in [1, 2, 3, 1000] {
      let atStart = Array(("\u{FEFF}" + record).utf8)
      let good = try elements(.chunks(chunks(of: atStart, size: size)), options)
      #expect(good.count == 1 && good.allSatisfy { !$0.contains("bad") }, "chunks of \(size)")
      // After a record, alone or at the start of a reader.
      let later = Array((record + "\u{FEFF}" + record).utf8)
      let offset = record.utf8.count
      for checkpoint in [nil, JSONCheckpoint(byteOffset: offset)] {
        var reader = try JSONRecordReader(
          .chunks(chunks(of: later, size: size)), options: options, resumingAt: checkpoint)
        var faults: [Int] = []
        while let element = try reader.nextResult() {
          if case .failure(let bad) = element { faults.append(bad.error.byteOffset) }
        }
        if framing == .lines || framing == .values || framing == .document && checkpoint != nil {
          // Files that were put together have a mark at the start of a line.
          #expect(faults.isEmpty, "chunks of \(size)")
          continue
        }
        if framing != .textSequence || checkpoint != nil { #expect(faults == [offset], "chunks of \(size)") }
        #expect(!faults.isEmpty)
      }
    }
  }
}
