#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    case place(Int32, Int)
    case nonblocking(NonblockingInput)
    case unopenable(JSONError)
  }

  let kind: Kind
  /// The file's name, from which framing can be guessed.
  package private(set) var name: String?
  private(set) var beforeRead: (() -> Void)?
  private(set) var afterRead: ((Int) -> Void)?
  private(set) var passedLine: ((Int, Int) -> Void)?
  private(set) var following: Following?
  /// It is a file that is followed, or what another module makes of one.
  package private(set) var mayGrow = false

  /// How a file that grows is waited for.
  struct Following {
    let path: [UInt8]
    let milliseconds: Int
    let isDone: () -> Bool
  }

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

  /// The same source, with something to do after each read: it gets the number of bytes that were read.
  public func afterEachRead(_ body: @escaping (_ count: Int) -> Void) -> JSONSource {
    var source = self
    source.afterRead = body
    return source
  }

  /// The same source, with something to do where a checkpoint stands in the middle of a line: it gets the offset, and that
  /// of the line with which the reading begins.
  package func whenLineIsPassed(_ body: @escaping (_ offset: Int, _ next: Int) -> Void) -> JSONSource {
    var source = self
    source.passedLine = body
    return source
  }

  /// The same file, not ended where it ends now: what is written behind it is waited for, as `tail -F` does. A source that
  /// is no ``path(_:)`` stays as it is.
  ///
  /// The source ends when `isDone` says so; and when the file is replaced by another one of its name, or has become
  /// shorter: then all that it held has been read, and a new reader of the same path begins with the new one. A file that is
  /// rewritten in its place, and at the next look has as many bytes as were read or more, cannot be told from one that has grown:
  /// only what lies behind the bytes that were read is read of it.
  ///
  /// Where the framing is guessed, a first line that is a whole value means lines at once, whatever the file's name.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait between two looks at the file.
  ///   - isDone: Asked at the end of the file, before each wait. A signal ends a wait.
  public func following(
    every milliseconds: Int = 250, until isDone: @escaping () -> Bool = { false }
  ) -> JSONSource {
    guard case .path(let path) = kind else { return self }
    var source = self
    source.following = Following(path: path, milliseconds: milliseconds, isDone: isDone)
    source.mayGrow = true
    return source
  }

  /// A file, a FIFO or a device, opened when reading begins. Of a long file up to a megabyte is read ahead, by a thread that
  /// ends with its reader.
  public static func path(_ path: String) -> JSONSource { JSONSource(kind: .path(Array(path.utf8)), name: path) }

  /// The same, by the bytes of its name: a file name need not be UTF-8.
  public static func path(bytes path: [UInt8]) -> JSONSource {
    JSONSource(kind: .path(path), name: String(decoding: path, as: UTF8.self))
  }

  /// The same, by its URL. One that leads to no file is told when reading begins, as ``JSONError/Code/unreadable``.
  public static func url(_ url: URL) -> JSONSource {
    do throws(JSONError) {
      return .path(bytes: try url.filePath(for: .unreadable))
    } catch {
      return .unopenable(error)
    }
  }

  /// A source that throws an error when it is opened.
  static func unopenable(_ error: JSONError) -> JSONSource { JSONSource(kind: .unopenable(error)) }

  /// An open descriptor. It is read from where it stands, which is offset 0 of the input, and not closed. Where it stands
  /// afterwards is not said: of a long file up to a megabyte is read ahead.
  public static func descriptor(_ descriptor: Int32) -> JSONSource { JSONSource(kind: .descriptor(descriptor)) }

  /// Standard input, from where it stands.
  public static var standardInput: JSONSource { .descriptor(0) }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> JSONSource { JSONSource(kind: .bytes(bytes)) }

  /// Chunks of any size, each asked for when the one before is used up: `[UInt8]`, `ArraySlice`, `Data`, a view of a
  /// buffer. An empty chunk means nothing. They can be read once; a second reader goes on where the first has stopped.
  public static func chunks<Chunks: Sequence>(_ chunks: Chunks) -> JSONSource
  where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    var iterator = chunks.makeIterator()
    // Of an array no bytes are copied here; of other bytes that lie side by side, all at once.
    return JSONSource(kind: .chunks { iterator.next().map { Array($0) } })
  }

  /// Bytes that are not always there: whoever reads them knows how to wait.
  static func nonblocking(_ input: NonblockingInput, name: String? = nil) -> JSONSource {
    JSONSource(kind: .nonblocking(input), name: name)
  }

  /// An open file, read from a place in it, which leaves alone where the descriptor stands.
  static func file(_ descriptor: Int32, at offset: Int) -> JSONSource {
    JSONSource(kind: .place(descriptor, offset))
  }

  /// Bytes that something else reads, such as another module. `open` is called when reading begins.
  package static func reading(
    name: String?, mayGrow: Bool = false, _ open: @escaping () throws(JSONError) -> any ByteReader
  ) -> JSONSource {
    var source = JSONSource(kind: .reader(open), name: name)
    source.mayGrow = mayGrow
    return source
  }
}
