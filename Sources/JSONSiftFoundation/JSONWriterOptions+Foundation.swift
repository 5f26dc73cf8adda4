package import Foundation
package import JSONSift

extension JSONWriterOptions {
  /// Foundation's options; those that it does not know are ignored.
  package init(_ options: JSONSerialization.WritingOptions) {
    self = .swiftyJSONCompatible(isPretty: options.contains(.prettyPrinted))
    sortsKeys = options.contains(.sortedKeys)
    if options.contains(.withoutEscapingSlashes) { slashes = .plain }
  }
}
