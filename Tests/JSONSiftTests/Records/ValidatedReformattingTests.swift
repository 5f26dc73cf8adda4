import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Validated text is copied token by token. The output, also before an error, equals that of reading every byte with libyajl.
@Suite struct ValidatedReformattingTests {
  struct Outcome: Equatable {
    var text: [UInt8] = []
    var error: JSONError?
    var position: JSONError.Position?
    /// The number of bytes read before the error was thrown.
    var bytesRead = 0
  }

  private static func outcome(
    _ chunks: [[UInt8]], _ layout: JSONWriterOptions, _ options: JSONOptions, validates: Bool
  ) throws -> Outcome {
    let chunks = CountedChunks(chunks)
    var reformatter = try DocumentReformatter(ReadWindow(.chunks(chunks)), options, layout, validates: validates)
    var outcome = Outcome()
    do throws(JSONError) {
      while try reformatter.next() { unsafe reformatter.withOutput { unsafe outcome.text += $0 } }
    } catch {
      unsafe reformatter.withOutput { unsafe outcome.text += $0 }
      outcome.error = error
      outcome.position = reformatter.position(of: error)
      outcome.bytesRead = chunks.bytesRead
    }
    return outcome
  }

  private static func difference(
    _ bytes: [UInt8], _ layout: JSONWriterOptions, sizes: [Int], _ options: JSONOptions = JSONOptions()
  ) throws -> String? {
    for size in sizes {
      let chunks = chunks(of: bytes, size: size)
      let wanted = try outcome(chunks, layout, options, validates: false)
      let found = try outcome(chunks, layout, options, validates: true)
      guard found != wanted else { continue }
      let (text, other) = (String(decoding: found.text, as: UTF8.self), String(decoding: wanted.text, as: UTF8.self))
      return "\(String(decoding: bytes, as: UTF8.self)) as \(layout) in chunks of \(size): \(text), "
        + "\(found.error.map { "\($0)" } ?? "no error") after \(found.bytesRead); and not \(other), "
        + "\(wanted.error.map { "\($0)" } ?? "no error") after \(wanted.bytesRead)"
    }
    return nil
  }

  private static func expectSame(_ difference: String?, at location: SourceLocation = #_sourceLocation) {
    if let difference { Issue.record("\(difference)", sourceLocation: location) }
  }

  private static let layouts: [JSONWriterOptions] = {
    var all = [JSONWriterOptions.compact, .pretty]
    all += [JSONWriterOptions.Layout.spaces(0), .spaces(2), .spaces(16), .tabs].map { layout in
      with(JSONWriterOptions.pretty) { $0.layout = layout }
    }
    return all
  }()

  @Test func `a random document is written as the parser reads it under every chunking`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 40 : 800) {
      let parts = random.write { writer in (0..<(1 + writer.random.below(12))).map { _ in writer.value(depth: 4) } }
      let blanks = String(repeating: random.pick([" ", "\n", "\t", "\r"]), count: random.below(150))
      let text =
        "\(random.pick(["", "", "\u{FEFF}"]))\(blanks)[\(parts.joined(separator: random.pick([",", " ,\n", ",\(blanks)"])))]\(blanks)"
      let bytes = Array(text.utf8)
      let sizes = [1, 1 + random.below(10), 1 + random.below(200), bytes.count]
      Self.expectSame(try Self.difference(bytes, random.pick(Self.layouts), sizes: sizes))
    }
  }

  @Test func `a damaged document has the same text before the same error after the same bytes`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 200 : 3_000) {
      let parts = random.write { writer in (0..<(1 + writer.random.below(12))).map { _ in writer.value(depth: 4) } }
      var bytes = Array("{\"a\" : [\(parts.joined(separator: ", "))],\n\"a\":\(parts[0])}".utf8)
      for _ in 0..<(1 + random.below(2)) {
        bytes[random.below(bytes.count)] = random.pick(Array("{}[]\",:\\0 tn-.e\u{0}\u{B}\u{1F}".utf8) + [0xC3, 0xFF])
      }
      if random.below(4) == 0 { bytes.removeLast(random.below(bytes.count)) }
      if random.below(8) == 0 { bytes += Array(random.pick(["]", "1", " {}", ","]).utf8) }
      var options = JSONOptions()
      options.limits.depth = random.pick([2, 3, 512])
      options.limits.keyBytes = random.pick([1, 4, 1 << 20])
      options.limits.stringBytes = random.pick([3, 12, 1 << 20])
      options.limits.numberBytes = random.pick([3, 12, 1 << 20])
      let sizes = [1, 1 + random.below(10), 1 + random.below(200), bytes.count]
      Self.expectSame(try Self.difference(bytes, random.pick(Self.layouts), sizes: sizes, options))
    }
  }

  @Test(arguments: [
    "[1,", "[1, ]", "[1,x", "{\"a\"", "{\"a\" x", "{\"a\":", "{\"a\" :}", "{\"a\":1,", "{\"a\":1,}", "[12", "[12x",
    "[true", "[truex", "[\"a\",\"b", "[[],{},", "1", "\"a\"", " \u{FEFF}1", "\u{FEFF}1", "\u{FEFF}", "", "  ", "1 2",
    "[] []", "[\"\\ud800\",2]", "[\n]", "{ }", "[{ }, [ ] ,{\"a\":[ ]}]", "[1\u{B}]", "[\"a\nb\"]", "\u{1E}1", "[,1]",
    "{,}", "[01]", "nul", "null",
  ])
  func `the text before an error is written unchanged`(_ text: String) throws {
    let bytes = Array(text.utf8)
    for layout in Self.layouts {
      Self.expectSame(try Self.difference(bytes, layout, sizes: Array(1...max(bytes.count, 1))))
    }
  }

  @Test func `a deeply nested container is written on one line`() throws {
    for depth in [511, 512, 513, 520] {
      let open = String(repeating: "[ {\"a\" : ", count: depth / 2) + (depth % 2 == 0 ? "" : "[")
      let close = (depth % 2 == 0 ? "" : "]") + String(repeating: "}, 1 ]", count: depth / 2)
      let bytes = Array("\(open) [1,{}, [ ],{\"b\":\"c\"}]\(close)".utf8)
      for layout in Self.layouts {
        Self.expectSame(try Self.difference(bytes, layout, sizes: [100, bytes.count]))
      }
    }
  }

  @Test func `a string that is longer than many windows is copied in linear time`() throws {
    let long = String(repeating: "a \\\"[ ", count: 300_000)
    let bytes = Array("[ \"\(long)\" , 1 ]".utf8)
    Self.expectSame(try Self.difference(bytes, .compact, sizes: [4096, bytes.count]))
  }

  // MARK: Records

  /// Returns the records of a source as lines, and its errors, each record written as a document.
  private static func written(
    _ bytes: [UInt8], _ layout: JSONWriterOptions, _ options: JSONRecordOptions
  ) throws
    -> (text: [UInt8], errors: [JSONError])
  {
    var reader = try JSONRecordReader(.bytes(bytes), options: options)
    var (text, errors): ([UInt8], [JSONError]) = ([], [])
    while true {
      do throws(JSONError) {
        guard let record = try reader.next() else { return (text, errors) }
        text += try record.value.bytes(layout) + [0x0A]
      } catch {
        errors.append(error)
        if reader.stopReason != nil { return (text, errors) }
      }
    }
  }

  private static func copied(
    _ source: JSONSource, _ layout: JSONWriterOptions, _ options: JSONRecordOptions, oneByOne: Bool
  ) throws -> (text: [UInt8], errors: [JSONError], records: Int) {
    var reformatter = try JSONReformatter(source, as: layout, records: options, resumingAt: nil, oneByOne: oneByOne)
    var (text, errors, records): ([UInt8], [JSONError], Int) = ([], [], 0)
    while true {
      do throws(JSONError) {
        guard try unsafe reformatter.borrowNext({ unsafe text += $0 }) else { break }
        records += 1
      } catch {
        errors.append(error)
        if reformatter.stopReason != nil { break }
      }
    }
    return (text, errors, records + reformatter.skippedRecords)
  }

  @Test(arguments: [JSONFraming.lines, .values, .textSequence])
  func `records are copied as single documents are written, and bad ones have the same errors`(
    _ framing: JSONFraming
  ) throws {
    var random = SeededGenerator.announced()
    let (head, tail) = framing == .textSequence ? ("\u{1E}", "\n") : ("", "\n")
    for _ in 0..<(isDebug ? 100 : 3000) {
      var writer = RandomText(random: random)
      var text = random.below(6) == 0 ? "\u{FEFF}" : ""
      for _ in 0..<(1 + random.below(30)) {
        var record = writer.document(depth: 3)
        if framing == .lines {
          record = record.replacingOccurrences(of: "\r\n", with: " ").replacingOccurrences(of: "\n", with: "\t")
        }
        if writer.random.below(12) == 0 {
          record = writer.random.pick(["", "  ", "\r", "[1,]", "{\"a\":", "01", "\"\u{1}\""])
        }
        text += head + record + (writer.random.below(8) == 0 ? "\r" : "") + tail
      }
      random = writer.random
      if random.below(3) == 0 { text.removeLast() }
      let bytes = Array(text.utf8)
      let options = JSONRecordOptions(framing: framing)
      let layout = random.pick(Self.layouts)
      let wanted = try Self.written(bytes, layout, options)
      let lines = wanted.text.split(separator: 0x0A).count
      for size in [1 + random.below(20), 1 + random.below(300), bytes.count] {
        for oneByOne in [false, true] {
          let found = try Self.copied(source(of: bytes, inPiecesOf: size), layout, options, oneByOne: oneByOne)
          let isSame = found.text == wanted.text && found.errors == wanted.errors
          #expect(isSame, "\(text)\nin chunks of \(size)")
          if !layout.isPretty { #expect(found.records == lines) }
        }
      }
    }
  }

  @Test(arguments: [JSONFraming.lines, .values, .textSequence])
  func `the borrowed text of a record equals the text of its value`(_ framing: JSONFraming) throws {
    let head = framing == .textSequence ? "\u{1E}" : ""
    let records = [#"{"a" : [1, 2 ]}"#, " [ ] \r", "\t\"a b\" ", "12", "  {\"a\":\r1}  ", "null", "[\"\\\"\"]"]
    let bytes = Array(records.map { head + $0 + "\n" }.joined().utf8)
    for size in 1...bytes.count {
      var reader = try JSONRecordReader(.bytes(bytes), options: JSONRecordOptions(framing: framing))
      var wanted: [[UInt8]] = []
      while let record = try reader.next() { unsafe record.value.borrowRawBytes { unsafe wanted.append(Array($0)) } }
      var lending = try JSONRecordReader(
        source(of: bytes, inPiecesOf: size), options: JSONRecordOptions(framing: framing))
      var found: [[UInt8]] = []
      while try unsafe lending.borrowNext({ unsafe found.append(Array($0)) }) {}
      #expect(found == wanted)
      #expect(found.count == records.count)
    }
  }
}
