import JSONSift

#if Compression
  import JSONSiftCompression
#endif

/// What `--version` prints.
enum Version {
  static let number = "0.2.0"

  /// The number; and, on a second line, the libraries in C that the program contains or has loaded, with their versions.
  static var text: String {
    var libraries = ["libyajl " + yajlVersion]
    #if Compression
      libraries += compressionLibraries
    #endif
    return number + "\nwith " + libraries.joined(separator: ", ")
  }
}
