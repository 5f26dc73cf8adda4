import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct RecordIndexTests {
  private static let text: [UInt8] = {
    var text = "\u{FEFF}"
    for number in 0..<97 {
      text += number % 7 == 3 ? "\n \t\r\n" : ""
      text +=
        number % 11 == 5 ? "bad \(number)\n" : "{\"id\":\(number),\"s\":\"\(String(repeating: "é", count: number))\"}\n"
    }
    return Array((text + "\n\n{\"last\":true}").utf8)
  }()

  @Test(arguments: [1, 2, 7, 16, 97, 98, 1000])
  func `record k of an index equals record k of a complete read`(stride: Int) throws {
    var reader = try JSONRecordReader(.bytes(Self.text), options: .init(framing: .lines, recovery: .report))
    let all: [Result<JSONRecord, JSONBadRecord>] = try drain { try reader.nextResult() }
    #expect(all.count == 98)
    try withFile(Self.text) { path in
      let made = try JSONRecordIndex(of: .path(path), every: stride)
      let index = try JSONDecoder().decode(JSONRecordIndex.self, from: JSONEncoder().encode(made))
      #expect(index == made && index.count == all.count && index.byteCount == Self.text.count)
      for (number, element) in all.enumerated().reversed() {
        do throws(JSONError) {
          let record = try index.record(number, in: path)
          guard case .success(let expected) = element else {
            Issue.record("record \(number) is bad")
            continue
          }
          #expect(record?.byteRange == expected.byteRange && record?.line == expected.line)
          #expect(record?.value == expected.value)
        } catch {
          guard case .failure(let bad) = element else {
            Issue.record("record \(number): \(error)")
            continue
          }
          #expect(error == bad.error)
        }
      }
      #expect(try index.record(-1, in: path) == nil)
      #expect(try index.record(98, in: path) == nil)
    }
  }

  @Test func `an index is the same for every chunk size`() throws {
    let whole = try JSONRecordIndex(of: .bytes(Self.text), every: 5)
    for size in 1...300 {
      #expect(try JSONRecordIndex(of: .chunks(chunks(of: Self.text, size: size)), every: 5) == whole, "\(size)")
    }
    #expect(try JSONRecordIndex(of: .bytes([])).count == 0)
    #expect(try JSONRecordIndex(of: .bytes(Array("\n \n".utf8))).count == 0)
  }

  @Test func `a descriptor keeps its file offset`() throws {
    try withFile(Self.text) { path in
      let index = try JSONRecordIndex(of: .path(path), every: 4)
      let file = try File(path: Array(path.utf8))
      for number in [50, 3, 96, 0] {
        #expect(try index.record(number, in: file.descriptor)?["id"].int == number)
        #expect(file.position == 0)
      }
    }
  }

  @Test func `a truncated file is reported`() throws {
    let index = try JSONRecordIndex(of: .bytes(Self.text), every: 4)
    try withFile(Array(Self.text.prefix(100))) { path in
      let error = jsonError { _ = try index.record(90, in: path) }
      #expect(error?.code == .unreadable)
      #expect(error?.message == "expected the \(Self.text.count) bytes that were indexed, found 100")
    }
  }

  @Test func `an inconsistent index finds nothing or throws an error`() throws {
    let texts = [
      #"{"stride":0,"count":5,"byteCount":10,"offsets":[0],"lines":[1]}"#,
      #"{"stride":1,"count":5,"byteCount":10,"offsets":[-7],"lines":[]}"#,
      #"{"stride":2,"count":9223372036854775807,"byteCount":-1,"offsets":[9223372036854775807],"lines":[-1]}"#,
    ]
    try withFile(Self.text) { path in
      for text in texts {
        let index = try JSONDecoder().decode(JSONRecordIndex.self, from: Data(text.utf8))
        for number in [0, 1, 4, Int.max] { _ = jsonError { _ = try index.record(number, in: path) } }
      }
    }
  }
}
