#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// Checks one JSON text as a whole. Nothing is converted until you ask.
  ///
  /// An array is kept, not copied; other collections are copied once.
  ///
  /// A text of 4 KiB or more is proven to be JSON, which is several times as fast as to parse it, and then kept as text. The
  /// first subscript into an array or object of 4 KiB or more looks for the places of its children, and a shorter one is
  /// parsed when a value in it is asked for. What needs all of a container, as iteration, `==` and pretty writing do, parses
  /// it as a whole, once. So what you do not touch costs no memory beside its text. Errors are thrown here as if all were
  /// parsed. A text is parsed here if the proof is in doubt about any byte of it, or if its index might exceed
  /// ``JSONLimits/tapeBytes``: by default one of 2 GiB.
  ///
  /// With ``JSONOptions/fastForward-swift.property`` a text of 64 KiB or more is not checked here but where it is touched,
  /// and containers of less than 64 KiB are parsed as a whole. Where the touched text is no JSON the value is null, its
  /// ``error`` is ``SwiftyJSONError/invalidJSON``, and ``jsonError`` says why and where.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - options: Limits, and what becomes of half a surrogate pair.
  /// - Throws: ``JSONError`` with the offset of the first byte that cannot be right.
  public init(parsing bytes: some Collection<UInt8>, options: JSONOptions = JSONOptions()) throws(JSONError) {
    if options.fastForward {
      let bytes = (bytes as? [UInt8]) ?? Array(bytes)
      if let json = JSON.lazy(LazyText(unproven: .array(SourceArray(bytes)), options: options)) {
        self = json
        return
      }
    }
    var parser = JSONParser(options: options)
    self = try parser.parse(bytes).trimmed()
  }

  /// Parses the JSON text in a string.
  ///
  /// - Throws: ``JSONError``; its offset counts UTF-8 bytes.
  public init(parsing text: String, options: JSONOptions = JSONOptions()) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), options: options)
  }

  /// Parses the JSON text of an array or object. Anything else, also a scalar, gives ``null``, without an error.
  ///
  /// This is SwiftyJSON's initialiser, as it is documented there: at most 512 arrays and objects may lie inside one
  /// another. To learn what is wrong, use ``init(parsing:options:)-(Collection<UInt8>,_)``.
  public init(parseJSON text: String) {
    guard let json = try? JSON(parsing: text, options: JSONOptions(limits: .swiftyJSONCompatible)),
      json.type == .array || json.type == .dictionary
    else {
      self = .null
      return
    }
    self = json
  }

  /// How the bytes of a file get into memory.
  public enum FileLoading: Sendable, Hashable {
    /// Read into memory of our own. The default.
    case copied
    /// Mapped: pages are read when they are touched and can be dropped again. Only for a file that nobody changes: if it is
    /// shortened while it is mapped the system ends the process, and if it is written to while it is parsed libyajl may.
    /// What is written to it after that changes values, which stay in bounds; a value that is no JSON any more when it is
    /// first touched is null, with the error ``SwiftyJSONError/invalidJSON``.
    case mapped
  }

  /// Parses the JSON text in a file.
  ///
  /// - Parameters:
  ///   - path: The file. A pipe or device is read to its end.
  ///   - loading: Copied or mapped. What cannot be mapped is copied.
  ///   - options: Limits, and what becomes of half a surrogate pair.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unreadable`` if the file cannot be read.
  public init(
    contentsOf path: String, loading: FileLoading = .copied, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(contentsOf: Array(path.utf8), loading, options)
  }

  private init(contentsOf path: [UInt8], _ loading: FileLoading, _ options: JSONOptions) throws(JSONError) {
    if options.fastForward {
      let store = try JSONParser.load(path, loading)
      if let json = JSON.lazy(LazyText(unproven: .store(store), options: options)) {
        self = json
      } else {
        var builder = DocumentBuilder(options: options)
        self = JSON(try builder.document(of: .store(store)), Document.root).trimmed()
      }
      return
    }
    var parser = JSONParser(options: options)
    self = try parser.parse(file: path, loading).trimmed()
  }

  /// Parses the JSON text in the file of a URL; see ``init(contentsOf:loading:options:)-(String,_,_)``. Of a URL that leads
  /// to no file the error has the code ``JSONError/Code/unreadable`` too: nothing is fetched over a network.
  public init(
    contentsOf url: URL, loading: FileLoading = .copied, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(contentsOf: url.filePath(for: .unreadable), loading, options)
  }

  /// Parses all of a text at once, for a caller that goes over all of it next.
  init(parsingWhole bytes: [UInt8], options: JSONOptions) throws(JSONError) {
    var builder = DocumentBuilder(options: options)
    self = JSON(try builder.document(of: .array(SourceArray(bytes))), Document.root).trimmed()
  }

  /// Gives back the memory that was reserved for a larger tape. For a document that nobody else has seen.
  private func trimmed() -> JSON {
    if case .node(let document, _) = raw { document.trim() }
    return self
  }
}

/// Parses one text after another and uses its memory again.
///
/// The values are the same as those of ``JSON/init(parsing:options:)-(Collection<UInt8>,_)``. The memory of a text is used
/// again as soon as no value of it is held any more. Every text is checked, also with
/// ``JSONOptions/fastForward-swift.property``.
///
/// ```swift
/// var parser = JSONParser()
/// for message in messages {
///   let json = try parser.parse(message)
///   total += json["amount"].intValue
/// }
/// ```
public struct JSONParser: ~Copyable {
  private var builder: DocumentBuilder
  private let options: JSONOptions
  /// The copy of the last text that was kept as it is.
  private var copy: ByteStore?

  /// A parser with memory of its own, for one thread at a time.
  public init(options: JSONOptions = JSONOptions()) {
    builder = DocumentBuilder(options: options)
    self.options = options
    copy = nil
  }

  /// Parses one JSON text.
  ///
  /// - Throws: ``JSONError``. The parser can go on with another text.
  public mutating func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSON {
    if let array = bytes as? [UInt8] { return try json(.array(SourceArray(array))) }
    let parsed = bytes.withContiguousStorageIfAvailable { bytes -> Result<JSON, JSONError> in
      Result { () throws(JSONError) in
        if bytes.count >= LazyText.minProven { return try unsafe json(.store(stored(UnsafeRawBufferPointer(bytes)))) }
        return JSON(try unsafe builder.document(copyingFirst: UnsafeRawBufferPointer(bytes)), Document.root)
      }
    }
    if let parsed { return try parsed.get() }
    return try json(.array(SourceArray(Array(bytes))))
  }

  /// Parses the JSON text in a file.
  public mutating func parse(
    contentsOf path: String, loading: JSON.FileLoading = .copied
  ) throws(JSONError) -> JSON {
    try parse(file: Array(path.utf8), loading)
  }

  /// Parses the JSON text in the file of a URL.
  public mutating func parse(
    contentsOf url: URL, loading: JSON.FileLoading = .copied
  ) throws(JSONError) -> JSON {
    try parse(file: url.filePath(for: .unreadable), loading)
  }

  fileprivate mutating func parse(file path: [UInt8], _ loading: JSON.FileLoading) throws(JSONError) -> JSON {
    try json(.store(Self.load(path, loading)))
  }

  private mutating func json(_ source: Document.Source) throws(JSONError) -> JSON {
    if let json = JSON.lazy(LazyText(proving: source, options: options)) { return json }
    return JSON(try builder.document(of: source), Document.root)
  }

  /// A copy of bytes, in the memory of the last one if no value holds that any more.
  private mutating func stored(_ bytes: UnsafeRawBufferPointer) -> ByteStore {
    if isKnownUniquelyReferenced(&copy), let copy {
      unsafe copy.refill(bytes)
      return copy
    }
    let made = unsafe ByteStore(copying: bytes)
    copy = made
    return made
  }

  /// The bytes of a file, unless they are compressed.
  fileprivate static func load(_ path: [UInt8], _ loading: JSON.FileLoading) throws(JSONError) -> ByteStore {
    let store = try stored(path, loading)
    if let format = unsafe CompressedFormat(of: store.bytes) { throw JSONError(compressed: format) }
    return store
  }

  private static func stored(_ path: [UInt8], _ loading: JSON.FileLoading) throws(JSONError) -> ByteStore {
    do throws(File.Failure) {
      let file = try File(path: path)
      let size = file.regularSize() ?? 0
      if loading == .mapped, size > 0, let mapped = ByteStore(mapping: file.descriptor, count: size) { return mapped }
      // One byte more, so that the end is seen without growing.
      let store = ByteStore(capacity: size + 1)
      _ = unsafe try store.append(room: size) { (buffer) throws(File.Failure) in
        try unsafe file.readWithHelp(into: buffer) ?? 0
      }
      while true {
        let room = store.count <= size ? size + 1 - store.count : 1 << 16
        let count = unsafe try store.append(room: room) { (buffer) throws(File.Failure) in
          try unsafe file.read(into: buffer)
        }
        if count == 0 { return store }
      }
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number)
    }
  }
}
