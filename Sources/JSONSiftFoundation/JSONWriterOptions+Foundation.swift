package import Foundation
package import JSONSift

extension JSONWriterOptions {
  /// Creates options from Foundation's. Options without an equivalent are ignored.
  package init(_ options: JSONSerialization.WritingOptions) {
    self = .swiftyJSONCompatible(isPretty: options.contains(.prettyPrinted))
    sortsKeys = options.contains(.sortedKeys)
    if options.contains(.withoutEscapingSlashes) { slashes = .plain }
  }
}

extension JSON {
  /// Returns the text with Foundation's options.
  package func data(_ options: JSONSerialization.WritingOptions) throws(JSONError) -> Data {
    var data = Data()
    try write(JSONWriterOptions(options)) { chunk in
      unsafe chunk.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
    }
    return data
  }
}
