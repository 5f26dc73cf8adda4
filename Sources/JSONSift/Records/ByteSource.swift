/// Where the bytes of a stream come from.
///
/// ```swift
/// let source = JSONSource.path("events.ndjson")
/// ```
public struct JSONSource {
  enum Kind {
    case path([UInt8])
    case descriptor(Int32)
    case bytes([UInt8])
    case chunks(() -> [UInt8]?)
    case reader(() throws(JSONError) -> any ByteReader)
  }

  let kind: Kind
  /// The file's name, from which framing can be guessed.
  package private(set) var name: String?
  private(set) var beforeRead: (() -> Void)?

  private init(kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }

  /// The same source, with something to do before each read, which may wait: a program that writes what it finds can
  /// flush its output there.
  public func beforeEachRead(_ body: @escaping () -> Void) -> JSONSource {
    var source = self
    source.beforeRead = body
    return source
  }

  /// A file, a FIFO or a device, opened when reading begins.
  public static func path(_ path: String) -> JSONSource { JSONSource(kind: .path(Array(path.utf8)), name: path) }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public static func path(bytes path: [UInt8]) -> JSONSource {
    JSONSource(kind: .path(path), name: String(decoding: path, as: UTF8.self))
  }

  /// An open descriptor. It is read from where it stands, and not closed.
  public static func descriptor(_ descriptor: Int32) -> JSONSource { JSONSource(kind: .descriptor(descriptor)) }

  /// Standard input.
  public static var standardInput: JSONSource { .descriptor(0) }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> JSONSource { JSONSource(kind: .bytes(bytes)) }

  /// Chunks of any size, each asked for when the one before is used up. An empty chunk means nothing. They can be read once;
  /// a second reader goes on where the first has stopped.
  public static func chunks(_ chunks: some Sequence<[UInt8]>) -> JSONSource {
    var iterator = chunks.makeIterator()
    return JSONSource(kind: .chunks { iterator.next() })
  }

  /// Bytes that another module reads. `open` is called when reading begins.
  package static func reading(
    name: String?, _ open: @escaping () throws(JSONError) -> any ByteReader
  ) -> JSONSource {
    JSONSource(kind: .reader(open), name: name)
  }
}

/// Reads for a ``JSONSource`` of another module.
package protocol ByteReader: AnyObject {
  /// Reads up to `buffer.count` bytes; 0 is the end. `offset` counts those before, for the error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int
}

/// Reads a ``JSONSource``.
///
/// gzip and zstd data are refused, unless a module that reads them has opened the source.
package struct ByteSource: ~Copyable {
  private var file: File?
  private let reader: (any ByteReader)?
  private let isCompressionAllowed: Bool
  private var isHeadKnown = false
  private let nextChunk: (() -> [UInt8]?)?
  private var chunk: ArraySlice<UInt8> = []
  private let beforeRead: (() -> Void)?
  private var isAtEnd = false

  package init(_ source: JSONSource, allowingCompression: Bool = false) throws(JSONError) {
    var reader: (any ByteReader)?
    if case .reader(let open) = source.kind { reader = try open() }
    try self.init(source, reader, allowingCompression)
  }

  private init(
    _ source: JSONSource, _ reader: (any ByteReader)?, _ allowingCompression: Bool
  ) throws(JSONError) {
    self.reader = reader
    beforeRead = source.beforeRead
    isCompressionAllowed = allowingCompression
    do throws(File.Failure) {
      switch source.kind {
      case .path(let path):
        file = try File(path: path)
        nextChunk = nil
      case .descriptor(let descriptor):
        file = File(borrowing: descriptor)
        nextChunk = nil
      case .bytes(let bytes):
        file = nil
        var rest: [UInt8]? = bytes
        nextChunk = {
          defer { rest = nil }
          return rest
        }
      case .chunks(let next):
        file = nil
        nextChunk = next
      case .reader:
        file = nil
        nextChunk = nil
      }
    } catch {
      throw JSONError(.unreadable, at: 0, number: Int(error.number))
    }
  }

  /// Reads up to `buffer.count` bytes; 0 is the end. `offset` is the place in the input, for the error.
  package mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    guard isHeadKnown else { return try unsafe readHead(into: buffer, at: offset) }
    return try unsafe readMore(into: buffer, at: offset)
  }

  /// Reads the first bytes, at least as many as tell whether they are compressed.
  private mutating func readHead(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    isHeadKnown = true
    var count = 0
    repeat {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let more = try unsafe readMore(into: room, at: offset + count)
      if more == 0 { break }
      count += more
    } while unsafe !isCompressionAllowed
      && CompressedFormat.mayBegin(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    guard !isCompressionAllowed else { return count }
    if let format = unsafe CompressedFormat(of: UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) {
      isAtEnd = true
      throw JSONError(compressed: format, isInside: reader != nil)
    }
    return count
  }

  private mutating func readMore(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    guard !isAtEnd, unsafe !buffer.isEmpty else { return 0 }
    beforeRead?()
    let count: Int
    if let reader {
      // An error is the end: whoever asks again is not told for ever.
      isAtEnd = true
      count = try unsafe reader.read(into: buffer, at: offset)
      isAtEnd = false
    } else if let nextChunk {
      while chunk.isEmpty, let next = nextChunk() { chunk = next[...] }
      count = min(chunk.count, buffer.count)
      unsafe buffer.copyBytes(from: chunk.prefix(count))
      chunk = chunk.dropFirst(count)
    } else {
      do throws(File.Failure) {
        count = try unsafe file?.read(into: buffer) ?? 0
      } catch {
        throw JSONError(.unreadable, at: offset, number: Int(error.number))
      }
    }
    if count == 0 { isAtEnd = true }
    return count
  }
}
