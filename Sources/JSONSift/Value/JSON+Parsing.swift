#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// Validates one complete JSON text. Values are converted only when they are accessed.
  ///
  /// An array is retained, not copied; other collections are copied once.
  ///
  /// A text of 4 KiB or more is validated, which is several times as fast as parsing it, and then kept as text.
  /// The first subscript into an array or object of 4 KiB or more builds an index of its children; a shorter one is
  /// parsed when a value in it is accessed. Operations that need a whole container, such as iteration, `==` and pretty
  /// writing, parse it completely, once. So parts that are not accessed take no memory in addition to the text. Errors
  /// are thrown here as if everything were parsed. A text is parsed as a whole here if the validation is undecided, or if its
  /// tape might exceed ``JSONLimits/tapeBytes``: by default a text of 2 GiB.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - options: Limits, and the handling of lone surrogates.
  /// - Throws: ``JSONError`` with the offset of the first invalid byte.
  public init(parsing bytes: some Collection<UInt8>, options: JSONOptions = JSONOptions()) throws(JSONError) {
    var parser = JSONParser(options: options)
    self = try parser.parse(bytes).trimmed()
  }

  /// Parses the JSON text in a string.
  ///
  /// - Throws: ``JSONError``; its offset counts UTF-8 bytes.
  public init(parsing text: String, options: JSONOptions = JSONOptions()) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), options: options)
  }

  /// Parses the JSON text of an array or object. Any other text, including a scalar, becomes ``null`` without an error.
  ///
  /// This is SwiftyJSON's initializer with SwiftyJSON's limits: at most 512 arrays and objects may be nested inside one
  /// another. For a diagnosis use ``init(parsing:options:)-(Collection<UInt8>,_)``.
  public init(parseJSON text: String) {
    guard let json = try? JSON(parsing: text, options: JSONOptions(limits: .swiftyJSONCompatible)),
      json.type == .array || json.type == .dictionary
    else {
      self = .null
      return
    }
    self = json
  }

  /// How a file is loaded into memory.
  public enum FileLoading: Sendable, Hashable {
    /// The file is read into memory that the value owns. The default.
    case copied
    /// The file is mapped: pages are read when they are accessed and can be evicted. Only for a file that does not change.
    /// If the file is truncated while it is mapped, the system terminates the process; if it is written to while it is
    /// parsed, libyajl may terminate it. Later writes change values, which stay within their bounds. A value that is invalid
    /// when it is first accessed is null, with the error ``JSON/AccessError/invalidJSON``.
    case mapped
  }

  /// Parses the JSON text in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A pipe or device is read to its end.
  ///   - loading: Whether the file is copied or mapped. A file that cannot be mapped is copied.
  ///   - options: Limits, and the handling of lone surrogates.
  /// - Throws: ``JSONError``, with code ``JSONError/Code/unreadable`` if the file cannot be read. The error names the file
  ///   (``JSONError/file``).
  public init(
    contentsOf path: String, loading: FileLoading = .copied, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    var parser = JSONParser(options: options)
    self = try parser.parse(contentsOf: path, loading: loading).trimmed()
  }

  /// Parses the JSON text in the file of a URL; see ``init(contentsOf:loading:options:)-(String,_,_)``. A URL that is not a
  /// file URL also throws an error with code ``JSONError/Code/unreadable``: nothing is fetched over a network.
  public init(
    contentsOf url: URL, loading: FileLoading = .copied, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    var parser = JSONParser(options: options)
    self = try parser.parse(contentsOf: url, loading: loading).trimmed()
  }

  /// Parses a complete text immediately, for a caller that reads all of it next.
  init(parsingWhole bytes: [UInt8], options: JSONOptions) throws(JSONError) {
    var builder = DocumentBuilder(options: options)
    self = JSON(try builder.document(of: .array(SourceArray(bytes))), Document.root).trimmed()
  }

  /// Releases the memory that was reserved for a larger tape. Only for a document that is not shared yet.
  private func trimmed() -> JSON {
    if case .node(let document, _) = raw { document.trim() }
    return self
  }
}

/// A parser for several texts that reuses its memory.
///
/// The values are the same as those of ``JSON/init(parsing:options:)-(Collection<UInt8>,_)``. The memory of a text is reused
/// when no value of that text exists any more. Every text is validated completely.
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
  /// The copy of the last text that was kept as text.
  private var copy: ByteStore?

  /// Creates a parser with its own memory. Use it on one thread at a time.
  public init(options: JSONOptions = JSONOptions()) {
    builder = DocumentBuilder(options: options)
    self.options = options
    copy = nil
  }

  /// Parses one JSON text.
  ///
  /// - Throws: ``JSONError``. The parser can then parse another text.
  public mutating func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSON {
    if let array = bytes as? [UInt8] { return try json(.array(SourceArray(array))) }
    let parsed = bytes.withContiguousStorageIfAvailable { bytes -> Result<JSON, JSONError> in
      Result { () throws(JSONError) in
        if bytes.count >= LazyText.minValidated {
          return try unsafe json(.store(stored(UnsafeRawBufferPointer(bytes))))
        }
        return JSON(try unsafe builder.document(copyingFirst: UnsafeRawBufferPointer(bytes)), Document.root)
      }
    }
    if let parsed { return try parsed.get() }
    return try json(.array(SourceArray(Array(bytes))))
  }

  /// Parses the JSON text in a file.
  public mutating func parse(contentsOf path: String, loading: JSON.FileLoading = .copied) throws(JSONError) -> JSON {
    try parse(file: Array(path.utf8), loading)
  }

  /// Parses the JSON text in the file of a URL.
  public mutating func parse(contentsOf url: URL, loading: JSON.FileLoading = .copied) throws(JSONError) -> JSON {
    try parse(file: url.filePath(for: .unreadable), loading)
  }

  private mutating func parse(file path: [UInt8], _ loading: JSON.FileLoading) throws(JSONError) -> JSON {
    do throws(JSONError) {
      let store = try Self.stored(path, loading)
      if let format = unsafe CompressedFormat(of: store.bytes) { throw JSONError(compressed: format) }
      return try json(.store(store))
    } catch {
      throw error.naming(String(decoding: path, as: UTF8.self))
    }
  }

  private mutating func json(_ source: Document.Source) throws(JSONError) -> JSON {
    if let json = JSON.lazy(LazyText(validating: source, options: options)) { return json }
    return JSON(try builder.document(of: source), Document.root)
  }

  /// Returns a copy of the bytes, in the memory of the last copy if no value holds that any more.
  private mutating func stored(_ bytes: UnsafeRawBufferPointer) -> ByteStore {
    if isKnownUniquelyReferenced(&copy), let copy {
      unsafe copy.refill(bytes)
      return copy
    }
    let made = unsafe ByteStore(copying: bytes)
    copy = made
    return made
  }

  private static func stored(_ path: [UInt8], _ loading: JSON.FileLoading) throws(JSONError) -> ByteStore {
    do throws(File.Failure) {
      let file = try File(path: path)
      let size = file.regularSize() ?? 0
      if loading == .mapped, size > 0, let mapped = ByteStore(mapping: file.descriptor, count: size) { return mapped }
      // One byte more, so that the end of the file is detected without growing.
      let store = ByteStore(capacity: size + 1)
      _ = unsafe try store.append(room: size) { (buffer) throws(File.Failure) in
        try unsafe file.readInParallel(into: buffer) ?? 0
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
