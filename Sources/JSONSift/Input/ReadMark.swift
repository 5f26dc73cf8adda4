/// How far a file was read, and how it is recognised under any name: by what was read of it.
package struct ReadMark: Sendable {
  /// The name when it was read last.
  var path: [UInt8] = []
  /// The file of the system, and its size and time when it was read last. If all are the same, the file is not opened.
  var file = FileStatus.Identity(device: 0, inode: 0)
  var size = 0
  var modified = FileTime(seconds: 0)
  /// The number of bytes of the text that were read.
  package var position = 0
  /// The line of the next byte, from 1.
  package var line = 1
  /// The hashes of the first and of the last bytes that were read, ``TextEnds/most`` of each or all of them.
  var head = ""
  var tail = ""
  /// Whether the text was decompressed.
  var isCompressed = false

  init(_ path: [UInt8], _ status: FileStatus) { move(to: path, status) }

  /// Notes under which name, and as which file, the text was found.
  mutating func move(to path: [UInt8], _ status: FileStatus) {
    self.path = path
    (file, size, modified) = (status.identity, status.size, status.modified)
  }

  /// Forgets as which file the text was found, so that the next run opens it and reads on.
  mutating func forgetFile() { file = FileStatus.Identity(device: 0, inode: 0) }

  /// Whether nothing is known.
  var isEmpty: Bool { position == 0 && file == FileStatus.Identity(device: 0, inode: 0) }

  func isUnchanged(_ status: FileStatus) -> Bool {
    file == status.identity && size == status.size && modified == status.modified
  }

  /// Whether nothing was read of a file that had an unfinished line, and has not become shorter.
  func waits(in status: FileStatus) -> Bool { position == 0 && size > 0 && size <= status.size }

  /// The number of first bytes, and of last bytes, that are known by their hash.
  var knownBytes: Int { min(position, TextEnds.most) }
}

extension ReadMark: Codable {
  private enum Key: String, CodingKey {
    case path, pathBytes, device, inode, size, modified, position, line, head, tail, isCompressed
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let text = try values.decodeIfPresent(String.self, forKey: .path) {
      path = Array(text.utf8)
    } else {
      path = try values.decode([UInt8].self, forKey: .pathBytes)
    }
    file = FileStatus.Identity(
      device: try values.decode(UInt64.self, forKey: .device), inode: try values.decode(UInt64.self, forKey: .inode))
    size = max(try values.decode(Int.self, forKey: .size), 0)
    let text = try values.decode(String.self, forKey: .modified)
    guard let time = FileTime(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .modified, in: values, debugDescription: "expected seconds since 1970, found \(text)")
    }
    modified = FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds)
    // No input is as long, and adding to the numbers must not overflow.
    let most = 1 << 62
    position = min(max(try values.decode(Int.self, forKey: .position), 0), most)
    line = min(max(try values.decode(Int.self, forKey: .line), 1), most)
    head = try values.decode(String.self, forKey: .head)
    tail = try values.decode(String.self, forKey: .tail)
    isCompressed = try values.decodeIfPresent(Bool.self, forKey: .isCompressed) ?? false
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    if let text = String(validating: path, as: UTF8.self) {
      try values.encode(text, forKey: .path)
    } else {
      try values.encode(path, forKey: .pathBytes)
    }
    try values.encode(file.device, forKey: .device)
    try values.encode(file.inode, forKey: .inode)
    try values.encode(size, forKey: .size)
    // A time before 1970 is written as 1970: then the file is opened at the next run.
    try values.encode(modified.seconds < 0 ? "0" : modified.text(places: 9), forKey: .modified)
    try values.encode(position, forKey: .position)
    try values.encode(line, forKey: .line)
    try values.encode(head, forKey: .head)
    try values.encode(tail, forKey: .tail)
    if isCompressed { try values.encode(true, forKey: .isCompressed) }
  }
}

/// Keeps the first and the last bytes of a text that is read in parts, at different times.
package final class TextEnds: InputObserver {
  /// The number of bytes that are kept of each end.
  static let most = 4096

  struct Ends: Sendable {
    var head: [UInt8] = []
    var tail: [UInt8] = []

    mutating func add(_ bytes: some Collection<UInt8>) {
      head += bytes.prefix(TextEnds.most - head.count)
      tail += bytes.suffix(TextEnds.most)
      tail.removeFirst(max(tail.count - TextEnds.most, 0))
    }
  }

  private let ends: Lock<Ends>

  init(_ ends: Ends) { self.ends = Lock(ends) }

  package func begin(at offset: Int) {}

  package func add(_ bytes: UnsafeRawBufferPointer) { ends.withLock { unsafe $0.add(bytes) } }

  /// Returns the hash of the first bytes.
  func hashOfHead(_ count: Int) -> String { SHA256.text(of: Array(ends.withLock { $0.head.prefix(count) })) }

  /// The hashes of both ends.
  var hashes: (head: String, tail: String) {
    let ends = ends.withLock { $0 }
    return (SHA256.text(of: ends.head), SHA256.text(of: ends.tail))
  }
}
