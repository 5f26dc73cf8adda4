import JSONSift
import TestSupport
import Testing

@Suite struct JSONReformatterTests {
  private func text(
    _ source: JSONSource, _ layout: JSONWriterOptions, _ framing: JSONFraming = .document
  ) throws -> [UInt8] {
    var reformatter = try JSONReformatter(source, as: layout, records: JSONRecordOptions(framing: framing))
    var text: [UInt8] = []
    while try reformatter.next(into: &text) {}
    let count = text.count
    #expect(try !reformatter.next(into: &text))
    #expect(text.count == count)
    return text
  }

  static let layouts: [JSONWriterOptions] = {
    var all: [JSONWriterOptions] = []
    for isPretty in [false, true] {
      for sortsKeys in [false, true] {
        for spelling in [JSONWriterOptions.Spelling.source, .normalized] {
          for slashes in [JSONWriterOptions.Slashes.asWritten, .escaped, .plain] {
            var options = JSONWriterOptions()
            options.isPretty = isPretty
            options.sortsKeys = sortsKeys
            options.spelling = spelling
            options.slashes = slashes
            all.append(options)
          }
        }
      }
    }
    all += [JSONWriterOptions.Layout.spaces(0), .spaces(2), .spaces(7), .tabs].map { layout in
      with(JSONWriterOptions.pretty) { $0.layout = layout }
    }
    return all
  }()

  @Test func `a document that arrives in chunks is written as its parsed value is`() throws {
    var count = 0
    for one in try ConformanceCase.all(in: "accept.tsv") {
      count += 1
      let json = try JSON(parsing: one.input)
      // Each case has a few of the layouts: all of them would take minutes.
      for (index, layout) in Self.layouts.enumerated() where (index + count).isMultiple(of: isDebug ? 29 : 7) {
        let wanted = try json.bytes(layout) + [0x0A]
        for size in [1, 3, 64, nil] as [Int?] {
          let source = size.map { JSONSource.chunks(Chunks(one.input, size: $0)) } ?? .bytes(one.input)
          let found = try text(source, layout)
          if found != wanted {
            let (found, wanted) = (String(decoding: found, as: UTF8.self), String(decoding: wanted, as: UTF8.self))
            Issue.record("\(one) in chunks of \(size ?? 0): \(found)\nand not \(wanted)")
          }
        }
      }
    }
    #expect(count > 100)
  }

  @Test func `an error has its usual position, and the text before it is written`() throws {
    let bytes = Array("{\"a\":\n [1,{\"b\":2}\n 3]}".utf8)
    var first: [UInt8] = []
    for size in 1...bytes.count {
      var reformatter = try JSONReformatter(
        .chunks(Chunks(bytes, size: size)), as: .compact, records: JSONRecordOptions(framing: .document))
      var text: [UInt8] = []
      let error = #expect(throws: JSONError.self) { while try reformatter.next(into: &text) {} }
      let found = try #require(error)
      #expect(found.byteOffset == 19)
      #expect(reformatter.position(of: found).line == 3)
      #expect(reformatter.position(of: found).column == 2)
      #expect(reformatter.excerpt(of: found)?.text.hasPrefix(" 3") == true)
      #expect(throws: found) { try reformatter.next(into: &text) }
      if first.isEmpty { first = text }
      #expect(text == first)
    }
    #expect(String(decoding: first, as: UTF8.self) == #"{"a":[1,{"b":2}"#)
  }
}
