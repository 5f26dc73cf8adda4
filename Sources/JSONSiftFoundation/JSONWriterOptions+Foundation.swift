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
