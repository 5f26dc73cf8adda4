import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONParsingTests {
  @Test(arguments: [JSON.FileLoading.copied, .mapped])
  func `a file is read with either loading option`(loading: JSON.FileLoading) throws {
    let items = (0..<20_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    for text in ["[1]", "\u{FEFF}{\"a\":1}", "[\(items)]"] {
      try withFile(Array(text.utf8)) { path in
        let json = try JSON(contentsOf: path, loading: loading)
        #expect(json.rawBytes.elementsEqual(text.utf8.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }))
        #expect(json.count == (text.utf8.count > 100 ? 20_000 : 1))
      }
    }
  }

  @Test(arguments: [JSON.FileLoading.copied, .mapped])
  func `an empty file is an unexpected end`(loading: JSON.FileLoading) throws {
    try withFile([]) { path in
      let error = jsonError { _ = try JSON(contentsOf: path, loading: loading) }
      #expect(error?.code == .unexpectedEnd && error?.byteOffset == 0)
    }
  }

  @Test(arguments: [JSON.FileLoading.copied, .mapped])
  func `a missing file or a folder is unreadable`(loading: JSON.FileLoading) {
    let missing = jsonError { _ = try JSON(contentsOf: "/nonexistent/a.json", loading: loading) }
    #expect(missing?.code == .unreadable)
    let folder = jsonError { _ = try JSON(contentsOf: "/tmp", loading: loading) }
    #expect(folder?.code == .unreadable)
    #expect(folder?.message == "the input cannot be read: Is a directory")
    let empty = jsonError { _ = try JSON(contentsOf: "", loading: loading) }
    #expect(empty?.code == .unreadable)
  }

  @Test(arguments: [JSON.FileLoading.copied, .mapped])
  func `a FIFO is read to its end`(loading: JSON.FileLoading) throws {
    let path = temporaryPath("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    defer { _ = unsafe unlink(path) }
    let text = "[" + (0..<30_000).map { "\($0)" }.joined(separator: ",") + "]"
    let writer = Thread {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      for chunk in chunks(of: Array(text.utf8), size: 10_007) { handle.write(Data(chunk)) }
      try? handle.close()
    }
    writer.start()
    let json = try JSON(contentsOf: path, loading: loading)
    #expect(json.count == 30_000 && json[29_999].int == 29_999)
  }

  @Test func `a mapped value outlives its file's name`() throws {
    let json = try withFile(Array(#"{"a":"still here"}"#.utf8)) { try JSON(contentsOf: $0, loading: .mapped) }
    #expect(json["a"].string == "still here")
  }

  @Test func `any collection of bytes is parsed`() throws {
    let text = #"{"a":[1,2]}"#
    #expect(try JSON(parsing: text.utf8)["a"][1].int == 2)
    #expect(try JSON(parsing: Array("xx\(text)".utf8).dropFirst(2))["a"][1].int == 2)
    #expect(try JSON(parsing: Array(text.utf8.reversed()).reversed())["a"][1].int == 2)
    #expect(try JSON(parsing: ContiguousArray(text.utf8))["a"].byteRange == 5..<10)
    #expect(try JSON(parsing: Data(text.utf8))["a"][0].int == 1)
  }

  @Test func `a lone surrogate is rejected or replaced`() throws {
    let text = #"{"a\ud800":"\udc00x"}"#
    let error = jsonError { _ = try JSON(parsing: text) }
    #expect(error?.code == .loneSurrogate && error?.byteOffset == 3)
    let json = try JSON(parsing: text, options: JSONOptions(loneSurrogates: .replace))
    #expect(json["a\u{FFFD}"].string == "\u{FFFD}x")
    #expect(json.rawText == text)
  }
}
