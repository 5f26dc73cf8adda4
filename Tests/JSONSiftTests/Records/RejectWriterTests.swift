import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct RejectWriterTests {
  /// Returns the bytes of each reject: from the reject if it holds all of them, else from the source.
  private static func replay(_ rejects: [UInt8], _ source: [UInt8]) throws -> [[UInt8]] {
    var reader = try JSONRecordReader(.bytes(rejects))
    var replayed: [[UInt8]] = []
    while let reject = try reader.next() {
      let offset = reject["byteOffset"].intValue
      #expect(reject["offset"].int == offset)
      let range = offset..<(offset + reject["length"].intValue)
      if reject["truncated"].bool == true {
        replayed.append(Array(source[range]))
      } else if let raw = reject["raw"].string {
        replayed.append(Array(raw.utf8))
      } else {
        replayed.append(Array(try #require(Data(base64Encoded: reject["rawBase64"].stringValue))))
      }
      // The first bytes equal those of the source in any case.
      let first =
        reject["raw"].string.map { Array($0.utf8) }
        ?? Data(base64Encoded: reject["rawBase64"].stringValue).map { Array($0) }
      #expect(first == Array(source[range].prefix(first?.count ?? -1)))
    }
    return replayed
  }

  @Test func `every rejected byte can be replayed`() throws {
    var bytes: [UInt8] = []
    var bad: [[UInt8]] = []
    for (number, kind) in RecoveryTests.kinds.enumerated() {
      bytes += Array("{\"good\":\(number)}\n".utf8) + kind.bytes + [0x0A]
      bad.append(kind.bytes)
    }
    for limit in [0, 1, 5, 64, 1 << 16] {
      let options = with(RecoveryTests.options) { $0.rawByteLimit = limit }
      try withFile([]) { path in
        var writer = try JSONRejectWriter(path: path)
        var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: 7)), options: options)
        while let element = try reader.nextResult() {
          if case .failure(let record) = element { try writer.write(record, from: "a.log") }
        }
        try writer.close()
        let rejects = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try Self.replay(rejects, bytes) == bad)
        #expect(String(decoding: rejects, as: UTF8.self).contains("truncated") == (limit < 1000))
      }
    }
  }

  @Test func `a reject has file, line, offset, length, error and bytes`() throws {
    let options = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.rawByteLimit = 6 }
    var reader = try JSONRecordReader(
      .bytes(Array("1\n{\"a\":\n\"".utf8) + [0xFF] + Array("\"\n\"éé\"é\n".utf8)), options: options)
    var lines = ""
    while let element = try reader.nextResult() {
      if case .failure(let bad) = element {
        lines += String(decoding: JSONRejectWriter.line(bad, file: "a \"b\".log"), as: UTF8.self)
      }
    }
    #expect(
      lines == #"""
        {"file":"a \"b\".log","line":2,"byteOffset":2,"offset":2,"length":5,"error":"expected a value, found the end of the text","raw":"{\"a\":"}
        {"file":"a \"b\".log","line":3,"byteOffset":8,"offset":8,"length":3,"error":"expected UTF-8, found an invalid byte sequence","rawBase64":"Iv8i"}
        {"file":"a \"b\".log","line":4,"byteOffset":12,"offset":12,"length":8,"error":"expected the end of the text after one value, found a character that is not ASCII","raw":"\"éé\"","truncated":true}

        """#)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"),
    arguments: [true, false])
  func `a full device is reported by the write, and again by the flush or the close`(closes: Bool) throws {
    let options = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.rawByteLimit = 6 }
    var reader = try JSONRecordReader(.bytes([UInt8(ascii: "{")]), options: options)
    guard case .failure(let record)? = try reader.nextResult() else { throw TestFailure() }
    var writer = try JSONRejectWriter(path: "/dev/full")
    #expect(jsonError { try writer.write(record, from: "x") }?.code == .unwritable)
    do throws(JSONError) {
      if closes { try writer.close() } else { try writer.flush() }
      Issue.record("nothing was reported")
    } catch {
      #expect(error.code == .unwritable)
    }
  }

  private struct TestFailure: Error {}

  @Test func `a file that cannot be written is reported`() throws {
    let error = jsonError { _ = try JSONRejectWriter(path: "/nonexistent/rejects") }
    #expect(error?.code == .unwritable)
    #expect(error?.message.hasPrefix("the output cannot be written: ") == true)
  }

  /// Returns the bad records of a text of lines.
  private static func bad(_ text: String) throws -> [JSONBadRecord] {
    var reader = try JSONRecordReader(.bytes(Array(text.utf8)), options: .init(framing: .lines, recovery: .report))
    var bad: [JSONBadRecord] = []
    while let element = try reader.nextResult() { if case .failure(let record) = element { bad.append(record) } }
    return bad
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test func `a reject is in the file when write returns`() throws {
    let bad = try Self.bad("x\ny\n")
    try withFile([]) { path in
      var writer = try JSONRejectWriter(path: path)
      var expected = ""
      for record in bad {
        try writer.write(record, from: "a")
        expected += String(decoding: JSONRejectWriter.line(record, file: "a"), as: UTF8.self)
        #expect(try Self.text(path) == expected)
      }
      try writer.close()
      #expect(try Self.text(path) == expected)
    }
  }

  @Test func `a writer resumed at a checkpoint truncates the file after it`() throws {
    let bad = try Self.bad("x\ny\nz\n")
    try withFile(Array("rejects of yesterday".utf8)) { path in
      var first = try JSONRejectWriter(path: path)
      #expect(try first.checkpoint() == JSONRejectWriter.storedCheckpoint(0, 1))
      try first.write(bad[0], from: "a")
      let checkpoint = try JSONDecoder().decode(JSONCheckpoint.self, from: JSONEncoder().encode(try first.checkpoint()))
      let one = try Self.text(path)
      #expect(checkpoint == JSONRejectWriter.storedCheckpoint(one.utf8.count, 2))
      // The output of a program that is killed after its last checkpoint.
      try first.write(bad[1], from: "a")
      try first.write(bad[2], from: "a")

      var second = try JSONRejectWriter(URL(fileURLWithPath: path), resumingAt: checkpoint)
      #expect(try Self.text(path) == one)
      try second.write(bad[2], from: "a")
      let two = one + String(decoding: JSONRejectWriter.line(bad[2], file: "a"), as: UTF8.self)
      #expect(try Self.text(path) == two)
      #expect(try second.checkpoint() == JSONRejectWriter.storedCheckpoint(two.utf8.count, 3))
    }
  }

  @Test func `a file without the rejects before the checkpoint is an error and stays unchanged`() throws {
    let checkpoint = JSONRejectWriter.storedCheckpoint(10, 2)
    try withFile(Array("short\n".utf8)) { path in
      let error = jsonError { _ = try JSONRejectWriter(path: path, resumingAt: checkpoint) }
      #expect(error?.code == .unwritable)
      #expect(
        error?.message
          == "expected a file of rejects with at least 10 bytes, as at the checkpoint, found one of 6 bytes")
      let text = try Self.text(path)
      #expect(text == "short\n")
    }
    let error = jsonError { _ = try JSONRejectWriter(path: "/dev/null", resumingAt: checkpoint) }
    #expect(error?.message.hasSuffix("found no regular file") == true)
  }

  @Test func `bytes that the system does not accept are reported by each call and are not lost`() throws {
    let bad = try Self.bad("x\ny\n")
    try withFile([]) { path in
      let refusing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { _ = close(refusing) }
      var writer = JSONRejectWriter(descriptor: refusing)
      for record in bad {
        #expect(throws: JSONError.self) { try writer.write(record, from: "a") }
      }
      var failure: JSONError?
      do throws(JSONError) { _ = try writer.checkpoint() } catch { failure = error }
      #expect(failure?.code == .unwritable)
      // The descriptor becomes writable.
      let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
      #expect(dup2(file, refusing) == refusing)
      _ = close(file)
      try writer.close()
      let lines = bad.map { String(decoding: JSONRejectWriter.line($0, file: "a"), as: UTF8.self) }
      #expect(try Self.text(path) == lines.joined())
    }
  }
}

extension JSONRejectWriter {
  /// A checkpoint in the form that ``checkpoint()`` returns.
  fileprivate static func storedCheckpoint(_ offset: Int, _ line: Int) -> JSONCheckpoint {
    LinePosition(offset: offset, line: line).checkpoint
  }
}
