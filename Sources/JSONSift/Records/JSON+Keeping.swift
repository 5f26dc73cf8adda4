#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// Reads one JSON text from a file, and keeps only the values that the paths select, with the arrays and objects that lead
  /// to them.
  ///
  /// The file may be larger than memory; the kept values must fit. See ``JSONBuilder``.
  ///
  /// - Throws: ``JSONError``, as in ``init(contentsOf:loading:options:)-(String,_,_)``; ``JSONError/Code/invalidPath`` too.
  public init(
    contentsOf path: String, keeping paths: [JSONPath], options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(reading: .path(path), keeping: paths, options)
  }

  /// Reads one JSON text from the file of a URL, and keeps only the values that the paths select.
  public init(contentsOf url: URL, keeping paths: [JSONPath], options: JSONOptions = JSONOptions()) throws(JSONError) {
    try self.init(reading: .url(url), keeping: paths, options)
  }

  private init(reading source: JSONSource, keeping paths: [JSONPath], _ options: JSONOptions) throws(JSONError) {
    var builder = try JSONBuilder(.keeping(paths), options: options)
    var window = try ReadWindow(source)
    while try window.fill() {
      let count = window.count
      try unsafe builder.feed(window.bytes)
      window.use(count)
    }
    self = try builder.finish()
  }

  /// Parses one JSON text, and keeps only the values that the paths select. See ``JSONBuilder``.
  ///
  /// - Throws: ``JSONError``; ``JSONError/Code/invalidPath`` too.
  public init(
    parsing bytes: some Collection<UInt8>, keeping paths: [JSONPath], options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    var builder = try JSONBuilder(.keeping(paths), options: options)
    try builder.feed(bytes)
    self = try builder.finish()
  }

  /// Parses the JSON text in a string, and keeps only the values that the paths select. See ``JSONBuilder``.
  public init(parsing text: String, keeping paths: [JSONPath], options: JSONOptions = JSONOptions()) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), keeping: paths, options: options)
  }
}
