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
    case starving(StarvingInput)
  }

  let kind: Kind
  private(set) var name: String?
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

  /// Bytes that are not always there: whoever reads them knows how to wait.
  static func starving(_ input: StarvingInput, name: String? = nil) -> JSONSource {
    JSONSource(kind: .starving(input), name: name)
  }

  /// Chunks of any size, each asked for when the one before is used up. An empty chunk means nothing. They can be read once;
  /// a second reader goes on where the first has stopped.
  public static func chunks(_ chunks: some Sequence<[UInt8]>) -> JSONSource {
    var iterator = chunks.makeIterator()
    return JSONSource(kind: .chunks { iterator.next() })
  }
}

/// Reads a ``JSONSource``.
struct ByteSource: ~Copyable {
  private var file: File?
  private let nextChunk: (() -> [UInt8]?)?
  private let starving: StarvingInput?
  private var chunk: ArraySlice<UInt8> = []
  private let beforeRead: (() -> Void)?
  private var isAtEnd = false

  init(_ source: JSONSource) throws(JSONError) {
    beforeRead = source.beforeRead
    if case .starving(let input) = source.kind { starving = input } else { starving = nil }
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
      case .starving:
        file = nil
        nextChunk = nil
      }
    } catch {
      throw JSONError(.unreadable, at: 0, number: Int(error.number))
    }
  }

  /// Reads up to `buffer.count` bytes; 0 is the end. `offset` is the place in the input, for the error.
  ///
  /// - Throws: ``JSONError/Code/starved`` if the source knows how to wait and there is nothing yet; nothing has changed then.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    guard !isAtEnd, unsafe !buffer.isEmpty else { return 0 }
    beforeRead?()
    let count: Int
    if let nextChunk {
      while chunk.isEmpty, let next = nextChunk() { chunk = next[...] }
      count = min(chunk.count, buffer.count)
      unsafe buffer.copyBytes(from: chunk.prefix(count))
      chunk = chunk.dropFirst(count)
    } else if let starving {
      count = try unsafe Self.read(starving, into: buffer, at: offset)
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

  private static func read(
    _ input: StarvingInput, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(JSONError) -> Int {
    let count: Int?
    do throws(File.Failure) {
      count = try unsafe input.read(into: buffer)
    } catch {
      throw JSONError(.unreadable, at: offset, number: Int(error.number))
    }
    guard let count else { throw JSONError(.starved, at: offset) }
    return count
  }
}
