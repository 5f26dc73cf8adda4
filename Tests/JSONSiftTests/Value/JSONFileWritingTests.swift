import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Values that are written into files and descriptors.
@Suite struct JSONFileWritingTests {
  private static let json: JSON = ["name": "é", "list": [1, 2.5, nil, true]]

  /// A folder that is removed when its owner is deinitialized.
  private final class Folder {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "jsonsift-\(UUID().uuidString) é")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func appending(path: String) -> URL { url.appending(path: path) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  private func bytes(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url)) }

  @Test func `a path, a URL and a descriptor receive the same bytes`() throws {
    let folder = try Folder()
    for options in [JSONWriterOptions.compact, .pretty] {
      let expected = try Self.json.bytes(options)
      let file = folder.appending(path: "a b.json")
      try Self.json.write(options, to: file.path)
      #expect(try bytes(file) == expected)
      let other = folder.appending(path: "b.json")
      try Self.json.write(options, to: other)
      #expect(try bytes(other) == expected)
      let descriptor = unsafe open(other.path, O_WRONLY | O_TRUNC | O_CLOEXEC)
      try Self.json.write(options, to: descriptor)
      // It is not closed.
      try JSON(7).write(to: descriptor)
      #expect(close(descriptor) == 0)
      #expect(try bytes(other) == expected + [0x37])
      #expect(try JSON(contentsOf: file) == Self.json)
    }
  }

  @Test func `after an error the file is unchanged`() throws {
    let folder = try Folder()
    let file = folder.appending(path: "state.json")
    try Self.json.write(to: file)
    let long = JSON([String(repeating: "x", count: 300_000), Double.nan] as [Any])
    #expect(jsonError { try long.write(to: file) }?.code == .nonFiniteNumber)
    #expect(try JSON(contentsOf: file) == Self.json)
    let error = jsonError { try Self.json.write(to: folder.url.path + "/missing/state.json") }
    #expect(error?.code == .unwritable)
    #expect(error?.message == "the output cannot be written: No such file or directory")
    #expect(try folder.names() == ["state.json"], "nothing stays behind")
    #expect(jsonError { try Self.json.write(to: -1 as Int32) }?.code == .unwritable)
    #expect(jsonError { try Self.json.write(to: "") }?.code == .unwritable)
    #expect(jsonError { try Self.json.write(to: "a\0b") }?.code == .unwritable)
  }

  @Test func `a value that is mapped from a file can be written back to it`() throws {
    let folder = try Folder()
    let file = folder.appending(path: "large.json")
    let elements = (0..<40_000).map { "{\"n\":\($0)}" }
    try Data("[\(elements.joined(separator: ","))]".utf8).write(to: file)
    var json = try JSON(contentsOf: file, loading: .mapped)
    json[3] = "changed"
    try json.write(.pretty, to: file)
    let read = try JSON(contentsOf: file)
    #expect(read.count == 40_000 && read[3].string == "changed" && read[39_999]["n"].int == 39_999)
  }

  @Test func `a file keeps its mode, and writing follows a symbolic link`() throws {
    let folder = try Folder()
    let file = folder.appending(path: "secret.json")
    let link = folder.appending(path: "link.json")
    try Data("old".utf8).write(to: file)
    _ = unsafe chmod(file.path, 0o600)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try Self.json.write(to: link)
    #expect(try JSON(contentsOf: file) == Self.json)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    var status = stat()
    _ = unsafe stat(file.path, &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a target that is not a regular file is written in place`() throws {
    let folder = try Folder()
    let fifo = folder.appending(path: "fifo")
    _ = unsafe mkfifo(fifo.path, 0o600)
    let reading = unsafe open(fifo.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try Self.json.write(to: fifo.path)
    var buffer = [UInt8](repeating: 0, count: 1000)
    let count = unsafe read(reading, &buffer, buffer.count)
    _ = close(reading)
    #expect(Array(buffer.prefix(max(count, 0))) == (try Self.json.bytes()))
    #expect(try folder.names() == ["fifo"])
  }

  @Test func `every API that takes a path also takes a URL`() async throws {
    let folder = try Folder()
    let file = folder.appending(path: "events 100%.ndjson")
    try Data("{\"n\":[1]}\n{\"n\":[2]}\n".utf8).write(to: file)
    var reader = try JSONRecordReader(.url(file))
    #expect(try reader.next()?["n"][0].int == 1)
    #expect(reader.framing == .lines)
    let one = folder.appending(path: "one.json")
    try JSON(["a": [1, 2], "b": 3]).write(to: one)
    #expect(try JSON(contentsOf: one)["b"].int == 3)
    #expect(try JSON(contentsOf: one, loading: .mapped, options: .init())["a"].count == 2)
    #expect(try JSON(contentsOf: one, keeping: ["$.b"]) == ["b": 3])
    var parser = JSONParser()
    #expect(try parser.parse(contentsOf: one)["a"][1].int == 2)
    var values: [Int?] = []
    for try await record in JSONRecords(file) { values.append(record["n"][0].int) }
    #expect(values == [1, 2])
  }

  @Test func `a URL that is not a file URL is an error with this reason`() async throws {
    let url = try #require(URL(string: "https://example.org/events.ndjson"))
    let words = "expected the URL of a file, found one of the scheme 'https'"
    for error in [
      jsonError { _ = try JSON(contentsOf: url) }, jsonError { _ = try JSONRecordReader(.url(url)) },
      jsonError { _ = try JSON(contentsOf: url, keeping: ["$.a"]) },
    ] { #expect(error?.code == .unreadable && error?.message == words) }
    for error in [jsonError { try Self.json.write(to: url) }, jsonError { _ = try JSONRejectWriter(url) }] {
      #expect(error?.code == .unwritable && error?.message == words)
    }
    let thrown = await #expect(throws: JSONError.self) { for try await _ in JSONRecords(url) {} }
    #expect(thrown?.code == .unreadable && thrown?.message == words)
  }

  @Test(arguments: ["file:", "file://", "file:///%FF"])
  func `a file URL whose path is empty or not UTF-8 is an error with this reason`(text: String) throws {
    let url = try #require(URL(string: text))
    let words = "expected the URL of a file, found one whose path is empty or not UTF-8"
    let read = jsonError { _ = try JSON(contentsOf: url) }
    #expect(read == JSONError(.unreadable, at: 0, .emptyURL) && read?.message == words)
    let written = jsonError { try Self.json.write(to: url) }
    #expect(written == JSONError(.unwritable, at: 0, .emptyURL) && written?.message == words)
  }
}
