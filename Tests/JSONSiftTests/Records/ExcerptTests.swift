import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// The text around an error, for every API that reports errors.
@Suite struct ExcerptTests {
  enum Reader: CaseIterable {
    case matches, passing, reformatter, shape, lines, values, sequence, children, document, lineMatches
  }

  /// Returns the first error's excerpt, with its caret.
  private func excerpt(_ reader: Reader, _ source: JSONSource) throws -> String? {
    switch reader {
    case .matches, .passing, .lineMatches:
      var matches = try JSONMatches(
        of: reader == .passing ? "$[*].n" : "$[*].none", in: source,
        framing: reader == .lineMatches ? .lines : .document)
      do { while try matches.next() != nil {} } catch { return matches.excerpt(of: error)?.description }
    case .reformatter:
      var text: [UInt8] = []
      var reformatter = try JSONReformatter(
        source, as: JSONWriterOptions(), records: JSONRecordOptions(framing: .document))
      do { while try reformatter.next(into: &text) {} } catch { return reformatter.excerpt(of: error)?.description }
    case .shape:
      var shape = try JSONShape.Reader(source, records: JSONRecordOptions(framing: .document))
      do { while try shape.next() {} } catch { return shape.excerpt(of: error)?.description }
    case .lines, .values, .sequence, .children, .document:
      let framing: JSONFraming =
        switch reader {
        case .values: .values
        case .sequence: .textSequence
        case .children: .children(of: "$")
        case .document: .document
        default: .lines
        }
      var records = try JSONRecordReader(source, framing: framing)
      do { while try records.next() != nil {} } catch { return records.excerpt(of: error).description }
    }
    return nil
  }

  /// Returns consecutive elements, one of them bad, on lines of many lengths.
  private static func text(_ reader: Reader, good: Int, perLine: Int, behind: Int) -> [UInt8] {
    let isArray = [.matches, .passing, .reformatter, .shape, .children, .document].contains(reader)
    var text = isArray ? "[" : ""
    func end(_ number: Int) -> String {
      let separator = reader == .sequence ? "\u{1E}" : isArray ? "," : " "
      return reader == .lines || reader == .lineMatches || number % perLine == 0 ? separator + "\n" : separator
    }
    if reader == .sequence { text += "\u{1E}" }
    for number in 0..<good {
      text += "{\"é\":\(number)}"
      text += reader == .lines || reader == .lineMatches ? "\n" : end(number)
    }
    text += "{\"n\" 1, \"ü\":[1,2,3]}"
    for number in 0..<behind {
      text += reader == .lines || reader == .lineMatches ? "\n" : end(good + number)
      text += "{\"b\":\(number)}"
    }
    return Array((text + (isArray ? "]" : "")).utf8)
  }

  @Test(arguments: Reader.allCases)
  func `the text around an error does not depend on chunking`(reader: Reader) throws {
    let counts = [(0, 1, 0), (1, 9, 1), (3, 99, 0), (9, 99, 9), (40, 99, 99), (40, 7, 9), (99, 2, 9)]
    for (good, perLine, behind) in counts {
      let bytes = Self.text(reader, good: good, perLine: perLine, behind: behind)
      let whole = try #require(try excerpt(reader, .bytes(bytes)), "\(reader), \(good)")
      #expect(whole.contains("{\"n\" 1, \"ü\":[1,2,3]}"), "\(reader), \(good): \(whole)")
      let sizes = bytes.count > 400 ? [1, 2, 3, 7, 16, 35, 36, 37, 64, 127, 128, 129, 1000] : nil
      let difference = try differenceOverEveryChunking(of: bytes, sizes: sizes) { size in
        try excerpt(reader, source(of: bytes, inPiecesOf: size ?? bytes.count))
      }
      #expect(difference == nil, "\(reader), \(good)")
    }
  }

  /// If a window is full, the reader moves the remaining bytes to the front of its memory.
  @Test(arguments: [Reader.values, .sequence, .children, .matches])
  func `the text before an error in its line is reported also right after a refill`(reader: Reader) throws {
    for shift in stride(from: -60, through: 60, by: isDebug ? 40 : 12) {
      let count = (ReadWindow.readBytes + shift) / 12
      let separator = reader == .sequence ? "\u{1E}" : reader == .values ? " " : ","
      let head = reader == .sequence ? "\u{1E}" : reader == .values ? "" : "["
      let good =
        String(repeating: "{\"a\":12345}" + separator, count: count) + String(repeating: " ", count: abs(shift) % 12)
      let bytes = Array((head + good + "{\"a\" 1}" + (reader == .matches || reader == .children ? "]" : "")).utf8)
      let shown = try #require(try excerpt(reader, .bytes(bytes)))
      #expect(shown.hasPrefix("…"), "\(reader), \(shift): \(shown)")
      #expect(shown.split(separator: "\n").last?.count == 38, "\(reader), \(shift): \(shown)")
      let sizes = [4096, 65_536, ReadWindow.readBytes, bytes.count]
      // In a debug build each shift has one of them.
      for size in isDebug ? [sizes[(shift + 60) / 40]] : sizes {
        let found = try excerpt(reader, source(of: bytes, inPiecesOf: size))
        #expect(found == shown, "\(reader), \(shift), \(size)")
      }
    }
  }

  @Test func `a reader resumed at a checkpoint marks the omitted text`() throws {
    let bytes = Array("{\"a\":1} {\"a\":2} {\"a\" 3}".utf8)
    var first = try JSONRecordReader(.bytes(bytes), framing: .values)
    _ = try first.next()
    _ = try first.next()
    for size in [1, 3, bytes.count] {
      var second = try JSONRecordReader(
        source(of: bytes, inPiecesOf: size), options: JSONRecordOptions(framing: .values), resumingAt: first.checkpoint)
      let thrown = jsonError { _ = try second.next() }
      let error = try #require(thrown)
      #expect(second.excerpt(of: error).description == "… {\"a\" 3}\n       ^", "chunks of \(size)")
    }
  }

  @Test func `the reader does not wait for the rest of the line while the pipe is open`() throws {
    let (readEnd, writeEnd) = try File.nonblockingPipe()
    defer { for end in [readEnd, writeEnd] { _ = close(end) } }
    let text = "[1,x"
    #expect(unsafe write(writeEnd, text, text.utf8.count) == text.utf8.count)
    var matches = try JSONMatches(of: "$[*].none", in: .descriptor(readEnd), framing: .document)
    let thrown = jsonError { while try matches.next() != nil {} }
    let error = try #require(thrown)
    #expect(matches.excerpt(of: error)?.description == "[1,x\n   ^")
  }

  @Test func `no more chunks are requested after an error`() throws {
    let requests = Lock(0)
    let chunks = ["[1,", "x", "2]", "[3]"].map { Array($0.utf8) }
    let source = JSONSource.chunks(
      AnyIterator { () -> [UInt8]? in
        let number = requests.withLock {
          $0 += 1
          return $0 - 1
        }
        return number < chunks.count ? chunks[number] : nil
      })
    var matches = try JSONMatches(of: "$[*].none", in: source, framing: .document)
    let error = jsonError { while try matches.next() != nil {} }
    #expect(error?.byteOffset == 3 && requests.withLock { $0 } == 2)
  }
}
